#include "core/task/sequence/sequence_file.h"

#include <utility>

#include "core/model/learning/parameter_file.h"
#include "core/task/description.h"

namespace core::task {
namespace description {

template <>
struct Names<Story> {
  static constexpr std::array<std::string_view, 8> all{"induction", "copy",     "reverse", "sort",
                                                       "addition",  "brackets", "text",    "own"};
};

}  // namespace description

namespace {

// Numbers in tables of positions: a description cannot ask for more.
constexpr Index kMostPositions = Index{1} << 24;

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

// The first token has no text of its own; of byte pairs each is told in visible bytes.
std::vector<std::string> visible_tokens(const SequenceModel& model) {
  std::vector<std::string> visible{model.tokens.begin() + 1, model.tokens.end()};
  const auto& corpus = model.task.corpus;
  if (!corpus || !corpus->pairs) return visible;
  const auto own = static_cast<std::size_t>(first_used(model.task)) - 1;
  for (std::size_t k = own; k < visible.size(); ++k) {
    visible[k] = *corpus->pairs->token(static_cast<subword::Id>(k - own));
  }
  return visible;
}

// Some of the held-out part of a person's own text goes with the model, so that it has examples.
constexpr std::size_t kMostKept = 8192;

nlohmann::json kept_of(const Corpus& corpus) {
  const std::size_t begin = corpus.holds_out() ? corpus.held : 0;
  const std::size_t end = std::min(corpus.ids.size(), begin + kMostKept);
  return std::vector<std::uint16_t>(corpus.ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                    corpus.ids.begin() + static_cast<std::ptrdiff_t>(end));
}

// Merges as "a b", of visible bytes, which have no spaces.
Corpus pairs_of(const nlohmann::json& list, const description::Reader& read) {
  std::vector<subword::Merge> merges;
  const std::vector<std::string> visible = description::symbols_of(list, read.file);
  if (visible.size() > kMostCorpusKinds)
    read.refuse_field("merges", std::to_string(visible.size()));
  for (const std::string& one : visible) {
    const std::size_t space = one.find(' ');
    if (space == std::string::npos) read.refuse_field("merges", printable(one));
    merges.emplace_back(one.substr(0, space), one.substr(space + 1));
  }
  try {
    return corpus_of_merges(std::move(merges));
  } catch (const InputError& error) {
    throw InputError(Message(N_("{}: {}"), read.file, error.message()));
  }
}

nlohmann::json visible_merges(const Corpus& corpus) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [first, second] : corpus.merges) list.push_back(first + " " + second);
  return list;
}

// The told tokens but for the end and the question.
Corpus characters_of(const nlohmann::json& list, const description::Reader& read) {
  constexpr std::size_t kFirst = 2;
  const std::vector<std::string> visible = description::symbols_of(list, read.file);
  if (visible.size() <= kFirst || visible.size() > kFirst + kMostCorpusKinds) {
    read.refuse_field("vocabulary", std::to_string(visible.size()));
  }
  Corpus corpus;
  corpus.tokens.assign(visible.begin() + kFirst, visible.end());
  return corpus;
}

// The tokens, and the text that was kept.
Corpus kept_corpus(const nlohmann::json& said, const description::Reader& read) {
  Corpus corpus = said.contains("merges")
                      ? pairs_of(said["merges"], read)
                      : characters_of(said.value("vocabulary", nlohmann::json()), read);
  const auto kept = said.find("text");
  if (kept == said.end() || !kept->is_array() || kept->size() < kLeastCorpusTokens ||
      kept->size() > kMostKept) {
    read.refuse_field("text", kept == said.end() ? "null" : printable(kept->dump()));
  }
  for (const nlohmann::json& id : *kept) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= corpus.tokens.size()) {
      read.refuse_field("text", printable(id.dump()));
    }
    corpus.ids.push_back(id.get<std::uint16_t>());
  }
  corpus.held = corpus.ids.size();
  // Older files do not say it: of them nothing is called held out.
  const auto apart = said.find("held_out");
  corpus.kept_apart = apart != said.end() && apart->is_boolean() && apart->get<bool>();
  return corpus;
}

// A row of a mask as hexadecimal digits, four keys each, the first key in the highest bit.
nlohmann::json mask_rows(const BoolMatrix& allowed) {
  nlohmann::json rows = nlohmann::json::array();
  for (Index i = 0; i < allowed.rows(); ++i) {
    std::string row;
    for (Index j = 0; j < allowed.cols(); j += 4) {
      int digit = 0;
      for (Index k = j; k < j + 4; ++k) {
        digit = 2 * digit + (k < allowed.cols() && allowed(i, k) ? 1 : 0);
      }
      row += "0123456789abcdef"[digit];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

model::MaskPattern read_mask(const nlohmann::json& rows, const description::Reader& read) {
  constexpr std::size_t kMostMasked = 4096;
  if (!rows.is_array() || rows.empty() || rows.size() > kMostMasked) {
    read.refuse_field("mask", rows.is_array() ? std::to_string(rows.size()) + " rows" : "no rows");
  }
  const auto n = static_cast<Index>(rows.size());
  BoolMatrix allowed(n, n);
  for (Index i = 0; i < n; ++i) {
    const nlohmann::json& row = rows[static_cast<std::size_t>(i)];
    const std::string text = row.is_string() ? row.get<std::string>() : std::string();
    const bool digits = text.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!digits || static_cast<Index>(text.size()) != ceil_div(n, Index{4})) {
      read.refuse_field("mask", printable(row.dump()));
    }
    for (Index j = 0; j < n; ++j) {
      const char c = text[static_cast<std::size_t>(j / 4)];
      const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
      allowed(i, j) = (digit >> (3 - j % 4) & 1) != 0;
    }
  }
  return model::MaskPattern(std::move(allowed));
}

std::shared_ptr<const SequenceModel> described(const nlohmann::json& said,
                                               const std::string& name) {
  SequenceTask task;
  model::DecoderForm form;
  const description::Reader read{said, name};
  each_field_of_sequences(task, form, read);
  if (task.story == Story::own) task.corpus = kept_corpus(said, read);
  if (said.contains("mask")) form.sees = read_mask(said["mask"], read);
  if (form.positions.longest > kMostPositions / form.layer.d_model) {
    read.refuse_field("longest_sequence", std::to_string(form.positions.longest));
  }
  std::shared_ptr<const SequenceModel> made;
  try {
    made = std::make_shared<const SequenceModel>(task, form);
  } catch (const InputError& error) {
    throw InputError(Message(N_("{}: {}"), name, error.message()));
  }
  if (description::symbols_of(said["vocabulary"], name) != visible_tokens(*made)) {
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
  write("vocabulary", visible_tokens(model));
  if (model.task.corpus && model.task.corpus->pairs) {
    said["merges"] = visible_merges(*model.task.corpus);
  }
  if (model.form.sees) said["mask"] = mask_rows(model.form.sees->allowed());
  if (const auto& corpus = model.task.corpus) {
    said["text"] = kept_of(*corpus);
    said["held_out"] = corpus->holds_out() || corpus->kept_apart;
  }
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
