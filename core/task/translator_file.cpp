#include "core/task/translator_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/model/parameter_file.h"
#include "core/text/printable.h"

namespace core::task {
namespace {

using nlohmann::json;

// Limits of what a file may ask for, so that a few words of metadata cannot take all memory.
constexpr Index kMostWidth = 4096, kMostLayers = 96, kMostSymbols = 100'000;

template <class Enum>
struct Names;
template <>
struct Names<Kind> {
  static constexpr std::array<std::string_view, 5> all{"dates", "numbers", "reversal", "copy",
                                                       "own"};
};
template <>
struct Names<Language> {
  static constexpr std::array<std::string_view, 2> all{"english", "chinese"};
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
template <>
struct Names<model::Scheme> {
  static constexpr std::array<std::string_view, 7> all{"none",  "learned", "sinusoidal", "rotary",
                                                       "alibi", "t5",      "relative"};
};
template <>
struct Names<model::Activation> {
  static constexpr std::array<std::string_view, 6> all{"relu", "gelu", "gelu_tanh",
                                                       "silu", "tanh", "sigmoid"};
};

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
  visit("d_model", t.layer.d_model, 1, kMostWidth);
  visit("heads", t.layer.heads, 1, kMostWidth);
  visit("key_heads", t.layer.key_heads, 1, kMostWidth);
  visit("feed_forward", t.layer.feed_forward.width, 0, 4 * kMostWidth);
  visit("activation", t.layer.feed_forward.function);
  visit("gated", t.layer.feed_forward.gated);
  visit("feed_forward_bias", t.layer.feed_forward.bias);
  visit("norm_first", t.layer.norm_first);
  visit("bias", t.layer.bias);
  visit("encoder_layers", t.encoder_layers, 0, kMostLayers);
  visit("decoder_layers", t.decoder_layers, 0, kMostLayers);
  visit("tied", t.tied);
  visit("scaled", t.scaled);
  visit("positions", t.positions.scheme);
  visit("longest_sequence", t.positions.longest, 1, 1'000'000);
  visit("base", t.positions.base);
  visit("clip", t.positions.clip, 1, 1'000'000);
  visit("buckets", t.positions.buckets, 2, 1024);
  visit("farthest", t.positions.farthest, 2, 1'000'000);
}

struct Writer {
  json& to;
  template <class T>
  void operator()(const char* name, const T& value, Index = 0, Index = 0) const {
    if constexpr (std::is_enum_v<T>) {
      to[name] = Names<T>::all[static_cast<std::size_t>(value)];
    } else {
      to[name] = value;
    }
  }
};

struct Reader {
  const json& from;
  const std::string& file;

  template <class T>
  void operator()(const char* name, T& value, Index least = 0, Index most = 0) const {
    const auto found = from.find(name);
    if (found == from.end()) refuse_field(name, "null");
    if constexpr (std::is_enum_v<T>) {
      read_enum(name, *found, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      if (!found->is_boolean()) refuse_field(name, found->dump());
      value = found->get<bool>();
    } else if constexpr (std::is_same_v<T, double>) {
      if (!found->is_number() || !(found->get<double>() > 0)) refuse_field(name, found->dump());
      value = found->get<double>();
    } else {
      if (!found->is_number_integer()) refuse_field(name, found->dump());
      value = found->get<Index>();
      if (value < least || value > most) refuse_field(name, found->dump());
    }
  }

  template <class Enum>
  void read_enum(const char* name, const json& found, Enum& value) const {
    const auto& all = Names<Enum>::all;
    const std::string text = found.is_string() ? found.get<std::string>() : std::string();
    const auto known = std::find(all.begin(), all.end(), text);
    if (known == all.end()) refuse_field(name, found.dump());
    value = static_cast<Enum>(known - all.begin());
  }

  [[noreturn]] void refuse_field(const char* name, const std::string& came) const {
    throw InputError(Message(N_("{}: expected a translator's description, got {} for \"{}\""), file,
                             printable(came), name));
  }
};

std::vector<std::string> symbols_of(const json& list, const std::string& file) {
  const auto fits = [](const json& symbol) {
    return symbol.is_string() && !symbol.get_ref<const std::string&>().empty();
  };
  if (!list.is_array() || list.size() > static_cast<std::size_t>(kMostSymbols) ||
      !std::all_of(list.begin(), list.end(), fits)) {
    throw InputError(Message(N_("{}: expected a vocabulary, a list of texts, got none"), file));
  }
  return list.get<std::vector<std::string>>();
}

std::vector<Milestone> history_of(const json& list, const std::string& file) {
  constexpr std::size_t kMostMilestones = 100'000;
  const auto fits = [](const json& m) {
    return m.is_array() && m.size() == 6 && m[0].is_number_integer() &&
           std::all_of(m.begin(), m.end(), [](const json& x) { return x.is_number(); });
  };
  if (!list.is_array() || list.size() > kMostMilestones ||
      !std::all_of(list.begin(), list.end(), fits)) {
    throw InputError(Message(N_("{}: expected a history of its training, got none"), file));
  }
  std::vector<Milestone> history;
  for (const json& m : list) {
    history.push_back({m[0].get<Index>(), m[1].get<double>(), m[2].get<double>(),
                       m[3].get<double>(), m[4].get<double>(), m[5].get<double>()});
  }
  return history;
}

TranslatorFacts facts_of(const Safetensors& file, const std::string& name) {
  const auto found = file.metadata.find("translator");
  const json description =
      found == file.metadata.end() ? json() : json::parse(found->second, nullptr, false);
  if (!description.is_object() || !description.contains("vocabulary")) {
    throw InputError(Message(N_("{}: expected a translator trained here, got tensors without its "
                                "description"),
                             name));
  }
  TranslatorFacts facts;
  const Reader read{description, name};
  each_field_of_task(facts.task, read);
  each_field_of_form(facts.form, read);
  facts.history = history_of(description.value("history", json()), name);
  facts.symbols = symbols_of(description["vocabulary"], name);
  return facts;
}

}  // namespace

std::string translator_bytes(const TranslatorFacts& facts, const Translator& translator,
                             const float* values, NumberType type) {
  json description = json::object();
  const Writer write{description};
  each_field_of_task(facts.task, write);
  each_field_of_form(facts.form, write);
  json& history = description["history"] = json::array();
  for (const Milestone& m : facts.history) {
    history.push_back({m.step, m.loss, m.gradient_norm, m.rate, m.held_loss, m.held_accuracy});
  }
  write("vocabulary", facts.symbols);
  return model::parameter_bytes(translator.layout(), values, type,
                                {{"translator", description.dump()}});
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
