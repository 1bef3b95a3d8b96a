#include "core/task/document/document_file.h"

#include <utility>

#include "core/model/learning/parameter_file.h"
#include "core/task/description.h"

namespace core::task {
namespace description {

template <>
struct Names<DocumentKind> {
  static constexpr std::array<std::string_view, 2> all{"opinions", "topics"};
};
template <>
struct Names<model::WeighedLevel::Reading> {
  static constexpr std::array<std::string_view, 3> all{"recurrent", "window", "inputs"};
};

}  // namespace description

namespace {

// Every field that is kept; recurrent networks are GRUs.
template <class Task, class Form, class Visit>
void each_field_of_documents(Task& task, Form& form, Visit visit) {
  visit("task", task.kind);
  visit("language", task.language);
  visit("embedding", form.embedding, 1, description::kMostWidth);
  const auto level = [&](auto& of, const char* states, const char* hidden, const char* inputs,
                         const char* width, const char* mean) {
    visit(states, of.states);
    visit(hidden, of.hidden, 1, description::kMostWidth);
    visit(inputs, of.keys_of_inputs);
    visit(width, of.width, 1, description::kMostWidth);
    visit(mean, of.mean);
  };
  level(form.of_words, "word_states", "word_hidden", "word_keys_of_inputs", "word_width",
        "word_mean");
  level(form.of_sentences, "sentence_states", "sentence_hidden", "sentence_keys_of_inputs",
        "sentence_width", "sentence_mean");
}

}  // namespace

std::string document_bytes(const DocumentModel& model, const float* values,
                           const std::vector<Milestone>& history, NumberType type) {
  nlohmann::json said = nlohmann::json::object();
  const description::Writer write{said};
  each_field_of_documents(model.task, model.form, write);
  said["history"] = description::of_history(history);
  write("vocabulary", model.vocabulary.symbols());
  return model::parameter_bytes(model.layout, values, type, {{"documents", said.dump()}});
}

OpenedDocuments read_documents(const Safetensors& file, const std::string& name,
                               const Cancel& cancel) {
  const nlohmann::json said = description::of_file(file, "documents");
  if (said.is_null()) {
    throw InputError(Message(
        N_("{}: expected a document model trained here, got tensors without its description"),
        name));
  }
  DocumentTask task;
  DocumentForm form;
  each_field_of_documents(task, form, description::Reader{said, name});
  std::vector<Milestone> history =
      description::history_of(said.value("history", nlohmann::json()), name);
  auto model = std::make_shared<const DocumentModel>(
      task, form, description::symbols_of(said["vocabulary"], name));
  std::vector<float> values = model::read_parameters(model->layout, file, name, cancel);
  return {std::move(model), std::move(history), std::move(values)};
}

}  // namespace core::task
