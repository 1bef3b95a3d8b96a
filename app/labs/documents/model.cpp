#include "app/labs/documents/model.h"

#include "app/labs/shared/model/opened_model.h"
#include "app/labs/shared/parts.h"
#include "assets/assets.h"
#include "core/rank_correlation.h"
#include "core/task/document/document_file.h"

namespace lab::documents {
namespace {

using core::task::DocumentFit, core::task::Milestone, core::task::Vocabulary;
using Numbers = std::shared_ptr<const std::vector<float>>;

struct ReadDocuments {
  core::task::OpenedDocuments operator()(const core::Safetensors& file, const std::string& name,
                                         const core::Cancel& cancel) const {
    return core::task::read_documents(file, name, cancel);
  }
};

Trained read_trained(const std::string& name, const OpenedModel& from, const Context& context) {
  return trained_before<DocumentFit>(name, from, context, ReadDocuments()).first;
}

// `name` is that of its run and its stages.
Trained trained(const std::string& name, const Parameters& p, bool mean, const Context& context) {
  const Weights weights = p.weights(mean);
  if (weights == Weights::shipped) {
    return read_trained(name, OpenedModel::from_asset(asset_name(p.asked(), mean)), context);
  }
  if (weights == Weights::file) {
    return read_trained(name, OpenedModel::from_file(p.training.file), context);
  }
  return trained_here<DocumentFit>(name, p.training, context, p.asked(), p.form(mean));
}

VectorD chances(const VectorD& logits) {
  const VectorD e = (logits.array() - logits.maxCoeff()).exp();
  return e / e.sum();
}

// The places of the knob that there are.
void read_deleted(const std::string& deleted, Reading& reading) {
  for (const std::string& one : typed_words(deleted)) {
    for (const WordPosition& position : reading.positions()) {
      if (position_text(position) == one) reading.out.emplace(position.sentence, position.word);
    }
  }
}

struct ReadingKey {
  std::shared_ptr<const DocumentModel> model;
  Numbers values;
  int example = 0;
  std::string text, deleted;
  bool operator==(const ReadingKey&) const = default;
};

void read_words(const ReadingKey& key, Reading& reading) {
  constexpr std::uint64_t kSeed = 2026;
  const DocumentModel& model = *key.model;
  if (key.text.empty()) {
    reading.document = core::task::draw_documents(model.task, kSeed, key.example + 1, true).back();
    reading.known = true;
  } else {
    reading.document.sentences =
        core::task::sentences_of(key.text, model.task.language, model.vocabulary);
  }
  reading.words = reading.document.sentences;
  for (const auto& sentence : reading.words) {
    for (const std::string& word : sentence) {
      const bool listed =
          std::find(reading.unknown.begin(), reading.unknown.end(), word) != reading.unknown.end();
      if (model.vocabulary.id(word) == Vocabulary::kUnknown && !listed) {
        reading.unknown.push_back(word);
      }
    }
  }
}

Reading read(const ReadingKey& key, const Run& run) {
  Reading reading;
  read_words(key, reading);
  read_deleted(key.deleted, reading);
  const DocumentModel& model = *key.model;
  const EncodedDocument whole = model.encoded(reading.document);
  for (Index s = 0; s < reading.sentences(); ++s) {
    std::vector<std::int32_t> ids;
    for (Index t = 0; t < reading.count(s); ++t) {
      if (!reading.out.contains({s, t})) ids.push_back(whole.sentences[to_size(s)][to_size(t)]);
    }
    if (!ids.empty()) reading.kept.sentences.push_back(std::move(ids));
  }
  reading.whole = core::task::look(model, key.values->data(), whole);
  reading.looked = core::task::look(model, key.values->data(), reading.kept);
  reading.whole_chances = chances(reading.whole.logits);
  reading.chances = chances(reading.looked.logits);
  reading.worth = core::task::worth_of_words(model, key.values->data(), reading.kept, run.threads);
  return reading;
}

core::task::DocumentScore held_out_score(const std::shared_ptr<const DocumentModel>& model,
                                         const Numbers& values, const Run& run) {
  constexpr std::uint64_t kSeed = 77;
  std::vector<EncodedDocument> held;
  for (const Document& one :
       core::task::draw_documents(model->task, kSeed, kScoredDocuments, true)) {
    held.push_back(model->encoded(one));
  }
  return core::task::score(*model, values->data(), held, run.threads);
}

core::task::Focus held_out_focus(const std::shared_ptr<const DocumentModel>& model,
                                 const Numbers& values, const Run& run) {
  constexpr std::uint64_t kSeed = 78;
  return core::task::focus(*model, values->data(),
                           core::task::draw_documents(model->task, kSeed, kFocusDocuments, true),
                           run.cancel, run.threads);
}

// A kept place: the one asked for, or the strongest of its sentence, or of all.
std::optional<WordPosition> picked(const Parameters& p, const Reading& reading) {
  std::optional<WordPosition> best;
  const Index wanted = std::min<Index>(p.sentence, reading.sentences()) - 1;
  const bool there = wanted >= 0 && reading.sentence_in_kept(wanted).has_value();
  for (Index s = 0; s < reading.sentences(); ++s) {
    if (there && s != wanted) continue;
    const Index word = std::min<Index>(p.word, reading.count(s)) - 1;
    if (there && word >= 0 && reading.in_kept({s, word})) return WordPosition{s, word};
    for (Index t = 0; t < reading.count(s); ++t) {
      if (!reading.in_kept({s, t})) continue;
      if (!best || reading.weight({s, t}) > reading.weight(*best)) best = WordPosition{s, t};
    }
  }
  return best;
}

}  // namespace

std::string model_bytes(const Trained& trained) {
  return core::task::document_bytes(*trained.model, trained.numbers(), trained.kept(),
                                    core::NumberType::float32);
}

std::string asset_name(const core::task::DocumentTask& task, bool mean) {
  return fmt::format("models/documents{}-{}-{}.safetensors", mean ? "_mean" : "",
                     task.kind == DocumentKind::opinions ? "opinions" : "topics",
                     task.language == core::task::Language::english ? "english" : "chinese");
}

Weights Parameters::weights(bool of_mean) const {
  return weights_of(training, assets::exists(asset_name(asked(), of_mean)));
}

core::task::DocumentForm Parameters::form(bool of_mean) const {
  core::task::DocumentForm form;
  form.embedding = embedding;
  const auto level = [&](Reads reads, Keys keys) {
    core::model::WeighedLevel::Form of;
    of.states = static_cast<core::model::WeighedLevel::Reading>(reads);
    // A window's states are as wide as both directions of a GRU.
    if (reads != Reads::inputs) of.hidden = reads == Reads::window ? 2 * hidden : hidden;
    of.mean = of_mean;
    if (of_mean) return of;
    of.keys_of_inputs = keys == Keys::inputs || reads == Reads::inputs;
    of.width = width;
    return of;
  };
  form.of_words = level(word_states, word_keys);
  form.of_sentences = level(sentence_states, sentence_keys);
  return form;
}

std::string position_text(WordPosition at) {
  return fmt::format("{}.{}", at.sentence + 1, at.word + 1);
}

std::vector<WordPosition> Reading::positions() const {
  std::vector<WordPosition> all;
  for (Index s = 0; s < sentences(); ++s) {
    for (Index t = 0; t < count(s); ++t) all.push_back({s, t});
  }
  return all;
}

std::optional<Index> Reading::sentence_in_kept(Index sentence) const {
  Index row = 0;
  for (Index s = 0; s <= sentence; ++s) {
    bool any = false;
    for (Index t = 0; t < count(s); ++t) any |= !out.contains({s, t});
    if (s == sentence) return any ? std::optional(row) : std::nullopt;
    row += any;
  }
  return {};
}

std::optional<WordPosition> Reading::in_kept(WordPosition at) const {
  if (out.contains({at.sentence, at.word})) return {};
  const auto row = sentence_in_kept(at.sentence);
  Index word = 0;
  for (Index t = 0; t < at.word; ++t) word += !out.contains({at.sentence, t});
  return WordPosition{*row, word};
}

double Reading::word_weight(WordPosition at) const {
  const auto position = in_kept(at);
  return position ? to_double(looked.words.weights(position->sentence, position->word)) : 0;
}

double Reading::sentence_weight(Index sentence) const {
  const auto row = sentence_in_kept(sentence);
  return row ? looked.sentence_weight(*row) : 0;
}

Index Reading::label() const {
  Index best = 0;
  looked.logits.maxCoeff(&best);
  return best;
}

namespace {

Seen see(const std::string& name, const Parameters& p, bool mean, const Context& context) {
  Seen seen{.trained = trained(name, p, mean, context), .reading = nullptr};
  context.cancel.poll();
  const Trained& t = seen.trained;
  seen.reading = context.stage(name + " reading", read,
                               ReadingKey{t.model, t.values, p.example, p.text, p.deleted});
  if (t.going) return seen;
  seen.score = *context.stage(name + " score", held_out_score, t.model, t.values);
  seen.focus = *context.stage(name + " focus", held_out_focus, t.model, t.values);
  return seen;
}

std::vector<double> sizes_of(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  static_cast<Seen&>(model) = see("documents", p, p.mean, context);
  if (p.shows_mean()) model.mean = see("documents, mean", p, true, context);
  model.picked = picked(p, *model.reading);
  std::vector<double> weights, worth;
  for (std::size_t s = 0; s < model.reading->worth.size(); ++s) {
    for (std::size_t k = 0; k < model.reading->worth[s].size(); ++k) {
      weights.push_back(model.reading->looked.weight(to_index(s), to_index(k)));
      worth.push_back(model.reading->worth[s][k]);
    }
  }
  model.correlation = core::rank_correlation(weights, worth);
  model.size_correlation = core::rank_correlation(weights, sizes_of(worth));
  if (model.focus) {
    const core::task::Focus& held = *model.focus;
    model.all_correlation = core::rank_correlation(held.weights, held.worth);
    model.all_size_correlation = core::rank_correlation(held.weights, sizes_of(held.worth));
  }
  return model;
}

}  // namespace lab::documents
