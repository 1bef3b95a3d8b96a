#include "core/model/learning/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "core/model/kernels/kernels.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core::model {

double Schedule::at(Index step) const {
  const auto now = static_cast<double>(std::max<Index>(step, 1));
  const auto rise = static_cast<double>(warmup);
  if (kind == Kind::paper) {
    const double up = now * std::pow(std::max(rise, 1.0), -1.5);
    return rate / std::sqrt(static_cast<double>(d_model)) * std::min(1 / std::sqrt(now), up);
  }
  if (now < rise) return rate * now / rise;
  if (kind == Kind::constant) return rate;
  if (kind == Kind::steady) {
    const auto fall = static_cast<double>(std::max<Index>(steps - last_steady(), 1));
    const double share = std::clamp((now - static_cast<double>(last_steady())) / fall, 0.0, 1.0);
    return rate * (last + (1 - last) * (1 - std::sqrt(share)));
  }
  const double span = std::max(static_cast<double>(steps) - rise, 1.0);
  const double share = std::clamp((now - rise) / span, 0.0, 1.0);
  return rate * (last + (1 - last) * (1 + std::cos(std::numbers::pi * share)) / 2);
}

namespace {

// A range of one parameter: what one thread updates at a time.
struct Piece {
  const Parameter* parameter;
  Index first, count;
};

std::vector<Piece> pieces_of(const Layout& layout) {
  constexpr Index kMost = 16384;
  std::vector<Piece> pieces;
  for (const Parameter& p : layout.parameters()) {
    for (Index done = 0; done < p.slot.size(); done += kMost) {
      pieces.push_back({&p, p.slot.offset + done, std::min(kMost, p.slot.size() - done)});
    }
  }
  return pieces;
}

// Waking another thread costs more than a whole step of a small model.
int threads_worth(const Layout& layout, int threads) {
  constexpr Index kFewest = 65536;
  return layout.size() < kFewest ? 1 : threads;
}

template <class S>
double squares(const S* x, Index count) {
  if constexpr (std::is_same_v<S, float>) {
    return kernels::table().sum_of_squares(x, count);
  } else {
    double sum = 0;
    for (Index i = 0; i < count; ++i) sum += x[i] * x[i];
    return sum;
  }
}

template <class S>
double length_of(const std::vector<Piece>& pieces, const S* numbers, int threads) {
  std::vector<double> sums(pieces.size());
  parallel_for(static_cast<Index>(pieces.size()), threads, [&](Index k, int) {
    const auto at = static_cast<std::size_t>(k);
    sums[at] = squares(numbers + pieces[at].first, pieces[at].count);
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

}  // namespace

template <class S>
double norm(const Layout& layout, const S* numbers, int threads) {
  return length_of(pieces_of(layout), numbers, threads_worth(layout, threads));
}

template <class S>
const Parameter* first_not_finite(const Layout& layout, const S* numbers) {
  for (const Parameter& p : layout.parameters()) {
    const S* begin = numbers + p.slot.offset;
    const bool all =
        std::all_of(begin, begin + p.slot.size(), [](S x) { return std::isfinite(x); });
    if (!all) return &p;
  }
  return nullptr;
}

template <class S>
Optimizer<S>::Optimizer(const Layout& layout, const OptimizerOptions& options)
    : options_(options), first_(static_cast<std::size_t>(layout.size()), S{0}) {
  if (options.method != Method::sgd) second_ = first_;
}

template <class S>
Optimizer<S>::Optimizer(const Layout& layout, const OptimizerOptions& options, Index steps,
                        std::vector<S> first, std::vector<S> second)
    : options_(options), first_(std::move(first)), second_(std::move(second)), steps_(steps) {
  const Index wanted = options.method == Method::sgd ? 0 : layout.size();
  if (std::ssize(first_) != layout.size() || std::ssize(second_) != wanted) {
    refuse("optimizer",
           std::to_string(layout.size()) + " and " + std::to_string(wanted) + " moments",
           std::to_string(first_.size()) + " and " + std::to_string(second_.size()));
  }
}

template <class S>
void Optimizer<S>::momentum(const Step& step, Index first, Index count, double decay) {
  S* w = step.values + first;
  const S* g = step.gradients + first;
  S* m = first_.data() + first;
  for (Index i = 0; i < count; ++i) {
    const S gradient = g[i] * static_cast<S>(step.factor) + static_cast<S>(decay) * w[i];
    // Before the first step there is no momentum to keep: m is 0.
    m[i] = static_cast<S>(options_.momentum) * m[i] + gradient;
    w[i] -= static_cast<S>(step.rate) * m[i];
  }
}

template <class S>
void Optimizer<S>::adam(const Step& step, Index first, Index count, double decay) {
  S* w = step.values + first;
  const S* g = step.gradients + first;
  S *m = first_.data() + first, *v = second_.data() + first;
  const double c1 = step.correction1, c2 = step.correction2;
  const bool apart = options_.method == Method::adamw;
  const double keep = apart ? 1 - step.rate * decay : 1, l2 = apart ? 0 : decay;
  if constexpr (std::is_same_v<S, float>) {
    if (l2 == 0) {
      kernels::table().adam({w, g, m, v, count, static_cast<float>(step.factor),
                             static_cast<float>(options_.beta1), static_cast<float>(options_.beta2),
                             static_cast<float>(options_.epsilon),
                             static_cast<float>(step.rate / c1), static_cast<float>(1 / c2),
                             static_cast<float>(keep)});
      return;
    }
  }
  for (Index i = 0; i < count; ++i) {
    const double gradient =
        static_cast<double>(g[i]) * step.factor + l2 * static_cast<double>(w[i]);
    const double mean =
        options_.beta1 * static_cast<double>(m[i]) + (1 - options_.beta1) * gradient;
    const double square =
        options_.beta2 * static_cast<double>(v[i]) + (1 - options_.beta2) * gradient * gradient;
    m[i] = static_cast<S>(mean), v[i] = static_cast<S>(square);
    w[i] = static_cast<S>(static_cast<double>(w[i]) * keep -
                          step.rate / c1 * mean / (std::sqrt(square / c2) + options_.epsilon));
  }
}

template <class S>
double Optimizer<S>::step(const Layout& layout, S* values, const S* gradients, double rate,
                          int threads) {
  ++steps_;
  const int most = threads_worth(layout, threads);
  const std::vector<Piece> pieces = pieces_of(layout);
  const double length = length_of(pieces, gradients, most);
  const auto count = static_cast<double>(steps_);
  const Step step{values,
                  gradients,
                  rate,
                  options_.clip > 0 && length > options_.clip ? options_.clip / length : 1,
                  1 - std::pow(options_.beta1, count),
                  1 - std::pow(options_.beta2, count)};
  parallel_for(static_cast<Index>(pieces.size()), most, [&](Index k, int) {
    const auto& [parameter, first, numbers] = pieces[static_cast<std::size_t>(k)];
    const double decay = parameter->decays || options_.decay_all ? options_.decay : 0;
    if (options_.method == Method::sgd) {
      momentum(step, first, numbers, decay);
    } else {
      adam(step, first, numbers, decay);
    }
  });
  return length;
}

#define ATTNSCOPE_INSTANTIATE(S)                      \
  template class Optimizer<S>;                        \
  template double norm(const Layout&, const S*, int); \
  template const Parameter* first_not_finite(const Layout&, const S*);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
