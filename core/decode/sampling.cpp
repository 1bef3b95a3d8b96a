#include "core/decode/sampling.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/random.h"
#include "core/refuse.h"

namespace core::decode {
namespace {

std::int32_t drawn(const VectorD& probabilities, double u) {
  double sum = 0;
  std::int32_t last = 0;
  for (Index i = 0; i < probabilities.size(); ++i) {
    if (probabilities(i) <= 0) continue;
    last = static_cast<std::int32_t>(i);
    sum += probabilities(i);
    if (sum > u) return last;
  }
  return last;
}

}  // namespace

std::int32_t greedy(const VectorD& probabilities) {
  if (probabilities.size() == 0) refuse("greedy", "at least one token", "none");
  Index best = 0;
  probabilities.maxCoeff(&best);
  return static_cast<std::int32_t>(best);
}

std::int32_t inverse_cdf(const VectorD& probabilities, double u) {
  return InverseCdf(probabilities)(u);
}

InverseCdf::InverseCdf(const VectorD& probabilities) {
  check_probabilities(probabilities);
  sums_.reserve(static_cast<std::size_t>(probabilities.size()));
  double sum = 0;
  for (Index i = 0; i < probabilities.size(); ++i) {
    if (probabilities(i) > 0) last_ = static_cast<std::int32_t>(i);
    sum += probabilities(i);
    sums_.push_back(sum);
  }
}

std::int32_t InverseCdf::operator()(double u) const {
  if (!(u >= 0 && u < 1)) refuse("inverse cdf", "a number from 0 to below 1", std::to_string(u));
  const auto above = std::upper_bound(sums_.begin(), sums_.end(), u);
  return above == sums_.end() ? last_ : static_cast<std::int32_t>(above - sums_.begin());
}

double draw_number(std::uint64_t seed, Index k) {
  return Random(stream_seed(seed, static_cast<std::uint64_t>(k))).uniform();
}

WrittenText write(const NextLogits& next, const std::vector<std::int32_t>& prompt,
                  const WriteOptions& options, const Cancel& cancel) {
  const NextDistribution of_logits = [&next](const std::vector<std::int32_t>& all) {
    return Distribution::of_logits(next(all));
  };
  return write(of_logits, prompt, options, cancel);
}

WrittenText write(const NextDistribution& next, const std::vector<std::int32_t>& prompt,
                  const WriteOptions& options, const Cancel& cancel) {
  if (options.most < 0) refuse("write", "0 tokens or more", std::to_string(options.most));
  std::vector<std::int32_t> all = prompt;
  WrittenText out;
  for (Index k = 0; k < options.most && !out.ended; ++k) {
    cancel.poll();
    const Filtered now = filtered(next(all), options.filters, all);
    const VectorD& p = now.after().probabilities;
    const std::int32_t id = options.samples ? drawn(p, draw_number(options.seed, k)) : greedy(p);
    const double log_probability = std::log(now.before.probabilities(id));
    out.tokens.push_back({id, log_probability, p(id)});
    out.log_probability += log_probability;
    out.ended = id == options.end;
    all.push_back(id);
  }
  return out;
}

}  // namespace core::decode
