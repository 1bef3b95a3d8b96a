// Sparse masks of every structure, built by hand: what the sparse versions are tested under.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "attention/naive.h"
#include "core/mask/sparse_mask.h"

namespace patterns {

using core::Index;
using core::KeyRun;
using core::Mask;
using core::SparseMask;

// Keys of progression begin, begin + step, ... below `end`; nothing when there is none.
inline void add_run(std::vector<KeyRun>& runs, Index begin, Index end, Index step = 1) {
  if (begin >= end) return;
  const Index count = (end - begin + step - 1) / step;
  runs.push_back({static_cast<std::int32_t>(begin), static_cast<std::int32_t>(count),
                  static_cast<std::int32_t>(count > 1 ? step : 1)});
}

template <class Fn>
inline SparseMask build(Index n, Index m, Fn&& fill) {
  core::SparseMaskBuilder builder(n, m);
  std::vector<KeyRun> runs;
  for (Index i = 0; i < n; ++i) {
    runs.clear();
    fill(i, runs);
    builder.add_row(runs);
  }
  return builder.finish();
}

inline SparseMask window(Index n, Index m, Index reach) {
  return build(n, m, [=](Index i, std::vector<KeyRun>& runs) {
    add_run(runs, std::max<Index>(0, i - reach), std::min(m, i + reach + 1));
  });
}

// Every `step`-th key from the row's own backwards and forwards.
inline SparseMask atrous(Index n, Index m, Index step) {
  return build(n, m, [=](Index i, std::vector<KeyRun>& runs) { add_run(runs, i % step, m, step); });
}

// The window and the progression at once: interleaving runs.
inline SparseMask strided(Index n, Index m, Index step) {
  return build(n, m, [=](Index i, std::vector<KeyRun>& runs) {
    const Index begin = std::min(m, std::max<Index>(0, i - step + 1));
    add_run(runs, begin, std::min(m, i + 1));
    for (Index first = i % step; first < begin; first = begin) add_run(runs, first, begin, step);
  });
}

// Blocks of `size` rows that see the same blocks of keys, every third of them.
inline SparseMask blocks(Index n, Index m, Index size) {
  return build(n, m, [=](Index i, std::vector<KeyRun>& runs) {
    for (Index b = i / size % 3; b * size < m; b += 3) {
      add_run(runs, b * size, std::min(m, (b + 1) * size));
    }
  });
}

// A window, the first two keys and row 1 seeing everything, and three keys by chance.
inline SparseMask global(Index n, Index m, unsigned seed) {
  std::mt19937 generator(seed);
  return build(n, m, [&, m](Index i, std::vector<KeyRun>& runs) {
    if (i == 1 || i == n - 1) return add_run(runs, 0, m);
    std::vector<bool> keys(static_cast<std::size_t>(m));
    for (Index j = std::max<Index>(0, i - 3); j < std::min(m, i + 4); ++j) {
      keys[static_cast<std::size_t>(j)] = true;
    }
    for (Index j = 0; j < std::min<Index>(m, 2); ++j) keys[static_cast<std::size_t>(j)] = true;
    for (int t = 0; t < 3 && m > 0; ++t) keys[generator() % static_cast<std::size_t>(m)] = true;
    std::vector<std::int32_t> list;
    for (Index j = 0; j < m; ++j) {
      if (keys[static_cast<std::size_t>(j)]) list.push_back(static_cast<std::int32_t>(j));
    }
    core::append_runs(list, runs);
  });
}

// Progressions of two steps in one row, in lattices that share no key: multiples of 6, and 6 t + 3.
inline SparseMask two_steps(Index n, Index m) {
  return build(n, m, [=](Index i, std::vector<KeyRun>& runs) {
    add_run(runs, 6 * (i % 4), m, 6);
    add_run(runs, 3 + 6 * (i % 5), m, 12);
  });
}

// Every structure for one shape.
inline std::vector<SparseMask> masks(Index n, Index m) {
  std::vector<SparseMask> all = {SparseMask(n, m), window(n, m, 0),  window(n, m, 5),
                                 window(n, m, 40), atrous(n, m, 3),  atrous(n, m, 16),
                                 strided(n, m, 4), strided(n, m, 9), blocks(n, m, 4),
                                 blocks(n, m, 32), global(n, m, 5),  two_steps(n, m)};
  for (const Mask& mask : naive::masks(n, m)) all.push_back(SparseMask::from(mask));
  return all;
}

}  // namespace patterns
