// Filters of a distribution before a token is drawn from it: an ordered list. Their order matters:
// programs differ in whether the temperature comes first or last.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace core::decode {

// A distribution over a vocabulary both ways: probabilities (V), and logits (V), of which they are
// the softmax. -inf: never.
struct Distribution {
  VectorD logits, probabilities;

  // InputError for an empty vocabulary, for NaN or +inf among the logits, and when none is finite.
  static Distribution of_logits(const VectorD& logits);
  // Keeps the probabilities to the last bit; their logits are their logarithms. InputError for an
  // empty vocabulary, for a probability that is negative or no number, and unless they sum to 1
  // within 1e-6.
  static Distribution of_probabilities(const VectorD& probabilities);
};

// InputError as Distribution::of_probabilities says.
void check_probabilities(const VectorD& probabilities);

// Where programs differ from the paper, both are here.
struct Filter {
  enum class Kind {
    temperature,  // logits / value, value > 0 (Ackley, Hinton and Sejnowski 1985)
    // Keeps the `value` likeliest, a whole number of at least 1 (Fan, Lewis and Dauphin 2018,
    // section 5.4). paper: of equal ones those of lower number; library: all that equal the last.
    top_k,
    // Keeps the fewest of the likeliest whose probabilities reach `value`, in [0, 1] (Holtzman et
    // al. 2020, section 3.1), but at least one; sums are compared by at_least(). paper: no further
    // when the sum is exactly that; library: as long as the sum before is not above it, which keeps
    // one more then. Of equal ones those of lower number first.
    top_p,
    // Keeps what is at least `value`, in [0, 1], times the likeliest (Nguyen et al. 2024), by
    // at_least().
    min_p,
    // Logits of tokens that were written, divided by `value` > 0 (Keskar et al. 2019, section 4.1).
    // paper: whatever their sign, so that a negative one rises; library: a negative one times
    // `value`.
    repetition
  };
  // library: as Hugging Face transformers has it, of top_p as it had it until September 2022.
  enum class Form { paper, library };

  Kind kind = Kind::temperature;
  double value = 1;
  Form form = Form::paper;

  bool operator==(const Filter&) const = default;
};

// InputError, one sentence, for a value out of the filter's range.
void check(const Filter& filter);

struct FilterStep {
  Filter filter;
  Distribution after;
  std::vector<std::int32_t> cut;  // the tokens that it took away, which had a probability before
};
struct Filtered {
  Distribution before;
  std::vector<FilterStep> steps;
  const Distribution& after() const { return steps.empty() ? before : steps.back().after; }
};

// One filter after the other, each on what the last one left, renormalised. `written` are the ids
// that a repetition penalty looks at, below V. InputError as check() says, and for other ids.
Filtered filtered(const Distribution& distribution, const std::vector<Filter>& filters,
                  const std::vector<std::int32_t>& written = {});

// Tokens by probability, the likeliest first, of equal ones those of lower number.
std::vector<std::int32_t> by_probability(const VectorD& probabilities);

// The first `count` of these, or all where there are fewer, without ordering the others.
std::vector<std::int32_t> likeliest(const VectorD& probabilities, Index count);

// Tokens that top_k and top_p keep: one flag a token.
std::vector<std::uint8_t> kept_by_top_k(const VectorD& probabilities, Index k, Filter::Form form);
std::vector<std::uint8_t> kept_by_top_p(const VectorD& probabilities, double p, Filter::Form form);

}  // namespace core::decode
