// Included by baseline.cpp, v3.cpp and v4.cpp, which name the table: ATTNSCOPE_TABLE.
#include "core/model/kernels/kernels.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace core::model::kernels {
namespace {

#include "core/attention/kernels/simd.inl"

void add(const float* from, Int count, float* to) {
  for (Int i = 0; i < count; ++i) to[i] += from[i];
}

void add_scaled(const float* from, Int count, float factor, float* to) {
  for (Int i = 0; i < count; ++i) to[i] += factor * from[i];
}

void add_product(const float* a, const float* b, Int count, float* to) {
  for (Int i = 0; i < count; ++i) to[i] += a[i] * b[i];
}

void add_rows(const float* from, Int rows, Int cols, float* to) {
  Int j = 0;
  for (; j + kLanes <= cols; j += kLanes) {
    Floats sum = load(to + j);
    for (Int i = 0; i < rows; ++i) sum += load(from + i * cols + j);
    store(to + j, sum);
  }
  for (; j < cols; ++j) {
    float sum = to[j];
    for (Int i = 0; i < rows; ++i) sum += from[i * cols + j];
    to[j] = sum;
  }
}

float sum_of(const float* a, Int count) {
  Floats sums{};
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) sums += load(a + i);
  float sum = total(sums);
  for (; i < count; ++i) sum += a[i];
  return sum;
}

float dot(const float* a, const float* b, Int count) {
  Floats sums{};
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) sums += load(a + i) * load(b + i);
  float sum = total(sums);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

double sum_of_squares(const float* x, Int count) {
  constexpr Int kHalf = kLanes / 2, kSums = 4;
  typedef float Half __attribute__((vector_size(kHalf * 4), aligned(4), may_alias));
  typedef double Doubles __attribute__((vector_size(kHalf * 8)));
  Doubles sums[kSums] = {};
  Int i = 0;
  for (; i + kSums * kHalf <= count; i += kSums * kHalf) {
    ATTNSCOPE_UNROLL
    for (Int k = 0; k < kSums; ++k) {
      const Half part = *reinterpret_cast<const Half*>(x + i + k * kHalf);
      const Doubles wide = __builtin_convertvector(part, Doubles);
      sums[k] += wide * wide;
    }
  }
  const Doubles all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double sum = 0;
  for (Int k = 0; k < kHalf; ++k) sum += all[k];
  for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return sum;
}

// Sum of (a - middle)^2.
float squares(const float* a, float middle, Int count) {
  Floats sums{};
  const Floats m = broadcast(middle);
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats off = load(a + i) - m;
    sums += off * off;
  }
  float sum = total(sums);
  for (; i < count; ++i) sum += (a[i] - middle) * (a[i] - middle);
  return sum;
}

void norm(const Norm& n) {
  const float share = 1 / static_cast<float>(n.cols);
  for (Int i = 0; i < n.rows; ++i) {
    const float* x = n.x + i * n.cols;
    float* y = n.y + i * n.cols;
    const float mean = n.centered ? sum_of(x, n.cols) * share : 0;
    const float scale = 1 / __builtin_sqrtf(squares(x, mean, n.cols) * share + n.epsilon);
    n.mean[i] = mean, n.scale[i] = scale;
    if (n.shift) {
      for (Int j = 0; j < n.cols; ++j) y[j] = (x[j] - mean) * scale * n.gain[j] + n.shift[j];
    } else {
      for (Int j = 0; j < n.cols; ++j) y[j] = (x[j] - mean) * scale * n.gain[j];
    }
  }
}

// With h = (x - mean) scale and g = dy gain: dx = scale (g - mean of g - h mean of (g h)).
void norm_backward(const NormBackward& b) {
  const Norm& n = b.of;
  const float share = 1 / static_cast<float>(n.cols);
  for (Int i = 0; i < n.rows; ++i) {
    const float* x = n.x + i * n.cols;
    const float* dy = b.dy + i * n.cols;
    const float mean = n.mean[i], scale = n.scale[i];
    if (b.dgain) {
      for (Int j = 0; j < n.cols; ++j) b.dgain[j] += dy[j] * (x[j] - mean) * scale;
    }
    if (b.dshift) add(dy, n.cols, b.dshift);
    if (!b.dx) continue;
    Floats sums{}, products{};
    const Floats m = broadcast(mean), s = broadcast(scale);
    Int j = 0;
    for (; j + kLanes <= n.cols; j += kLanes) {
      const Floats g = load(dy + j) * load(n.gain + j);
      sums += g;
      products += g * ((load(x + j) - m) * s);
    }
    float sum = total(sums), product = total(products);
    for (; j < n.cols; ++j) {
      const float g = dy[j] * n.gain[j];
      sum += g;
      product += g * ((x[j] - mean) * scale);
    }
    const float first = n.centered ? sum * share : 0, second = product * share;
    float* dx = b.dx + i * n.cols;
    for (Int k = 0; k < n.cols; ++k) {
      dx[k] += scale * (dy[k] * n.gain[k] - first - (x[k] - mean) * scale * second);
    }
  }
}

// exp(s - max) of [begin, end) in place; their sum.
float exponentials_of(float* s, Int count, float max) {
  Floats sums{};
  const Floats m = broadcast(max);
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Floats e = exponential(load(s + i) - m);
    store(s + i, e);
    sums += e;
  }
  float sum = total(sums);
  if (i < count) {
    Floats rest = broadcast(-kInfinity);
    for (Int k = i; k < count; ++k) rest[k - i] = s[k] - max;
    rest = exponential(rest);
    for (Int k = i; k < count; ++k) s[k] = rest[k - i], sum += s[k];
  }
  return sum;
}

float largest_of(const float* s, Int count) {
  Floats best = broadcast(-kInfinity);
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) best = larger(best, load(s + i));
  float max = largest(best);
  for (; i < count; ++i) max = s[i] > max ? s[i] : max;
  return max;
}

void softmax(const SoftmaxRow& row) {
  for (Int j = 0; j < row.begin; ++j) row.s[j] = 0;
  for (Int j = row.end > row.begin ? row.end : row.begin; j < row.cols; ++j) row.s[j] = 0;
  if (row.begin >= row.end) return;
  float* s = row.s + row.begin;
  const Int count = row.end - row.begin;
  const float factor = 1 / exponentials_of(s, count, largest_of(s, count));
  for (Int j = 0; j < count; ++j) s[j] *= factor;
}

void softmax_backward(const SoftmaxRow& row, float* dp) {
  for (Int j = 0; j < row.begin; ++j) dp[j] = 0;
  for (Int j = row.end > row.begin ? row.end : row.begin; j < row.cols; ++j) dp[j] = 0;
  if (row.begin >= row.end) return;
  const float* p = row.s + row.begin;
  float* d = dp + row.begin;
  const Int count = row.end - row.begin;
  const float mean = dot(p, d, count);
  for (Int j = 0; j < count; ++j) d[j] = p[j] * (d[j] - mean);
}

double cross_entropy(const CrossEntropyRow& row) {
  const float max = largest_of(row.logits, row.cols);
  __builtin_memcpy(row.probability, row.logits,
                   static_cast<unsigned long>(row.cols) * sizeof(float));
  const float sum = exponentials_of(row.probability, row.cols, max);
  const float factor = 1 / sum;
  for (Int j = 0; j < row.cols; ++j) row.probability[j] *= factor;
  const double whole = static_cast<double>(max) + __builtin_log(static_cast<double>(sum));
  const double hit = static_cast<double>(row.logits[row.target]);
  if (row.smoothing == 0) return whole - hit;
  const double mean =
      static_cast<double>(sum_of(row.logits, row.cols)) / static_cast<double>(row.cols);
  const auto spread = static_cast<double>(row.smoothing);
  return whole - (1 - spread) * hit - spread * mean;
}

void relu(const float* x, Int count, float* y) {
  for (Int i = 0; i < count; ++i) y[i] = x[i] > 0 ? x[i] : 0;
}

void relu_backward(const float* x, const float* dy, Int count, float* dx) {
  for (Int i = 0; i < count; ++i) dx[i] += x[i] > 0 ? dy[i] : 0;
}

void relu_over_backward(const float* y, Int count, float* dy) {
  for (Int i = 0; i < count; ++i) dy[i] = y[i] > 0 ? dy[i] : 0;
}

// Beyond 80 the exponential would overflow, and nothing changes any more.
inline Floats logistic(Floats x) {
  const Floats least = broadcast(-80.F), one = broadcast(1.F);
  const Floats e = exponential(-larger(least, x));
  return one / (one + e);
}

// Calls f(vector) for all of x, the last vector filled up with zeros.
template <class Fn>
inline void map(const float* x, Int count, float* y, Fn f) {
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) store(y + i, f(load(x + i)));
  if (i == count) return;
  Floats rest{};
  for (Int k = i; k < count; ++k) rest[k - i] = x[k];
  rest = f(rest);
  for (Int k = i; k < count; ++k) y[k] = rest[k - i];
}

// dx += dy f(x).
template <class Fn>
inline void map_backward(const float* x, const float* dy, Int count, float* dx, Fn f) {
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    store(dx + i, load(dx + i) + load(dy + i) * f(load(x + i)));
  }
  if (i == count) return;
  Floats rest{};
  for (Int k = i; k < count; ++k) rest[k - i] = x[k];
  rest = f(rest);
  for (Int k = i; k < count; ++k) dx[k] += dy[k] * rest[k - i];
}

// sqrt(2 / pi) and the cubic term of Hendrycks and Gimpel 2016, "Gaussian error linear units".
constexpr float kGelu = 0.7978845608F, kCubic = 0.044715F;

// x (1 + tanh u) / 2 = x logistic(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3)
inline Floats gelu_of(Floats x) {
  const Floats u = broadcast(2 * kGelu) * (x + broadcast(kCubic) * x * x * x);
  return x * logistic(u);
}

inline Floats gelu_derivative(Floats x) {
  const Floats one = broadcast(1.F);
  const Floats u = broadcast(2 * kGelu) * (x + broadcast(kCubic) * x * x * x);
  const Floats du = broadcast(2 * kGelu) * (one + broadcast(3 * kCubic) * x * x);
  const Floats s = logistic(u);
  return s + x * s * (one - s) * du;
}

inline Floats silu_of(Floats x) { return x * logistic(x); }

inline Floats silu_derivative(Floats x) {
  const Floats s = logistic(x);
  return s + x * s * (broadcast(1.F) - s);
}

inline Floats tanh_of(Floats x) { return broadcast(2.F) * logistic(x + x) - broadcast(1.F); }

void gelu_tanh(const float* x, Int count, float* y) { map(x, count, y, gelu_of); }
void gelu_tanh_backward(const float* x, const float* dy, Int count, float* dx) {
  map_backward(x, dy, count, dx, gelu_derivative);
}
void silu(const float* x, Int count, float* y) { map(x, count, y, silu_of); }
void silu_backward(const float* x, const float* dy, Int count, float* dx) {
  map_backward(x, dy, count, dx, silu_derivative);
}
void sigmoid(const float* x, Int count, float* y) { map(x, count, y, logistic); }
void tanh(const float* x, Int count, float* y) { map(x, count, y, tanh_of); }

void adam(const Adam& a) {
  for (Int i = 0; i < a.count; ++i) {
    const float g = a.gradients[i] * a.factor;
    const float m = a.beta1 * a.first[i] + (1 - a.beta1) * g;
    const float v = a.beta2 * a.second[i] + (1 - a.beta2) * g * g;
    a.first[i] = m, a.second[i] = v;
    a.values[i] =
        a.values[i] * a.keep - a.rate * m / (__builtin_sqrtf(v * a.correction2) + a.epsilon);
  }
}

#include "core/model/kernels/recurrent.inl"

#include "core/model/kernels/generate.inl"

}  // namespace

extern const Table ATTNSCOPE_TABLE = {
    .add = add,
    .add_scaled = add_scaled,
    .add_product = add_product,
    .add_rows = add_rows,
    .dot = dot,
    .sum_of_squares = sum_of_squares,
    .norm = norm,
    .norm_backward = norm_backward,
    .softmax = softmax,
    .softmax_backward = softmax_backward,
    .cross_entropy = cross_entropy,
    .relu = relu,
    .relu_backward = relu_backward,
    .relu_over_backward = relu_over_backward,
    .gelu_tanh = gelu_tanh,
    .gelu_tanh_backward = gelu_tanh_backward,
    .silu = silu,
    .silu_backward = silu_backward,
    .sigmoid = sigmoid,
    .tanh = tanh,
    .adam = adam,
    .gru = gru,
    .gru_backward = gru_backward,
    .lstm = lstm,
    .lstm_backward = lstm_backward,
    .additive = additive,
    .additive_backward = additive_backward,
    .mix = mix,
    .mix_backward = mix_backward,
    .dots = dots<float>,
    .dots_bfloat16 = dots<std::uint16_t>,
    .add_mixture = add_mixture<float>,
    .add_mixture_bfloat16 = add_mixture<std::uint16_t>,
};

}  // namespace core::model::kernels
