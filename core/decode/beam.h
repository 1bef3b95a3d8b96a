// Beam search with everything that it looked at: a tree of branches, each with its scores and what
// became of it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/decode/sampling.h"

namespace core::decode {

// Divisor of the sum of log-probabilities for texts of L tokens with their end.
struct LengthPenalty {
  enum class Kind {
    none,   // 1
    power,  // L^alpha: of alpha 1 the mean (Graves 2012; Zhang et al. 2023, section 10.8, with
            // 0.75)
    gnmt    // ((5 + L) / 6)^alpha (Wu et al. 2016, equation 14)
  };
  Kind kind = Kind::none;
  double alpha = 0.6;

  // length >= 1.
  double at(Index length) const;
  bool operator==(const LengthPenalty&) const = default;
};

struct BeamOptions {
  Index width = 4;        // branches that live on after each step, the finished ones among them
  Index most = 16;        // steps
  std::int32_t end = -1;  // finishes a text; -1: none does
  LengthPenalty penalty = {};
  bool penalized = true;  // scores decide at every step; false: sums do, and scores at the end only
  // How many of each branch's likeliest next tokens the tree shows, whatever becomes of them; never
  // fewer than `width`.
  Index shown = 4;
};

struct BeamBranch {
  enum class Outcome {
    grown,      // others have come out of it
    open,       // in the last beam, without an end
    finished,   // in the last beam, with its end
    outscored,  // at step `decided` `width` others were better
  };
  Index parent = -1;  // -1: the prompt
  std::int32_t token = 0;
  Index length = 1;            // tokens up to here
  double log_probability = 0;  // of this token
  double sum = 0;              // of all up to here
  double score = 0;            // sum / penalty
  Outcome outcome = Outcome::outscored;
  Index decided = 0;  // the step, from 1, that settled its fate
};

struct BeamTree {
  std::vector<BeamBranch> branches;       // parents first
  std::vector<std::vector<Index>> beams;  // after each step, the best first
  std::vector<Index> ranked;              // the last beam by score

  // The tokens up to a branch.
  std::vector<std::int32_t> tokens(Index branch) const;
};

// The `width` best continuations at each step, until all have ended or `most` steps are made
// (Lowerre 1976; for translation Sutskever, Vinyals and Le 2014, section 3.2). Finished ones stay
// and compete with their score. Of equal ones the sequence that is smaller in the order of ids is
// better; what has probability 0 is never looked at. InputError for width, most or shown below 1
// and an alpha that is not finite, and for logits as Distribution::of_logits says.
BeamTree beam_search(const NextLogits& next, const std::vector<std::int32_t>& prompt,
                     const BeamOptions& options, const Cancel& cancel = {});

}  // namespace core::decode
