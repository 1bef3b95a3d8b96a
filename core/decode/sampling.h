// Tokens out of distributions: the likeliest, or one by chance; and texts, token by token.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/decode/filters.h"

namespace core::decode {

// The first of the likeliest. p: (V), at least one, else InputError.
std::int32_t greedy(const VectorD& probabilities);

// The first token up to which the probabilities sum to more than u in [0, 1) (inversion: Devroye
// 1986, section III.2.1). Where rounding leaves none, the last that has a probability. So no token
// of probability 0 comes up. InputError as Distribution::of_probabilities, and for other u.
std::int32_t inverse_cdf(const VectorD& probabilities, double u);

// Inversion for many draws from one distribution: the sums are made once.
class InverseCdf {
 public:
  explicit InverseCdf(const VectorD& probabilities);
  std::int32_t operator()(double u) const;

 private:
  std::vector<double> sums_;  // up to each token and with it
  std::int32_t last_ = 0;     // that has a probability
};

// The logits (V) of the token that follows what was read and written, always as many.
using NextLogits = std::function<VectorD(const std::vector<std::int32_t>&)>;

struct WriteOptions {
  bool samples = true;  // false: the likeliest after the filters each time
  std::vector<Filter> filters = {};
  std::uint64_t seed = 0;
  Index most = 32;        // tokens
  std::int32_t end = -1;  // after this one nothing is written; -1: none ends
};

struct WrittenToken {
  std::int32_t id = 0;
  double log_probability = 0;  // the model's, before the filters
  double probability = 0;      // that it was drawn with
};
struct WrittenText {
  std::vector<WrittenToken> tokens;  // with the end
  bool ended = false;
  double log_probability = 0;  // the sum of the model's
};

// The distribution of the token that follows, as it is: of probabilities that were typed no bit is
// lost on the way through logits.
using NextDistribution = std::function<Distribution(const std::vector<std::int32_t>&)>;

// What follows the prompt, which a repetition penalty sees too. Token k is drawn with a number that
// follows from the seed and k alone. InputError for most < 0 and what filters refuse.
WrittenText write(const NextLogits& next, const std::vector<std::int32_t>& prompt,
                  const WriteOptions& options, const Cancel& cancel = {});
WrittenText write(const NextDistribution& next, const std::vector<std::int32_t>& prompt,
                  const WriteOptions& options, const Cancel& cancel = {});

// The number in [0, 1) by which token k of a text is drawn.
double draw_number(std::uint64_t seed, Index k);

}  // namespace core::decode
