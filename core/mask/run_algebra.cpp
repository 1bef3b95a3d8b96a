#include "core/mask/run_algebra.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace core {
namespace {

using Wide = std::int64_t;

KeyRun run_of(Wide begin, Wide count, Wide step) {
  return {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(count),
          count > 1 ? static_cast<std::int32_t>(step) : 1};
}

bool by_begin(const KeyRun& a, const KeyRun& b) { return a.begin < b.begin; }

// x with a x = 1 modulo m, for coprime a and m >= 1: the extended Euclidean algorithm.
Wide inverse(Wide a, Wide m) {
  Wide r = m, s = 0, next_r = a % m, next_s = 1;
  while (next_r != 0) {
    const Wide q = r / next_r;
    r = std::exchange(next_r, r - q * next_r);
    s = std::exchange(next_s, s - q * next_s);
  }
  return (s % m + m) % m;
}

// The first of `solids`, which rise without overlap, that ends at `key` or later.
auto first_reaching(const std::vector<KeyRun>& solids, Wide key) {
  return std::lower_bound(solids.begin(), solids.end(), key,
                          [](const KeyRun& run, Wide k) { return run.last() < k; });
}

void expand(std::span<const KeyRun> runs, std::vector<std::int32_t>& keys) {
  keys.clear();
  for (const KeyRun& run : runs) {
    for (std::int32_t k = 0; k < run.count; ++k) keys.push_back(run.begin + k * run.step);
  }
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
}

}  // namespace

std::optional<KeyRun> intersect_run(const KeyRun& a, const KeyRun& b) {
  const Wide low = std::max(a.begin, b.begin), high = std::min(a.last(), b.last());
  if (low > high) return std::nullopt;
  if (a.step == 1 && b.step == 1) return run_of(low, high - low + 1, 1);
  const Wide gcd = std::gcd(a.step, b.step), apart = Wide{b.begin} - a.begin;
  if (apart % gcd != 0) return std::nullopt;
  // a.begin + t a.step = b.begin modulo b.step.
  const Wide modulus = b.step / gcd, step = a.step * modulus;
  const Wide target = ((apart / gcd) % modulus + modulus) % modulus;
  const Wide t = target * inverse(a.step / gcd, modulus) % modulus;
  Wide first = a.begin + t * a.step;
  if (first < low) first += (low - first + step - 1) / step * step;
  if (first > high) return std::nullopt;
  return run_of(first, (high - first) / step + 1, step);
}

void subtract_run(const KeyRun& a, const KeyRun& b, std::vector<KeyRun>& pieces) {
  const auto both = intersect_run(a, b);
  if (!both) {
    pieces.push_back(a);
    return;
  }
  // In units of a's keys: 0, 1, ..., a.count - 1 without first, first + every, ...
  const auto piece = [&](Wide at, Wide count, Wide every) {
    if (count > 0) pieces.push_back(run_of(a.begin + at * a.step, count, every * a.step));
  };
  const Wide first = (both->begin - a.begin) / a.step, every = both->step / a.step;
  const Wide holes = both->count, last = (both->last() - a.begin) / a.step;
  piece(0, first, 1);
  if (holes > 1 && every > 1) {
    if (every <= holes) {
      for (Wide r = 1; r < every; ++r) piece(first + r, holes - 1, every);
    } else {
      for (Wide hole = 0; hole + 1 < holes; ++hole) piece(first + hole * every + 1, every - 1, 1);
    }
  }
  piece(last + 1, a.count - last - 1, 1);
}

void RunAlgebra::Parts::take(Runs runs) {
  solid.clear();
  strided.clear();
  keys = 0;
  for (const KeyRun& run : runs) {
    (run.step == 1 ? solid : strided).push_back(run);
    keys += run.count;
  }
}

const std::vector<KeyRun>& RunAlgebra::intersect(Runs a, Runs b) {
  return run(Operation::intersect, a, b);
}
const std::vector<KeyRun>& RunAlgebra::unite(Runs a, Runs b) { return run(Operation::unite, a, b); }
const std::vector<KeyRun>& RunAlgebra::subtract(Runs a, Runs b) {
  return run(Operation::subtract, a, b);
}

const std::vector<KeyRun>& RunAlgebra::run(Operation operation, Runs a, Runs b) {
  result_.clear();
  a_.take(a);
  b_.take(b);
  work_ = 0;
  budget_ = a_.keys + b_.keys + 64;
  const bool done = operation == Operation::intersect ? intersect_parts()
                    : operation == Operation::unite   ? unite_parts()
                                                      : subtract_parts();
  if (!done) merge_keys(operation, a, b);
  tidy();
  return result_;
}

void RunAlgebra::meet_solids(const std::vector<KeyRun>& runs, const std::vector<KeyRun>& solids) {
  for (const KeyRun& run : runs) {
    for (auto it = first_reaching(solids, run.begin);
         it != solids.end() && it->begin <= run.last() && worth_it(); ++it) {
      ++work_;
      if (const auto both = intersect_run(run, *it)) result_.push_back(*both);
    }
  }
}

bool RunAlgebra::intersect_parts() {
  meet_solids(a_.solid, b_.solid);
  meet_solids(a_.strided, b_.solid);
  meet_solids(b_.strided, a_.solid);
  for (const KeyRun& run : a_.strided) {
    for (const KeyRun& other : b_.strided) {
      if (!worth_it()) return false;
      ++work_;
      if (const auto both = intersect_run(run, other)) result_.push_back(*both);
    }
  }
  return worth_it();
}

// Takes `solids` away from every piece.
void RunAlgebra::cut_solids(const std::vector<KeyRun>& solids) {
  cut_.clear();
  for (const KeyRun& piece : pieces_) {
    KeyRun rest = piece;
    bool left = true;
    for (auto it = first_reaching(solids, piece.begin);
         left && it != solids.end() && it->begin <= piece.last() && worth_it(); ++it) {
      ++work_;
      const std::size_t before = cut_.size();
      subtract_run(rest, *it, cut_);
      // What lies behind the solid may meet the next one; what lies before cannot.
      left = cut_.size() > before && cut_.back().last() > it->last();
      if (left) {
        rest = cut_.back();
        cut_.pop_back();
      }
    }
    if (left) cut_.push_back(rest);
  }
  pieces_.swap(cut_);
}

// Takes each of `cutters`, of any step, away from every piece.
void RunAlgebra::cut_pieces(const std::vector<KeyRun>& cutters) {
  for (const KeyRun& cutter : cutters) {
    if (!worth_it()) return;
    cut_.clear();
    for (const KeyRun& piece : pieces_) {
      ++work_;
      subtract_run(piece, cutter, cut_);
    }
    pieces_.swap(cut_);
  }
}

bool RunAlgebra::subtract_parts() {
  for (const auto* part : {&a_.solid, &a_.strided}) {
    pieces_ = *part;
    cut_solids(b_.solid);
    cut_pieces(b_.strided);
    result_.insert(result_.end(), pieces_.begin(), pieces_.end());
  }
  return worth_it();
}

bool RunAlgebra::unite_parts() {
  // Solids first: a window takes its keys out of a stride, not the stride out of the window.
  std::merge(a_.solid.begin(), a_.solid.end(), b_.solid.begin(), b_.solid.end(),
             std::back_inserter(result_), by_begin);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < result_.size(); ++k) {
    KeyRun& last = result_[kept == 0 ? 0 : kept - 1];
    const KeyRun run = result_[k];
    if (kept > 0 && run.begin <= last.begin + last.count) {
      last.count = std::max(last.count, run.begin + run.count - last.begin);
    } else {
      result_[kept++] = run;
    }
  }
  result_.resize(kept);
  const std::vector<KeyRun> solids(result_);
  for (const Parts* side : {&a_, &b_}) {
    if (side->strided.empty()) continue;
    pieces_ = side->strided;
    cut_solids(solids);
    if (side == &b_) cut_pieces(a_.strided);
    result_.insert(result_.end(), pieces_.begin(), pieces_.end());
  }
  return worth_it();
}

void RunAlgebra::merge_keys(Operation operation, Runs a, Runs b) {
  expand(a, keys_a_);
  expand(b, keys_b_);
  keys_.clear();
  const auto merge = [&](auto algorithm) {
    algorithm(keys_a_.begin(), keys_a_.end(), keys_b_.begin(), keys_b_.end(),
              std::back_inserter(keys_));
  };
  switch (operation) {
    case Operation::intersect: merge([](auto... x) { std::set_intersection(x...); }); break;
    case Operation::unite: merge([](auto... x) { std::set_union(x...); }); break;
    case Operation::subtract: merge([](auto... x) { std::set_difference(x...); }); break;
  }
  result_.clear();
  append_runs(keys_, result_);
}

// Rising order, and solids that touch become one.
void RunAlgebra::tidy() {
  if (!std::is_sorted(result_.begin(), result_.end(), by_begin)) {
    std::sort(result_.begin(), result_.end(), by_begin);
  }
  std::size_t kept = 0;
  for (const KeyRun& run : result_) {
    KeyRun* last = kept > 0 ? &result_[kept - 1] : nullptr;
    if (last && last->step == 1 && run.step == 1 && last->begin + last->count == run.begin) {
      last->count += run.count;
    } else {
      result_[kept++] = run;
    }
  }
  result_.resize(kept);
}

}  // namespace core
