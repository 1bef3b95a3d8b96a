// The computation of the lab in which a decoder alone learns.
#pragma once

#include "app/labs/shared/mask_patterns.h"
#include "app/labs/shared/model/story_model.h"
#include "app/labs/shared/model/traced.h"
#include "app/labs/shared/parts.h"
#include "core/decode/sampling.h"
#include "core/task/inside/head_scores.h"
#include "core/task/sequence/length_score.h"

namespace lab::gpt_training {

inline constexpr int kMostLayers = 6, kMostHeads = 8;
inline constexpr Index kLongest = 256;    // tokens of a sequence
inline constexpr Index kMostProbe = 128;  // of the one that is looked at
inline constexpr std::size_t kMostTextBytes = 400, kMostCorpusTyped = 20'000;
inline constexpr std::size_t kMostMaskItems = 4;
inline constexpr int kMostStorySteps = 4000;
inline constexpr Index kScoredByPosition = 64;  // sequences that the loss by place is measured on

inline constexpr const char* kOwnText =
    "The sun is up. The cat sits in the sun. The dog sits in the shade. The sun goes down. The cat "
    "goes in. The dog goes in. The moon is up. The cat is out. The dog sleeps. ";

enum class Made { recommended, own };
enum class OwnUnit { characters, pairs };
enum class KeyHeads { all, half, one };
enum class Explained { weight, number, token };

// What is trained and how, by hand.
struct OwnKnobs {
  int symbols = 32, shortest = 8, longest = 24, length = 48, digits = 3, depth = 4;
  bool repeats = false, lowest_first = true;
  int layers = 2, heads = 1, d_head = 32, d_ff = 0;
  KeyHeads key_heads = KeyHeads::all;
  bool norm_first = true, tied = false;
  core::model::Scheme positions = core::model::Scheme::rotary;
  double dropout = 0;
  param::StackItems mask = masks::causal_alone();

  bool operator==(const OwnKnobs&) const = default;
};

inline TrainingKnobs trains_so() {
  TrainingKnobs knobs;
  knobs.rate = 0.01;
  knobs.cosine = false;
  knobs.batch = 32;
  knobs.steps = knobs.step = 250;
  return knobs;
}

// Which of them a task has.
struct TaskKnobs {
  bool letters, symbols, range, length;
};
TaskKnobs knobs_of(core::task::Story story);

struct Parameters {
  Recipe task = Recipe::induction;
  TrainingKnobs training = trains_so();
  Made made = Made::recommended;
  OwnKnobs own = {};
  std::string corpus = kOwnText, corpus_file = {};  // of a text of one's own
  OwnUnit unit = OwnUnit::characters;
  int vocabulary = 512;
  bool one_layer = false;  // the same with one layer, beside

  int example = 0;
  std::string text = {};
  int layer = 2, head = 1;
  int place = -1, token = -1;  // -1: the last; none
  int dim = 0;
  int sample_seed = 0;
  double temperature = 1;
  Explained explained = Explained::weight;

  bool own_text() const { return task == Recipe::own && training.file.empty(); }
  bool by_hand() const { return made == Made::own && training.file.empty(); }
  bool trains_here() const { return weights() == Weights::here; }
  Weights weights() const { return weights_of(training, ships()); }
  // Whether such a model travels with the program.
  bool ships() const { return made == Made::recommended && task != Recipe::own; }
  // What is trained, and how, with what is chosen by hand.
  core::task::SequenceRecipe recipe(
      const core::SharedValue<core::task::Corpus>& of_corpus = {}) const;
  // The same as knobs.
  TrainingKnobs trains() const;
};
void describe(Parameters& p, param::List& list);
// What tells one text to learn as its tokens, one model, and one text that is read from another.
std::string opened_corpus(param::List& list);
std::string opened_model(param::List& list);
std::string opened_text(param::List& list);

// The sequence that is looked at, and every number on the way.
struct Probe : StoryText {
  core::task::LookedSequence looked;

  // It was drawn: what counts in it is known.
  bool known() const { return !typed; }
  // The token that comes after place t; -1: none does.
  std::int32_t next(Index t) const;
  double probability(Index t, std::int32_t id) const {
    return to_double(looked.probabilities(t, id));
  }
  std::int32_t likeliest(Index t) const;
};

// How much is right of sequences of each length.
struct LengthCurve : core::task::LengthScore {
  core::model::Scheme scheme = {};
  bool own = false;  // of the model of the page
};

// A number of the model of the page that is another in those beside it.
struct Unlike {
  std::string_view what;
  double own = 0, theirs = 0;
};

// A text that goes on from the beginning of the one that is looked at.
struct Sample {
  core::decode::WrittenText written;
  bool likeliest = false;  // not drawn
};

struct Model {
  LearnedStory learned;
  std::optional<LearnedStory> one_layer;
  std::shared_ptr<const Probe> probe;
  // Not while it trains.
  std::optional<core::task::SequenceScore> score;
  std::vector<LengthCurve> lengths;  // of the page's model, and of shipped ones beside it
  std::vector<Unlike> unlike;        // empty: all of them were trained alike
  std::shared_ptr<const core::task::PositionScore> places;
  std::shared_ptr<const std::vector<Sample>> samples;
  Index prompt = 0;  // tokens that samples go on from
  // Until the page has said what there is, the nearest of it.
  Index layer = 0, head = 0, place = 0;
  std::optional<Index> key;

  const core::model::DecoderForm& form() const { return learned.form(); }
  Index heads() const { return form().layer.heads; }
  Index width() const { return form().layer.d_model / heads(); }
  std::string prefix(Index of_layer) const { return fmt::format("decoder.{}.self.", of_layer); }
  const core::model::Traced<float>& traced(std::string_view name) const {
    return probe->looked.trace.at(prefix(layer) + std::string(name));
  }
  // What is not looked at is core::kMasked.
  Matrix weights_of(Index of_layer, Index of_head) const;
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::gpt_training
