#include "core/cost/layer_cost.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

// coefficient * n^n_power * d^d_power for every kind but the separable convolution, which is two of
// them.
struct Term {
  double coefficient = 0;
  int n_power = 1, d_power = 1;
};
struct Terms {
  Term first, second;
};

// A neighbourhood has no more positions than the sequence.
Index window(const LayerSize& size) { return std::min(size.r, size.n); }

Terms terms_of(LayerKind kind, const LayerSize& size) {
  const auto k = static_cast<double>(size.k), r = static_cast<double>(window(size));
  switch (kind) {
    case LayerKind::self_attention: return {{1, 2, 1}, {}};
    case LayerKind::recurrent: return {{1, 1, 2}, {}};
    case LayerKind::convolution: return {{k, 1, 2}, {}};
    case LayerKind::separable_convolution: return {{k, 1, 1}, {1, 1, 2}};
    case LayerKind::restricted: return {{r, 1, 1}, {}};
  }
  return {};
}

void check(const LayerSize& size) {
  const auto at_least = [](const char* name, Index least, Index value) {
    if (value < least) {
      refuse("layer cost", name + (" of at least " + std::to_string(least)), std::to_string(value));
    }
  };
  at_least("n", 1, size.n);
  at_least("d", 1, size.d);
  at_least("k", 2, size.k);
  at_least("r", 1, size.r);
}

// A cost divided by n d is a line in the length or in the width: constant + slope x. Two of them
// cross at most once.
struct Line {
  double constant = 0, slope = 0;
};
Line over(LayerKind kind, const LayerSize& size, bool length) {
  const Terms terms = terms_of(kind, size);
  Line line;
  for (const Term& term : {terms.first, terms.second}) {
    // Every term has n d; what is left is n, d or neither.
    const int free_power = (length ? term.n_power : term.d_power) - 1;
    const int other_power = (length ? term.d_power : term.n_power) - 1;
    const double other = static_cast<double>(length ? size.d : size.n);
    const double value = term.coefficient * (other_power == 1 ? other : 1);
    (free_power == 1 ? line.slope : line.constant) += value;
  }
  return line;
}

std::optional<Crossover> crossing(const Line& first, const Line& second, double other) {
  const double x = (second.constant - first.constant) / (first.slope - second.slope);
  if (first.slope == second.slope || !(x > 0)) return std::nullopt;
  return Crossover{x, other * x * (first.constant + first.slope * x)};
}

// Up to n = r restricted attention is self-attention.
LayerKind within_window(LayerKind kind) {
  return kind == LayerKind::restricted ? LayerKind::self_attention : kind;
}

std::optional<Crossover> crossover(LayerKind a, LayerKind b, const LayerSize& size, bool length) {
  check(size);
  if (a == b) return std::nullopt;
  const double other = static_cast<double>(length ? size.d : size.n);
  const auto lines_cross = [&](LayerKind one, LayerKind two, const LayerSize& at) {
    return crossing(over(one, at, length), over(two, at, length), other);
  };
  const bool restricted = a == LayerKind::restricted || b == LayerKind::restricted;
  if (!length || !restricted) return lines_cross(a, b, size);
  const LayerSize longer = {std::max(size.n, size.r), size.d, size.k, size.r};
  const auto before = lines_cross(within_window(a), within_window(b), size);
  const auto r = static_cast<double>(size.r);
  if (before && before->at <= r) return before;
  const auto beyond = lines_cross(a, b, longer);
  return beyond && beyond->at >= r ? beyond : std::nullopt;
}

}  // namespace

double layer_operations(LayerKind kind, const LayerSize& size) {
  check(size);
  const Terms terms = terms_of(kind, size);
  double sum = 0;
  for (const Term& term : {terms.first, terms.second}) {
    sum += term.coefficient * std::pow(static_cast<double>(size.n), term.n_power) *
           std::pow(static_cast<double>(size.d), term.d_power);
  }
  return sum;
}

Index sequential_steps(LayerKind kind, const LayerSize& size) {
  check(size);
  return kind == LayerKind::recurrent ? size.n : 1;
}

double path_order(LayerKind kind, const LayerSize& size, Dilation dilation) {
  check(size);
  const auto n = static_cast<double>(size.n);
  switch (kind) {
    case LayerKind::self_attention: return 1;
    case LayerKind::recurrent: return n;
    case LayerKind::restricted: return n / static_cast<double>(window(size));
    case LayerKind::convolution:
    case LayerKind::separable_convolution: break;
  }
  const auto k = static_cast<double>(size.k);
  return dilation == Dilation::contiguous ? n / k : std::log(n) / std::log(k);
}

std::optional<Index> layers_to_meet(LayerKind kind, const LayerSize& size, Dilation dilation) {
  check(size);
  switch (kind) {
    case LayerKind::self_attention: return 1;
    case LayerKind::recurrent: return size.n;
    case LayerKind::restricted:
      if (size.n == 1) return 1;
      if (size.r == 1) return std::nullopt;
      return ceil_div(size.n - 1, size.r - 1);
    case LayerKind::convolution:
    case LayerKind::separable_convolution: break;
  }
  if (dilation == Dilation::contiguous) {
    return std::max<Index>(1, ceil_div(size.n - 1, size.k - 1));
  }
  Index layers = 1;
  // n > k^layers without the overflow of k^layers.
  for (Index left = ceil_div(size.n, size.k); left > 1; left = ceil_div(left, size.k)) ++layers;
  return layers;
}

Index convolution_field(Index k, Index layers, Dilation dilation) {
  check({1, 1, k, 1});
  constexpr Index kMost = Index{1} << 62;
  const auto too_large = [&] {
    refuse("receptive field", "fewer than 2^62 positions",
           std::to_string(layers) + " layers of width " + std::to_string(k));
  };
  if (layers < 0) refuse("receptive field", "0 layers or more", std::to_string(layers));
  if (dilation == Dilation::contiguous) {
    if (layers > (kMost - 1) / (k - 1)) too_large();
    return 1 + layers * (k - 1);
  }
  Index field = 1;
  for (Index layer = 0; layer < layers; ++layer) {
    if (field > kMost / k) too_large();
    field *= k;
  }
  return field;
}

double layer_memory(LayerKind kind, const LayerSize& size, Index heads) {
  check(size);
  if (heads < 1) refuse("layer cost", "at least one head", std::to_string(heads));
  const auto n = static_cast<double>(size.n), h = static_cast<double>(heads);
  switch (kind) {
    case LayerKind::self_attention: return h * n * n;
    case LayerKind::restricted: return h * n * static_cast<double>(window(size));
    case LayerKind::recurrent: return static_cast<double>(size.d);
    case LayerKind::convolution:
    case LayerKind::separable_convolution: return 0;
  }
  return 0;
}

std::optional<Crossover> crossover_length(LayerKind a, LayerKind b, const LayerSize& size) {
  return crossover(a, b, size, true);
}

std::optional<Crossover> crossover_width(LayerKind a, LayerKind b, const LayerSize& size) {
  return crossover(a, b, size, false);
}

}  // namespace core
