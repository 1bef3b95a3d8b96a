#include "core/model/optimiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "core/model/kernels/kernels.h"

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
  const double span = std::max(static_cast<double>(steps) - rise, 1.0);
  const double share = std::clamp((now - rise) / span, 0.0, 1.0);
  return rate * (last + (1 - last) * (1 + std::cos(std::numbers::pi * share)) / 2);
}

template <class S>
double norm(const Layout& layout, const S* numbers) {
  double sum = 0;
  for (const Parameter& p : layout.parameters()) {
    double part = 0;
    for (const S* x = numbers + p.slot.offset; x != numbers + p.slot.offset + p.slot.size(); ++x) {
      part += static_cast<double>(*x) * static_cast<double>(*x);
    }
    sum += part;
  }
  return std::sqrt(sum);
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
Optimiser<S>::Optimiser(const Layout& layout, const OptimiserOptions& options)
    : options_(options), first_(static_cast<std::size_t>(layout.size()), S{0}) {
  if (options.method != Method::sgd) second_ = first_;
}

template <class S>
double Optimiser<S>::step(const Layout& layout, S* values, const S* gradients, double rate) {
  ++steps_;
  const double length = norm(layout, gradients);
  const double factor = options_.clip > 0 && length > options_.clip ? options_.clip / length : 1;
  const double c1 = 1 - std::pow(options_.beta1, static_cast<double>(steps_));
  const double c2 = 1 - std::pow(options_.beta2, static_cast<double>(steps_));
  for (const Parameter& p : layout.parameters()) {
    const double decay = p.decays || options_.decay_all ? options_.decay : 0;
    S* w = values + p.slot.offset;
    const S* g = gradients + p.slot.offset;
    S* m = first_.data() + p.slot.offset;
    if (options_.method == Method::sgd) {
      for (Index i = 0; i < p.slot.size(); ++i) {
        const S slope = g[i] * static_cast<S>(factor) + static_cast<S>(decay) * w[i];
        // Before the first step there is no momentum to keep: m is 0.
        m[i] = static_cast<S>(options_.momentum) * m[i] + slope;
        w[i] -= static_cast<S>(rate) * m[i];
      }
      continue;
    }
    S* v = second_.data() + p.slot.offset;
    const bool apart = options_.method == Method::adamw;
    const double keep = apart ? 1 - rate * decay : 1, l2 = apart ? 0 : decay;
    if constexpr (std::is_same_v<S, float>) {
      if (l2 == 0) {
        kernels::table().adam({w, g, m, v, p.slot.size(), static_cast<float>(factor),
                               static_cast<float>(options_.beta1),
                               static_cast<float>(options_.beta2),
                               static_cast<float>(options_.epsilon), static_cast<float>(rate / c1),
                               static_cast<float>(1 / c2), static_cast<float>(keep)});
        continue;
      }
    }
    for (Index i = 0; i < p.slot.size(); ++i) {
      const double slope = static_cast<double>(g[i]) * factor + l2 * static_cast<double>(w[i]);
      const double first =
          options_.beta1 * static_cast<double>(m[i]) + (1 - options_.beta1) * slope;
      const double second =
          options_.beta2 * static_cast<double>(v[i]) + (1 - options_.beta2) * slope * slope;
      m[i] = static_cast<S>(first), v[i] = static_cast<S>(second);
      w[i] = static_cast<S>(static_cast<double>(w[i]) * keep -
                            rate / c1 * first / (std::sqrt(second / c2) + options_.epsilon));
    }
  }
  return length;
}

#define ATTNSCOPE_INSTANTIATE(S)                 \
  template class Optimiser<S>;                   \
  template double norm(const Layout&, const S*); \
  template const Parameter* first_not_finite(const Layout&, const S*);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
