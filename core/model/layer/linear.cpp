#include "core/model/layer/linear.h"

#include <algorithm>

#include "core/model/layer/vectors.h"

namespace core::model {

template <class S>
void LinearStep<S>::forward(Tape<S>& tape) const {
  if (bias && bias.rows == y.rows) {
    std::copy_n(bias.value, y.size(), y.value);
  } else {
    for (Index i = 0; bias && i < y.rows; ++i) std::copy_n(bias.value, y.cols, y.values().row(i));
  }
  tape.multiply()(transposed ? Form::right : Form::plain, x.values(), weight.values(), y.values(),
                  static_cast<bool>(bias));
}

template <class S>
void LinearStep<S>::backward(Tape<S>& tape) const {
  const View<S> dy = y.gradients();
  if (x.gradient) {
    tape.multiply()(transposed ? Form::plain : Form::right, dy, weight.values(), x.gradients(),
                    true);
  }
  if (weight.gradient) {
    const View<S> in = x.values();
    tape.multiply()(Form::left, transposed ? dy : in, transposed ? in : dy, weight.gradients(),
                    true);
  }
  if (!bias || !bias.gradient) return;
  if (bias.rows == y.rows) {
    add(dy.data, y.size(), bias.gradient);
  } else {
    add_rows(dy.data, y.rows, y.cols, bias.gradient);
  }
}

template struct LinearStep<float>;
template struct LinearStep<double>;

}  // namespace core::model
