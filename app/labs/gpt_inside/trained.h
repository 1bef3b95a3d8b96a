// A decoder that was trained here, read and changed.
#pragma once

#include "app/labs/gpt_inside/inside.h"
#include "app/labs/shared/model/story_model.h"
#include "core/precision/format.h"
#include "core/task/inside/circuits.h"
#include "core/task/inside/head_scores.h"
#include "core/task/inside/inside.h"

namespace lab::gpt_inside {

inline constexpr Index kHeldOut = 64;  // sequences that changes are measured on

using OtherScheme = std::optional<core::model::Scheme>;              // nothing: as trained
using AllScores = std::vector<std::vector<core::task::HeadScores>>;  // [layer][head]

// Changes that hold for every text, and what they do to what is held out.
struct Changes {
  std::vector<HeadIndex> heads = {};
  bool mean = false;
  OtherScheme positions = {};
  std::optional<core::Format> weights = {}, cache = {};
  bool operator==(const Changes&) const = default;
};
struct Changed {
  std::shared_ptr<const core::task::SequenceModel> model;
  std::shared_ptr<const std::vector<float>> values;
  core::task::Intervention intervention = {};
  core::task::SequenceScore score = {};  // on held-out sequences
  AllScores heads = {};                  // likewise
  const float* numbers() const { return values->data(); }
};

struct ChangedKey {
  std::shared_ptr<const core::task::SequenceModel> model;
  std::shared_ptr<const std::vector<float>> values;
  Changes changes;
  bool operator==(const ChangedKey&) const = default;
};
Changed change(const ChangedKey& key, const Run& run);

// Changes of this text alone.
struct TextChanges {
  std::optional<Index> masked = {};
  std::optional<std::pair<Index, Index>> swapped = {};
  bool operator==(const TextChanges&) const = default;

  std::vector<std::int32_t> swapped_ids(const std::vector<std::int32_t>& ids) const;
};

class TrainedInside final : public Inside {
 public:
  std::shared_ptr<const Changed> changed;
  std::optional<Index> masked;
  core::task::LookedSequence looked;
  core::task::Lens lens;

  TrainedInside(std::shared_ptr<const Changed> of, const core::task::Sequence& sequence,
                const TextChanges& changes);

  const Matrix& logits() const { return lens.logits.back(); }

  Matrix weights(Index layer, Index head) const override;
  HeadAttention look(const HeadIndex& place, Index token) const override;
  core::Vector logits_at(Index token, const Run& run) const override;
  LensView lens_at(Index token, std::int32_t wanted, const Run& run) const override;
  core::Message why_no_parts() const override;
  StreamParts parts(Index token, const core::Cancel& cancel) const override;
  core::model::LogitDirection direction(const VectorD& residual, std::int32_t id,
                                        std::int32_t against) const override;
  core::model::HeadShares shares(const HeadIndex& place, Index token,
                                 const VectorD& direction) const override;
  VectorD output_row(const HeadIndex& place, Index number) const override;
};

struct TrainedKey {
  std::shared_ptr<const Changed> changed;
  std::shared_ptr<const StoryText> text;
  TextChanges changes;
  bool operator==(const TrainedKey&) const = default;
};
TrainedInside read_trained(const TrainedKey& key, const Run& run);

}  // namespace lab::gpt_inside
