#include "core/mask/top_k.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

// Rows under way at a time, for which runs wait until they are added in order.
constexpr Index kBatch = 256;

// What one thread needs for a row.
struct Desk {
  std::vector<float> scores;
  std::vector<std::int32_t> keys;
};

// Leaves the k best of `keys`, rising.
void keep_best(std::vector<std::int32_t>& keys, std::span<const float> scores, Index k) {
  if (static_cast<Index>(keys.size()) > k) {
    const auto better = [&](std::int32_t a, std::int32_t b) {
      const float x = scores[static_cast<std::size_t>(a)], y = scores[static_cast<std::size_t>(b)];
      if (std::isnan(x) || std::isnan(y)) {
        return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
      }
      return x > y || (x == y && a < b);
    };
    std::nth_element(keys.begin(), keys.begin() + k, keys.end(), better);
    keys.resize(static_cast<std::size_t>(k));
  }
  std::sort(keys.begin(), keys.end());
}

}  // namespace

SparseMask top_k(Index n, Index m, Index k, const RowScores& scores, const TopKOptions& options,
                 const Cancel& cancel) {
  if (k < 0) refuse("top k", "k of at least 0", std::to_string(k));
  if (options.among && (options.among->rows() != n || options.among->cols() != m)) {
    refuse("top k", "a mask of " + shape_text(n, m),
           shape_text(options.among->rows(), options.among->cols()));
  }
  SparseMaskBuilder builder(n, m);
  const int threads = thread_count(options.threads);
  std::vector<Desk> desks(static_cast<std::size_t>(threads));
  std::vector<std::vector<KeyRun>> rows(static_cast<std::size_t>(std::min(n, kBatch)));
  for (Index first = 0; first < n; first += kBatch) {
    const Index count = std::min(kBatch, n - first);
    parallel_for(count, threads, [&](Index at, int worker) {
      cancel.poll();
      Desk& desk = desks[static_cast<std::size_t>(worker)];
      desk.scores.resize(static_cast<std::size_t>(m));
      scores(first + at, desk.scores);
      if (options.among) {
        options.among->keys_into(first + at, desk.keys);
      } else {
        desk.keys.resize(static_cast<std::size_t>(m));
        std::iota(desk.keys.begin(), desk.keys.end(), 0);
      }
      keep_best(desk.keys, desk.scores, k);
      auto& runs = rows[static_cast<std::size_t>(at)];
      runs.clear();
      append_runs(desk.keys, runs);
    });
    for (Index at = 0; at < count; ++at) builder.add_row(rows[static_cast<std::size_t>(at)]);
    cancel.progress(static_cast<float>(first + count) / static_cast<float>(n));
  }
  return builder.finish();
}

SparseMask top_k(const Matrix& scores, Index k, const TopKOptions& options) {
  const auto row = [&](Index i, std::span<float> into) {
    std::copy_n(scores.data() + i * scores.cols(), scores.cols(), into.begin());
  };
  return top_k(scores.rows(), scores.cols(), k, row, options);
}

}  // namespace core
