// The computation of the lab of decoding.
#pragma once

#include "app/labs/decoding/rules.h"
#include "app/labs/shared/model/published_model.h"
#include "app/labs/shared/model/story_model.h"
#include "app/labs/shared/model/written_heads.h"
#include "core/decode/beam.h"
#include "core/enum_array.h"

namespace lab::decoding {

using core::decode::BeamBranch, core::decode::BeamTree, core::decode::Filter,
    core::decode::Filtered, core::decode::LengthPenalty, core::decode::WrittenText;

// --- what the lab of decoding can be set to

enum class From { rules, model, published };
enum class Explained { probability, branch, draw };

inline constexpr std::size_t kMostFilters = 6;
inline constexpr int kMostSteps = 12, kMostWidth = 8, kMostShown = 8;
inline constexpr int kMostSamples = 20'000;
inline constexpr int kTexts = 4;  // samples that are written out as texts
// Tokens that a model without a limit of its own reads: one that was trained here, a published one.
inline constexpr Index kLongestText = 256, kLongestPublished = Index{1} << 20;
inline constexpr int kMostLayers = 256, kMostHeads = 256;  // that a knob can point at
inline constexpr Index kMostVocabulary = Index{1} << 20;   // that a knob can point into

const std::shared_ptr<const param::Catalogue>& filter_catalogue();

struct Parameters {
  From from = From::rules;
  StoryModelKnobs story{.recipe = Recipe::text_english};
  PublishedKnobs published = {};
  std::string rules =
      "A:0.4 B:0.3 C:0.2 D:0.1 E:0; A > A:0.1 B:0.4 C:0.3 D:0.2 E:0; B > A:0.5 B:0.2 C:0.1 D:0.2 "
      "E:0";
  // The token after which nothing is written; empty: of rules none, of a model its own.
  std::string end;
  // Tokens of the rules, apart by spaces; characters for a model; of a published one any text.
  std::string prompt;

  param::StackItems filters = {{0, 0, {70}}, {0, 2, {900}}};
  Filter::Form form = Filter::Form::paper;

  int steps = 2, width = 2, shown = 3;
  LengthPenalty::Kind penalty = LengthPenalty::Kind::none;
  double alpha = 0.6;
  bool penalized = true, beam_filters = false;
  // Tokens of the branch that is looked at, apart by spaces; of a published model their numbers.
  std::string taken;

  int seed = 1, samples = 1000, draw = 0;
  int token = -1, stage = 1;
  Explained explained = Explained::branch;
  int layer = 1, head = 1;  // of a published model, from 1

  // Without a penalty, scores are sums.
  bool by_scores() const { return penalized && penalty != LengthPenalty::Kind::none; }
  bool by_hand() const { return from == From::rules; }
  std::vector<Filter> filter_list() const;
  LengthPenalty length_penalty() const { return {penalty, alpha}; }
};
void describe(Parameters& p, param::List& list);
// What tells one vocabulary, and one prompt as its tokens, from another.
std::string opened_source(param::List& list);
std::string opened_prompt(param::List& list);

// --- where distributions come from

struct Source {
  std::vector<std::string> tokens;     // by id, as figures name them; of a published model none
  std::shared_ptr<const Rules> rules;  // null: a model
  std::shared_ptr<const PublishedModel> published;  // null: rules, or a model that was trained here
  std::function<Distribution(const Ids& text, const core::Cancel& cancel)> next;
  Ids prompt;
  std::vector<std::string> unknown;  // of the prompt, left out
  bool example = false;  // the prompt is one of the model's task, or a sentence: none was given
  Index put_in = 0;      // of its tokens, by the tokenizer's template
  std::int32_t end = -1;
  Index room = kLongestText;  // tokens that can still be written

  Index size() const { return published ? published->facts().vocabulary : to_index(tokens.size()); }
  std::string token(std::int32_t id) const;
  // The prompt and what was written.
  Ids text(const Ids& written) const;
  // "A B"
  std::string name(const Ids& written) const;
  // The same as the knob of the branch has it, and a word of that knob.
  std::string knob(const Ids& written) const;
  std::optional<std::int32_t> find(const std::string& word) const;
};

// --- the tree

enum class Way { greedy, beam, exact, sample, own };
inline constexpr std::size_t kWays = core::kEnumerators<Way>;

struct Node {
  Index parent = -1;  // -1: the prompt
  std::int32_t token = 0;
  Ids path;  // from the prompt up to here
  double log_probability =
      0;              // of this token: the model's, or with `beam_filters` after the filters
  double sum = 0;     // of all up to here
  Index branch = -1;  // of the beam search; -1: it never looked at this one
  std::array<bool, kWays> on = {};  // whose text goes through it
};

struct Tree {
  std::vector<Node> nodes;                  // parents first
  std::vector<std::vector<Index>> columns;  // by depth, from 1; children stand by their parents

  // -1: it is not in the tree, or is the prompt.
  Index find(const Ids& path) const;
};

// A text that one of the ways comes to.
struct Text {
  Way way = Way::greedy;
  int number = 0;  // of the beam its rank, of samples which one, from 0
  Ids ids = {};
  double sum = 0;    // of log-probabilities, as in the tree
  double score = 0;  // sum / penalty
  bool ended = false;
};

// Draws of the token after the branch, each by a number of its own.
struct Samples {
  std::vector<double> share;                 // of all draws, by token
  double from_filtered = 0, from_model = 0;  // total variation distances
};

struct Model {
  std::shared_ptr<const Source> source;
  std::shared_ptr<const BeamTree> beam;
  Ids taken;  // the branch that is looked at
  std::string
      refused;  // the knob's first token that cannot be taken: it and all after it are left out
  Ids at;       // where distributions are shown: the branch, or before its last token where
                // that ends it
  Filtered filtered;  // what follows there
  Tree tree;
  std::vector<Text> texts;  // greedy, beam, exact where it is known, samples, own
  Index left_out = 0;       // branches of the search that are not drawn
  std::shared_ptr<const Samples> samples;
  std::int32_t token = 0;  // the one that is looked at
  Index stage = 0;         // 0: the model's own, k: after the k-th filter
  Index draw = 0;
  Index steps = 0;
  // For the branch, or greedy's text where none was taken; null: no published model writes.
  std::shared_ptr<const WrittenHeads> heads = nullptr;
  core::checkpoint::HeadIndex place = {};

  Index stages() const { return 1 + to_index(filtered.steps.size()); }
  const Distribution& distribution(Index of_stage) const;
  const Text* text_of(Way way) const;  // the first; null: none
};

Model make_model(const Parameters& p, const Context& context);

// The seed of a sample; the first has the knob's own.
std::uint64_t sample_seed(int seed, Index sample);

// At most so many texts are all looked at, to find the likeliest.
inline constexpr double kMostTexts = 20'000;

}  // namespace lab::decoding
