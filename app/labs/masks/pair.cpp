#include "app/labs/masks/patterns.h"

namespace lab::masks {

Reason Pair::dilated(Index reach, Index dilation) const {
  if (dilation == 1) return local(reach);
  const Reason on_step = atrous(dilation);
  if (!on_step.kept) return on_step;
  const Index steps = distance() / dilation;
  return compared(steps <= reach, [&](bool kept) {
    return fmt::format("{}, {} {} {}", on_step.because, steps, kept ? "≤" : ">", reach);
  });
}

Reason Pair::streaming(Index sinks, Index window) const {
  if (j_ < sinks) {
    return up_to_query({true, words_.format("key {} is one of {} sinks", j_, sinks)});
  }
  const bool kept = distance() < window;
  const std::string text = fmt::format("{} {} {}", difference(), kept ? "<" : "≥", window);
  return up_to_query({kept, kept ? text : words_.format("{}, and key {} is no sink", text, j_)});
}

Reason Pair::prefix(Index count) const {
  if (j_ < count) return {true, fmt::format("j = {} < {}", j_, count)};
  const Reason before = causal();
  if (before.kept) return before;
  return {false, fmt::format("j = {} ≥ {}, j > i = {}", j_, count, i_)};
}

Reason Pair::global(Index count) const {
  if (i_ < count) return {true, words_.format("query {} is one of {} global tokens", i_, count)};
  if (j_ < count) return {true, words_.format("key {} is one of {} global tokens", j_, count)};
  return {false, words_.format("neither is one of {} global tokens", count)};
}

Reason Pair::documents(const std::vector<Index>& lengths) const {
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

Reason Pair::grid(Index width, Index up, Index side) const {
  const Index dy = std::abs(i_ / width - j_ / width), dx = std::abs(i_ % width - j_ % width);
  return {dy <= up && dx <= side,
          words_.format("{} rows apart ({} {}), {} columns apart ({} {})", dy, dy <= up ? "≤" : ">",
                        up, dx, dx <= side ? "≤" : ">", side)};
}

Reason Pair::blocks(Index size, Index near, Index global, bool kept) const {
  const Index a = i_ / size, b = j_ / size;
  const std::string pair = words_.format("block of rows {}, block of keys {}", a, b);
  if (std::abs(a - b) <= near) return {true, fmt::format("{}: |{} - {}| ≤ {}", pair, a, b, near)};
  if (std::min(a, b) < global) return {true, words_.format("{}: one is global", pair)};
  return {kept, kept ? words_.format("{}: it was drawn", pair)
                     : words_.format("{}: not near, not global, not drawn", pair)};
}

Reason Pair::top_k(Index k) const {
  std::vector<float> scores(static_cast<std::size_t>(in.n));
  in.scores(i_, scores);
  const float own = scores[static_cast<std::size_t>(j_)];
  Index rank = 1;
  for (Index other = 0; other < in.n; ++other) {
    const float score = scores[static_cast<std::size_t>(other)];
    rank += score > own || (score == own && other < j_);
  }
  return {rank <= k, words_.format("its score is number {} of {} ({} {})", rank, in.n,
                                   rank <= k ? "≤" : ">", k)};
}

}  // namespace lab::masks
