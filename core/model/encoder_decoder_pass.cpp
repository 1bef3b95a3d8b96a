#include "core/model/encoder_decoder_pass.h"

#include <cmath>
#include <utility>

#include "core/attention/softmax.h"
#include "core/model/layer/cross_entropy.h"

namespace core::model {
namespace {

std::shared_ptr<const EncoderDecoderPass> gradients_of(const EncoderDecoderPass& pass,
                                                       std::vector<double> gradients) {
  EncoderDecoderPass differentiated;
  differentiated.form = pass.form;
  differentiated.layout = pass.layout;
  differentiated.model = pass.model;
  differentiated.values = std::move(gradients);
  for (const auto& [name, one] : pass.trace) {
    if (one.gradients.empty()) continue;
    Traced<double> swapped = one;
    std::swap(swapped.values, swapped.gradients);
    differentiated.trace.emplace(name, std::move(swapped));
  }
  return std::make_shared<const EncoderDecoderPass>(std::move(differentiated));
}

const EncoderDecoderPass& differentiated(const EncoderDecoderPass& pass) {
  if (!pass.gradients) refuse("pass", "a pass that was differentiated", "one that was not");
  return *pass.gradients;
}

}  // namespace

MatrixD EncoderDecoderPass::tokens(const std::string& name) const {
  const auto found = trace.find(name);
  if (found == trace.end()) refuse("pass", "the name of an activation", name);
  const Traced<double>& one = found->second;
  return Eigen::Map<const MatrixD>(one.values.data(), one.shape.at(1), one.shape.at(2));
}

MatrixD EncoderDecoderPass::head_columns(const std::string& name, Index head) const {
  const MatrixD all = tokens(name);
  const Index own = head * (all.cols() / d_k()) / heads();
  return all.middleCols(own * d_k(), d_k());
}

MatrixD EncoderDecoderPass::head(const std::string& name, Index head) const {
  const auto found = trace.find(name);
  if (found == trace.end()) return {};
  const Traced<double>& one = found->second;
  const Index cols = one.shape.back(), rows = one.shape.at(one.shape.size() - 2);
  return Eigen::Map<const MatrixD>(one.values.data() + head * rows * cols, rows, cols);
}

MatrixD EncoderDecoderPass::parameter(const std::string& name) const {
  const Parameter* found = layout.find(name);
  if (!found) refuse("pass", "the name of a parameter", name);
  return Eigen::Map<const MatrixD>(values.data() + found->slot.offset, found->slot.rows,
                                   found->slot.cols);
}

MatrixD EncoderDecoderPass::scores(const std::string& attention, Index head_index) const {
  MatrixD scores = head_columns(attention + "queries", head_index) *
                   head_columns(attention + "keys", head_index).transpose() /
                   std::sqrt(static_cast<double>(d_k()));
  const MatrixD bias = head(attention + "bias", head_index);
  if (bias.size() > 0) scores += bias;
  return scores;
}

MatrixD EncoderDecoderPass::weight_gradients(const std::string& attention, Index head_index) const {
  MatrixD by_weights = differentiated(*this).head_columns(attention + "heads", head_index) *
                       head_columns(attention + "values", head_index).transpose();
  const MatrixD factors = head(attention + "factors", head_index);
  if (factors.size() > 0) by_weights.array() *= factors.array();
  return by_weights;
}

MatrixD EncoderDecoderPass::score_gradients(const std::string& attention, Index head_index) const {
  return softmax_rows_gradient<double>(head(attention + "weights", head_index),
                                       weight_gradients(attention, head_index));
}

EncoderDecoderPass run_pass(const EncoderDecoderForm& form, const PassIds& ids, std::uint64_t seed,
                            bool differentiate, const Cancel& cancel) {
  EncoderDecoderPass pass;
  pass.form = form;
  pass.ids = ids;
  pass.model = EncoderDecoder::declare(Scope(pass.layout), form);
  pass.values = pass.layout.start<double>(seed);
  cancel.poll();
  const Sequences source{.length = static_cast<Index>(ids.source.size())},
      target{.length = static_cast<Index>(ids.target.size())};
  Trace<double> trace;
  Tape<double> tape;
  std::vector<double> gradients(differentiate ? pass.values.size() : 0, 0.0);
  tape.begin(pass.values.data(), differentiate ? gradients.data() : nullptr,
             {.differentiates = differentiate}, &trace);
  const Tensor<double> memory = pass.model.encode(tape, ids.source.data(), source);
  cancel.poll();
  const Tensor<double> logits = pass.model.decode(tape, memory, source, ids.target.data(), target);
  const Tensor<double> loss =
      cross_entropy(tape, logits, ids.next.data(), static_cast<double>(target.length));
  pass.loss = *loss.value;
  cancel.poll();
  if (differentiate) tape.backward(loss);
  for (Traced<double>& one : trace.all()) {
    std::string name = one.name;
    pass.trace.emplace(std::move(name), std::move(one));
  }
  if (differentiate) pass.gradients = gradients_of(pass, std::move(gradients));
  return pass;
}

}  // namespace core::model
