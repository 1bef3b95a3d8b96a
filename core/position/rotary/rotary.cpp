#include "core/position/rotary/rotary.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/fast/isa.h"
#include "core/parallel.h"
#include "core/position/checks.h"
#include "core/position/sinusoidal/angle_table.h"

namespace core {
namespace {

constexpr Index kRowsAtOnce = 256;

// Rows [begin, end). `y` may be `x`.
void rotate_rows(float* y, const float* x, Index begin, Index end, Index stride,
                 const RotaryTable& table, RotaryPairing pairing) {
  const Index pairs = table.cos.cols();
  kernels_for(Isa::best).rotate({.y = y + begin * stride,
                                 .x = x + begin * stride,
                                 .rows = end - begin,
                                 .stride = stride,
                                 .cosine = table.cos.data() + begin * pairs,
                                 .sine = table.sin.data() + begin * pairs,
                                 .pairs = pairs,
                                 .neighbors = pairing == RotaryPairing::neighbors});
}

// The same in double, to compare with reference numbers.
void rotate_rows(double* y, const double* x, Index begin, Index end, Index stride,
                 const RotaryTableD& table, RotaryPairing pairing) {
  const Index pairs = table.cos.cols();
  const bool neighbors = pairing == RotaryPairing::neighbors;
  for (Index p = begin; p < end; ++p) {
    for (Index i = 0; i < pairs; ++i) {
      const Index first = p * stride + (neighbors ? 2 * i : i);
      const Index second = first + (neighbors ? 1 : pairs);
      const double a = x[first], b = x[second];
      y[first] = a * table.cos(p, i) - b * table.sin(p, i);
      y[second] = a * table.sin(p, i) + b * table.cos(p, i);
    }
  }
}

template <class Fn>
void blocks_of_rows(Index n, int threads, Fn&& fn) {
  parallel_for((n + kRowsAtOnce - 1) / kRowsAtOnce, threads, [&](Index block, int) {
    fn(block * kRowsAtOnce, std::min(n, (block + 1) * kRowsAtOnce));
  });
}

}  // namespace

RotaryTable rotary_table(Index n, Index d, double base, Index first) {
  position::require_even_width("rotary_table", d, 0);
  position::require_positive("rotary_table", "base", base);
  return rotary_table(n, d == 0 ? VectorD() : frequencies(d, base), first, 1);
}

RotaryTable rotary_table(Index n, const VectorD& theta, Index first, int threads) {
  position::require_at_least("rotary_table", "a number of positions", 0, n);
  position::require_at_least("rotary_table", "a first position", 0, first);
  RotaryTable table{Matrix(n, theta.size()), Matrix(n, theta.size())};
  const AngleTarget target{
      .sine = table.sin.data(), .cosine = table.cos.data(), .stride = theta.size(), .step = 1};
  fill_angle_table(theta, first, n, target, threads);
  return table;
}

RotaryTableD rotary_angles(const VectorD& positions, const VectorD& theta) {
  const MatrixD angles = positions * theta.transpose();
  RotaryTableD table{MatrixD(angles.rows(), angles.cols()), MatrixD(angles.rows(), angles.cols())};
  for (Index k = 0; k < angles.size(); ++k) {
    table.cos.data()[k] = std::cos(angles.data()[k]);
    table.sin.data()[k] = std::sin(angles.data()[k]);
  }
  return table;
}

RotaryTable rounded(const RotaryTableD& table) {
  return {table.cos.cast<float>(), table.sin.cast<float>()};
}

template <class Scalar>
void rotate(Scalar* x, Index n, Index, Index stride, const RotaryTableOf<Scalar>& table,
            RotaryPairing pairing, int threads) {
  blocks_of_rows(n, threads, [&](Index begin, Index end) {
    rotate_rows(x, x, begin, end, stride, table, pairing);
  });
}

template <class Scalar>
void rotate_into(Scalar* y, const Scalar* x, Index n, Index d, Index stride,
                 const RotaryTableOf<Scalar>& table, RotaryPairing pairing, int threads) {
  const Index rotated = 2 * table.cos.cols();
  blocks_of_rows(n, threads, [&](Index begin, Index end) {
    rotate_rows(y, x, begin, end, stride, table, pairing);
    for (Index p = begin; p < end && rotated < d; ++p) {
      std::copy(x + p * stride + rotated, x + p * stride + d, y + p * stride + rotated);
    }
  });
}

template <class Scalar>
MatrixOf<Scalar> rotated(const MatrixOf<Scalar>& x, const RotaryTableOf<Scalar>& table,
                         RotaryPairing pairing) {
  const auto& [cosine, sine] = table;
  if (cosine.rows() != x.rows() || 2 * cosine.cols() > x.cols() || sine.rows() != cosine.rows() ||
      sine.cols() != cosine.cols()) {
    refuse("rotated",
           "a rotary table of " + std::to_string(x.rows()) + " positions and at most " +
               std::to_string(x.cols() / 2) + " pairs",
           shape_text(cosine) + " and " + shape_text(sine));
  }
  MatrixOf<Scalar> result(x.rows(), x.cols());
  rotate_into(result.data(), x.data(), x.rows(), x.cols(), x.cols(), table, pairing, 1);
  return result;
}

MatrixD rotary_matrix(double position, const VectorD& theta, RotaryPairing pairing) {
  const Index pairs = theta.size();
  const bool neighbors = pairing == RotaryPairing::neighbors;
  MatrixD R = MatrixD::Zero(2 * pairs, 2 * pairs);
  for (Index i = 0; i < pairs; ++i) {
    const Index a = neighbors ? 2 * i : i, b = neighbors ? 2 * i + 1 : i + pairs;
    R(a, a) = R(b, b) = std::cos(position * theta(i));
    R(b, a) = std::sin(position * theta(i));
    R(a, b) = -R(b, a);
  }
  return R;
}

MatrixD neighbors_to_halves(const MatrixD& x) {
  position::require_even_width("neighbours_to_halves", x.cols(), 0);
  const Index pairs = x.cols() / 2;
  MatrixD result(x.rows(), x.cols());
  for (Index i = 0; i < pairs; ++i) {
    result.col(i) = x.col(2 * i);
    result.col(pairs + i) = x.col(2 * i + 1);
  }
  return result;
}

#define CORE_INSTANTIATE(Scalar)                                                                  \
  template void rotate(Scalar*, Index, Index, Index, const RotaryTableOf<Scalar>&, RotaryPairing, \
                       int);                                                                      \
  template void rotate_into(Scalar*, const Scalar*, Index, Index, Index,                          \
                            const RotaryTableOf<Scalar>&, RotaryPairing, int);                    \
  template MatrixOf<Scalar> rotated(const MatrixOf<Scalar>&, const RotaryTableOf<Scalar>&,        \
                                    RotaryPairing);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
