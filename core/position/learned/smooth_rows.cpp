#include "core/position/learned/smooth_rows.h"

#include <algorithm>
#include <cmath>

#include "core/position/checks.h"
#include "core/random.h"

namespace core {
namespace {

// Random streams: for the row where a table starts, the rows after it and the rows before it.
enum class Stream : std::uint64_t { start, after, before };

Random stream(const SmoothRows& how, Stream which) {
  return Random(stream_seed(how.seed, 8 * how.table + static_cast<std::uint64_t>(which)));
}

MatrixD walk(Index count, Index d, const SmoothRows& how, Stream side) {
  position::require_at_least("smooth_rows", "numbers of rows and columns", 0, std::min(count, d));
  if (!(how.smooth >= 0)) {
    refuse("smooth_rows", "a smoothness of at least 0", position::number_text(how.smooth));
  }
  const double rho = how.smooth > 0 ? std::exp(-1 / how.smooth) : 0;
  const double fresh = std::sqrt(1 - rho * rho);
  MatrixD rows(count, d);
  Random first = stream(how, Stream::start), next = stream(how, side);
  for (Index c = 0; c < d && count > 0; ++c) rows(0, c) = first.gaussian();
  for (Index r = 1; r < count; ++r) {
    for (Index c = 0; c < d; ++c) rows(r, c) = rho * rows(r - 1, c) + fresh * next.gaussian();
  }
  return rows;
}

}  // namespace

MatrixD smooth_rows(Index count, Index d, const SmoothRows& how) {
  return how.deviation * walk(count, d, how, Stream::after);
}

MatrixD smooth_sides(Index before, Index after, Index d, const SmoothRows& how) {
  position::require_at_least("smooth_sides", "numbers of rows on both sides", 0,
                             std::min(before, after));
  MatrixD rows(before + 1 + after, d);
  rows.topRows(before + 1) = walk(before + 1, d, how, Stream::before).colwise().reverse();
  rows.bottomRows(after + 1) = walk(after + 1, d, how, Stream::after);
  return how.deviation * rows;
}

}  // namespace core
