#include "core/precision/rope_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "core/parallel.h"
#include "core/position/checks.h"
#include "core/refuse.h"

namespace core {
namespace {

constexpr Index kRowBlock = 4096;  // positions of one task

Code bits_of(double x) {
  if (std::isnan(x)) return std::bit_cast<Code>(std::numeric_limits<double>::quiet_NaN());
  return std::bit_cast<Code>(x == 0 ? 0.0 : x);
}

// Whether the row of a position follows from its angles, and its angles from its id.
bool follows(const RotaryRounding& r, bool rounded) {
  return r.rule.rounding != Rounding::stochastic || !rounded;
}

// For each position whether its angles differ from those of the one before.
std::vector<char> new_angles(const RotaryRounder& rounder, Index n, int threads,
                             const Cancel& cancel) {
  std::vector<char> differs(static_cast<size_t>(n), 0);
  parallel_for((n + kRowBlock - 1) / kRowBlock, threads, [&](Index block, int) {
    const Index begin = block * kRowBlock, end = std::min(n, begin + kRowBlock);
    const Index first = std::max<Index>(begin - 1, 0);
    std::vector<double> angles(static_cast<size_t>(end - first));
    if (begin == 0) differs[0] = 1;
    Index left = end - std::max<Index>(begin, 1);
    for (Index i = 0; i < rounder.pairs() && left > 0; ++i) {
      cancel.poll();
      rounder.angles(i, first, end - first, angles.data());
      for (Index p = first + 1; p < end; ++p) {
        char& flag = differs[static_cast<size_t>(p)];
        if (flag) continue;
        const double now = angles[static_cast<size_t>(p - first)];
        const double before = angles[static_cast<size_t>(p - first - 1)];
        if (bits_of(now) != bits_of(before)) flag = 1, --left;
      }
    }
  });
  return differs;
}

// Each position's representative: the first of a run of equal angles, or, where rounding is random
// and runs are short, the first of the same id.
std::vector<std::int32_t> representatives(const RotaryRounder& rounder, Index n, int threads,
                                          const Cancel& cancel) {
  const RotaryRounding& r = rounder.rounding();
  std::vector<std::int32_t> first(static_cast<size_t>(n));
  for (size_t p = 0; p < first.size(); ++p) first[p] = static_cast<std::int32_t>(p);
  const bool ids = r.rounds(RotaryStep::id), angles = r.rounds(RotaryStep::angle);
  if (!follows(r, r.rounds(RotaryStep::table))) return first;
  if (!follows(r, ids || angles)) {
    if (!ids || angles) return first;
    std::unordered_map<Code, std::int32_t> known;
    for (size_t p = 0; p < first.size(); ++p) {
      first[p] =
          known.try_emplace(bits_of(rounder.id(static_cast<double>(p))), first[p]).first->second;
    }
    return first;
  }
  const std::vector<char> differs = new_angles(rounder, n, threads, cancel);
  for (size_t p = 1; p < first.size(); ++p) {
    if (!differs[p]) first[p] = first[p - 1];
  }
  return first;
}

// A row that is not yet told apart from others of its group.
struct Row {
  std::int32_t group, position;
  Code cosine, sine;
  bool operator<(const Row& other) const {
    if (group != other.group) return group < other.group;
    if (cosine != other.cosine) return cosine < other.cosine;
    if (sine != other.sine) return sine < other.sine;
    return position < other.position;
  }
  bool same(const Row& other) const {
    return group == other.group && cosine == other.cosine && sine == other.sine;
  }
};

// Splits groups by their entries of pair i; those that are alone leave. A group is called after its
// first position.
void split(const RotaryRounder& rounder, Index i, std::vector<Row>& rows, int threads,
           const Cancel& cancel) {
  const auto count = std::ssize(rows);
  parallel_for((count + kRowBlock - 1) / kRowBlock, threads, [&](Index block, int) {
    cancel.poll();
    for (Index k = block * kRowBlock; k < std::min<Index>(count, (block + 1) * kRowBlock); ++k) {
      Row& row = rows[static_cast<size_t>(k)];
      const auto position = static_cast<double>(row.position);
      const double angle = rounder.angle(position, i);
      row.cosine = bits_of(rounder.cosine(angle, position, i));
      row.sine = bits_of(rounder.sine(angle, position, i));
    }
  });
  cancel.poll();
  std::sort(rows.begin(), rows.end());
  std::vector<Row> kept;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end].same(rows[begin])) ++end;
    for (size_t k = begin; end - begin > 1 && k < end; ++k) {
      kept.push_back({rows[begin].position, rows[k].position, 0, 0});
    }
    begin = end;
  }
  rows = std::move(kept);
}

}  // namespace

std::vector<std::int32_t> first_equal_rows(const RotaryRounder& rounder, Index n, int threads,
                                           const Cancel& cancel) {
  const char* where = "first_equal_rows";
  position::require_at_least(where, "a number of positions", 0, n);
  if (n > std::numeric_limits<std::int32_t>::max()) {
    refuse(where, "fewer than 2^31 positions", std::to_string(n));
  }
  std::vector<std::int32_t> first = representatives(rounder, n, threads, cancel);
  std::vector<Row> rows;
  for (size_t p = 0; p < first.size(); ++p) {
    const auto position = static_cast<std::int32_t>(p);
    if (first[p] == position) rows.push_back({0, position, 0, 0});
  }
  for (Index i = 0; i < rounder.pairs() && !rows.empty(); ++i) {
    split(rounder, i, rows, threads, cancel);
  }
  for (const Row& row : rows) first[static_cast<size_t>(row.position)] = row.group;
  // Those that a representative stands for follow it.
  for (std::int32_t& f : first) f = first[static_cast<size_t>(f)];
  return first;
}

}  // namespace core
