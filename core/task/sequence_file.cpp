#include "core/task/sequence_file.h"

#include <utility>

#include "core/model/parameter_file.h"
#include "core/task/description.h"

namespace core::task {
namespace description {

template <>
struct Names<Story> {
  static constexpr std::array<std::string_view, 7> all{"induction", "copy",     "reverse", "sort",
                                                       "addition",  "brackets", "text"};
};

}  // namespace description

namespace {

// Numbers in tables of positions: a description cannot ask for more.
constexpr Index kMostPlaced = Index{1} << 24;

// Every field that is kept; what a model begins with is not.
template <class Task, class Form, class Visit>
void each_field_of_sequences(Task& task, Form& form, Visit visit) {
  constexpr Index kMostOfAny = 4096;
  visit("task", task.story);
  visit("symbols", task.symbols, 1, kMostOfAny);
  visit("shortest", task.shortest, 1, kMostOfAny);
  visit("longest", task.longest, 1, kMostOfAny);
  visit("length", task.length, 1, kMostOfAny);
  visit("repeats", task.repeats);
  visit("digits", task.digits, 1, kMostOfAny);
  visit("lowest_first", task.lowest_first);
  visit("depth", task.depth, 1, kMostOfAny);
  visit("language", task.language);
  description::each_field_of_layer(form.layer, visit);
  visit("normed", form.layer.normed);
  visit("residual", form.layer.residual);
  visit("layers", form.layers, 0, description::kMostLayers);
  visit("tied", form.tied);
  visit("output_bias", form.output_bias);
  visit("scaled", form.scaled);
  description::each_field_of_positions(form.positions, visit);
  visit("scale_base", form.positions.scale_base);
}

// The first token has no text of its own.
std::vector<std::string> told_tokens(const SequenceModel& model) {
  return {model.tokens.begin() + 1, model.tokens.end()};
}

std::shared_ptr<const SequenceModel> described(const nlohmann::json& said,
                                               const std::string& name) {
  SequenceTask task;
  model::DecoderForm form;
  const description::Reader read{said, name};
  each_field_of_sequences(task, form, read);
  if (form.positions.longest > kMostPlaced / form.layer.d_model) {
    read.refuse_field("longest_sequence", std::to_string(form.positions.longest));
  }
  std::shared_ptr<const SequenceModel> made;
  try {
    made = std::make_shared<const SequenceModel>(task, form);
  } catch (const InputError& error) {
    throw InputError(Message(N_("{}: {}"), name, error.message()));
  }
  if (description::symbols_of(said["vocabulary"], name) != told_tokens(*made)) {
    throw InputError(Message(N_("{}: expected the tokens of its task, got others"), name));
  }
  return made;
}

}  // namespace

std::string sequence_bytes(const SequenceModel& model, const float* values,
                           const std::vector<Milestone>& history, NumberType type) {
  nlohmann::json said = nlohmann::json::object();
  const description::Writer write{said};
  each_field_of_sequences(model.task, model.form, write);
  said["history"] = description::of_history(history);
  write("vocabulary", told_tokens(model));
  return model::parameter_bytes(model.layout, values, type, {{"decoder", said.dump()}});
}

OpenedSequences read_sequences(const Safetensors& file, const std::string& name,
                               const Cancel& cancel) {
  const nlohmann::json said = description::of_file(file, "decoder");
  if (said.is_null()) {
    throw InputError(Message(N_("{}: expected a decoder trained here, got tensors without its "
                                "description"),
                             name));
  }
  std::shared_ptr<const SequenceModel> model = described(said, name);
  std::vector<Milestone> history =
      description::history_of(said.value("history", nlohmann::json()), name);
  std::vector<float> values = model::read_parameters(model->layout, file, name, cancel);
  return {std::move(model), std::move(history), std::move(values)};
}

}  // namespace core::task
