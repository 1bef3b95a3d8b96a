// Sinusoidal position encoding: Vaswani et al. 2017, arXiv:1706.03762, section 3.5:
//   PE(p, 2i) = sin(p theta_i),  PE(p, 2i+1) = cos(p theta_i),  theta_i = base^(-2i/d)
// Code bases differ in layout and in frequencies (FrequencyRule). Layout: the paper alternates
// sines and cosines; Transformer-XL, tensor2tensor and fairseq put all sines first, a permutation
// of the columns.
#pragma once

#include "core/position/frequency.h"
#include "core/types.h"

namespace core {

enum class SinusoidalLayout { interleaved, concatenated };

struct SinusoidalOptions {
  double base = 10000;
  SinusoidalLayout layout = SinusoidalLayout::interleaved;
  FrequencyRule rule = FrequencyRule::paper;
};

// The column of the sine, and of the cosine, of theta_i. 0 <= i < d/2.
Index sine_column(Index i, Index d, SinusoidalLayout layout);
Index cosine_column(Index i, Index d, SinusoidalLayout layout);

// The rows of any positions, negative or fractional ones too, (positions.size(), d): each entry by
// the formula, in double. d even and at least 2, base > 0, else InputError, here and below.
MatrixD sinusoidal_rows(const VectorD& positions, Index d, const SinusoidalOptions& options = {});

// The table of positions first .. first + n - 1, (n, d). n, first >= 0, else InputError.
MatrixD sinusoidal_table(Index n, Index d, const SinusoidalOptions& options = {}, Index first = 0);

// The same table in float, fast: sines and cosines of few angles, the others by the addition
// theorem in double (angle_table.h), rounded once. It differs from sinusoidal_table by at most
// 6e-8. `table` keeps its memory where the shape allows. threads: 0 = all cores.
void sinusoidal_table_into(Matrix& table, Index n, Index d, const SinusoidalOptions& options = {},
                           Index first = 0, int threads = 0);

// The rows as they come out when everything is computed in float, as in much published code:
// theta_i = exp(-2i (log(base) / d)), angle p * theta_i. The error grows with the position, since
// the angle is rounded to 24 bits. Only to show that.
Matrix sinusoidal_rows_in_float(const VectorD& positions, Index d, double base = 10000);

}  // namespace core
