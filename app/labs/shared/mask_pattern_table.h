// One entry for each pattern of masks: its arguments, its mask, a formula for its pairs, and why it
// keeps one.
#pragma once

#include <cstdlib>

#include "app/labs/shared/mask_patterns.h"

namespace lab::masks {

// An item with what its pattern works from; its arguments by their place.
struct Asked {
  const param::StackItem& item;
  const PatternInputs& in;
  const core::Cancel& cancel;
  Index n = in.n;

  // As it was given: where a block ends counts even when it is longer than the sequence.
  Index given(std::size_t k) const { return item.arguments.at(k); }
  // None is more than n; what the mask takes is at least 1 even when there are no tokens.
  Index operator()(std::size_t k) const { return std::min(given(k), std::max<Index>(n, 1)); }
  Index up_to_n(std::size_t k) const { return std::min(given(k), n); }
  // The summary keys of a block are at most all of it.
  Index summary_keys() const { return std::min(given(0), given(1)); }
};

// How many pairs an item keeps: a formula, and the number, or none where it would not hold.
struct Count {
  std::string_view formula = {};  // empty: no formula says it
  std::function<std::optional<Index>(const Asked&)> pairs = {};
  // The letter of an argument of which no more than n counts, and its place.
  std::string_view letter = {};
  std::size_t argument = 0;
};

// One pair of query and key, and what a pattern says of it: its own inequality with the numbers in
// it. Each function gives its verdict from its own arithmetic, not from the mask: tests hold the
// two equal.
class Pair : public Asked {
 public:
  // `in_mask`: whether the item's own mask has the pair.
  Pair(const Asked& asked, Index query, Index key, bool has, const Words& w)
      : Asked(asked), in_mask(has), i_(query), j_(key), words_(w) {}

  const bool in_mask;
  Index query() const { return i_; }
  Index key() const { return j_; }

  Reason causal() const {
    return compared(j_ <= i_, [&](bool kept) {
      return fmt::format("j = {} {} i = {}", j_, kept ? "≤" : ">", i_);
    });
  }
  Reason padding(Index valid, Index at, char letter) const {
    return compared(at < valid, [&](bool kept) {
      return fmt::format("{} = {} {} {}", letter, at, kept ? "<" : "≥", valid);
    });
  }
  Reason local(Index reach) const {
    return compared(distance() <= reach, [&](bool kept) {
      return fmt::format("{} {} {}", difference(), kept ? "≤" : ">", reach);
    });
  }
  Reason atrous(Index step) const {
    return {distance() % step == 0,
            fmt::format("{} = {}", difference(), divided(distance(), step))};
  }
  Reason dilated(Index reach, Index dilation) const {
    if (dilation == 1) return local(reach);
    const Reason on_step = atrous(dilation);
    if (!on_step.kept) return on_step;
    const Index steps = distance() / dilation;
    return compared(steps <= reach, [&](bool kept) {
      return fmt::format("{}, {} {} {}", on_step.because, steps, kept ? "≤" : ">", reach);
    });
  }

  // A part of a causal pattern: what lies behind the query is never seen.
  Reason up_to_query(const Reason& part) const {
    const Reason before = causal();
    return before.kept ? part : before;
  }
  Reason own_block(Index l) const {
    return up_to_query(compared(i_ / l == j_ / l, [&](bool kept) {
      return fmt::format("⌊{}/{}⌋ = {} {} ⌊{}/{}⌋ = {}", j_, l, j_ / l, kept ? "=" : "≠", i_, l,
                         i_ / l);
    }));
  }
  Reason summary(Index l, Index c) const {
    return up_to_query(compared(j_ % l >= l - c, [&](bool kept) {
      return fmt::format("{} mod {} = {} {} {} - {}", j_, l, j_ % l, kept ? "≥" : "<", l, c);
    }));
  }
  Reason streaming(Index sinks, Index window) const {
    if (j_ < sinks) {
      return up_to_query({true, words_.format("key {} is a sink ({} in all)", j_, sinks)});
    }
    const bool kept = distance() < window;
    const std::string text = fmt::format("{} {} {}", difference(), kept ? "<" : "≥", window);
    return up_to_query(
        {kept, kept ? text : words_.format("{}, and key {} is not a sink", text, j_)});
  }
  Reason prefix(Index count) const {
    if (j_ < count) return {true, fmt::format("j = {} < {}", j_, count)};
    const Reason before = causal();
    if (before.kept) return before;
    return {false, fmt::format("j = {} ≥ {}, j > i = {}", j_, count, i_)};
  }

  // The first that keeps the pair, else both refusals.
  Reason either(const Reason& a, const Reason& b) const {
    if (a.kept) return a;
    if (b.kept || a.because == b.because) return b;
    return {false, words_.format("{0}, and {1}", a.because, b.because)};
  }
  Reason global(Index count) const {
    if (i_ < count)
      return {true, words_.format("query {} is a global token ({} in all)", i_, count)};
    if (j_ < count) return {true, words_.format("key {} is a global token ({} in all)", j_, count)};
    return {false, words_.format("neither is a global token ({} in all)", count)};
  }
  // Drawn keys: the mask knows them.
  Reason drawn(Index per_query, bool kept) const {
    return {kept, kept ? words_.format("key {} was drawn for query {}", j_, i_)
                       : words_.format("key {} is not among the {} drawn for query {}", j_,
                                       per_query, i_)};
  }
  Reason documents(const std::vector<Index>& lengths) const {
    Index end = 0, of_i = 0, of_j = 0;
    for (const Index length : lengths) {
      end += length;
      of_i += i_ >= end;
      of_j += j_ >= end;
    }
    const bool kept = of_i == of_j;
    return {kept, kept ? words_.format("both are in document {}", of_i + 1)
                       : words_.format("query {} is in document {}, key {} in document {}", i_,
                                       of_i + 1, j_, of_j + 1)};
  }
  Reason grid(Index width, Index up, Index side) const {
    const Index dy = std::abs(i_ / width - j_ / width), dx = std::abs(i_ % width - j_ % width);
    return {dy <= up && dx <= side,
            words_.format("rows apart: {} ({} {}), columns apart: {} ({} {})", dy,
                          dy <= up ? "≤" : ">", up, dx, dx <= side ? "≤" : ">", side)};
  }
  Reason blocks(Index size, Index near, Index global, bool kept) const {
    const Index a = i_ / size, b = j_ / size;
    const std::string pair = words_.format("block of rows {}, block of keys {}", a, b);
    if (std::abs(a - b) <= near) {
      return {true, words_.format("{}: {}", pair, fmt::format("|{} - {}| ≤ {}", a, b, near))};
    }
    if (std::min(a, b) < global) return {true, words_.format("{}: one is global", pair)};
    return {kept, kept ? words_.format("{}: it was drawn", pair)
                       : words_.format("{}: not near, not global, not drawn", pair)};
  }
  Reason top_k(Index k) const {
    std::vector<float> scores(to_size(in.n));
    in.scores(i_, scores);
    const float own = scores[to_size(j_)];
    Index rank = 1;
    for (Index other = 0; other < in.n; ++other) {
      const float score = scores[to_size(other)];
      rank += score > own || (score == own && other < j_);
    }
    return {rank <= k, words_.format("its score is number {} of {} ({} {})", rank, in.n,
                                     rank <= k ? "≤" : ">", k)};
  }
  Reason said(bool kept, std::string_view yes, std::string_view no) const {
    return {kept, words_(kept ? yes : no)};
  }

 private:
  template <class Text>
  static Reason compared(bool kept, const Text& text) {
    return {kept, text(kept)};
  }
  Index distance() const { return std::abs(i_ - j_); }
  std::string difference() const { return fmt::format("|{} - {}| = {}", i_, j_, distance()); }
  // "2 · 4", or "1 · 4 + 3" where something is left.
  static std::string divided(Index number, Index by) {
    const std::string whole = fmt::format("{} · {}", number / by, by);
    return number % by == 0 ? whole : fmt::format("{} + {}", whole, number % by);
  }

  Index i_, j_;
  const Words& words_;
};

struct Pattern {
  param::Entry entry;
  SparseMask (*mask)(const Asked& asked);
  Count count;
  Reason (*reason)(const Pair& pair);
  Needs needs = Needs::nothing;
};

// In the order of the catalogue.
const std::vector<Pattern>& patterns();

}  // namespace lab::masks
