#include "core/precision/rope_rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "core/parallel.h"
#include "core/position/checks.h"
#include "core/precision/convert.h"
#include "core/random.h"
#include "core/refuse.h"

namespace core {
namespace {

// Rows that one thread takes at a time.
constexpr Index kPairBlock = 64;

// What vectors save is less than what they take to begin for fewer numbers.
constexpr Index kFewForVectors = 32;

// One value, one pattern: so that sorting patterns tells values apart.
double canonical(double x) {
  if (std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
  return x == 0 ? 0.0 : x;
}

template <class Fn>
void for_rows(Index n, int threads, const Cancel& cancel, Fn&& fn) {
  parallel_for((n + kPairBlock - 1) / kPairBlock, threads, [&](Index block, int) {
    cancel.poll();
    for (Index p = block * kPairBlock; p < std::min(n, (block + 1) * kPairBlock); ++p) fn(p);
  });
}

// The rows of both tables side by side as patterns, (n, 2 pairs).
using Patterns = Eigen::Matrix<Code, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Patterns patterns_of(const RotaryTableD& table) {
  const auto bits = [](double x) { return std::bit_cast<Code>(canonical(x)); };
  Patterns out(table.cos.rows(), 2 * table.cos.cols());
  out << table.cos.unaryExpr(bits), table.sin.unaryExpr(bits);
  return out;
}

Index count_distinct_rows(const Patterns& patterns) {
  const auto order = [&](Index a, Index b) {
    const auto x = patterns.row(a), y = patterns.row(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  };
  std::vector<Index> rows(static_cast<size_t>(patterns.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::sort(rows.begin(), rows.end(), order);
  const auto end = std::unique(rows.begin(), rows.end(), [&](Index a, Index b) {
    return patterns.row(a) == patterns.row(b);
  });
  return end - rows.begin();
}

Index count_distinct_pairs(const Patterns& patterns, Index i) {
  std::vector<std::pair<Code, Code>> pairs(static_cast<size_t>(patterns.rows()));
  for (Index p = 0; p < patterns.rows(); ++p) {
    pairs[static_cast<size_t>(p)] = {patterns(p, i), patterns(p, i + patterns.cols() / 2)};
  }
  std::sort(pairs.begin(), pairs.end());
  return std::unique(pairs.begin(), pairs.end()) - pairs.begin();
}

// Errors of one row, to be added up in the order of the rows.
struct RowErrors {
  double max = 0, sum = 0, max_angle = 0;
  Index not_finite = 0;

  void entry(double got, double want) {
    if (std::isnan(got)) {
      ++not_finite;
      return;
    }
    const double error = std::fabs(got - want);
    max = std::max(max, error);
    sum += error;
  }
};

RowErrors row_errors(const RotaryRounder& rounder, const RotaryTableD& table, Index p) {
  RowErrors errors;
  const auto position = static_cast<double>(p);
  for (Index i = 0; i < rounder.pairs(); ++i) {
    const double exact = rounder.exact_angle(position, i);
    errors.entry(table.cos(p, i), std::cos(exact));
    errors.entry(table.sin(p, i), std::sin(exact));
    const double off = std::fabs(rounder.angle(position, i) - exact);
    if (std::isfinite(off)) errors.max_angle = std::max(errors.max_angle, off);
  }
  return errors;
}

// Where the hand (cosine, sine) points, which is that of `angle`, (c, s), a little turned. NaN
// where it has no length or an infinite one, and so no direction.
double rotated_by(double angle, double c, double s, double cosine, double sine) {
  const double length = std::fabs(cosine) + std::fabs(sine);
  if (!(length > 0 && std::isfinite(length))) return std::numeric_limits<double>::quiet_NaN();
  const double across = sine * c - cosine * s, along = cosine * c + sine * s;
  if (along > 8 * std::fabs(across)) {
    // The series of atan; what follows is below 8^-17 / 17.
    const double t = across / along, u = t * t;
    const double rest =
        1.0 / 3 -
        u * (1.0 / 5 - u * (1.0 / 7 - u * (1.0 / 9 - u * (1.0 / 11 - u * (1.0 / 13 - u / 15)))));
    return angle + (t - t * u * rest);
  }
  return angle + std::remainder(std::atan2(sine, cosine) - angle, 2 * std::numbers::pi);
}

}  // namespace

RotaryRounder::RotaryRounder(VectorD theta, const RotaryRounding& rounding)
    : rounding_(rounding),
      low_(rounding.low, rounding.rule),
      carrier_(rounding.carrier),
      seeds_(),
      exact_theta_(std::move(theta)),
      theta_(exact_theta_.size()) {
  for (size_t k = 0; k < seeds_.size(); ++k) seeds_[k] = stream_seed(rounding.seed, k);
  for (Index i = 0; i < theta_.size(); ++i) {
    theta_(i) = step(exact_theta_(i), RotaryStep::frequency, Stream::frequency, entry(0, i));
  }
}

std::uint64_t RotaryRounder::entry(double position, Index i) {
  return mix64(std::bit_cast<std::uint64_t>(position)) + static_cast<std::uint64_t>(i);
}

double RotaryRounder::step(double x, RotaryStep step, Stream stream, std::uint64_t entry) const {
  const double carried = carry(x);
  if (!rounding_.rounds(step)) return carried;
  if (rounding_.rule.rounding != Rounding::stochastic) return low_(carried);
  const std::uint64_t seed = seeds_[static_cast<size_t>(stream)];
  return low_(carried, rounding_bits(seed, static_cast<Index>(entry)));
}

double RotaryRounder::angle_of_id(double id, double position, Index i) const {
  return step(id * theta_(i), RotaryStep::angle, Stream::angle, entry(position, i));
}

bool RotaryRounder::angles_by_vectors() const {
  return rounding_.carrier == kFloat32 &&
         ((!rounding_.rounds(RotaryStep::id) && !rounding_.rounds(RotaryStep::angle)) ||
          converts_quickly(rounding_.low, rounding_.rule));
}

void RotaryRounder::angles(Index i, Index first, Index n, double* out) const {
  if (n < kFewForVectors || !angles_by_vectors()) {
    for (Index k = 0; k < n; ++k) out[k] = angle(static_cast<double>(first + k), i);
    return;
  }
  const ConvertOptions options{.rule = rounding_.rule, .threads = 1};
  const auto theta = static_cast<float>(theta_(i));
  const bool ids = rounding_.rounds(RotaryStep::id);
  const bool products = rounding_.rounds(RotaryStep::angle);
  std::array<float, 512> part;
  for (Index done = 0; done < n; done += std::ssize(part)) {
    const Index count = std::min<Index>(n - done, std::ssize(part));
    for (Index k = 0; k < count; ++k) {
      part[static_cast<size_t>(k)] = static_cast<float>(first + done + k);
    }
    if (ids) round_floats(rounding_.low, part.data(), part.data(), count, options);
    // Both factors are floats: their product is rounded to float once, as the carrier does.
    for (Index k = 0; k < count; ++k) part[static_cast<size_t>(k)] *= theta;
    if (products) round_floats(rounding_.low, part.data(), part.data(), count, options);
    std::copy_n(part.data(), count, out + done);
  }
}

double RotaryRounder::hand(double angle, double position, Index i) const {
  if (!rounding_.rounds(RotaryStep::table) || !std::isfinite(angle)) return angle;
  const double c = std::cos(angle), s = std::sin(angle);
  return rotated_by(angle, c, s, table_entry(c, Stream::cosine, position, i),
                    table_entry(s, Stream::sine, position, i));
}

bool RotaryRounder::table_by_vectors() const {
  return rounding_.carrier == kFloat32 && converts_quickly(rounding_.low, rounding_.rule);
}

void RotaryRounder::hands(Index i, Index first, Index n, double* angles) const {
  if (!rounding_.rounds(RotaryStep::table)) return;
  if (n < kFewForVectors || !table_by_vectors()) {
    for (Index k = 0; k < n; ++k) angles[k] = hand(angles[k], static_cast<double>(first + k), i);
    return;
  }
  constexpr Index kPart = 512;
  std::array<double, kPart> c, s;
  std::array<float, 2 * kPart> entries;  // cosines, then sines
  const ConvertOptions options{.rule = rounding_.rule, .threads = 1};
  for (Index done = 0; done < n; done += kPart) {
    const Index count = std::min<Index>(n - done, kPart);
    double* part = angles + done;
    for (Index k = 0; k < count; ++k) {
      const auto at = static_cast<size_t>(k);
      c[at] = std::cos(part[k]), s[at] = std::sin(part[k]);
      entries[at] = static_cast<float>(c[at]);
      entries[at + static_cast<size_t>(count)] = static_cast<float>(s[at]);
    }
    round_floats(rounding_.low, entries.data(), entries.data(), 2 * count, options);
    for (Index k = 0; k < count; ++k) {
      if (!std::isfinite(part[k])) continue;
      const auto at = static_cast<size_t>(k);
      part[k] = rotated_by(part[k], c[at], s[at], static_cast<double>(entries[at]),
                           static_cast<double>(entries[at + static_cast<size_t>(count)]));
    }
  }
}

double RotaryRounder::table_entry(double exact, Stream stream, double position, Index i) const {
  // A NaN comes of an infinite angle; which sign it has is open, and systems differ in it.
  if (std::isnan(exact)) return std::numeric_limits<double>::quiet_NaN();
  const bool exactly = rounding_.unrounded_table == UnroundedTable::float64;
  if (exactly && !rounding_.rounds(RotaryStep::table)) return exact;
  return step(exact, RotaryStep::table, stream, entry(position, i));
}

double RotaryRounder::cosine(double angle, double position, Index i) const {
  return table_entry(std::cos(angle), Stream::cosine, position, i);
}

double RotaryRounder::sine(double angle, double position, Index i) const {
  return table_entry(std::sin(angle), Stream::sine, position, i);
}

void RotaryRounder::fill(RotaryTableD& table, Index first, Index n, int threads,
                         const Cancel& cancel) const {
  position::require_at_least("rotary table", "a number of positions", 0, n);
  position::require_at_least("rotary table", "a first position", 0, first);
  table.cos.resize(n, pairs());
  table.sin.resize(n, pairs());
  for_rows(n, threads, cancel, [&](Index p) {
    const auto position = static_cast<double>(first + p);
    const double rounded_id = id(position);
    for (Index i = 0; i < pairs(); ++i) {
      const double rounded_angle = angle_of_id(rounded_id, position, i);
      table.cos(p, i) = cosine(rounded_angle, position, i);
      table.sin(p, i) = sine(rounded_angle, position, i);
    }
  });
}

VectorD RotaryRounder::rotated(const VectorD& x, double position, RotaryPairing pairing) const {
  if (x.size() != 2 * pairs()) {
    refuse("turned", "a vector of " + std::to_string(2 * pairs()), std::to_string(x.size()));
  }
  RotaryTableD row{MatrixD(1, pairs()), MatrixD(1, pairs())};
  for (Index i = 0; i < pairs(); ++i) {
    row.cos(0, i) = cos(position, i);
    row.sin(0, i) = sin(position, i);
  }
  MatrixD before = x.transpose();
  const auto lower = [&](MatrixD& numbers, RotaryStep which, Stream stream) {
    if (!rounding_.rounds(which)) return;
    for (Index c = 0; c < numbers.cols(); ++c) {
      numbers(0, c) = step(numbers(0, c), which, stream, entry(position, c));
    }
  };
  lower(before, RotaryStep::vector, Stream::vector);
  MatrixD after = core::rotated(before, row, pairing);
  lower(after, RotaryStep::rotated, Stream::rotated);
  return after.row(0);
}

double RotaryRounder::score(const VectorD& q, const VectorD& k, double query_position,
                            double key_position, RotaryPairing pairing) const {
  return rotated(q, query_position, pairing).dot(rotated(k, key_position, pairing));
}

RotaryRoundingFacts rotary_rounding_facts(const RotaryRounder& rounder, Index n, int threads,
                                          const Cancel& cancel) {
  RotaryTableD table;
  rounder.fill(table, 0, n, threads, cancel);
  RotaryRoundingFacts facts;
  facts.n = n;
  std::vector<RowErrors> rows(static_cast<size_t>(n));
  for_rows(n, threads, cancel,
           [&](Index p) { rows[static_cast<size_t>(p)] = row_errors(rounder, table, p); });
  double sum = 0;
  for (const RowErrors& row : rows) {
    sum += row.sum;
    facts.max_error = std::max(facts.max_error, row.max);
    facts.max_angle_error = std::max(facts.max_angle_error, row.max_angle);
    facts.not_finite += row.not_finite;
  }
  const Index entries = 2 * table.cos.size() - facts.not_finite;
  facts.mean_error = entries > 0 ? sum / static_cast<double>(entries) : 0;
  const Patterns patterns = patterns_of(table);
  facts.distinct_pairs.resize(static_cast<size_t>(rounder.pairs()));
  // Index 0 is the rows, the others are the frequencies.
  parallel_for(rounder.pairs() + 1, threads, [&](Index task, int) {
    cancel.poll();
    if (task == 0) {
      facts.distinct_rows = count_distinct_rows(patterns);
    } else {
      facts.distinct_pairs[static_cast<size_t>(task - 1)] =
          count_distinct_pairs(patterns, task - 1);
    }
  });
  return facts;
}

}  // namespace core
