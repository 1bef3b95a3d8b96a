#include "app/figure/ghost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "app/figure/marks/first_mark.h"
#include "core/enum_array.h"
#include "core/parallel.h"
#include "core/text/printable.h"

namespace figure {
namespace {

constexpr core::EnumArray<CellsShown> kShown{{"split", "live", "held", "difference"}};

bool same_names(const Labels& a, const Labels& b) {
  if (a == b) return true;
  const bool empty_a = !a || a->empty(), empty_b = !b || b->empty();
  return empty_a || empty_b ? empty_a == empty_b : *a == *b;
}

// A name that cannot be read says nothing of an axis.
bool same_meaning(const Axis& a, const Axis& b) {
  const bool read = a.visible && b.visible;
  return a.cells == b.cells && a.scale == b.scale && (!read || a.label == b.label);
}

bool same_range(const Axis& a, const Axis& b) { return a.lo == b.lo && a.hi == b.hi; }

}  // namespace

CellsShown parse_cells_shown(std::string_view id) {
  for (std::size_t k = 0; k < kShown.size(); ++k) {
    if (kShown[k] == id) return static_cast<CellsShown>(k);
  }
  throw core::InputError(core::Message(N_("expected split, live, held or difference, got \"{}\""),
                                       core::printable(id)));
}

std::string_view cells_shown_id(CellsShown shown) { return kShown[shown]; }

const Plot* find_plot(const std::vector<Figure>& figures, const std::string& id) {
  for (const Figure& figure : figures) {
    for (const Plot& plot : figure.plots) {
      if (plot.id == id) return &plot;
    }
  }
  return nullptr;
}

const Heatmap* heatmap_in(const Plot& plot) { return first_mark<Heatmap>(plot); }

Apart apart(const Plot& live, const Plot& held) {
  const Heatmap *a = heatmap_in(live), *b = heatmap_in(held);
  if (!same_meaning(live.x, held.x) || !same_meaning(live.y, held.y)) return Apart::axes;
  if ((a && a->source) != (b && b->source)) return Apart::axes;
  if (a && a->source) {
    const TileSource &now = *a->source, &then = *b->source;
    if (now.rows() != then.rows() || now.cols() != then.cols()) return Apart::size;
    if (!same_range(live.x, held.x) || !same_range(live.y, held.y)) return Apart::axes;
    if (a->scale.map != b->scale.map) return Apart::axes;
  }
  if (!same_names(live.x.labels, held.x.labels)) return Apart::names;
  if (!same_names(live.y.labels, held.y.labels)) return Apart::names;
  const Links *from = first_mark<Links>(live), *to = first_mark<Links>(held);
  if (from && to && !(same_names(from->left, to->left) && same_names(from->right, to->right))) {
    return Apart::names;
  }
  return Apart::none;
}

bool can_differ(const Heatmap& live, const Heatmap& held) {
  if (!live.source || !held.source || live.scale.map == MapName::groups) return false;
  const Index rows = live.source->rows(), cols = live.source->cols();
  if (rows != held.source->rows() || cols != held.source->cols()) return false;
  return rows > 0 && cols > 0 && rows <= kMostCompared / cols;
}

namespace {

bool can_have_corners(const Heatmap& live, const Heatmap& held) {
  constexpr Index kMostSide = 10;
  if (!live.source || !held.source) return false;
  const Index rows = live.source->rows(), cols = live.source->cols();
  return rows == held.source->rows() && cols == held.source->cols() && rows <= kMostSide &&
         cols <= kMostSide;
}

}  // namespace

bool changed_color(const ValueColors& colors, const Heatmap& live, const Heatmap& held, Index row,
                   Index col) {
  const float now = live.source->value(row, col), then = held.source->value(row, col);
  // One that is hidden now would look as if it still had a value.
  if (core::is_masked(then) || core::is_masked(now)) return false;
  return colors.bin(now) != colors.bin(then);
}

bool has_corners(const Plot& live, const Plot& held) {
  const Heatmap *now = heatmap_in(live), *then = heatmap_in(held);
  if (!now || !then || live.thumbnail || !can_have_corners(*now, *then)) return false;
  const ValueColors colors(now->scale, theme(ThemeName::light));
  const Index cols = now->source->cols(), count = now->source->rows() * cols;
  try {
    for (Index k = 0; k < count; ++k) {
      if (changed_color(colors, *now, *then, k / cols, k % cols)) return true;
    }
  } catch (const core::InputError&) {  // a file that cannot be read any more
  }
  return false;
}

namespace {

// The bits of a number's size, which are in the order of sizes; -1 of what is none.
std::int32_t size_bits(float value) {
  const auto bits = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
  return bits > 0x7f800000 ? -1 : bits;
}

struct SubtractedRow {
  std::int32_t largest = -1;  // its size_bits
  Index apart = 0;
};

// Takes `then` from `now`, in place. One pass with nothing to be foretold: tables are large.
SubtractedRow subtract(float* now, const float* then, Index cols) {
  SubtractedRow row;
  for (Index k = 0; k < cols; ++k) {
    const bool hidden = core::is_masked(now[k]), was = core::is_masked(then[k]);
    row.apart += hidden != was ? 1 : 0;
    now[k] = hidden || was ? core::kMasked : now[k] - then[k];
    row.largest = std::max(row.largest, size_bits(now[k]));
  }
  return row;
}

}  // namespace

Difference difference(const TileSource& live, const TileSource& held, const core::Cancel& cancel,
                      int threads) {
  constexpr Index kRows = 64, kWorthThreads = Index{1} << 15;
  const Index rows = live.rows(), cols = live.cols();
  core::Matrix cells(rows, cols);
  std::vector<SubtractedRow> found(static_cast<std::size_t>(rows));
  const Index parts = (rows + kRows - 1) / kRows;
  const bool large = rows >= kWorthThreads / std::max<Index>(1, cols);
  core::parallel_for(parts, large ? core::thread_count(threads) : 1, [&](Index part, int) {
    if (cancel.requested()) return;
    const Region region{part * kRows, 0, std::min(kRows, rows - part * kRows), cols};
    core::Matrix then(region.rows, cols);
    float* const now = cells.data() + region.row * cols;
    live.pooled(0, region, Pool::mean, now, cancel);
    held.pooled(0, region, Pool::mean, then.data(), cancel);
    for (Index k = 0; k < region.rows; ++k) {
      found[static_cast<std::size_t>(region.row + k)] =
          subtract(now + k * cols, then.data() + k * cols, cols);
    }
  });
  cancel.poll();
  Difference result;
  std::int32_t largest = -1;
  for (Index row = 0; row < rows; ++row) {
    const SubtractedRow& one = found[static_cast<std::size_t>(row)];
    result.apart += one.apart;
    if (one.largest > largest) largest = one.largest, result.row = row;
  }
  if (result.row >= 0) {
    const float* const at = cells.data() + result.row * cols;
    result.col = std::find_if(at, at + cols, [&](float v) { return size_bits(v) == largest; }) - at;
    result.largest = at[result.col];
  }
  result.source = std::make_shared<const DenseSource>(std::move(cells));
  return result;
}

ColorScale difference_scale(const Difference& difference) {
  const float size = std::abs(difference.largest);
  ColorScale scale{.map = MapName::diverging};
  scale.hi = std::isfinite(size) ? size : 1;
  scale.lo = -scale.hi;
  return scale;
}

}  // namespace figure
