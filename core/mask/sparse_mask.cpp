#include "core/mask/sparse_mask.h"

#include <algorithm>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

bool fits(const KeyRun& run, Index m) {
  return run.begin >= 0 && run.count >= 1 && run.step >= 1 && (run.count > 1 || run.step == 1) &&
         run.begin + (Index{run.count} - 1) * run.step < m;
}

}  // namespace

SparseMask::SparseMask(Index n, Index m) : n_(n), m_(m) {
  if (n < 0 || m < 0 || n > kMost || m > kMost) {
    refuse("sparse mask", "sizes from 0 to " + std::to_string(kMost), shape_text(n, m));
  }
  first_.assign(static_cast<std::size_t>(n) + 1, 0);
}

void SparseMaskBuilder::add_row(std::span<const KeyRun> runs) {
  if (next_ >= mask_.n_) {
    refuse("sparse mask", std::to_string(mask_.n_) + " rows", "one more");
  }
  sorted_.assign(runs.begin(), runs.end());
  std::sort(sorted_.begin(), sorted_.end(),
            [](const KeyRun& a, const KeyRun& b) { return a.begin < b.begin; });
  for (const KeyRun& run : sorted_) {
    if (!fits(run, mask_.m_)) {
      refuse("sparse mask", "a run of keys below " + std::to_string(mask_.m_),
             "begin " + std::to_string(run.begin) + ", count " + std::to_string(run.count) +
                 ", step " + std::to_string(run.step));
    }
    mask_.kept_ += run.count;
  }
  mask_.runs_.insert(mask_.runs_.end(), sorted_.begin(), sorted_.end());
  mask_.first_[static_cast<std::size_t>(++next_)] = mask_.runs_.size();
}

SparseMask SparseMaskBuilder::finish() {
  std::fill(mask_.first_.begin() + next_ + 1, mask_.first_.end(), mask_.runs_.size());
  mask_.runs_.shrink_to_fit();
  next_ = mask_.n_;
  return std::move(mask_);
}

Index SparseMask::kept(Index i) const {
  Index sum = 0;
  for (const KeyRun& run : row(i)) sum += run.count;
  return sum;
}

bool SparseMask::allowed(Index i, Index j) const {
  return std::any_of(row(i).begin(), row(i).end(), [j](const KeyRun& run) {
    return j >= run.begin && j <= run.last() && (j - run.begin) % run.step == 0;
  });
}

void SparseMask::keys_into(Index i, std::vector<std::int32_t>& keys) const {
  keys.clear();
  bool ordered = true;
  for (const KeyRun& run : row(i)) {
    ordered = ordered && (keys.empty() || keys.back() < run.begin);
    for (std::int32_t k = 0; k < run.count; ++k) keys.push_back(run.begin + k * run.step);
  }
  if (!ordered) std::sort(keys.begin(), keys.end());
}

double SparseMask::memory_bytes() const {
  return static_cast<double>(runs_.capacity() * sizeof(KeyRun) +
                             first_.capacity() * sizeof(std::size_t));
}

bool SparseMask::is_sound() const {
  std::vector<std::int32_t> keys;
  for (Index i = 0; i < n_; ++i) {
    keys_into(i, keys);
    if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) return false;
  }
  return true;
}

bool SparseMask::same_pairs(const SparseMask& other) const {
  if (n_ != other.n_ || m_ != other.m_ || kept_ != other.kept_) return false;
  std::vector<std::int32_t> mine, theirs;
  for (Index i = 0; i < n_; ++i) {
    const auto a = row(i), b = other.row(i);
    if (std::equal(a.begin(), a.end(), b.begin(), b.end())) continue;
    keys_into(i, mine);
    other.keys_into(i, theirs);
    if (mine != theirs) return false;
  }
  return true;
}

SparseMask SparseMask::from(const Mask& mask) {
  SparseMaskBuilder builder(mask.rows(), mask.cols());
  std::vector<KeyRun> runs;
  std::vector<std::int32_t> keys;
  for (Index i = 0; i < mask.rows(); ++i) {
    runs.clear();
    const KeyRange range = mask.range(i);
    if (!mask.bits(i)) {
      if (range.size() > 0) {
        runs.push_back(
            {static_cast<std::int32_t>(range.begin), static_cast<std::int32_t>(range.size()), 1});
      }
    } else {
      keys.clear();
      for (Index j = range.begin; j < range.end; ++j) {
        if (mask.allowed(i, j)) keys.push_back(static_cast<std::int32_t>(j));
      }
      append_runs(keys, runs);
    }
    builder.add_row(runs);
  }
  return builder.finish();
}

BoolMatrix SparseMask::dense() const {
  BoolMatrix bits = BoolMatrix::Constant(n_, m_, false);
  for (Index i = 0; i < n_; ++i) {
    for (const KeyRun& run : row(i)) {
      for (std::int32_t k = 0; k < run.count; ++k) bits(i, run.begin + Index{k} * run.step) = true;
    }
  }
  return bits;
}

void append_runs(std::span<const std::int32_t> keys, std::vector<KeyRun>& runs) {
  for (std::size_t at = 0; at < keys.size();) {
    const std::int32_t step = at + 1 < keys.size() ? keys[at + 1] - keys[at] : 1;
    std::size_t end = at + 1;
    while (end < keys.size() && keys[end] - keys[end - 1] == step) ++end;
    // Two keys far apart are better left single: the second may begin a longer run.
    if (step > 1 && end - at == 2) end = at + 1;
    const auto count = static_cast<std::int32_t>(end - at);
    runs.push_back({keys[at], count, count > 1 ? step : 1});
    at = end;
  }
}

}  // namespace core
