#include "app/labs/rope_rounding/window.h"

#include "core/random.h"

namespace lab::rope_rounding {
namespace {

// Streams of random numbers: one vector for all, or one for each token.
enum : std::uint64_t { kEqual = 11, kQuery = 12, kKey = 13, kTokens = 1 << 22 };

VectorD random_vector(const Parameters& p, std::uint64_t stream) {
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream));
  return VectorD::NullaryExpr(p.d, [&](Index) { return random.gaussian(); });
}

VectorD vector_of(const Parameters& p, Index position, bool query) {
  switch (p.vectors) {
    case Vectors::pair: return random_vector(p, query ? kQuery : kKey);
    case Vectors::tokens:
      return random_vector(p, kTokens + 2 * static_cast<std::uint64_t>(position) + query);
    case Vectors::equal: break;
  }
  return random_vector(p, kEqual);
}

core::Attended<double> attention(const Parameters& p, const core::RotaryTableD& table) {
  const Index start = window_start(p), n = window_size(p);
  MatrixD Q(n, p.d), K(n, p.d);
  for (Index r = 0; r < n; ++r) {
    Q.row(r) = query_vector(p, start + r).transpose();
    K.row(r) = key_vector(p, start + r).transpose();
  }
  core::AttentionOptionsD options;
  options.mask = core::Mask::causal(n, n);
  options.scale = p.sharpness / std::sqrt(p.d);
  const MatrixD no_values(n, 0);
  return core::attend<double>(core::rotated(Q, table), core::rotated(K, table), no_values, options);
}

}  // namespace

Index window_start(const Parameters& p) { return p.query / p.window * p.window; }

Index window_size(const Parameters& p) {
  return std::min<Index>(p.window, p.length - window_start(p));
}

VectorD query_vector(const Parameters& p, Index position) { return vector_of(p, position, true); }
VectorD key_vector(const Parameters& p, Index position) { return vector_of(p, position, false); }

core::Attended<double> exact_attention(const Parameters& p) {
  const Index start = window_start(p);
  const VectorD positions =
      VectorD::NullaryExpr(window_size(p), [&](Index r) { return static_cast<double>(start + r); });
  return attention(p, core::rotary_angles(positions, core::frequencies(p.d, p.base)));
}

Window make_window(const Parameters& p, const core::Attended<double>& exact,
                   const core::RotaryRounder& rounder) {
  Window window;
  window.start = window_start(p);
  window.n = window_size(p);
  window.exact = exact;
  core::RotaryTableD table;
  rounder.fill(table, window.start, window.n, 1);
  window.rounded = attention(p, table);
  for (Index r = 0; r < window.n; ++r) {
    for (Index c = 0; c <= r; ++c) {
      const double change = window.rounded.weights(r, c) - exact.weights(r, c);
      if (!std::isfinite(change)) {
        ++window.missing;
      } else if (std::abs(change) > window.largest) {
        window.largest = std::abs(change);
        window.row = r, window.col = c;
      }
    }
  }
  return window;
}

}  // namespace lab::rope_rounding
