// What becomes of the position ids 0 .. n-1 when a format of few bits carries them.
//
// A format with t mantissa bits holds every integer up to 2^(t+1) and every s-th one of the binade
// whose spacing is s. Rounding is monotone, so the ids that share a rounded value, a group, are
// consecutive. Under ties to even the groups within a binade of spacing s >= 2 alternate between
// s + 1 (even mantissas, which take both ties) and s - 1; truncation makes all of them s.
#pragma once

#include <optional>
#include <vector>

#include "core/precision/rounding.h"
#include "core/types.h"

namespace core {

// Ids first .. last become `value`.
struct IdGroup {
  Index first = 0, last = 0;
  double value = 0;  // infinite or NaN for the ids beyond the format
  Index size() const { return last - first + 1; }
  // Whether one of them is kept as it is.
  bool holds_exact() const;
};

struct GroupSize {
  Index size = 0;   // ids in one group
  Index count = 0;  // groups of that size
  bool operator==(const GroupSize&) const = default;
};

// The groups whose rounded value lies in [low, high). All values below 2^(t+1), where no two ids
// collide, stand as one, with spacing 1; in a format whose smallest steps are larger than 1, all
// values below its least normal number.
struct IdBinade {
  double low = 0, high = 0, spacing = 0;
  Index distinct = 0;            // groups
  std::vector<GroupSize> sizes;  // rising, counts adding up to `distinct`
};

// All counts are of 0 .. n-1 alone: the last group is cut where the ids end.
struct IdFacts {
  Index n = 0;
  Index exact = 0;            // ids that are numbers of the format
  Index distinct = 0;         // different rounded values; infinity or NaN is one
  Index alone = 0;            // ids whose value no other id has
  Index alone_and_exact = 0;  // and which keep their value
  Index largest_group = 0;
  Index not_finite = 0;                  // ids that became infinite or NaN
  double max_error = 0;                  // largest |rounded - id| among the others
  std::optional<Index> first_inexact;    // least id that is not a number of the format
  std::optional<Index> first_collision;  // least id with the value of the one before
  std::vector<IdBinade> binades;         // of finite values; rising

  Index colliding() const { return n - alone; }
  // Neighbours i-1, i that share a value; groups are consecutive.
  Index equal_neighbors() const { return n > 0 ? n - distinct : 0; }
  double share(Index count) const {
    return n > 0 ? static_cast<double>(count) / static_cast<double>(n) : 0;
  }
  double mean_group() const {
    return distinct > 0 ? static_cast<double>(n) / static_cast<double>(distinct) : 0;
  }
};

// From a few groups of each binade: the cost grows with log(n)^2, not with n. 0 <= n <= 2^52, no
// stochastic rounding, else InputError.
//
// "About 10 % exact at 8192" of bfloat16 is share(exact) = 896 / 8192, and nearly so
// share(distinct) = 897 / 8192; share(alone) is 3.9 %.
IdFacts id_facts(Index n, const Format& format, RoundingRule rule = {});
// The same by rounding every id. The simple version.
IdFacts id_facts_by_listing(Index n, const Format& format, RoundingRule rule = {});

// The group that `id` belongs to among 0 .. n-1. 0 <= id < n, else InputError.
IdGroup id_group(Index id, Index n, const Format& format, RoundingRule rule = {});

// How many ids of 0 .. n-1 each of these holds exactly: first those below 2^(t+1), then every
// binade [2^k, 2^(k+1)) that has one. Adds up to IdFacts::exact.
std::vector<Index> exact_ids_per_binade(Index n, const Format& format);

// Distances i - j taken from rounded ids, over the n(n+1)/2 pairs of a causal mask, i >= j. The
// difference itself is not rounded.
struct DistanceFacts {
  Index pairs = 0;
  Index exact = 0;          // still right
  Index wrong_by_more = 0;  // than one position
  Index seem_equal = 0;     // different ids at distance 0
  double max_error = 0;     // among pairs of finite ids
  Index undefined = 0;      // pairs with an infinite or NaN id, in none of the other counts
};
// Costs n plus the square of the number of different rounding errors. n >= 0, else InputError.
DistanceFacts distance_facts(Index n, const Format& format, RoundingRule rule = {},
                             const Cancel& cancel = {});

}  // namespace core
