#include "core/mask/patterns/kept_in_closed_form.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/refuse.h"

namespace core::kept {
namespace {

void require(bool good, const char* expected, Index came) {
  if (!good) refuse("kept pairs", expected, std::to_string(came));
}
void require_size(Index n) {
  require(n >= 0 && n <= SparseMask::kMost, "a size from 0 to 2^30", n);
}
void require_at_least(Index least, Index value) {
  if (value < least) {
    refuse("kept pairs", "an argument of at least " + std::to_string(least), std::to_string(value));
  }
}

// 1 + 2 + ... + k; 0 when k is not positive.
Index triangle(Index k) { return k > 0 ? k * (k + 1) / 2 : 0; }

}  // namespace

Index full(Index n, Index m) {
  require_size(n);
  require_size(m);
  return n * m;
}

Index causal(Index n, Index m) {
  require_size(n);
  require_size(m);
  // The rows keep m - n + 1, ..., m, those below 1 nothing.
  return triangle(m) - triangle(m - n);
}

Index key_padding(Index n, Index valid) { return full(n, valid); }
Index query_padding(Index m, Index valid) { return full(valid, m); }

Index local(Index n, Index reach, Causal causal) {
  require_size(n);
  require_at_least(0, reach);
  const Index k = std::max<Index>(0, std::min(reach, n - 1));
  const Index behind = n * (k + 1) - triangle(k);
  return causal == Causal::yes ? behind : 2 * behind - n;
}

Index atrous(Index n, Index stride, Causal causal) {
  require_size(n);
  require_at_least(1, stride);
  const Index q = n / stride, r = n % stride;
  if (q == 0) return n;
  return causal == Causal::yes ? r * triangle(q + 1) + (stride - r) * triangle(q)
                               : r * (q + 1) * (q + 1) + (stride - r) * q * q;
}

Index local_and_atrous(Index n, Index k, Causal causal) {
  const Index shared = n + (causal == Causal::yes ? 1 : 2) * std::max<Index>(0, n - k);
  return local(n, k, causal) + atrous(n, k, causal) - shared;
}

Index dilated(Index n, Index reach, Index dilation, Causal causal) {
  require_size(n);
  require_at_least(0, reach);
  require_at_least(1, dilation);
  const Index t = n > 0 ? std::min(reach, (n - 1) / dilation) : 0;
  const Index one_side = t * n - dilation * triangle(t);
  return n + (causal == Causal::yes ? 1 : 2) * one_side;
}

Index fixed_a1(Index n, Index l) {
  require_size(n);
  require_at_least(1, l);
  return n / l * triangle(std::min(l, n)) + triangle(n % l);
}

Index fixed_a2(Index n, Index l, Index c) {
  require_size(n);
  require_at_least(1, l);
  require(c >= 1 && c <= l, "c from 1 to l", c);
  // Summary keys of whole blocks: n - b l - t queries for b < q and t = l - c, ..., l - 1.
  const Index q = n / l, r = n % l;
  const Index whole =
      q == 0 ? 0
             : q * c * n - c * l * triangle(q - 1) - q * (triangle(l - 1) - triangle(l - c - 1));
  return whole + triangle(r - (l - c));
}

Index fixed_merged(Index n, Index l, Index c) {
  const Index a2 = fixed_a2(n, l, c), q = n / l, r = n % l;
  return fixed_a1(n, l) + a2 - (q == 0 ? 0 : q * triangle(c)) - triangle(r - (l - c));
}

Index longformer(Index n, const pattern::LongformerShape& shape) {
  const Index window = dilated(n, shape.reach, shape.dilation);
  const std::set<Index> tokens(shape.global.begin(), shape.global.end());
  const auto g = static_cast<Index>(tokens.size());
  Index there = 0;  // window pairs in a global row or column
  for (const Index token : tokens) {
    require(token >= 0 && token < n, "a global token below n", token);
    const Index before = std::min(shape.reach, token / shape.dilation);
    const Index behind = std::min(shape.reach, (n - 1 - token) / shape.dilation);
    there += 2 * (before + behind + 1);
    for (const Index other : tokens) {
      const Index apart = std::max(token, other) - std::min(token, other);
      there -= apart % shape.dilation == 0 && apart / shape.dilation <= shape.reach;
    }
  }
  return window + 2 * g * n - g * g - there;
}

Index streaming(Index n, Index sinks, Index window) {
  require_size(n);
  require_at_least(0, sinks);
  require_at_least(1, window);
  return local(n, std::min(sinks, n) + std::min(window, n + 1) - 1, Causal::yes);
}

Index prefix_lm(Index n, Index prefix) {
  require_size(n);
  require(prefix >= 0 && prefix <= n, "a prefix from 0 to n", prefix);
  return triangle(n) + triangle(prefix - 1);
}

Index documents_of(std::span<const Index> lengths, Causal causal) {
  Index sum = 0;
  for (const Index length : lengths) {
    require_size(length);
    sum += causal == Causal::yes ? triangle(length) : length * length;
  }
  return sum;
}

Index block_sparse(const SparseMask& layout, Index block) {
  require(block >= 1 && block <= SparseMask::kMost, "a block of 1 to 2^30", block);
  require_size(layout.rows() * block);
  require_size(layout.cols() * block);
  return layout.kept() * block * block;
}

Index local_2d(const pattern::Grid& grid, Index reach_y, Index reach_x) {
  return local(grid.height, reach_y) * local(grid.width, reach_x);
}

}  // namespace core::kept
