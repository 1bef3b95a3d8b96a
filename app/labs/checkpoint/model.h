// The computation of the lab of published models: a folder is opened, a text is read, and what the
// page shows of it is computed in stages.
#pragma once

#include "app/labs/shared/model/published_model.h"
#include "app/labs/shared/model/written_heads.h"
#include "app/labs/shared/number_format.h"
#include "app/labs/shared/over_texts/over_texts.h"
#include "app/labs/shared/parts.h"
#include "core/checkpoint/generation.h"
#include "core/checkpoint/inside/head_statistics.h"
#include "core/checkpoint/inside/inside.h"
#include "core/checkpoint/inside/rounded_rotation.h"
#include "core/decode/sampling.h"

namespace lab::checkpoint {

using Shipped = ShippedModel;
using Opened = PublishedModel;

inline constexpr int kMostLayers = 256, kMostHeads = 256;
inline constexpr int kMostTokens = 1 << 20;  // that a knob can point at
inline constexpr int kMostWritten = 256;
inline constexpr int kMostOffset = 1 << 20;
inline constexpr Index kListed = 12;             // next tokens
inline constexpr std::size_t kMostRounded = 64;  // tokens whose places are rounded

enum class View { heads, next, positions, precision, comparison, file };
using Rounded = core::checkpoint::RoundedRotation;
inline constexpr std::array<Rounded, 5> kAllRounded = {
    Rounded::ids, Rounded::frequencies, Rounded::products, Rounded::tables, Rounded::everything};

struct Parameters {
  Shipped shipped = Shipped::english;
  std::string folder = {};
  View view = View::heads;

  std::string text = {};  // empty: one that is there at first
  bool around = true;     // the tokenizer's template
  std::string decoder_text = {};
  std::string attention = {};  // which, where there are several

  int layer = 1, head = 1;  // counted from 1
  int token = -1;           // that looks; -1: the last
  int key = -1;             // -1: none is pinned
  int rank = 0;             // of the next tokens, by probability

  int most = 24;  // tokens that are written
  bool samples = false;
  double temperature = 1;
  int seed = 1;

  int offset = 10000;
  NumberFormat format;
  Rounded rounded = Rounded::ids;

  bool shows_shipped() const { return folder.empty(); }
  // Whether the page is about the text: the other ones say what came with the model.
  bool reads() const { return view != View::file && view != View::comparison; }
};
void describe(Parameters& p, param::List& list);
// What the names of attentions were found in.
std::string attention_of(const Parameters& p);
// What tells one model, one stack of layers, one text as its tokens from another.
std::string opened_model(param::List& list);
std::string opened_stack(param::List& list);
std::string opened_text(param::List& list);

// --- the text

struct Tokens : PublishedText {
  std::vector<std::int32_t> decoder = {};  // T5's: what its decoder reads, with its beginning
  core::checkpoint::Input input() const;
};

// --- one pass over it

struct Reading {
  std::shared_ptr<const Opened> opened;
  std::shared_ptr<const Tokens> tokens;
  core::checkpoint::Trace<float> trace;  // without logits
  Matrix last;                           // the stream after the last layer
  std::optional<Index> only = {};  // the one layer that is kept, where all of them are too much
  bool whole = true;               // false: there is more to come

  const core::checkpoint::ModelFacts& facts() const { return opened->facts(); }
};

using core::checkpoint::HeadStatistics, core::checkpoint::AllStatistics;

using Lens = core::model::LensView;

// The same text at another place, with how places turn rounded; held against exact turns there.
using Rounding = core::checkpoint::RotationChanges;

struct Model {
  std::shared_ptr<const Opened> opened = nullptr;
  std::shared_ptr<const Tokens> tokens = nullptr;
  // Null: of the file's page, and before the pass.
  std::shared_ptr<const Reading> reading = nullptr;
  // Until the page has said what there is, the nearest of it.
  core::checkpoint::HeadIndex place = {};
  Index query = 0;
  std::optional<Index> key = {};
  std::shared_ptr<const AllStatistics> statistics = nullptr;
  // The logits of what comes next at a row, or, of BERT, of what stands there.
  std::shared_ptr<const VectorD> said = nullptr;
  Index row = 0;
  std::shared_ptr<const Lens> lens = nullptr;
  std::shared_ptr<const core::decode::WrittenText> continuation = nullptr;
  // Null: nothing was written, or an encoder's heads are shown.
  std::shared_ptr<const WrittenHeads> written_heads = nullptr;
  std::shared_ptr<const Rounding> rounding = nullptr;
  std::shared_ptr<const Precision> precision = nullptr;  // null: it has no held-out texts
  std::shared_ptr<const core::checkpoint::RoundedNext> rounded_next = nullptr;
  core::Message fault = {};  // why no attention is shown

  const core::checkpoint::ModelFacts& facts() const { return opened->facts(); }
  const core::checkpoint::PositionFacts& positions() const { return facts().positions; }
  // Layers of the attention that is shown.
  Index layers() const;
  Index queries() const { return to_index(query_ids().size()); }
  Index keys() const { return to_index(key_ids().size()); }
  const std::vector<std::int32_t>& query_ids() const;
  const std::vector<std::int32_t>& key_ids() const;
  bool causal() const { return !place.encoder && !place.cross; }
  // Keys that a query of this layer sees at most; 0: all that it may.
  Index window(Index layer) const;
  bool sees(Index from, Index to) const;  // of the layer that is shown
  // Null while it is not computed, or where it is not kept.
  const core::checkpoint::Attending<float>* attending(Index layer) const;
  const core::checkpoint::Attending<float>* attending() const { return attending(place.layer); }
  std::shared_ptr<const core::checkpoint::Layer<float>> layer(Index at) const;

  bool speaks() const { return !facts().head.empty(); }
  // Tokens that it can still write: the last one needs no place. None: it has places for any.
  std::optional<Index> room() const;
};

// Is shown what there is: the tokens before a long pass, and while layers are computed, `after` so
// many seconds and again and again.
struct Partly {
  std::function<void(const Model& so_far)> show = {};
  double after = 0.12;
};
Model make_model(const Parameters& p, const Context& context, const Partly& partly = {});

// The attentions that a model has, by the ids of their names: the first is shown at first.
std::vector<std::string_view> attentions(const core::checkpoint::ModelFacts& facts);

// The stage "statistics", of the attention that is shown.
std::shared_ptr<const AllStatistics> statistics_stage(const Model& model, const Context& context);
// The stage "rounding"; null for a model that turns nothing, or says nothing.
std::shared_ptr<const Rounding> rounding_stage(const Parameters& p, const Model& model,
                                               const Context& context);
// The stages of precision, of a model that came with held-out texts.
void add_precision(const Parameters& p, const Context& context, Model& model);

}  // namespace lab::checkpoint
