// A trained decoder that is changed while it reads, to see what follows: heads that say nothing,
// tokens that nobody may look at, other positions, numbers of another precision.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mask/mask.h"
#include "core/precision/format.h"
#include "core/task/sequence/sequence_model.h"

namespace core::task {

struct HeadIndex {
  Index layer = 0, head = 0;
  bool operator==(const HeadIndex&) const = default;
};

// For each layer the mean over all tokens of the heads' outputs side by side, (heads d_v).
using HeadMeans = std::vector<Vector>;
HeadMeans head_means(const SequenceModel& model, const float* values,
                     const std::vector<Sequence>& sequences, int threads);

// What is done on the way. With nothing of it every bit of a pass stays.
struct Intervention {
  std::vector<HeadIndex> heads = {};  // their outputs are 0, before W^O,
  HeadMeans means = {};               // or, where these are given, their means
  std::optional<Format> cache = {};   // keys (as placed) and values are rounded to it
  bool nothing() const { return heads.empty() && !cache; }
};

class InterventionEdit final : public model::Edit<float> {
 public:
  // InputError for a head that the model has not, and for means of another model.
  InterventionEdit(const SequenceModel& model, Intervention what);
  void operator()(std::string_view name, const model::Tensor<float>& t,
                  const model::Sequences& sequences) const override;

 private:
  void ablate(const HeadIndex& place, const model::Tensor<float>& t) const;

  Intervention what_;
  Index width_ = 0;                 // of a head's output
  std::vector<std::string> names_;  // what a trace calls the outputs of each of the heads
};

// All parameters rounded to the nearest number of a format; beyond the largest one that.
std::vector<float> rounded_parameters(const SequenceModel& model, const float* values,
                                      const Format& format);

// The same parameters with another scheme of positions; what the old one had learned is left out.
// InputError for a scheme that has parameters of its own, which nobody has trained.
struct OtherPositions {
  std::shared_ptr<const SequenceModel> model;
  std::vector<float> values;
};
OtherPositions with_positions(const SequenceModel& model, const float* values,
                              model::Scheme scheme);

// Causal, (length, length), but that nobody looks at these tokens, not even they themselves.
// InputError for a token beyond the length.
Mask without_tokens(Index length, const std::vector<Index>& tokens);

}  // namespace core::task
