// Why an item of the stack keeps a pair or does not: its own inequality with the numbers in it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/labs/masks/catalogue.h"

namespace lab::masks {
namespace {

// One pair, and what an item says of it. Each function gives its verdict from its own arithmetic,
// not from the mask: tests hold the two equal.
class Pair {
 public:
  Pair(Index i, Index j, const words::Words& w) : i_(i), j_(j), words_(w) {}

  Reason causal() const {
    const bool kept = j_ <= i_;
    return {kept, fmt::format("j = {} {} i = {}", j_, kept ? "≤" : ">", i_)};
  }

  Reason padding(Index valid, Index at, char letter) const {
    const bool kept = at < valid;
    return {kept, fmt::format("{} = {} {} {}", letter, at, kept ? "<" : "≥", valid)};
  }

  Reason local(Index reach) const {
    const bool kept = distance() <= reach;
    return {kept, fmt::format("{} {} {}", difference(), kept ? "≤" : ">", reach)};
  }

  Reason atrous(Index step) const {
    const bool kept = distance() % step == 0;
    return {kept, fmt::format("{} = {}", difference(), divided(distance(), step))};
  }

  Reason sparse(Index k) const {
    const Reason near = local(k);
    return near.kept ? near : atrous(k);
  }

  // A part of a causal pattern: what lies behind the query is never seen.
  template <class Part>
  Reason up_to_query(const Part& part) const {
    const Reason before = causal();
    return before.kept ? part() : before;
  }

  Reason back(Index l) const {
    return up_to_query([&]() -> Reason {
      const bool kept = i_ - j_ <= l;
      return {kept, fmt::format("i - j = {} {} {}", i_ - j_, kept ? "≤" : ">", l)};
    });
  }

  Reason back_strided(Index l) const {
    return up_to_query([&]() -> Reason {
      return {(i_ - j_) % l == 0, fmt::format("i - j = {} = {}", i_ - j_, divided(i_ - j_, l))};
    });
  }

  Reason own_block(Index l) const {
    return up_to_query([&]() -> Reason {
      const bool kept = i_ / l == j_ / l;
      return {kept, fmt::format("⌊{}/{}⌋ = {} {} ⌊{}/{}⌋ = {}", j_, l, j_ / l, kept ? "=" : "≠", i_,
                                l, i_ / l)};
    });
  }

  Reason summary(Index l, Index c) const {
    return up_to_query([&]() -> Reason {
      const bool kept = j_ % l >= l - c;
      return {kept,
              fmt::format("{} mod {} = {} {} {} - {}", j_, l, j_ % l, kept ? "≥" : "<", l, c)};
    });
  }

  // The first that keeps the pair, else both refusals.
  Reason either(const Reason& a, const Reason& b) const {
    if (a.kept) return a;
    if (b.kept || a.because == b.because) return b;
    return {false, words_.format("{0}, and {1}", a.because, b.because)};
  }

  Reason dilated(Index reach, Index dilation) const {
    if (dilation == 1) return local(reach);
    const Index steps = distance() / dilation;
    if (distance() % dilation != 0) {
      return {false, fmt::format("{} = {}", difference(), divided(distance(), dilation))};
    }
    const bool kept = steps <= reach;
    return {kept, fmt::format("{} = {} · {}, {} {} {}", difference(), steps, dilation, steps,
                              kept ? "≤" : ">", reach)};
  }

  Reason global(Index count) const {
    if (i_ < count) return {true, words_.format("query {} is one of {} global tokens", i_, count)};
    if (j_ < count) return {true, words_.format("key {} is one of {} global tokens", j_, count)};
    return {false, words_.format("neither is one of {} global tokens", count)};
  }

  // Drawn keys: the mask knows them.
  Reason drawn(Index per_query, bool kept) const {
    return {kept,
            kept ? words_.format("key {} was drawn for query {}", j_, i_)
                 : words_.format("key {} is none of the {} drawn for query {}", j_, per_query, i_)};
  }

  Reason streaming(Index sinks, Index window) const {
    return up_to_query([&]() -> Reason {
      if (j_ < sinks) return {true, words_.format("key {} is one of {} sinks", j_, sinks)};
      const bool kept = i_ - j_ < window;
      const std::string text = fmt::format("i - j = {} {} {}", i_ - j_, kept ? "<" : "≥", window);
      if (kept) return {true, text};
      return {false, words_.format("{}, and key {} is no sink", text, j_)};
    });
  }

  Reason prefix(Index count) const {
    if (j_ < count) return {true, fmt::format("j = {} < {}", j_, count)};
    const Reason before = causal();
    if (before.kept) return before;
    return {false, fmt::format("j = {} ≥ {}, j > i = {}", j_, count, i_)};
  }

  Reason documents(const std::vector<Index>& lengths) const {
    Index end = 0, of_i = -1, of_j = -1;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      end += lengths[k];
      if (of_i < 0 && i_ < end) of_i = static_cast<Index>(k);
      if (of_j < 0 && j_ < end) of_j = static_cast<Index>(k);
    }
    const bool kept = of_i == of_j;
    return {kept, kept ? words_.format("both are in document {}", of_i + 1)
                       : words_.format("query {} is in document {}, key {} in document {}", i_,
                                       of_i + 1, j_, of_j + 1)};
  }

  Reason grid(Index width, Index up, Index side) const {
    const Index dy = std::abs(i_ / width - j_ / width), dx = std::abs(i_ % width - j_ % width);
    return {dy <= up && dx <= side,
            words_.format("{} rows apart ({} {}), {} columns apart ({} {})", dy,
                          dy <= up ? "≤" : ">", up, dx, dx <= side ? "≤" : ">", side)};
  }

  Reason blocks(Index size, Index near, Index global, bool kept) const {
    const Index a = i_ / size, b = j_ / size, apart = std::abs(a - b);
    const std::string pair = words_.format("block of rows {}, block of keys {}", a, b);
    if (apart <= near) return {true, fmt::format("{}: |{} - {}| ≤ {}", pair, a, b, near)};
    if (std::min(a, b) < global) return {true, words_.format("{}: one is global", pair)};
    return {kept, kept ? words_.format("{}: it was drawn", pair)
                       : words_.format("{}: not near, not global, not drawn", pair)};
  }

  Reason top_k(Index k, const PatternInputs& in) const {
    std::vector<float> scores(static_cast<std::size_t>(in.n));
    in.scores(i_, scores);
    const float own = scores[static_cast<std::size_t>(j_)];
    Index rank = 1;
    for (Index other = 0; other < in.n; ++other) {
      const float score = scores[static_cast<std::size_t>(other)];
      rank += score > own || (score == own && other < j_);
    }
    const bool kept = rank <= k;
    return {kept,
            words_.format("its score is number {} of {} ({} {})", rank, in.n, kept ? "≤" : ">", k)};
  }

 private:
  Index distance() const { return std::abs(i_ - j_); }
  std::string difference() const { return fmt::format("|{} - {}| = {}", i_, j_, distance()); }
  // "2 · 4", or "1 · 4 + 3" where something is left.
  static std::string divided(Index number, Index by) {
    const std::string whole = fmt::format("{} · {}", number / by, by);
    return number % by == 0 ? whole : fmt::format("{} + {}", whole, number % by);
  }

  Index i_, j_;
  const words::Words& words_;
};

}  // namespace

Reason reason(const param::StackItem& item, Index i, Index j, const PatternInputs& in,
              const core::SparseMask& mask, const words::Words& w) {
  const Pair pair(i, j, w);
  const auto a = [&](std::size_t k) { return Index{item.arguments.at(k)}; };
  const bool kept = mask.allowed(i, j);
  switch (pattern_of(item)) {
    case Pattern::full:
      return {true, w("every pair")};
    case Pattern::causal:
      return pair.causal();
    case Pattern::key_padding:
      return pair.padding(a(0), j, 'j');
    case Pattern::query_padding:
      return pair.padding(a(0), i, 'i');
    case Pattern::local:
      return pair.local(a(0));
    case Pattern::atrous:
      return pair.atrous(a(0));
    case Pattern::sparse:
      return pair.sparse(a(0));
    case Pattern::strided:
      return pair.either(pair.back(a(0)), pair.back_strided(a(0)));
    case Pattern::strided_a1:
      return pair.back(a(0));
    case Pattern::strided_a2:
      return pair.back_strided(a(0));
    case Pattern::fixed:
      return pair.either(pair.own_block(a(0)), pair.summary(a(0), std::min(a(0), a(1))));
    case Pattern::fixed_a1:
      return pair.own_block(a(0));
    case Pattern::fixed_a2:
      return pair.summary(a(0), std::min(a(0), a(1)));
    case Pattern::longformer:
      return pair.either(pair.dilated(a(0), a(1)), pair.global(a(2)));
    case Pattern::bigbird: {
      const Reason regular = pair.either(pair.local(a(0)), pair.global(a(1)));
      return regular.kept ? regular : pair.drawn(a(2), kept);
    }
    case Pattern::streaming:
      return pair.streaming(a(0), a(1));
    case Pattern::prefix_lm:
      return pair.prefix(a(0));
    case Pattern::documents:
      return pair.documents(document_lengths(item, in.n));
    case Pattern::blocks:
      return pair.blocks(a(0), a(1), a(2), kept);
    case Pattern::grid:
      return pair.grid(grid_shape(item, in.n).width, a(1), a(2));
    case Pattern::top_k:
      return pair.top_k(a(0), in);
    case Pattern::painted: {
      const bool there = param::contains(*in.painted, static_cast<int>(i), static_cast<int>(j));
      return {there, there ? w("painted") : w("not painted")};
    }
  }
  return {};
}

}  // namespace lab::masks
