// The inner loops of a model's layers apart from matrix products, compiled once for each
// instruction set (core/attention/kernels/kernels.h says why there are raw pointers only).
#pragma once

#include <cstdint>

namespace core::model::kernels {

using Int = std::int64_t;

// Rows without gaps, normalized: y = (x - mean) / sqrt(variance + epsilon) * gain + shift.
struct Norm {
  const float* x;
  Int rows, cols;
  bool centered;  // false: the mean is taken as 0 (root mean square)
  float epsilon;
  const float* gain;   // (cols)
  const float* shift;  // (cols), or null: 0
  float* y;
  float* mean;   // (rows)
  float* scale;  // (rows): 1 / sqrt(variance + epsilon)
};

// Adds to gradients; null where one is not wanted.
struct NormBackward {
  Norm of;
  const float* dy;
  float* dx;
  float* dgain;
  float* dshift;
};

// Rows of scores, `stride` apart; only keys in [begin, end) count.
struct SoftmaxRow {
  float* s;
  Int begin, end, cols;
};

struct Adam {
  float* values;
  const float* gradients;
  float *first, *second;  // moments
  Int count;
  float factor;  // by which the gradient is multiplied: clipping
  float beta1, beta2, epsilon;
  float rate;         // divided by the bias correction of the first moment
  float correction2;  // of the second moment
  float keep;         // share of a value that weight decay keeps
};

// The loss of a row of logits.
struct CrossEntropyRow {
  const float* logits;
  Int cols, target;
  float smoothing;     // label smoothing, spread evenly over all
  float* probability;  // (cols)
};

// One step of a gated recurrent unit for a sequence; equations in core/model/recurrent/recurrent.h.
struct GruRow {
  Int hidden;
  const float* x;       // (3 hidden): the input's part of r, z, n
  const float* g;       // (3 hidden): the state's part
  const float* before;  // the state
  float* kept;          // (4 hidden): r, z, n and the state's part of n
  float* after;
};
struct GruRowBackward {
  Int hidden;
  const float *before, *kept;
  float* dh;  // with respect to the state after; becomes the part that goes straight to the state
              // before
  float* dx;  // (3 hidden), added to
  float* dg;  // (3 hidden)
};

// The same of a long short-term memory.
struct LstmRow {
  Int hidden;
  const float *x, *g;   // (4 hidden): i, f, g, o
  const float* before;  // the cell
  float* kept;          // (5 hidden): i, f, g, o and the tanh of the cell
  float *cell, *after;
};
struct LstmRowBackward {
  Int hidden;
  const float *before, *kept;
  const float* dh;  // with respect to the state after
  float* dc;        // with respect to the cell after; becomes that with respect to the cell before
  float* dx;        // (4 hidden), added to
  float* dg;        // (4 hidden)
};

// w . tanh(q + k) for rows k without gaps.
struct Additive {
  Int keys, width;
  const float *q, *k, *w;
  float* kept;  // (keys, width): the tanh
  float* scores;
};
// Adds to gradients.
struct AdditiveBackward {
  Int keys, width;
  const float *kept, *w, *ds;
  float *dq, *dk, *dw;
};

// y = sum over j of p[j] times row j of v.
struct Mixture {
  Int rows, cols;
  const float *p, *v;
  float* y;
};

// dp[j] = dy . row j of v; and dv, where it is wanted, += p[j] dy.
struct MixtureBackward {
  Int rows, cols;
  const float *p, *v, *dy;
  float *dp, *dv;
};

// Stored numbers: float32, or bfloat16's codes. Rows without gaps.
//   y[k y_stride + i] = row i . x_k, x_k = x + k x_stride
struct Dots {
  const void* rows;
  Int count, cols;
  const float* x;
  Int inputs, x_stride;
  float* y;
  Int y_stride;
};

// y += sum over j of p[j] times row j.
struct StoredMixture {
  const void* rows;
  Int count, cols;
  const float* p;
  float* y;
};

struct Table {
  // to += from
  void (*add)(const float* from, Int count, float* to);
  // to += factor * from
  void (*add_scaled)(const float* from, Int count, float factor, float* to);
  // to += a * b
  void (*add_product)(const float* a, const float* b, Int count, float* to);
  // to[j] += sum over rows of from[i * cols + j]
  void (*add_rows)(const float* from, Int rows, Int cols, float* to);
  float (*dot)(const float* a, const float* b, Int count);
  // Sum of x^2, in double.
  double (*sum_of_squares)(const float* x, Int count);
  void (*norm)(const Norm& norm);
  void (*norm_backward)(const NormBackward& norm);
  // Scores of the row become weights: 0 outside [begin, end); all 0 where that is empty.
  void (*softmax)(const SoftmaxRow& row);
  // ds = p (dp - sum of p dp), in place of dp; 0 outside.
  void (*softmax_backward)(const SoftmaxRow& p, float* dp);
  // The loss of a row, and its probabilities.
  double (*cross_entropy)(const CrossEntropyRow& row);
  // y = f(x), and dx += dy f'(x).
  void (*relu)(const float* x, Int count, float* y);
  void (*relu_backward)(const float* x, const float* dy, Int count, float* dx);
  // Sets dy to 0 where y is 0.
  void (*relu_over_backward)(const float* y, Int count, float* dy);
  void (*gelu_tanh)(const float* x, Int count, float* y);
  void (*gelu_tanh_backward)(const float* x, const float* dy, Int count, float* dx);
  void (*silu)(const float* x, Int count, float* y);
  void (*silu_backward)(const float* x, const float* dy, Int count, float* dx);
  // Within 3e-7 of the logistic function and the hyperbolic tangent; may work in place.
  void (*sigmoid)(const float* x, Int count, float* y);
  void (*tanh)(const float* x, Int count, float* y);
  void (*adam)(const Adam& step);
  void (*gru)(const GruRow& row);
  void (*gru_backward)(const GruRowBackward& row);
  void (*lstm)(const LstmRow& row);
  void (*lstm_backward)(const LstmRowBackward& row);
  void (*additive)(const Additive& scores);
  void (*additive_backward)(const AdditiveBackward& scores);
  void (*mix)(const Mixture& mixture);
  void (*mix_backward)(const MixtureBackward& mixture);
  // Each dot product has the same bits however many are computed together.
  void (*dots)(const Dots& dots);
  void (*dots_bfloat16)(const Dots& dots);
  void (*add_mixture)(const StoredMixture& mixture);
  void (*add_mixture_bfloat16)(const StoredMixture& mixture);
};

extern const Table kBaseline;
extern const Table kV3;
extern const Table kV4;

// The table for the best instruction set of this processor, as core::chosen_isa says.
const Table& table();

}  // namespace core::model::kernels
