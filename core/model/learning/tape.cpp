#include "core/model/learning/tape.h"

#include <string>

#include "core/refuse.h"

namespace core::model {

void check_lengths(const char* where, const Sequences& sequences) {
  for (Index b = 0; b < sequences.batch; ++b) {
    if (sequences.used(b) < 0 || sequences.used(b) > sequences.length) {
      refuse(where, "lengths from 0 to " + std::to_string(sequences.length),
             std::to_string(sequences.used(b)));
    }
  }
}

template <class S>
void Tape<S>::begin(const S* parameters, S* gradients, const Pass& pass, Trace<S>* trace,
                    const Edit<S>* edit) {
  if (edit && pass.differentiates)
    refuse("edit", "a pass forward alone", "one that differentiates");
  value_arena_.reset();
  gradient_arena_.reset();
  steps_.clear();
  prefix_.clear();
  traced_.clear();
  scopes_.clear();
  left_ = 0;
  masks_ = 0;
  parameters_ = parameters;
  gradients_ = gradients;
  pass_ = pass;
  trace_ = trace;
  edit_ = edit;
}

template <class S>
void Tape<S>::begin_backward(const Tensor<S>& loss) {
  if (!pass_.differentiates) refuse("backward", "a pass that differentiates", "one that does not");
  if (loss.rows != 1 || loss.cols != 1) {
    refuse("backward", "a loss of one number", shape_text(loss.rows, loss.cols));
  }
  gradient_arena_.clear();
  *loss.gradient = 1;
  left_ = operations();
}

template <class S>
bool Tape<S>::step_back() {
  if (left_ == 0) return false;
  const Step& step = steps_[static_cast<std::size_t>(--left_)];
  step.backward(step.op, *this);
  return left_ > 0;
}

template <class S>
void Tape<S>::name(std::string_view name, const S* values, std::initializer_list<Index> shape,
                   std::initializer_list<const char*> axes, const S* gradients) {
  if (!trace_ || !trace_->wants(name)) return;
  Index size = 1;
  for (const Index side : shape) size *= side;
  trace_->keep({prefix_ + std::string(name),
                shape,
                {axes.begin(), axes.end()},
                std::vector<S>(values, values + size),
                {}});
  traced_.push_back(gradients);
}

template <class S>
void Tape<S>::trace_gradients() {
  if (!trace_) return;
  std::vector<Traced<S>>& all = trace_->all();
  const std::size_t before = all.size() - traced_.size();
  for (std::size_t k = 0; k < traced_.size(); ++k) {
    Traced<S>& one = all[before + k];
    if (const S* from = traced_[k]) one.gradients.assign(from, from + one.size());
  }
}

template class Tape<float>;
template class Tape<double>;

}  // namespace core::model
