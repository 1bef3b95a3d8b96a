#include "core/task/pair/translator_file.h"

#include <array>
#include <string_view>
#include <utility>

#include "core/model/learning/parameter_file.h"
#include "core/task/description.h"

namespace core::task {
namespace description {

template <>
struct Names<Kind> {
  static constexpr std::array<std::string_view, 5> all{"dates", "numbers", "reversal", "copy",
                                                       "own"};
};
template <>
struct Names<Unit> {
  static constexpr std::array<std::string_view, 3> all{"words", "characters", "bytes"};
};
template <>
struct Names<TranslatorForm::Kind> {
  static constexpr std::array<std::string_view, 2> all{"transformer", "recurrent"};
};
template <>
struct Names<model::Cell> {
  static constexpr std::array<std::string_view, 2> all{"gru", "lstm"};
};
template <>
struct Names<model::Score> {
  static constexpr std::array<std::string_view, 4> all{"additive", "dot", "scaled_dot", "bilinear"};
};
template <>
struct Names<model::RecurrentTranslator::Begin> {
  static constexpr std::array<std::string_view, 2> all{"last", "affine"};
};

}  // namespace description

namespace {

using description::kMostLayers, description::kMostWidth;
using nlohmann::json;

// Every field that is kept, by its name, with the least and the most that a number may be.
template <class Task, class Visit>
void each_field_of_task(Task& task, Visit visit) {
  visit("task", task.kind);
  visit("language", task.language);
  visit("letters", task.letters, 1, 26);
  visit("shortest", task.shortest, 1, 1000);
  visit("longest", task.longest, 1, 1000);
  visit("unit", task.own_unit);
}

template <class Form, class Visit>
void each_field_of_recurrent(Form& r, Visit visit) {
  visit("embedding", r.embedding, 1, kMostWidth);
  visit("encoder_hidden", r.encoder_hidden, 1, kMostWidth);
  visit("cell", r.encoder.cell);
  visit("encoder_layers", r.encoder.layers, 1, kMostLayers);
  visit("both_ways", r.encoder.both_ways);
  visit("begin", r.begin);
  visit("decoder_cell", r.decoder.cell);
  visit("decoder_layers", r.decoder.layers, 1, kMostLayers);
  visit("decoder_hidden", r.decoder.hidden, 1, kMostWidth);
  visit("attends", r.decoder.attends);
  visit("score", r.decoder.attention.score);
  visit("attention_width", r.decoder.attention.width, 1, kMostWidth);
  visit("attention_bias", r.decoder.attention.bias);
  visit("query_after", r.decoder.query_after);
  visit("query_has_cell", r.decoder.query_has_cell);
  visit("first_attended", r.decoder.first_attended);
  visit("joined", r.decoder.joined, 0, kMostWidth);
  visit("output_has_context", r.decoder.output_has_context);
}

template <class Form, class Visit>
void each_field_of_form(Form& form, Visit visit) {
  visit("model", form.kind);
  if (form.kind == TranslatorForm::Kind::recurrent) {
    each_field_of_recurrent(form.recurrent, visit);
    return;
  }
  auto& t = form.transformer;
  description::each_field_of_layer(t.layer, visit);
  visit("encoder_layers", t.encoder_layers, 0, kMostLayers);
  visit("decoder_layers", t.decoder_layers, 0, kMostLayers);
  visit("tied", t.tied);
  visit("scaled", t.scaled);
  description::each_field_of_positions(t.positions, visit);
}

TranslatorFacts facts_of(const Safetensors& file, const std::string& name) {
  const json said = description::of_file(file, "translator");
  if (said.is_null()) {
    throw InputError(Message(N_("{}: expected a translator trained here, got tensors without its "
                                "description"),
                             name));
  }
  TranslatorFacts facts;
  const description::Reader read{said, name};
  each_field_of_task(facts.task, read);
  each_field_of_form(facts.form, read);
  facts.history = description::history_of(said.value("history", json()), name);
  facts.symbols = description::symbols_of(said["vocabulary"], name);
  return facts;
}

}  // namespace

std::string translator_bytes(const TranslatorFacts& facts, const Translator& translator,
                             const float* values, NumberType type) {
  json said = json::object();
  const description::Writer write{said};
  each_field_of_task(facts.task, write);
  each_field_of_form(facts.form, write);
  said["history"] = description::of_history(facts.history);
  write("vocabulary", facts.symbols);
  return model::parameter_bytes(translator.layout(), values, type, {{"translator", said.dump()}});
}

OpenedTranslator read_translator(const Safetensors& file, const std::string& name,
                                 const Cancel& cancel) {
  TranslatorFacts facts = facts_of(file, name);
  auto model = std::make_shared<const PairModel>(facts.task, facts.form, std::move(facts.symbols));
  std::vector<float> values =
      model::read_parameters(model->translator.layout(), file, name, cancel);
  return {facts.form, std::move(facts.history), std::move(model), std::move(values)};
}

}  // namespace core::task
