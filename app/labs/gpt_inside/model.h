// The computation of the lab that looks into a trained decoder: what it reads, what is changed in
// it, and the same measured before and after.
#pragma once

#include "app/labs/gpt_inside/published.h"
#include "app/labs/gpt_inside/trained.h"
#include "app/labs/shared/number_format.h"
#include "app/labs/shared/parts.h"

namespace lab::gpt_inside {

inline constexpr int kMostLayers = 256, kMostHeads = 256;
// What sliders reach for the small models that travel with the program.
inline constexpr int kSlideLayers = 6, kSlideHeads = 8;
inline constexpr int kMostPartsOfStream = 1 << 17;
inline constexpr int kExamples = 100;
inline constexpr Index kMostTokens = 96;  // of a typed text
inline constexpr int kMostVocabulary = 128;
inline constexpr int kMostDistance = 64;  // of a query from its key in a circuit
enum class View { heads, stream, circuits, texts, history };
enum class Replacement { zero, mean };
enum class Shown { after, before };
enum class Rounded { nothing, weights, cache, both };
enum class LensShows { likeliest, wanted };
enum class Circuit { qk, ov, direct };
enum class Through { key, query };

struct Parameters : DecoderKnobs {
  View view = View::heads;
  int example = 0;
  std::string text = {};    // empty: the example
  int token = -1;           // the one that is looked at; -1: the last
  int layer = 2, head = 1;  // from 1
  int key = -1;             // -1: none is pinned
  std::string wanted = {}, against = {};
  int part = 3;  // of the stream, from 0
  LensShows lens = LensShows::likeliest;
  OverTexts::What measured = OverTexts::What::sinks;

  std::string ablated = {};  // "2.1 1.3"
  Replacement replacement = Replacement::zero;
  int masked = -1, swap_first = -1, swap_second = -1;
  OtherScheme positions = {};
  Rounded rounded = Rounded::nothing;
  NumberFormat format;
  Shown shown = Shown::after;

  Circuit circuit = Circuit::qk;
  int through = 0;  // a head of the layer before, from 1; 0: the token itself
  Through side = Through::key;
  bool folded = false;
  int distance = 0;
  int row = 3, col = 3;

  // A published model shows its heads instead.
  bool maps() const { return view == View::circuits && !of_folder(); }
  bool heads() const {
    return view == View::heads || over() || past() || (view == View::circuits && of_folder());
  }
  // What a model does over the texts that came with it, and what its training kept.
  bool over() const { return view == View::texts; }
  bool past() const { return view == View::history; }
};
void describe(Parameters& p, param::List& list);
// What tells one text as its tokens from another.
std::string opened_text(param::List& list);

// "2.1": counted from 1, as the knob says it.
std::string head_name(const HeadIndex& place);

struct Side {
  std::shared_ptr<const Changed> changed = nullptr;  // null: a published model
  std::shared_ptr<const Inside> reading = nullptr;
  std::shared_ptr<const AllScores> scores = nullptr;
  // Where they are those of texts that it did not learn from: also in how many each stands out.
  std::shared_ptr<const core::checkpoint::TextScores> held_out = nullptr;
  std::shared_ptr<const core::Vector> said = nullptr;  // the logits at the token
};

struct Model {
  LearnedStory story = {};  // or:
  std::shared_ptr<const PublishedModel> opened = nullptr;
  Subject subject = {};
  std::shared_ptr<const StoryText> text = nullptr;
  Side before = {}, after = {};
  bool changes = false;  // something is changed
  bool after_shown = true;
  // Until the page has said what there is, only or the nearest of what there is.
  std::vector<HeadIndex> ablated = {};
  HeadIndex place = {};
  Index token = 0;
  std::optional<Index> key = {};
  std::int32_t wanted = 0;
  std::optional<std::int32_t> against = {};
  bool wanted_unknown = false, against_unknown = false;
  std::optional<Index> masked = {};
  std::optional<std::pair<Index, Index>> swapped = {};

  const Side& shown() const { return after_shown ? after : before; }
  const core::model::DecoderForm& form() const { return story.form(); }
  bool is_ablated(const HeadIndex& at) const;
  std::vector<HeadIndex> places() const;  // of all heads
  double logit(const Side& side) const { return to_double((*side.said)(wanted)); }
  double probability(const Side& side) const;
  // Lens and parts of the shown run.
  std::shared_ptr<const LensView> lens = nullptr;
  std::shared_ptr<const StreamParts> parts = nullptr;  // null: they do not add up
  std::shared_ptr<const OverTexts> over = nullptr;     // null: not shown, or it has no texts
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::gpt_inside
