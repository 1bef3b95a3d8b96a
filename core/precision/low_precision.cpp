#include "core/precision/low_precision.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "core/parallel.h"
#include "core/position/checks.h"
#include "core/random.h"
#include "core/refuse.h"

namespace core {
namespace {

// Rounds one operation after the other; under stochastic rounding each has random bits of its own.
class Machine {
 public:
  explicit Machine(const LowArithmetic& how)
      : order_(how.order),
        numbers_(how.numbers, {how.rounding}),
        arithmetic_(how.arithmetic, {how.rounding}),
        random_(how.seed),
        stochastic_(how.rounding == Rounding::stochastic) {}

  double store(double x) { return stochastic_ ? numbers_(x, random_.next()) : numbers_(x); }
  double operation(double exact) {
    return stochastic_ ? arithmetic_(exact, random_.next()) : arithmetic_(exact);
  }
  VectorD stored(const VectorD& x) {
    VectorD out(x.size());
    for (Index i = 0; i < x.size(); ++i) out(i) = store(x(i));
    return out;
  }
  double sum(std::span<const double> terms) {
    if (terms.empty()) return 0;
    if (order_ == SumOrder::pairwise) return tree(terms);
    double total = operation(terms[0]);
    for (const double term : terms.subspan(1)) total = operation(total + operation(term));
    return total;
  }

 private:
  double tree(std::span<const double> terms) {
    if (terms.size() == 1) return operation(terms[0]);
    const size_t half = terms.size() / 2;
    const double left = tree(terms.first(half));
    return operation(left + tree(terms.subspan(half)));
  }

  SumOrder order_;
  Rounder numbers_, arithmetic_;
  Random random_;
  bool stochastic_;
};

std::span<const double> span_of(const VectorD& x) {
  return {x.data(), static_cast<size_t>(x.size())};
}

VectorD random_vector(Index n, double deviation, Random& random) {
  VectorD out(n);
  for (Index i = 0; i < n; ++i) out(i) = deviation * random.gaussian();
  return out;
}

// Mean and maximum over trials of what `error_of` makes of a trial's random numbers.
template <class ErrorOf>
std::vector<LowErrors> collect(const char* where, const std::vector<Index>& lengths, Index trials,
                               std::uint64_t seed, int threads, const Cancel& cancel,
                               ErrorOf&& error_of) {
  position::require_at_least(where, "a number of trials", 1, trials);
  for (const Index length : lengths) position::require_at_least(where, "a length", 1, length);
  const auto tasks = static_cast<Index>(lengths.size()) * trials;
  std::vector<double> errors(static_cast<size_t>(tasks));
  parallel_for(tasks, threads, [&](Index task, int) {
    cancel.poll();
    // Trial t of every length starts from the same stream.
    Random random(stream_seed(seed, static_cast<std::uint64_t>(task % trials)));
    errors[static_cast<size_t>(task)] =
        error_of(lengths[static_cast<size_t>(task / trials)], random);
  });
  std::vector<LowErrors> out;
  for (size_t l = 0; l < lengths.size(); ++l) {
    LowErrors row{lengths[l], 0, 0, 0};
    for (Index t = 0; t < trials; ++t) {
      const double error = errors[l * static_cast<size_t>(trials) + static_cast<size_t>(t)];
      row.mean += error / static_cast<double>(trials);
      // A NaN stays.
      row.max = error <= row.max ? row.max : error;
    }
    out.push_back(row);
  }
  return out;
}

}  // namespace

double low_sum(std::span<const double> terms, const LowArithmetic& how) {
  return Machine(how).sum(terms);
}

LowRunning low_running(const VectorD& terms, const LowArithmetic& how) {
  Machine machine(how);
  LowRunning out{VectorD(terms.size()), VectorD(terms.size())};
  double total = 0;
  for (Index i = 0; i < terms.size(); ++i) {
    out.terms(i) = machine.operation(terms(i));
    total = i == 0 ? out.terms(i) : machine.operation(total + out.terms(i));
    out.sums(i) = total;
  }
  return out;
}

VectorD low_running_sums(const VectorD& terms, const LowArithmetic& how) {
  return low_running(terms, how).sums;
}

double dot_error_factor(Index length, const LowArithmetic& how) {
  const bool nearest =
      how.rounding == Rounding::nearest_even || how.rounding == Rounding::nearest_away;
  const double u = spacing(how.arithmetic, 1) * (nearest ? 0.5 : 1);
  // The product, and then every addition on the way.
  const auto n = static_cast<std::uint64_t>(std::max<Index>(length, 1));
  const auto additions = how.order == SumOrder::pairwise
                             ? static_cast<double>(std::bit_width(n - 1))
                             : static_cast<double>(n - 1);
  const double roundings = (additions + 1) * u;
  return roundings < 1 ? roundings / (1 - roundings) : std::numeric_limits<double>::infinity();
}

LowDot low_dot(const VectorD& x, const VectorD& y, const LowArithmetic& how) {
  if (x.size() != y.size()) {
    refuse("low_dot", "two vectors of one length",
           std::to_string(x.size()) + " and " + std::to_string(y.size()));
  }
  Machine machine(how);
  const VectorD low_x = machine.stored(x), low_y = machine.stored(y);
  // A product of two numbers of at most 26 bits is exact in double.
  const VectorD products = low_x.cwiseProduct(low_y);
  LowDot dot;
  dot.before_store = machine.sum(span_of(products));
  dot.result = machine.store(dot.before_store);
  dot.of_rounded = products.sum();
  dot.exact = x.dot(y);
  dot.absolute_sum = products.cwiseAbs().sum();
  const double factor = dot_error_factor(x.size(), how);
  dot.bound = dot.absolute_sum == 0 ? 0 : factor * dot.absolute_sum;
  return dot;
}

LowSoftmax low_softmax(const VectorD& scores, const LowArithmetic& how) {
  if (scores.size() == 0) refuse("low_softmax", "at least one score", "none");
  Machine machine(how);
  const VectorD low = machine.stored(scores);
  double largest = low(0);
  for (const double score : low) largest = std::max(largest, score);
  if (low.hasNaN() || !std::isfinite(largest)) {
    refuse("low_softmax", "scores whose largest is finite in the format and none NaN",
           position::number_text(low.hasNaN() ? std::nan("") : largest));
  }
  LowSoftmax out;
  out.differences.resize(low.size());
  out.powers.resize(low.size());
  for (Index i = 0; i < low.size(); ++i) {
    out.differences(i) = machine.operation(low(i) - largest);
    out.powers(i) = machine.operation(std::exp(out.differences(i)));
  }
  out.sum = machine.sum(span_of(out.powers));
  out.weights.resize(low.size());
  for (Index i = 0; i < low.size(); ++i) {
    out.weights(i) = machine.store(machine.operation(out.powers(i) / out.sum));
  }
  out.scores = low;
  const VectorD exact_powers = (scores.array() - scores.maxCoeff()).exp();
  out.exact = exact_powers / exact_powers.sum();
  out.total = out.weights.sum();
  const VectorD errors = (out.weights - out.exact).cwiseAbs();
  out.max_error = errors.hasNaN() ? std::nan("") : errors.maxCoeff();
  return out;
}

std::vector<LowErrors> low_dot_errors(const std::vector<Index>& lengths, Index trials,
                                      std::uint64_t seed, const LowArithmetic& how, int threads,
                                      const Cancel& cancel) {
  const auto error_of = [&](Index length, Random& random) {
    const VectorD x = random_vector(length, 1, random), y = random_vector(length, 1, random);
    LowArithmetic own = how;
    own.seed = random.next();
    const LowDot dot = low_dot(x, y, own);
    const double error = std::fabs(dot.before_store - dot.of_rounded);
    return error == 0 ? 0 : error / dot.absolute_sum;
  };
  auto rows = collect("low_dot_errors", lengths, trials, seed, threads, cancel, error_of);
  for (LowErrors& row : rows) row.bound = dot_error_factor(row.length, how);
  return rows;
}

std::vector<LowErrors> low_softmax_errors(const std::vector<Index>& lengths, Index trials,
                                          double deviation, std::uint64_t seed,
                                          const LowArithmetic& how, int threads,
                                          const Cancel& cancel) {
  position::require_positive("low_softmax_errors", "deviation", deviation);
  const auto error_of = [&](Index length, Random& random) {
    const VectorD scores = random_vector(length, deviation, random);
    LowArithmetic own = how;
    own.seed = random.next();
    const LowSoftmax soft = low_softmax(scores, own);
    const VectorD errors = (soft.weights - soft.exact).cwiseAbs().cwiseQuotient(soft.exact);
    return errors.hasNaN() ? std::nan("") : errors.maxCoeff();
  };
  return collect("low_softmax_errors", lengths, trials, seed, threads, cancel, error_of);
}

}  // namespace core
