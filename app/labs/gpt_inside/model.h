// The computation of the lab that looks into a trained decoder: what it reads, what is changed in
// it, and the same measured before and after.
#pragma once

#include "app/labs/shared/number_format.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/story_model.h"
#include "core/task/circuits.h"
#include "core/task/head_scores.h"
#include "core/task/inside.h"

namespace lab::gpt_inside {

inline constexpr int kMostLayers = 6, kMostHeads = 8;
inline constexpr int kExamples = 100;
inline constexpr Index kMostTokens = 96;  // of a typed text
inline constexpr int kMostVocabulary = 128;
inline constexpr Index kHeldOut = 64;  // sequences that changes are measured on

enum class View { heads, stream, circuits };
enum class Replacement { zero, mean };
enum class Shown { after, before };
enum class Rounded { nothing, weights, cache, both };
enum class Positions { as_trained, none, sinusoidal, rotary, alibi, xpos };
enum class LensShows { likeliest, wanted };
enum class Circuit { qk, ov, direct };
enum class Through { key, query };

struct Parameters {
  StoryModelKnobs model;
  View view = View::heads;
  int example = 0;
  std::string text = {};    // empty: the example
  int token = -1;           // the one that is looked at; -1: the last
  int layer = 2, head = 1;  // from 1
  int key = -1;             // -1: none is pinned
  std::string wanted = {}, against = {};
  int part = 3;  // of the stream, from 0
  LensShows lens = LensShows::likeliest;

  std::string knocked = {};  // "2.1 1.3"
  Replacement replacement = Replacement::zero;
  int hidden = -1, swap_first = -1, swap_second = -1;
  Positions positions = Positions::as_trained;
  Rounded rounded = Rounded::nothing;
  NumberFormat format;
  Shown shown = Shown::after;

  Circuit circuit = Circuit::qk;
  int through = 0;  // a head of the layer before, from 1; 0: the token itself
  Through side = Through::key;
  bool folded = false;
  int distance = 0;
  int row = 3, col = 3;
};
void describe(Parameters& p, param::List& list);

// Changes that hold for every text, and what they do to what is held out.
struct Changes {
  std::vector<core::task::HeadPlace> heads = {};
  bool mean = false;
  Positions positions = Positions::as_trained;
  std::optional<core::Format> weights = {}, cache = {};
  bool operator==(const Changes&) const = default;
};
struct Changed {
  std::shared_ptr<const core::task::SequenceModel> model;
  std::shared_ptr<const std::vector<float>> values;
  core::task::Intervention intervention = {};
  core::task::SequenceScore score = {};                         // on held-out sequences
  std::vector<std::vector<core::task::HeadScores>> heads = {};  // [layer][head], likewise
  const float* numbers() const { return values->data(); }
};

// One pass over the text.
struct Reading {
  std::shared_ptr<const core::task::SequenceModel> model;
  std::vector<std::int32_t> ids;  // as they are read: two may be swapped
  core::task::LookedSequence looked;
  core::task::Lens lens;
  std::vector<double> loss;  // of each token that something follows; NaN of others
  double mean_loss = 0;      // over those; 0 without any
  // (tokens, tokens); what a token may not see is core::kMasked.
  Matrix weights(Index layer, Index head) const {
    return story_weights(*model, looked.trace, layer, head);
  }
  const Matrix& logits() const { return lens.logits.back(); }
};

struct Side {
  std::shared_ptr<const Changed> changed;
  std::shared_ptr<const Reading> reading;
};

struct Model {
  LearnedStory story;
  std::shared_ptr<const StoryText> text = nullptr;
  Side before = {}, after = {};
  bool changes = false;  // something is changed
  bool after_shown = true;
  std::vector<std::string> odd = {};  // of the knob of heads what is none
  std::vector<core::task::HeadPlace> knocked = {};
  core::task::HeadPlace place = {};
  Index token = 0;
  std::optional<Index> key = {};
  std::int32_t wanted = 0;
  std::optional<std::int32_t> against = {};
  bool wanted_unknown = false, against_unknown = false;
  std::optional<Index> hidden = {};
  std::optional<std::pair<Index, Index>> swapped = {};

  const Side& shown() const { return after_shown ? after : before; }
  const core::model::DecoderForm& form() const { return story.form(); }
  bool is_knocked(const core::task::HeadPlace& at) const;
  double logit(const Side& side) const { return to_double(side.reading->logits()(token, wanted)); }
  double probability(const Side& side) const {
    return to_double(side.reading->looked.probabilities(token, wanted));
  }
};

Model make_model(const Parameters& p, const Context& context);

// The scores that heads are named by, in the order of figures.
struct NamedScore {
  std::string_view name, help;
  core::task::HeadScore core::task::HeadScores::*score;
};
const std::array<NamedScore, 6>& named_scores();
// How far a score is above that of equal weights: 0 like them, 1 all that is possible; of `uniform`
// the score itself.
double above_even(const core::task::HeadScores& scores, std::size_t which);
// Which of them a head is called by; none where no score is high.
std::optional<std::size_t> called(const core::task::HeadScores& scores);

}  // namespace lab::gpt_inside
