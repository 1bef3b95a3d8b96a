// How a published model turns its queries and keys: base, width, and how its frequencies were
// stretched for longer texts.
//
// Sources: the releases' own code (transformers 4.57 and 5, modeling_rope_utils), as
// core/position/rotary/rotary_scaling.h has the formulas; Ding et al. 2024, arXiv:2402.13753, for
// longrope.
#pragma once

#include <vector>

#include "core/checkpoint/config.h"
#include "core/types.h"

namespace core::checkpoint {

enum class RopeScaling {
  none,
  linear,    // all frequencies divided by the factor
  dynamic,   // another base for each length beyond the context
  yarn,      // a ramp over the pairs' indices, and a factor of the scores
  llama3,    // a ramp over turns within the original context
  longrope,  // a factor for each pair, others beyond the original context
};
// As config.json writes it.
std::string_view rope_scaling_word(RopeScaling scaling);

// Pairs are (j, j + width / 2): the halves of the first `width` numbers of each head.
struct Rotary {
  Index head_width = 0;
  Index width = 0;  // so many numbers of each head are turned, the others pass
  double base = 10000;
  bool base_said = true;  // false: the class's own, as config.json says none
  Index context = 0;      // max_position_embeddings
  RopeScaling scaling = RopeScaling::none;
  double factor = 1;           // s
  double original = 0;         // L0, the context before it was stretched
  double slow = 1, fast = 32;  // turns: beta_slow and beta_fast, or llama3's
  bool whole_ends = true;      // yarn: "truncate"
  double multiplier = 1;       // of cosines and sines; scores get its square
  std::vector<double> short_factors = {}, long_factors = {};  // longrope, (width / 2) each

  // (width / 2), in radians a position, for a text of `length` tokens: dynamic and longrope turn
  // all of a text's tokens, the first ones too, by what its length says.
  VectorD frequencies(Index length) const;
  bool operator==(const Rotary&) const = default;
  bool depends_on_length() const {
    return scaling == RopeScaling::dynamic || scaling == RopeScaling::longrope;
  }
};

// Names of the keys in a family's config: LLaMA's, or GPT-NeoX's.
struct RotaryKeys {
  std::string_view base = "rope_theta", share = "partial_rotary_factor";
  double usual_share = 1;
};

// From rope_scaling, or the newer rope_parameters, and their like; the base and the share stand
// beside them or within, and the whole within one object for each type of layer, where all types
// have the same. InputError for a type that is not known, a factor below 1 or none, an odd width,
// two objects or two places that differ, and whatever else such an object says.
Rotary read_rotary(const Config& config, Index head_width, Index context,
                   const RotaryKeys& keys = {});

}  // namespace core::checkpoint
