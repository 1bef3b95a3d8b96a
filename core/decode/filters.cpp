#include "core/decode/filters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/at_least.h"
#include "core/attention/softmax.h"
#include "core/refuse.h"

namespace core::decode {
namespace {

using Kind = Filter::Kind;
using Form = Filter::Form;

constexpr double kNever = -std::numeric_limits<double>::infinity();
// By how much a sum of probabilities that were typed may miss 1.
constexpr double kMissed = 1e-6;
// So many of the likeliest are looked at first.
constexpr Index kFewTokens = 256;

void require_words(const VectorD& of) {
  if (of.size() > 0) return;
  throw InputError(Message(N_("vocabulary: expected at least one token, got none")));
}

// What was not kept gets no probability any more; the others share it out anew.
Distribution cut_to(const Distribution& before, const std::vector<std::uint8_t>& kept) {
  Distribution after = before;
  for (Index i = 0; i < after.logits.size(); ++i) {
    if (kept[static_cast<std::size_t>(i)] != 0) continue;
    after.logits(i) = kNever;
    after.probabilities(i) = 0;
  }
  after.probabilities /= after.probabilities.sum();
  return after;
}

std::vector<std::uint8_t> kept_by_min_p(const VectorD& probabilities, double share) {
  const double least = share * probabilities.maxCoeff();
  std::vector<std::uint8_t> kept;
  for (const double p : probabilities) kept.push_back(at_least(p, least, probabilities.size()));
  return kept;
}

Distribution penalized(const Distribution& before, const Filter& filter,
                       const std::vector<std::int32_t>& written) {
  VectorD logits = before.logits;
  std::vector<std::int32_t> once = written;
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  for (const std::int32_t id : once) {
    if (id < 0 || id >= logits.size()) {
      refuse("repetition penalty", "tokens below " + std::to_string(logits.size()),
             std::to_string(id));
    }
    double& logit = logits(id);
    logit = filter.form == Form::library && logit < 0 ? logit * filter.value : logit / filter.value;
  }
  return Distribution::of_logits(logits);
}

Distribution one_filter(const Distribution& before, const Filter& filter,
                        const std::vector<std::int32_t>& written) {
  const VectorD& p = before.probabilities;
  switch (filter.kind) {
    case Kind::temperature: return Distribution::of_logits(before.logits / filter.value);
    case Kind::top_k: {
      // More than there are keeps all.
      const double k = std::min(filter.value, static_cast<double>(p.size()));
      return cut_to(before, kept_by_top_k(p, static_cast<Index>(k), filter.form));
    }
    case Kind::top_p: return cut_to(before, kept_by_top_p(p, filter.value, filter.form));
    case Kind::min_p: return cut_to(before, kept_by_min_p(p, filter.value));
    case Kind::repetition: break;
  }
  return penalized(before, filter, written);
}

}  // namespace

Distribution Distribution::of_logits(const VectorD& logits) {
  require_words(logits);
  for (Index i = 0; i < logits.size(); ++i) {
    if (logits(i) < std::numeric_limits<double>::infinity()) continue;
    throw InputError(
        Message(N_("logits: expected finite numbers or -inf, got {} for token {}"), logits(i), i));
  }
  if (logits.maxCoeff() == kNever) {
    throw InputError(
        Message(N_("logits: expected at least one finite number, got -inf for every token")));
  }
  return {logits, softmax<double>(logits)};
}

void check_probabilities(const VectorD& probabilities) {
  require_words(probabilities);
  for (Index i = 0; i < probabilities.size(); ++i) {
    if (probabilities(i) >= 0) continue;
    throw InputError(Message(N_("probabilities: expected numbers of at least 0, got {} for token "
                                "{}"),
                             probabilities(i), i));
  }
  const double sum = probabilities.sum();
  if (!(std::abs(sum - 1) <= kMissed)) {
    throw InputError(Message(N_("probabilities: expected a sum of 1, got {}"), sum));
  }
}

Distribution Distribution::of_probabilities(const VectorD& probabilities) {
  check_probabilities(probabilities);
  return {probabilities.array().log().matrix(), probabilities};
}

void check(const Filter& filter) {
  const double value = filter.value;
  const bool finite = std::isfinite(value);
  switch (filter.kind) {
    case Kind::temperature:
      if (finite && value > 0) return;
      throw InputError(Message(N_("temperature: expected a finite number above 0, got {}"), value));
    case Kind::top_k:
      if (finite && value >= 1 && std::floor(value) == value) return;
      throw InputError(Message(N_("top k: expected a whole number of at least 1, got {}"), value));
    case Kind::top_p:
      if (value >= 0 && value <= 1) return;
      throw InputError(Message(N_("top p: expected a number from 0 to 1, got {}"), value));
    case Kind::min_p:
      if (value >= 0 && value <= 1) return;
      throw InputError(Message(N_("min p: expected a number from 0 to 1, got {}"), value));
    case Kind::repetition: break;
  }
  if (finite && value > 0) return;
  throw InputError(
      Message(N_("repetition penalty: expected a finite number above 0, got {}"), value));
}

Filtered filtered(const Distribution& distribution, const std::vector<Filter>& filters,
                  const std::vector<std::int32_t>& written) {
  Filtered out{distribution, {}};
  for (const Filter& filter : filters) {
    check(filter);
    const Distribution& before = out.after();
    FilterStep step{filter, one_filter(before, filter, written), {}};
    for (Index i = 0; i < before.logits.size(); ++i) {
      const bool gone = before.logits(i) > kNever && step.after.logits(i) == kNever;
      if (gone) step.cut.push_back(static_cast<std::int32_t>(i));
    }
    out.steps.push_back(std::move(step));
  }
  return out;
}

std::vector<std::int32_t> by_probability(const VectorD& probabilities) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(probabilities.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return probabilities(a) > probabilities(b);
  });
  return order;
}

std::vector<std::int32_t> likeliest(const VectorD& probabilities, Index count) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(probabilities.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() + std::min(count, probabilities.size());
  std::partial_sort(order.begin(), end, order.end(), [&](std::int32_t a, std::int32_t b) {
    const double x = probabilities(a), y = probabilities(b);
    return x != y ? x > y : a < b;
  });
  order.erase(end, order.end());
  return order;
}

std::vector<std::uint8_t> kept_by_top_k(const VectorD& probabilities, Index k, Form form) {
  const std::vector<std::int32_t> order = likeliest(probabilities, k);
  std::vector<std::uint8_t> kept(static_cast<std::size_t>(probabilities.size()), 0);
  for (const std::int32_t id : order) kept[static_cast<std::size_t>(id)] = 1;
  if (form == Form::paper) return kept;
  const double last = probabilities(order.back());
  for (Index i = 0; i < probabilities.size(); ++i) {
    if (probabilities(i) == last) kept[static_cast<std::size_t>(i)] = 1;
  }
  return kept;
}

std::vector<std::uint8_t> kept_by_top_p(const VectorD& probabilities, double p, Form form) {
  std::vector<std::uint8_t> kept(static_cast<std::size_t>(probabilities.size()), 0);
  double before = 0;
  const Index n = probabilities.size();
  // With p = 1 whatever has a probability stays, even what a sum in doubles does not feel.
  const auto further = [&](std::int32_t id) {
    if (form == Form::library) return at_least(p, before, n);
    return probabilities(id) > 0 && (p == 1 || !at_least(before, p, n));
  };
  std::size_t done = 0;
  // Mostly few tokens are enough: the others are put in order only where they are needed.
  for (Index count = kFewTokens;; count *= 16) {
    const std::vector<std::int32_t> order = likeliest(probabilities, count);
    for (; done < order.size(); ++done) {
      const std::int32_t id = order[done];
      if (done > 0 && !further(id)) return kept;
      kept[static_cast<std::size_t>(id)] = 1;
      before += probabilities(id);
    }
    if (count >= probabilities.size()) return kept;
  }
}

}  // namespace core::decode
