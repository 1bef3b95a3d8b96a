#include "core/mask/patterns/global_patterns.h"

#include "core/mask/patterns/pattern_rows.h"
#include "core/mask/patterns/window_patterns.h"
#include "core/random.h"

namespace core::pattern {
namespace {

using detail::add_run;
using detail::mask_by_rows;
using detail::require_pattern;

// Rising, each once. InputError when one is not a token.
std::vector<std::int32_t> tokens_of(std::span<const Index> tokens, Index n, const char* expected) {
  std::vector<std::int32_t> rising;
  for (const Index token : tokens) {
    require_pattern(token >= 0 && token < n, expected, token);
    rising.push_back(static_cast<std::int32_t>(token));
  }
  std::sort(rising.begin(), rising.end());
  rising.erase(std::unique(rising.begin(), rising.end()), rising.end());
  return rising;
}

// The runs of any distinct, rising keys.
std::vector<KeyRun> runs_of(std::span<const std::int32_t> keys) {
  std::vector<KeyRun> runs;
  append_runs(keys, runs);
  return runs;
}

// `count` distinct numbers below `size`, rising: Floyd's method, as many draws as numbers (Bentley
// and Floyd, A sample of brilliance, 1987).
std::vector<std::uint32_t> sample(Index count, Index size, Random& random) {
  std::vector<std::uint32_t> chosen;
  for (Index k = size - count; k < size; ++k) {
    const std::uint32_t drawn = random.below(static_cast<std::uint32_t>(k) + 1);
    auto at = std::lower_bound(chosen.begin(), chosen.end(), drawn);
    if (at == chosen.end() || *at != drawn) {
      chosen.insert(at, drawn);
    } else {
      chosen.push_back(static_cast<std::uint32_t>(k));
    }
  }
  return chosen;
}

// The keys that `row`, solid runs in rising order, leaves free, by their rank among the free ones.
std::vector<std::int32_t> free_keys(std::span<const KeyRun> row,
                                    std::span<const std::uint32_t> ranks) {
  std::vector<std::int32_t> keys;
  std::int32_t taken = 0;
  auto run = row.begin();
  for (const std::uint32_t rank : ranks) {
    const auto at = static_cast<std::int32_t>(rank);
    while (run != row.end() && run->begin <= at + taken) taken += (run++)->count;
    keys.push_back(at + taken);
  }
  return keys;
}

Index count_keys(std::span<const KeyRun> runs) {
  Index count = 0;
  for (const KeyRun& run : runs) count += run.count;
  return count;
}

}  // namespace

SparseMask longformer(Index n, const LongformerShape& shape) {
  const std::vector<std::int32_t> tokens = tokens_of(shape.global, n, "a global token below n");
  const std::vector<KeyRun> global = runs_of(tokens);
  const SparseMask window = dilated(n, shape.reach, shape.dilation);
  RunAlgebra algebra;
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    if (std::binary_search(tokens.begin(), tokens.end(), i)) {
      add_run(row, 0, n);
    } else {
      row = algebra.unite(window.row(i), global);
    }
  });
}

SparseMask bigbird(Index n, const BigBirdShape& shape,
                   std::span<const std::vector<Index>> random_keys) {
  require_pattern(static_cast<Index>(random_keys.size()) == n,
                  "one list of random keys for each query", static_cast<Index>(random_keys.size()));
  const SparseMask base = longformer(n, {shape.reach, 1, shape.global});
  RunAlgebra algebra;
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    const auto& keys = random_keys[static_cast<std::size_t>(i)];
    row = algebra.unite(base.row(i), runs_of(tokens_of(keys, n, "a random key below n")));
  });
}

SparseMask bigbird(Index n, const BigBirdShape& shape, Index random, std::uint64_t seed) {
  require_pattern(random >= 0, "a number of random keys of at least 0", random);
  const SparseMask base = longformer(n, {shape.reach, 1, shape.global});
  RunAlgebra algebra;
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    // Solid runs only, in which ranks are found.
    row = algebra.unite(base.row(i), {});
    std::vector<KeyRun> solid;
    for (const KeyRun& run : row) {
      for (std::int32_t k = 0; run.step > 1 && k < run.count; ++k) {
        solid.push_back({run.begin + k * run.step, 1, 1});
      }
      if (run.step == 1) solid.push_back(run);
    }
    std::sort(solid.begin(), solid.end(),
              [](const KeyRun& a, const KeyRun& b) { return a.begin < b.begin; });
    const Index left = n - count_keys(solid);
    Random stream(stream_seed(seed, static_cast<std::uint64_t>(i)));
    const auto ranks = sample(std::min(random, left), left, stream);
    row = algebra.unite(row, runs_of(free_keys(solid, ranks)));
  });
}

SparseMask streaming(Index n, Index sinks, Index window) {
  require_pattern(sinks >= 0, "a number of sinks of at least 0", sinks);
  require_pattern(window >= 1, "a window of at least 1", window);
  return mask_by_rows(n, n, [&](Index i, auto& row) {
    const Index first = std::max<Index>(0, i - std::min(window, n) + 1);
    if (first <= sinks) {
      add_run(row, 0, i + 1);
    } else {
      add_run(row, 0, sinks);
      add_run(row, first, i + 1);
    }
  });
}

SparseMask prefix_lm(Index n, Index prefix) {
  require_pattern(prefix >= 0 && prefix <= n, "a prefix from 0 to n", prefix);
  return mask_by_rows(n, n, [&](Index i, auto& row) { add_run(row, 0, std::max(prefix, i + 1)); });
}

}  // namespace core::pattern
