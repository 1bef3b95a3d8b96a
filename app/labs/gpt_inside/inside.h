// What the figures ask of a decoder that has read a text, whoever answers: one that was trained
// here (trained.h), or a published one (published.h).
#pragma once

#include "app/labs/lab.h"
#include "core/model/head_attention.h"
#include "core/model/logit_lens.h"
#include "core/task/inside/interventions.h"

namespace lab::gpt_inside {

using core::model::HeadAttention, core::model::LensView, core::model::StreamPart,
    core::model::StreamParts, core::model::StreamPoint;
using core::task::HeadIndex;

// What is known of it before it reads.
struct Subject {
  Index layers = 0, heads = 0, width = 0, vocabulary = 0, parameters = 0;
  std::function<std::string(std::int32_t)> name = {};         // as figures name a token
  std::function<std::int32_t(const std::string&)> find = {};  // that a text is; -1: none
};

// One pass over the text.
class Inside {
 public:
  virtual ~Inside() = default;

  std::vector<std::int32_t> ids = {};  // as they were read: two may be swapped
  std::vector<double> loss = {};       // of each token that something follows; NaN of others
  double mean_loss = 0;                // over those; 0 without any

  // (tokens, tokens); what a token may not see is core::kMasked.
  virtual Matrix weights(Index layer, Index head) const = 0;
  virtual HeadAttention look(const HeadIndex& place, Index token) const = 0;
  // (vocabulary), of what comes behind a token: the lens's last row, to the last bit.
  virtual core::Vector logits_at(Index token, const Run& run) const = 0;
  // Covers the tokens up to this one at least.
  virtual LensView lens_at(Index token, std::int32_t wanted, const Run& run) const = 0;
  // As core/task/inside/inside.h says of each.
  virtual core::Message why_no_parts() const = 0;
  virtual StreamParts parts(Index token, const core::Cancel& cancel) const = 0;
  virtual core::model::LogitDirection direction(const VectorD& residual, std::int32_t id,
                                                std::int32_t against) const = 0;
  virtual core::model::HeadShares shares(const HeadIndex& place, Index token,
                                         const VectorD& direction) const = 0;
  // What one number of a head's output is multiplied by: a row of its part of W^O.
  virtual VectorD output_row(const HeadIndex& place, Index number) const = 0;

 protected:
  Inside() = default;
  Inside(const Inside&) = default;
  Inside(Inside&&) = default;
  Inside& operator=(const Inside&) = default;
  Inside& operator=(Inside&&) = default;

  // Adds the loss of the tokens from `first` on, from rows of logits; -1: it is not known what
  // comes next.
  void add_loss(const std::vector<std::int32_t>& next, Index first, const Matrix& logits);
  void finish_loss();
};

}  // namespace lab::gpt_inside
