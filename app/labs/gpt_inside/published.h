// A published decoder, read and changed.
#pragma once

#include "app/labs/gpt_inside/trained.h"
#include "app/labs/shared/decoder_knobs.h"
#include "app/labs/shared/over_texts/over_texts.h"

namespace lab::gpt_inside {

inline constexpr Index kMostPublished = 256;  // tokens of a text: weights of all heads are kept

struct PublishedKey {
  std::shared_ptr<const PublishedModel> opened;
  std::shared_ptr<const StoryText> text;
  std::vector<HeadIndex> heads;  // knocked out
  TextChanges changes;
  bool operator==(const PublishedKey&) const = default;
};

class PublishedInside final : public Inside {
 public:
  PublishedKey key;
  core::checkpoint::Trace<float> trace;

  PublishedInside(const PublishedKey& of, const Run& run);

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

 private:
  const core::checkpoint::Model& model() const { return *key.opened->model; }
  bool sees(Index layer, Index from, Index to) const;
};
PublishedInside read_published(const PublishedKey& key, const Run& run);

// Scores of every head: on this text;
AllScores published_scores(const std::shared_ptr<const PublishedInside>& reading, const Run& run);
// on the texts that came with the model, which it never learned from.
struct HeldOutKey {
  std::shared_ptr<const PublishedModel> opened;
  std::vector<HeadIndex> heads;  // knocked out
  bool operator==(const HeldOutKey&) const = default;
};
inline constexpr Index kMostHeldOut = 48;  // tokens of each text
core::checkpoint::TextScores held_out_scores(const HeldOutKey& key, const Run& run);

}  // namespace lab::gpt_inside
