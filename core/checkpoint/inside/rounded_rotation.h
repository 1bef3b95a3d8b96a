// What rounding of how positions turn queries and keys does to the logits of a decoder.
#pragma once

#include <array>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/precision/rope_rounding.h"

namespace core::checkpoint {

// What is rounded.
enum class RoundedRotation { ids, frequencies, products, tables, everything };
// As core/precision rounds it. What is not rounded is computed in double, so that the low format
// alone is seen.
RotaryRounding rotary_rounding_of(RoundedRotation what, const Format& low);

// Cosines and sines (n, pairs) of `positions` (n), which are neighbours, times `multiplier`, as
// ForwardOptions::rotary_table is asked for them. Of a rounded table the finished one, with its
// multiplier in it, is what is rounded, as published code does it. threads: 0 = all cores.
RotaryTableD rounded_rotary_table(const VectorD& frequencies, const VectorD& positions,
                                  double multiplier, RotaryRounding rounding, int threads = 0,
                                  const Cancel& cancel = {});

// The logits (n, vocabulary) of a text whose first token stands at `offset`; without a step that is
// rounded the exact ones, by the same way. InputError as Model::forward.
Matrix rotated_logits(const Model& model, const Input& input, Index offset,
                      const RotaryRounding& rounding, int threads = 0, const Cancel& cancel = {});

// Logits against others of the same text.
struct LogitChange {
  double largest = 0;                 // of any logit of tokens with finite ones
  Index tokens_changed = 0;           // whose likeliest next token is another, or none
  bool finite = true;                 // false: some logits are no numbers
  std::vector<double> of_token = {};  // the largest of each token; NaN where one is no number
};
// Both (n, vocabulary).
LogitChange logit_change(const Matrix& exact, const Matrix& other);

// A text with its first token at an offset, how it turns rounded, against exact turns there.
struct RotationChanges {
  using Change = LogitChange;
  std::array<LogitChange, 5> changes;     // by RoundedRotation, at the offset that was asked for
  std::vector<double> offsets;            // empty: too costly
  std::vector<double> by_ids, by_tables;  // the largest change at each of them; NaN: no number
};
// Offsets up to 2^18 where they take few enough multiply-adds. InputError as Model::forward.
RotationChanges rotation_changes(const Model& model, const Input& input, Index offset,
                                 const Format& low, int threads = 0, const Cancel& cancel = {});

}  // namespace core::checkpoint
