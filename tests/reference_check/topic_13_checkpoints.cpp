// Published models in small: the whole forward pass of every architecture, from the files as they
// are downloaded, in double; and the pass in float, which has to be near it.
#include <cmath>
#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "model_weights.h"

namespace core_check {
namespace topic_13_checkpoints {

using namespace core::checkpoint;

// What tests/reference/README.md asks of a pass in float32.
constexpr double kOfFloats = 1e-4;

std::vector<std::int32_t> numbers_of(const CaseValue& list) {
  std::vector<std::int32_t> ids;
  for (const Index id : list.as_indices()) ids.push_back(static_cast<std::int32_t>(id));
  return ids;
}

Input input_of(const CaseValue& inputs) {
  Input input;
  input.tokens = numbers_of(inputs.at("tokens"));
  if (const CaseValue* types = inputs.find("token_types")) input.token_types = numbers_of(*types);
  if (const CaseValue* decoder = inputs.find("decoder_tokens")) {
    input.decoder_tokens = numbers_of(*decoder);
  }
  if (const CaseValue* mask = inputs.find("attention_mask")) {
    for (const Index counts : mask->as_indices()) input.attention_mask.push_back(counts != 0);
  }
  return input;
}

template <class S>
CaseValue value_of(const core::MatrixOf<S>& rows) {
  return CaseValue(MatrixD(rows.template cast<double>()));
}

// (layers, heads, queries, keys)
template <class S>
CaseValue heads_of(const Stack<S>& stack, bool cross) {
  std::vector<CaseValue> layers;
  for (const auto& layer : stack.layers) {
    std::vector<CaseValue> heads;
    for (const HeadOf<S>& head : (cross ? layer->cross : layer->self).weights) {
      const Eigen::Map<const core::MatrixOf<S>> weights(head.data(), head.rows(), head.cols());
      heads.push_back(value_of<S>(weights));
    }
    layers.push_back(CaseValue::stack(heads));
  }
  return CaseValue::stack(layers);
}

// BERT's stack has no norm behind its last layer.
template <class S>
void set_stack(CaseValue& got, const Stack<S>& stack, const std::string& before) {
  std::vector<CaseValue> hidden;
  for (const auto& layer : stack.layers) hidden.push_back(value_of<S>(layer->hidden));
  got.set(before + "embedding", value_of<S>(stack.embedding));
  got.set(before + "hidden_after_layer", CaseValue::stack(hidden));
  got.set(before + "attention", heads_of(stack, false));
  if (stack.final_norm.size() > 0) got.set(before + "final_norm", value_of<S>(stack.final_norm));
}

template <class S>
CaseValue pass_of(const Model& model, const Input& input) {
  const Trace<S> trace = model.forward<S>(input);
  CaseValue got = CaseValue::object();
  switch (model.facts().kind) {
    case Kind::decoder: set_stack(got, trace.decoder, ""); break;
    case Kind::encoder: set_stack(got, trace.encoder, ""); break;
    case Kind::encoder_decoder:
      set_stack(got, trace.encoder, "encoder_");
      set_stack(got, trace.decoder, "decoder_");
      got.set("cross_attention", heads_of(trace.decoder, true));
      break;
  }
  if (trace.pooled.size() > 0) {
    got.set("pooled", CaseValue(core::VectorD(trace.pooled.template cast<double>())));
  }
  if (trace.logits.size() > 0) got.set("logits", value_of<S>(trace.logits));
  return got;
}

CaseValue forward_case(const ReferenceCase& one, const ReferenceFile& file) {
  const auto model = open_model(file.folder / one.inputs.at("folder").as_text());
  const Input input = input_of(one.inputs);
  const CaseValue floats = pass_of<float>(*model, input);
  const core::CaseDifference apart =
      core::compare_values(one.expected, floats, {kOfFloats, kOfFloats});
  if (!apart.agrees()) throw InputError("in float32: " + apart.message);
  return pass_of<double>(*model, input);
}

const Topic topic("13_checkpoints", {{"*", forward_case}});

}  // namespace topic_13_checkpoints
}  // namespace core_check
