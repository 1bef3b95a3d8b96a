#include "core/mask/transpose.h"

#include <map>

#include "core/mask/run_algebra.h"
#include "core/refuse.h"

namespace core {
namespace {

template <class Fn>
void each_key(std::span<const KeyRun> runs, Fn&& fn) {
  for (const KeyRun& run : runs) {
    for (std::int32_t k = 0; k < run.count; ++k) fn(run.begin + k * run.step);
  }
}

// The queries of every key while the rows go by: a chain of runs for each column.
class Columns {
 public:
  explicit Columns(Index m)
      : head_(static_cast<std::size_t>(m), kNone), tail_(head_), since_(head_.size(), 0) {}

  void open(std::int32_t key, std::int32_t row) { since_[static_cast<std::size_t>(key)] = row; }
  // The key was seen from the row of `open` on, until before `row`.
  void close(std::int32_t key, std::int32_t row) {
    const auto at = static_cast<std::size_t>(key);
    const KeyRun seen = {since_[at], row - since_[at], 1};
    if (tail_[at] != kNone && seen.count == 1 && continues(links_[tail_[at]].run, seen.begin)) {
      return;
    }
    const std::size_t link = links_.size();
    (head_[at] == kNone ? head_[at] : links_[tail_[at]].next) = link;
    tail_[at] = link;
    links_.push_back({seen, kNone});
  }
  void runs_of(std::size_t key, std::vector<KeyRun>& runs) const {
    runs.clear();
    for (std::size_t k = head_[key]; k != kNone; k = links_[k].next) runs.push_back(links_[k].run);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Link {
    KeyRun run;
    std::size_t next;
  };

  // Takes a single query into the run before it when that makes or goes on with a stride.
  static bool continues(KeyRun& run, std::int32_t row) {
    if (run.count == 1) {
      run.step = row - run.begin;
    } else if (run.step == 1 || row != run.last() + run.step) {
      return false;
    }
    ++run.count;
    return true;
  }

  std::vector<std::size_t> head_, tail_;
  std::vector<std::int32_t> since_;
  std::vector<Link> links_;
};

}  // namespace

SparseMask transpose(const SparseMask& mask) {
  Columns columns(mask.cols());
  RunAlgebra algebra;
  std::span<const KeyRun> before;
  for (Index i = 0; i <= mask.rows(); ++i) {
    const auto row = i < mask.rows() ? mask.row(i) : std::span<const KeyRun>();
    const auto at = static_cast<std::int32_t>(i);
    each_key(algebra.subtract(before, row), [&](std::int32_t key) { columns.close(key, at); });
    each_key(algebra.subtract(row, before), [&](std::int32_t key) { columns.open(key, at); });
    before = row;
  }
  SparseMaskBuilder builder(mask.cols(), mask.rows());
  std::vector<KeyRun> runs;
  for (Index j = 0; j < mask.cols(); ++j) {
    columns.runs_of(static_cast<std::size_t>(j), runs);
    builder.add_row(runs);
  }
  return builder.finish();
}

std::vector<Index> column_counts(const SparseMask& mask) {
  const auto m = static_cast<std::size_t>(mask.cols());
  // For each step: how the number of runs through a key differs from that of the key one step
  // before. Runs of further steps than these are counted key by key.
  constexpr std::size_t kMostSteps = 16;
  std::map<std::int32_t, std::vector<Index>> changes;
  std::vector<Index> counts(m, 0);
  for (Index i = 0; i < mask.rows(); ++i) {
    for (const KeyRun& run : mask.row(i)) {
      if (changes.size() == kMostSteps && !changes.contains(run.step)) {
        each_key({&run, 1}, [&](std::int32_t key) { ++counts[static_cast<std::size_t>(key)]; });
        continue;
      }
      auto& change = changes.try_emplace(run.step, m).first->second;
      ++change[static_cast<std::size_t>(run.begin)];
      const std::size_t end =
          static_cast<std::size_t>(run.last()) + static_cast<std::size_t>(run.step);
      if (end < m) --change[end];
    }
  }
  for (auto& [step, change] : changes) {
    const auto stride = static_cast<std::size_t>(step);
    for (std::size_t j = 0; j < m; ++j) {
      if (j >= stride) change[j] += change[j - stride];
      counts[j] += change[j];
    }
  }
  return counts;
}

std::vector<Index> queries_of_key(const SparseMask& mask, Index j) {
  if (j < 0 || j >= mask.cols()) {
    refuse("queries of a key", "a key from 0 to " + std::to_string(mask.cols() - 1),
           std::to_string(j));
  }
  std::vector<Index> queries;
  for (Index i = 0; i < mask.rows(); ++i) {
    if (mask.allowed(i, j)) queries.push_back(i);
  }
  return queries;
}

}  // namespace core
