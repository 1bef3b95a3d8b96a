// The computation of the lab of documents: a hierarchical attention network reads one, and says
// what it is.
#pragma once

#include <set>

#include "app/labs/shared/model/pair_training.h"
#include "core/task/document/document_fit.h"
#include "core/task/document/document_focus.h"

namespace lab::documents {

inline constexpr int kMostPositions = 300;  // sentences, and words of one, that can be picked
inline constexpr std::size_t kMostTextBytes = 600;
inline constexpr int kMeanSeed = 1;  // of the average pooling that ships

using core::task::Document, core::task::DocumentKind, core::task::DocumentModel,
    core::task::EncodedDocument, core::task::LookedDocument;
using WordPosition = Document::WordPosition;

enum class Reads { gru, window, inputs };  // in the order of WeighedLevel::Reading
enum class Keys { states, inputs };
enum class Explained { word, sentence, outcome, state, vector };
// Whose states and means are derived, number by number.
enum class Taken { words, sentences };

// How these networks are trained unless it is said otherwise.
inline TrainingKnobs trains_so() {
  TrainingKnobs knobs;
  knobs.rate = 0.01;
  knobs.warmup = 10;
  knobs.batch = 32;
  knobs.seed = 59;
  knobs.steps = knobs.step = 300;
  return knobs;
}

struct Parameters {
  DocumentKind task = DocumentKind::opinions;
  core::task::Language language = core::task::Language::english;
  TrainingKnobs training = trains_so();

  bool mean = false;
  bool mean_beside = true;  // the same network without attention
  Reads word_states = Reads::gru, sentence_states = Reads::gru;
  Keys word_keys = Keys::inputs, sentence_keys = Keys::states;
  int embedding = 16, hidden = 8, width = 16;

  int example = 10;  // its strongest word is the one that changes most
  std::string text = {}, deleted = {};
  int sentence = 0, word = 0;  // picked, from 1; 0: the strongest
  int dim = 0;
  Explained explained = Explained::word;
  Taken taken = Taken::words;
  int unit = 0;

  core::task::DocumentTask asked() const { return {task, language}; }
  Weights weights() const { return weights(mean); }
  bool trains_here() const { return weights() == Weights::here; }
  // Nothing is known of how a file's model was trained.
  bool shows_mean() const { return mean_beside && !mean && training.file.empty(); }
  Weights weights(bool of_mean) const;
  core::task::DocumentForm form() const { return form(mean); }
  core::task::DocumentForm form(bool of_mean) const;
};
void describe(Parameters& p, param::List& list);
// What tells one model, and one document, from another.
std::string opened_model(param::List& list);
std::string opened_text(param::List& list);

// "models/documents-opinions-english.safetensors", or "models/documents_mean-..."
std::string asset_name(const core::task::DocumentTask& task, bool mean);

using Trained = LearnedBy<core::task::DocumentFit>;

// As a file that the lab reads again; for Page::model.
std::string model_bytes(const Trained& trained);

// A document as it was read, with words left out and without.
struct Reading {
  std::vector<std::vector<std::string>> words;  // of all sentences
  bool known = false;                           // what it is and where that stands
  Document document;
  std::set<std::pair<Index, Index>> out;  // places that are left out
  std::vector<std::string> unknown;       // words that the task has not
  EncodedDocument kept;                   // without what is left out
  LookedDocument whole, looked;           // all of it; what is kept
  VectorD whole_chances, chances;
  std::vector<std::vector<double>> worth;  // of the kept words, by their places in `kept`

  Index sentences() const { return to_index(words.size()); }
  Index count(Index sentence) const { return to_index(words[to_size(sentence)].size()); }
  std::vector<WordPosition> positions() const;  // of all words
  const std::string& word(WordPosition at) const {
    return words[to_size(at.sentence)][to_size(at.word)];
  }
  // Where a place of the document stands among what is kept; nothing: it is left out.
  std::optional<WordPosition> in_kept(WordPosition at) const;
  std::optional<Index> sentence_in_kept(Index sentence) const;
  // 0 where it is left out.
  double word_weight(WordPosition at) const;
  double sentence_weight(Index sentence) const;
  double weight(WordPosition at) const { return word_weight(at) * sentence_weight(at.sentence); }
  // At a place among what is kept.
  double worth_of(WordPosition at) const { return worth[to_size(at.sentence)][to_size(at.word)]; }
  Index label() const;  // the likeliest
};

// A model with what it makes of the document.
struct Seen {
  Trained trained;
  std::shared_ptr<const Reading> reading;
  core::task::DocumentScore score = {};
  std::optional<core::task::Focus> focus = {};  // not while it trains
};

struct Model : Seen {
  std::optional<Seen> mean = {};  // the same without attention
  // Correlation of the words' weights with what leaving each out takes from the log-odds, and with
  // its size: over this document, and over those held out.
  std::optional<double> correlation, all_correlation, size_correlation, all_size_correlation;
  std::optional<WordPosition> picked;  // none: nothing is kept
};

inline constexpr Index kFocusDocuments = 60, kScoredDocuments = 500;

Model make_model(const Parameters& p, const Context& context);
// "2.4": counted from 1, as the knob says it.
std::string position_text(WordPosition at);

}  // namespace lab::documents
