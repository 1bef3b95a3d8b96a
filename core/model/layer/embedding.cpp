#include "core/model/layer/embedding.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {

template <class S>
void EmbeddingStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < y.rows; ++i) {
    const S* from = table.values().row(ids[i]);
    S* to = y.values().row(i);
    for (Index j = 0; j < y.cols; ++j) to[j] = factor * from[j];
  }
}

template <class S>
void EmbeddingStep<S>::backward(Tape<S>&) const {
  if (!table.gradient) return;
  for (Index i = 0; i < y.rows; ++i) {
    add_scaled(y.gradients().row(i), y.cols, factor, table.gradients().row(ids[i]));
  }
}

template <class S>
Tensor<S> embedding(Tape<S>& tape, const Tensor<S>& table, const std::int32_t* ids, Index rows,
                    S factor) {
  for (Index i = 0; i < rows; ++i) {
    if (ids[i] < 0 || ids[i] >= table.rows) {
      refuse("embedding", "ids from 0 to " + std::to_string(table.rows - 1),
             std::to_string(ids[i]));
    }
  }
  const Tensor<S> y = tape.tensor(rows, table.cols);
  tape.record("embedding", EmbeddingStep<S>{table, y, ids, factor});
  return y;
}

template <class S>
void AddPositionsStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < x.rows; ++i) {
    const S* position = table.values().row(i % length);
    const S* from = x.values().row(i);
    S* to = y.values().row(i);
    for (Index j = 0; j < x.cols; ++j) to[j] = from[j] + position[j];
  }
}

template <class S>
void AddPositionsStep<S>::backward(Tape<S>&) const {
  if (x.gradient) add(y.gradient, y.size(), x.gradient);
  for (Index i = 0; table.gradient && i < x.rows; i += length) {
    add(y.gradients().row(i), length * y.cols, table.gradient);
  }
}

template <class S>
Tensor<S> add_positions(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& table,
                        const Sequences& sequences) {
  if (table.rows < sequences.length || table.cols != x.cols || sequences.rows() != x.rows) {
    refuse("positions", "a table of at least " + shape_text(sequences.length, x.cols),
           shape_text(table.rows, table.cols));
  }
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  tape.record("positions", AddPositionsStep<S>{x, table, y, sequences.length});
  return y;
}

namespace {

// exp(i omega p), computed in double.
template <class S>
struct Rotation {
  S cos, sin;

  Rotation(S omega, Index position) {
    const double angle = static_cast<double>(omega) * static_cast<double>(position);
    cos = static_cast<S>(std::cos(angle));
    sin = static_cast<S>(std::sin(angle));
  }
};

}  // namespace

template <class S>
void ComplexOrderStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < x.rows; ++i) {
    const S *from = x.values().row(i), *omega = frequency.values().row(ids[i]);
    S* to = y.values().row(i);
    for (Index k = 0; k < frequency.cols; ++k) {
      const Rotation<S> rotation(omega[k], i % length);
      const S imaginary = from[2 * k], real = from[2 * k + 1];
      to[2 * k] = imaginary * rotation.cos + real * rotation.sin;
      to[2 * k + 1] = real * rotation.cos - imaginary * rotation.sin;
    }
  }
}

// dy/domega = p i y: the imaginary part becomes p times the real one, and the real one -p times the
// imaginary one.
template <class S>
void ComplexOrderStep<S>::backward(Tape<S>&) const {
  for (Index i = 0; i < x.rows; ++i) {
    const S *made = y.values().row(i), *dy = y.gradients().row(i);
    const S* omega = frequency.values().row(ids[i]);
    S* dx = x.gradient ? x.gradients().row(i) : nullptr;
    S* domega = frequency.gradient ? frequency.gradients().row(ids[i]) : nullptr;
    const Index position = i % length;
    for (Index k = 0; k < frequency.cols; ++k) {
      const S d_imaginary = dy[2 * k], d_real = dy[2 * k + 1];
      if (dx) {
        const Rotation<S> rotation(omega[k], position);
        dx[2 * k] += d_imaginary * rotation.cos - d_real * rotation.sin;
        dx[2 * k + 1] += d_imaginary * rotation.sin + d_real * rotation.cos;
      }
      if (domega) {
        domega[k] +=
            static_cast<S>(position) * (d_imaginary * made[2 * k + 1] - d_real * made[2 * k]);
      }
    }
  }
}

template <class S>
Tensor<S> rotate_by_words(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& frequency,
                          const std::int32_t* ids, const Sequences& sequences) {
  if (2 * frequency.cols != x.cols || sequences.rows() != x.rows) {
    refuse("positions", "half as many frequencies as numbers a token",
           shape_text(frequency.rows, frequency.cols));
  }
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  tape.record("positions", ComplexOrderStep<S>{x, frequency, y, ids, sequences.length});
  return y;
}

template struct EmbeddingStep<float>;
template struct EmbeddingStep<double>;
template struct AddPositionsStep<float>;
template struct AddPositionsStep<double>;
template struct ComplexOrderStep<float>;
template struct ComplexOrderStep<double>;
template Tensor<float> rotate_by_words(Tape<float>&, const Tensor<float>&, const Tensor<float>&,
                                       const std::int32_t*, const Sequences&);
template Tensor<double> rotate_by_words(Tape<double>&, const Tensor<double>&, const Tensor<double>&,
                                        const std::int32_t*, const Sequences&);
template Tensor<float> embedding(Tape<float>&, const Tensor<float>&, const std::int32_t*, Index,
                                 float);
template Tensor<double> embedding(Tape<double>&, const Tensor<double>&, const std::int32_t*, Index,
                                  double);
template Tensor<float> add_positions(Tape<float>&, const Tensor<float>&, const Tensor<float>&,
                                     const Sequences&);
template Tensor<double> add_positions(Tape<double>&, const Tensor<double>&, const Tensor<double>&,
                                      const Sequences&);

}  // namespace core::model
