#include "core/attention/softmax.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

template <class Scalar>
constexpr Scalar kMinusInf = -std::numeric_limits<Scalar>::infinity();

template <class Scalar>
void require_temperature(const char* where, Scalar temperature) {
  if (!(temperature > Scalar(0)) || !std::isfinite(temperature)) {
    refuse(where, "a finite temperature > 0", std::to_string(temperature));
  }
}

// The largest entry; NaN when there is one, -inf when there is none at all.
template <class Scalar>
Scalar maximum(const Scalar* x, Index count) {
  Scalar max = kMinusInf<Scalar>;
  for (Index i = 0; i < count; ++i) {
    if (std::isnan(x[i])) return x[i];
    if (x[i] > max) max = x[i];
  }
  return max;
}

// p (count), all zeros, becomes the softmax of x (count).
template <class Scalar>
void write_softmax(const Scalar* x, Index count, Scalar temperature, Scalar* p) {
  const Scalar max = maximum(x, count);
  if (max == kMinusInf<Scalar>) return;
  Scalar sum = 0;
  for (Index i = 0; i < count; ++i) {
    p[i] = std::exp((x[i] - max) / temperature);
    sum += p[i];
  }
  for (Index i = 0; i < count; ++i) p[i] /= sum;
}

}  // namespace

template <class Scalar>
VectorOf<Scalar> softmax(const VectorOf<Scalar>& x, Scalar temperature) {
  require_temperature("softmax", temperature);
  VectorOf<Scalar> p = VectorOf<Scalar>::Zero(x.size());
  write_softmax(x.data(), x.size(), temperature, p.data());
  return p;
}

template <class Scalar>
MatrixOf<Scalar> softmax_rows(const MatrixOf<Scalar>& x, Scalar temperature) {
  require_temperature("softmax_rows", temperature);
  MatrixOf<Scalar> p = MatrixOf<Scalar>::Zero(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    write_softmax(x.data() + i * x.cols(), x.cols(), temperature, p.data() + i * x.cols());
  }
  return p;
}

template <class Scalar>
VectorOf<Scalar> naive_softmax(const VectorOf<Scalar>& x) {
  VectorOf<Scalar> p(x.size());
  Scalar sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    p(i) = std::exp(x(i));
    sum += p(i);
  }
  for (Index i = 0; i < x.size(); ++i) p(i) /= sum;
  return p;
}

template <class Scalar>
Scalar logsumexp(const VectorOf<Scalar>& x) {
  const Scalar max = maximum(x.data(), x.size());
  if (!std::isfinite(max)) return max;  // -inf, +inf and NaN are their own answers
  Scalar sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += std::exp(x(i) - max);
  return max + std::log(sum);
}

template <class Scalar>
VectorOf<Scalar> log_softmax(const VectorOf<Scalar>& x) {
  VectorOf<Scalar> logs(x.size());
  const Scalar total = logsumexp(x);
  const bool empty = total == kMinusInf<Scalar>;
  const bool unbounded = std::isinf(total) && !empty;
  for (Index i = 0; i < x.size(); ++i) {
    logs(i) = empty ? total : x(i) - total;
    if (unbounded) logs(i) = std::numeric_limits<Scalar>::quiet_NaN();
  }
  return logs;
}

template <class Scalar>
Scalar entropy(const VectorOf<Scalar>& p) {
  Scalar sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    if (p(i) != Scalar(0)) sum -= p(i) * std::log(p(i));
  }
  return sum;
}

template <class Scalar>
MatrixOf<Scalar> softmax_jacobian(const VectorOf<Scalar>& p, Scalar temperature) {
  require_temperature("softmax_jacobian", temperature);
  MatrixOf<Scalar> jacobian(p.size(), p.size());
  for (Index i = 0; i < p.size(); ++i) {
    for (Index j = 0; j < p.size(); ++j) {
      jacobian(i, j) = ((i == j ? p(i) : Scalar(0)) - p(i) * p(j)) / temperature;
    }
  }
  return jacobian;
}

template <class Scalar>
MatrixOf<Scalar> softmax_rows_gradient(const MatrixOf<Scalar>& p, const MatrixOf<Scalar>& dp) {
  if (p.rows() != dp.rows() || p.cols() != dp.cols()) {
    refuse("softmax_rows_gradient", "gradients of " + shape_text(p) + " weights", shape_text(dp));
  }
  const VectorOf<Scalar> means = p.cwiseProduct(dp).rowwise().sum();
  return p.cwiseProduct(dp.colwise() - means);
}

template <class Scalar>
VectorOf<Scalar> hardmax(const VectorOf<Scalar>& x) {
  VectorOf<Scalar> p = hardmax_ties_shared(x);
  bool found = false;
  for (Index i = 0; i < p.size(); ++i) {
    if (std::isnan(p(i)) || p(i) == Scalar(0)) continue;
    p(i) = found ? Scalar(0) : Scalar(1);
    found = true;
  }
  return p;
}

template <class Scalar>
VectorOf<Scalar> hardmax_ties_shared(const VectorOf<Scalar>& x) {
  const Scalar max = maximum(x.data(), x.size());
  if (std::isnan(max)) return VectorOf<Scalar>::Constant(x.size(), max);
  VectorOf<Scalar> p = VectorOf<Scalar>::Zero(x.size());
  if (max == kMinusInf<Scalar>) return p;
  Index ties = 0;
  for (Index i = 0; i < x.size(); ++i) ties += x(i) == max;
  for (Index i = 0; i < x.size(); ++i) {
    if (x(i) == max) p(i) = Scalar(1) / static_cast<Scalar>(ties);
  }
  return p;
}

#define CORE_INSTANTIATE(Scalar)                                               \
  template VectorOf<Scalar> softmax(const VectorOf<Scalar>&, Scalar);          \
  template MatrixOf<Scalar> softmax_rows(const MatrixOf<Scalar>&, Scalar);     \
  template MatrixOf<Scalar> softmax_rows_gradient(const MatrixOf<Scalar>&,     \
                                                  const MatrixOf<Scalar>&);    \
  template VectorOf<Scalar> naive_softmax(const VectorOf<Scalar>&);            \
  template Scalar logsumexp(const VectorOf<Scalar>&);                          \
  template VectorOf<Scalar> log_softmax(const VectorOf<Scalar>&);              \
  template Scalar entropy(const VectorOf<Scalar>&);                            \
  template MatrixOf<Scalar> softmax_jacobian(const VectorOf<Scalar>&, Scalar); \
  template VectorOf<Scalar> hardmax(const VectorOf<Scalar>&);                  \
  template VectorOf<Scalar> hardmax_ties_shared(const VectorOf<Scalar>&);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
