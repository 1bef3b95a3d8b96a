#include "core/task/language/language_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/io/tensor/tensor_view.h"
#include "core/model/learning/parameter_file.h"
#include "core/refuse.h"
#include "core/text/printable.h"

namespace core::task {
namespace {

// What a training is made of, for one that goes on to be the same; but for its steps.
std::string made_of(const LanguageFit& fit) {
  const LanguageForm& f = fit.model().form;
  const LanguageOptions& o = fit.options();
  nlohmann::json all = {
      {"form", {f.vocabulary, f.width, f.layers, f.heads, f.feed_forward, f.context}},
      {"base", f.base},
      {"dropout", f.dropout},
      {"optimizer",
       {o.optimizer.beta1, o.optimizer.beta2, o.optimizer.epsilon, o.optimizer.decay,
        o.optimizer.clip}},
      {"rate", {static_cast<int>(o.schedule.kind), o.schedule.rate, o.schedule.last}},
      {"warm-up", o.schedule.warmup},
      {"batch", o.batch},
      {"seed", o.seed},
      {"text", {fit.text().window(), fit.text().tokens(), fit.text().hash()}}};
  if (f.scheme != model::Scheme::rotary) {
    all["scheme"] = {model::scheme_id(f.scheme), f.buckets, f.farthest};
  }
  return all.dump();
}

// Whether the `steps` that were made, of `of`, had the rates of this schedule.
bool same_rates(model::Schedule schedule, Index steps, Index of) {
  if (of == schedule.steps) return true;
  if (schedule.kind != model::Schedule::Kind::steady) return false;
  const Index before = schedule.last_steady();
  schedule.steps = of;
  return steps <= std::min(before, schedule.last_steady());
}

constexpr const char* kNames[] = {"values", "first moments", "second moments"};

}  // namespace

std::string state_bytes(const LanguageFit& fit, const LanguageState& state,
                        const std::string& about) {
  const std::vector<Index> shape{fit.model().layout.size()};
  const nlohmann::json stands = {{"steps", state.optimizer.steps()},
                                 {"of", fit.options().schedule.steps},
                                 {"loss", state.loss},
                                 {"norm", state.gradient_norm}};
  return safetensors_bytes(
      {{kNames[0], shape, state.values.data()},
       {kNames[1], shape, state.optimizer.first().data()},
       {kNames[2], shape, state.optimizer.second().data()}},
      NumberType::float32,
      {{"made of", made_of(fit)}, {"stands", stands.dump()}, {"about", about}});
}

ReadState read_state(const LanguageFit& fit, const std::shared_ptr<const ByteSource>& file,
                     const std::string& name) {
  const Safetensors read = read_safetensors(file, name);
  const auto said = [&](const char* key) {
    const auto found = read.metadata.find(key);
    return found == read.metadata.end() ? std::string() : found->second;
  };
  const auto stands = nlohmann::json::parse(said("stands"), nullptr, false);
  const auto count = [&](const char* key) {
    const bool there = stands.is_object() && stands.contains(key) &&
                       stands[key].is_number_integer() && stands[key].get<Index>() >= 0;
    return there ? stands[key].get<Index>() : -1;
  };
  const Index steps = count("steps"), of = count("of");
  if (said("made of") != made_of(fit) || !same_rates(fit.options().schedule, steps, of)) {
    refuse(name, "a training of the same model on the same text",
           "another; remove it to begin anew");
  }
  std::vector<float> numbers[3];
  for (const Tensor& tensor : read.tensors) {
    const auto at = std::find(std::begin(kNames), std::end(kNames), tensor.name);
    if (at == std::end(kNames) || tensor.shape != std::vector<Index>{fit.model().layout.size()}) {
      continue;
    }
    std::vector<float>& to = numbers[at - std::begin(kNames)];
    to.resize(static_cast<std::size_t>(tensor.shape[0]));
    TensorView(tensor).read({0, 0, 1, tensor.shape[0]}, to.data());
  }
  const bool whole = std::none_of(std::begin(numbers), std::end(numbers),
                                  [](const auto& one) { return one.empty(); });
  if (!whole || steps < 0) {
    refuse(name, "where a training stands", "a part of it");
  }
  return {{.values = std::move(numbers[0]),
           .optimizer = {fit.model().layout, fit.options().optimizer, steps, std::move(numbers[1]),
                         std::move(numbers[2])},
           .loss = stands.value("loss", 0.0),
           .gradient_norm = stands.value("norm", 0.0)},
          said("about")};
}

std::string llama_config(const LanguageForm& form, std::int32_t separator, NumberType type) {
  const nlohmann::ordered_json config = {{"architectures", {"LlamaForCausalLM"}},
                                         {"model_type", "llama"},
                                         {"vocab_size", form.vocabulary},
                                         {"hidden_size", form.width},
                                         {"intermediate_size", form.feed_forward},
                                         {"num_hidden_layers", form.layers},
                                         {"num_attention_heads", form.heads},
                                         {"num_key_value_heads", form.heads},
                                         {"max_position_embeddings", form.context},
                                         {"rope_theta", form.base},
                                         {"rms_norm_eps", model::RmsNorm{}.epsilon},
                                         {"hidden_act", "silu"},
                                         {"attention_bias", false},
                                         {"mlp_bias", false},
                                         {"tie_word_embeddings", true},
                                         {"bos_token_id", separator},
                                         {"eos_token_id", separator},
                                         {"torch_dtype", std::string(facts(type).name)}};
  return config.dump(2) + "\n";
}

namespace {

class LlamaTensors {
 public:
  explicit LlamaTensors(const float* values) : values_(values) {}

  void as_it_is(const std::string& name, const model::Slot& slot, std::vector<Index> shape) {
    tensors_.push_back({name, std::move(shape), values_ + slot.offset});
  }
  // (in, out) as (out, in).
  void transposed(const std::string& name, const model::Slot& slot) {
    put(name, of(slot).transpose());
  }
  // The same of heads, whose pairs 2i and 2i + 1 become i and i + half.
  void transposed_heads(const std::string& name, const model::Slot& slot, Index heads) {
    const Index width = slot.cols / heads, half = width / 2;
    Matrix rows(slot.cols, slot.rows);
    for (Index h = 0; h < heads; ++h) {
      for (Index i = 0; i < width; ++i) {
        rows.row(h * width + i % 2 * half + i / 2) = of(slot).col(h * width + i);
      }
    }
    put(name, std::move(rows));
  }
  std::string bytes(NumberType type) const {
    return safetensors_bytes(tensors_, type, {{"format", "pt"}});
  }

 private:
  Eigen::Map<const Matrix> of(const model::Slot& slot) const {
    return {values_ + slot.offset, slot.rows, slot.cols};
  }
  void put(const std::string& name, Matrix rows) {
    const auto kept = std::make_shared<const Matrix>(std::move(rows));
    made_.push_back(kept);
    tensors_.push_back({name, {kept->rows(), kept->cols()}, kept->data()});
  }

  const float* values_;
  std::vector<std::shared_ptr<const Matrix>> made_;
  std::vector<FloatTensor> tensors_;
};

}  // namespace

std::string llama_bytes(const LanguageModel& model, const float* values, NumberType type) {
  const LanguageForm& form = model.form;
  LlamaTensors to(values);
  to.as_it_is("model.embed_tokens.weight", model.embedding, {form.vocabulary, form.width});
  for (std::size_t l = 0; l < model.blocks.size(); ++l) {
    const LanguageModel::Block& b = model.blocks[l];
    const std::string at = "model.layers." + std::to_string(l) + ".";
    to.as_it_is(at + "input_layernorm.weight", b.before_attention.gain, {form.width});
    to.transposed_heads(at + "self_attn.q_proj.weight", b.attention.query.weight, form.heads);
    to.transposed_heads(at + "self_attn.k_proj.weight", b.attention.key.weight, form.heads);
    to.transposed(at + "self_attn.v_proj.weight", b.attention.value.weight);
    to.transposed(at + "self_attn.o_proj.weight", b.attention.output.weight);
    to.as_it_is(at + "post_attention_layernorm.weight", b.before_mlp.gain, {form.width});
    to.transposed(at + "mlp.gate_proj.weight", b.mlp.gate.weight);
    to.transposed(at + "mlp.up_proj.weight", b.mlp.up.weight);
    to.transposed(at + "mlp.down_proj.weight", b.mlp.down.weight);
  }
  to.as_it_is("model.norm.weight", model.last.gain, {form.width});
  return to.bytes(type);
}

namespace {

constexpr const char* kForm = "form";

// Whole numbers of a form, and how large they may be.
struct Whole {
  const char* name;
  Index LanguageForm::*field;
  Index most;
};
constexpr Whole kWhole[] = {{"vocabulary", &LanguageForm::vocabulary, 1 << 20},
                            {"width", &LanguageForm::width, 1 << 12},
                            {"layers", &LanguageForm::layers, 256},
                            {"heads", &LanguageForm::heads, 256},
                            {"feed_forward", &LanguageForm::feed_forward, 1 << 16},
                            {"context", &LanguageForm::context, 1 << 12},
                            {"buckets", &LanguageForm::buckets, 1024},
                            {"farthest", &LanguageForm::farthest, 1 << 20}};

LanguageForm form_of(const Safetensors& file, const std::string& name) {
  const auto found = file.metadata.find(kForm);
  const auto said = found == file.metadata.end()
                        ? nlohmann::json()
                        : nlohmann::json::parse(found->second, nullptr, false);
  if (!said.is_object()) refuse(name, "a language model with its form", "none");
  const auto at = [&](const char* key) { return said.value(key, nlohmann::json()); };
  LanguageForm form;
  for (const Whole& one : kWhole) {
    const nlohmann::json value = at(one.name);
    const bool fits =
        value.is_number_integer() && value.get<Index>() >= 1 && value.get<Index>() <= one.most;
    if (!fits) {
      refuse(name, std::string(one.name) + " from 1 to " + std::to_string(one.most),
             printable(value.dump()));
    }
    form.*one.field = value.get<Index>();
  }
  const nlohmann::json base = at("base"), scheme = at("scheme");
  if (!base.is_number() || !(base.get<double>() > 0)) {
    refuse(name, "a base above 0", printable(base.dump()));
  }
  form.base = base.get<double>();
  const auto known = std::find(model::kSchemeIds.begin(), model::kSchemeIds.end(),
                               scheme.is_string() ? scheme.get<std::string>() : std::string());
  if (known == model::kSchemeIds.end()) {
    refuse(name, "a scheme of positions", printable(scheme.dump()));
  }
  form.scheme = model::kAllSchemes[static_cast<std::size_t>(known - model::kSchemeIds.begin())];
  return form;
}

}  // namespace

std::string language_bytes(const LanguageModel& model, const float* values, NumberType type) {
  nlohmann::ordered_json form{{"scheme", model::scheme_id(model.form.scheme)},
                              {"base", model.form.base}};
  for (const Whole& one : kWhole) form[one.name] = model.form.*one.field;
  return model::parameter_bytes(model.layout, values, type, {{kForm, form.dump()}});
}

ReadLanguage read_language(const std::shared_ptr<const ByteSource>& file, const std::string& name,
                           const Cancel& cancel) {
  const Safetensors tensors = read_safetensors(file, name, cancel);
  LanguageModel model(form_of(tensors, name));
  std::vector<float> values = model::read_parameters(model.layout, tensors, name, cancel);
  return {std::move(model), std::move(values)};
}

}  // namespace core::task
