// What the cache lab computes: a decoder that reads a text with caches of several kinds, what
// larger ones would cost, and attention row by row and tile by tile.
#pragma once

#include "app/labs/cache/parameters.h"
#include "core/checkpoint/inside/inside.h"
#include "core/decode/cached_reading.h"
#include "core/timing/generation_times.h"

namespace lab::cache {
// What tells one text, and one walk over tiles from another.
std::string opened_text(param::List& list);
std::string walked_tiles(param::List& list);

// --- a decoder reads

// How a text is read.
struct Way {
  core::Format weights = core::kFloat32;
  CacheForm cache = {};
  bool operator==(const Way&) const = default;
};

// A text, read token after token.
struct Reading : core::decode::CachedReading {
  std::vector<double> loss = {};   // (n): -log p of what came; NaN where nothing did
  double mean_loss = 0;            // over the tokens that the task judges
  Index evaluated = 0, right = 0;  // of those; the likeliest token came
  bool finite = true;              // no logit is NaN or infinite
};

// The text that this page is about, and the decoder that reads it: one that was trained here, or a
// published one.
struct Story {
  std::shared_ptr<const core::task::SequenceModel> model = nullptr;
  std::shared_ptr<const std::vector<float>> values = nullptr;  // of `model`
  std::shared_ptr<const PublishedModel> opened = nullptr;
  std::shared_ptr<const core::decode::PackedDecoder> exact = nullptr;  // float32
  StoryText text = {};
  Labels tokens = nullptr;

  const core::model::DecoderForm& form() const { return exact->form; }
  const std::vector<std::int32_t>& ids() const { return text.sequence.ids; }
  Index n() const { return to_index(ids().size()); }
  Index width() const { return form().layer.d_model / form().layer.heads; }
  Index group() const { return form().layer.heads / form().layer.key_heads; }
  std::string token(std::int32_t id) const {
    return opened ? opened->shown(id) : story_token(*model, id);
  }
};
using StoryPointer = std::shared_ptr<const Story>;

// Places within the cache, or why not.
bool positions_fit(const core::model::DecoderForm& form, CachePositions positions);

// A stage of that name.
std::shared_ptr<const Reading> reading(const std::string& name, const StoryPointer& story,
                                       const Way& way, const Context& context);

using Apart = core::decode::ReadingsApart;
using core::decode::apart, core::decode::likeliest;

// --- large models

core::model::DecoderForm large_form(const Parameters& p);
// key_heads, or the next smaller number that divides the heads.
Index fitting_key_heads(Index heads, Index key_heads);
core::Format stored_format(Stored stored);
// The kinds of cache that are compared.
enum class Kind { multi_head, grouped, multi_query, sliding };
inline constexpr Kind kKinds[] = {Kind::multi_head, Kind::grouped, Kind::multi_query,
                                  Kind::sliding};
struct KindCost {
  double cache = 0;    // bytes of all sequences at this length
  double written = 0;  // of one token of one sequence
  double read = 0;     // bytes that one step of all sequences reads
  double seconds = 0;  // of a step at the bandwidth
};
KindCost kind_cost(const Parameters& p, Kind kind, Index length);

// --- measured on this machine

using core::TokenTime;
using Measured = core::GenerationTimes;
struct MeasureKey {
  core::TimedDecoder what;
  int number = 0;
  bool operator==(const MeasureKey&) const = default;
};
MeasureKey measure_key(const Parameters& p);
Measured measure(const MeasureKey& key, const Run& run);

// --- rows and tiles of made-up numbers

struct OnlineRow {
  VectorD scores, weights;  // (count)
  MatrixD values;           // (count, kOutputs)
  VectorD output;
  std::vector<core::OnlineStep> steps;
};

struct TilesKey {
  Index n = 1, d = 1, memory = 1;
  TileOrder order = TileOrder::keys_outside;
  bool causal = false;
  int seed = 1;
  bool operator==(const TilesKey&) const = default;
  core::TileForm form() const { return {core::flash_tiles(memory, d), order, causal}; }
};
struct Tiles {
  core::TiledAttention attention;
  double error = 0;  // the largest difference from the whole matrix
};

// Only what the chosen view needs; the others are null.
struct Model {
  StoryPointer story;
  std::shared_ptr<const Reading> exact, other;         // float32 and whole; as the knobs say
  std::vector<std::shared_ptr<const Reading>> listed;  // rounding: by listed format; eviction: ways
  std::shared_ptr<const Measured> measured;
  std::shared_ptr<const OnlineRow> online;
  std::shared_ptr<const Tiles> tiles;
  Index token = 0, key = 0, layer = 0, head = 0;  // from 0, the nearest of what there is
  // tokens: the whole pass, with names; of a published model where a weight is taken apart.
  std::shared_ptr<const core::task::LookedSequence> looked;
  std::shared_ptr<const core::checkpoint::Trace<float>> traced;
};

// The ways to keep less that are compared: all, the window alone, and, if there are, with sinks.
std::vector<CacheForm> evicting_ways(const Parameters& p, const core::model::DecoderForm& form);
Way way_of(const Parameters& p);
// What a published model reads.
std::string text_read(const Parameters& p, const PublishedModel& opened);

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::cache
