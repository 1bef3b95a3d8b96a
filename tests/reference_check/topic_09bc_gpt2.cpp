// GPT-2: its forward pass (09b), its gradients and its first steps of training (09c).
#include <string>
#include <vector>

#include "core/model/decoder.h"
#include "core/model/layer/cross_entropy.h"
#include "core/model/learning/optimizer.h"
#include "torch_names.h"

namespace core_check {
namespace topic_09bc_gpt2 {

using namespace core::model;

// The model of a case's params and weights.
struct Gpt2 {
  ModelWeights weights;
  Decoder model;
  TorchNames names;

  explicit Gpt2(const ReferenceCase& one) {
    const CaseValue& from = one.inputs.at("weights");
    DecoderForm form;
    form.vocabulary = one.params.at("vocab").as_index();
    form.layer.d_model = one.params.at("d").as_index();
    form.layer.heads = form.layer.key_heads = one.params.at("heads").as_index();
    form.layer.feed_forward = {.width = from.at("h.0.linear1.weight").as_matrix().rows(),
                               .function = Activation::gelu_tanh};
    form.layers = one.params.at("layers").as_index();
    form.positions = {.scheme = Scheme::learned, .longest = one.params.at("n_ctx").as_index()};
    form.tied = true;
    form.output_bias = false;
    model = Decoder::declare(weights.scope(), form);
    names = torch_names(model);
    weights.begin();
    names.fill(weights, from);
  }
};

Sequences sequences_of(const CaseValue& ids) {
  if (ids.shape().size() != 2) throw InputError("ids: expected two axes, got " + ids.describe());
  return {.batch = ids.shape()[0], .length = ids.shape()[1]};
}

// --- 09b

// The activation called `name` of every layer, along a new first axis.
CaseValue of_layers(const Trace<double>& trace, Index layers, const std::string& name) {
  std::vector<CaseValue> all;
  for (Index k = 0; k < layers; ++k) {
    all.push_back(traced(trace, "decoder." + std::to_string(k) + "." + name));
  }
  return CaseValue::stack(all);
}

CaseValue forward_case(const ReferenceCase& one) {
  const Gpt2 gpt(one);
  const CaseValue& given = one.inputs.at("ids");
  const std::vector<std::int32_t> ids = ids_of(given);
  const Sequences sequences = sequences_of(given);
  Trace<double> trace;
  Tape<double> tape;
  tape.begin(gpt.weights.values(), nullptr, {.differentiates = false}, &trace);
  const Tensor<double> logits = gpt.model(tape, ids.data(), sequences);
  std::vector<double> next;
  for (Index b = 0; b < sequences.batch; ++b) {
    Index best = 0;
    logits.matrix().row((b + 1) * sequences.length - 1).maxCoeff(&best);
    next.push_back(static_cast<double>(best));
  }
  CaseValue got = CaseValue::object();
  got.set("logits", traced(trace, "decoder.logits"));
  got.set("hidden_after_layer", of_layers(trace, gpt.model.form.layers, "out"));
  got.set("attention_(L,B,H,n,n)", of_layers(trace, gpt.model.form.layers, "self.weights"));
  got.set("final_norm", traced(trace, "decoder.out"));
  got.set("next_token_loss", next_token_loss(logits.matrix(), ids, sequences.length));
  got.set("argmax_next", CaseValue::array({sequences.batch}, next, true));
  return got;
}

// --- 09c

struct Gradients {
  double loss = 0;
  std::vector<double> gradients;
};

// Of the mean cross-entropy of the case's batch, at these parameters.
Gradients gradients_at(const double* parameters, const Gpt2& gpt, const ReferenceCase& batch) {
  const CaseValue& given = batch.inputs.at("ids_x");
  const std::vector<std::int32_t> ids = ids_of(given), next = ids_of(batch.inputs.at("targets_y"));
  const Sequences sequences = sequences_of(given);
  if (next.size() != ids.size()) throw InputError("targets_y: expected the shape of ids_x");
  Gradients out;
  out.gradients = gpt.weights.zeros();
  Tape<double> tape;
  tape.begin(parameters, out.gradients.data(), {.train = true});
  const Tensor<double> logits = gpt.model(tape, ids.data(), sequences);
  const Tensor<double> loss =
      cross_entropy(tape, logits, next.data(), static_cast<double>(next.size()));
  tape.backward(loss);
  out.loss = *loss.value;
  return out;
}

CaseValue gradients_case(const ReferenceCase& one) {
  const Gpt2 gpt(one);
  const Gradients pass = gradients_at(gpt.weights.values(), gpt, one);
  const CaseValue gradients = gpt.names.read(pass.gradients.data());
  // The differences are given as [place, value]; beside each stands the gradient of that place.
  const char* samples = "finite_difference_samples_index_value";
  CaseValue beside = CaseValue::object();
  if (const CaseValue* wanted = one.expected.find(samples)) {
    for (const auto& [name, list] : wanted->members()) {
      const std::vector<double>& own = gradients.at(name).data();
      std::vector<CaseValue> pairs;
      for (const CaseValue& pair : list.items()) {
        const Index place = pair.items().at(0).as_index();
        if (place < 0 || place >= static_cast<Index>(own.size())) {
          throw InputError(name + ": expected a place below " + std::to_string(own.size()) +
                           ", got " + std::to_string(place));
        }
        pairs.push_back(CaseValue::list({place, own[static_cast<size_t>(place)]}));
      }
      beside.set(name, CaseValue::list(pairs));
    }
  }
  CaseValue got = CaseValue::object();
  got.set("loss", pass.loss);
  got.set("gradients", gradients);
  got.set(samples, beside);
  got.set("gradient_global_norm", norm(gpt.weights.layout(), pass.gradients.data()));
  return got;
}

// As many steps as losses are given behind the first.
CaseValue steps_case(const ReferenceCase& one, const ReferenceFile& file,
                     const OptimizerOptions& options) {
  const char* losses = "loss_before_each_step_and_after_last";
  const ReferenceCase& start = sibling(file, "gpt_loss_and_gradients");
  const Gpt2 gpt(start);
  const Layout& layout = gpt.weights.layout();
  const auto size = static_cast<size_t>(layout.size());
  std::vector<double> values(gpt.weights.values(), gpt.weights.values() + size);
  Optimizer<double> optimizer(layout, options);
  CaseValue got = CaseValue::object();
  std::vector<CaseValue> seen;
  for (size_t left = one.expected.at(losses).items().size(); left > 0; --left) {
    const Gradients pass = gradients_at(values.data(), gpt, start);
    seen.emplace_back(pass.loss);
    if (left == 1) break;
    optimizer.step(layout, values.data(), pass.gradients.data(), one.params.at("lr").as_real());
    const std::string key = "parameters_after_step_" + std::to_string(optimizer.steps());
    if (one.expected.find(key)) got.set(key, gpt.names.read(values.data()));
  }
  got.set(losses, CaseValue::list(seen));
  return got;
}

CaseValue adamw_case(const ReferenceCase& one, const ReferenceFile& file) {
  const CaseValue* decayed = one.params.find("decay_applies_to");
  if (decayed && decayed->as_text() != "all parameters") {
    throw NotCovered{"decay of " + decayed->as_text()};
  }
  return steps_case(one, file,
                    {.method = Method::adamw,
                     .beta1 = one.params.at("beta1").as_real(),
                     .beta2 = one.params.at("beta2").as_real(),
                     .epsilon = one.params.at("eps").as_real(),
                     .decay = one.params.at("weight_decay").as_real(),
                     .decay_all = true});
}

CaseValue momentum_case(const ReferenceCase& one, const ReferenceFile& file) {
  return steps_case(one, file,
                    {.method = Method::sgd, .momentum = one.params.at("momentum").as_real()});
}

const Topic forward("09b_gpt2", {{"gpt2_forward*", forward_case}});
const Topic training("09c_gpt_training", {{"gpt_loss_and_gradients*", gradients_case},
                                          {"gpt_three_steps_adamw*", adamw_case},
                                          {"gpt_three_steps_sgd*", momentum_case}});

}  // namespace topic_09bc_gpt2
}  // namespace core_check
