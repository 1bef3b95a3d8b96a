#include "app/labs/position_ids/model.h"
#include "app/labs/shared/drawing/long_table.h"
#include "app/labs/shared/drawing/stairs.h"
#include "app/labs/shared/parts.h"
#include "core/parallel.h"

namespace lab::position_ids {
namespace {

using core::Pool, core::Region, core::RoundedIds;

// Four lengths an octave, every power of two among them.
std::vector<Index> curve_lengths() {
  std::vector<Index> lengths;
  for (int k = 16; k <= 80; ++k) {
    lengths.push_back(to_index(std::llround(std::exp2(k / 4.0))));
  }
  return lengths;
}

std::vector<FormatCurve> formats_of(const NumberFormat& chosen) {
  std::vector<FormatCurve> formats;
  for (const ListedFormat& listed : listed_formats()) {
    formats.push_back(
        {std::string(listed.name), listed.format, listed.choice == chosen.choice, {}});
  }
  if (chosen.choice == FormatChoice::custom) {
    formats.push_back({format_name(chosen), format_of(chosen), true, {}});
  }
  return formats;
}

// How ids become numbers of a format.
struct Numbers {
  NumberFormat format;
  NumberRounding rounding;
  core::Overflow overflow;
  bool operator==(const Numbers&) const = default;

  RoundedIds in(const core::Format& other) const {
    return RoundedIds(other, {rounding.rounding, overflow}, rounding.random_seed());
  }
  RoundedIds ids() const { return in(format_of(format)); }
};

Curves make_curves(const Numbers& numbers, const Run& run) {
  Curves curves{curve_lengths(), formats_of(numbers.format)};
  core::parallel_for(to_index(curves.formats.size()), run.threads, [&](Index k, int) {
    FormatCurve& curve = curves.formats[to_size(k)];
    curve.facts = numbers.in(curve.format).facts(curves.lengths, run.cancel);
  });
  return curves;
}

Window make_window(const Numbers& numbers, Index start, Index end, const Run& run) {
  const RoundedIds rounded = numbers.ids();
  Window window{start, {}};
  window.values.reserve(to_size(end - start));
  for (Index id = start; id < end; ++id) {
    if (id % 65536 == 0) run.cancel.poll();
    window.values.push_back(rounded(id));
  }
  return window;
}

using Picture = std::shared_ptr<const TileSource>;

Picture make_strips(const Numbers& numbers, Index start, Index end, const Run&) {
  std::vector<RoundedIds> rows;
  for (const FormatCurve& curve : formats_of(numbers.format)) {
    rows.push_back(numbers.in(curve.format));
  }
  return strips_source(std::move(rows), start, end - start);
}

// Its columns are a power of two, so that binades begin at the left.
Picture make_context(const Numbers& numbers, Index n, const Run&) {
  Index columns = 16;
  while (columns * columns < 4 * n) columns *= 2;
  return wrapped_source(numbers.ids(), n, columns);
}

double spread(const std::vector<double>& x) {
  Extent extent;
  extent.add(x);
  return extent.empty() ? 0 : extent.hi - extent.lo;
}

Matrices make_matrices(const std::shared_ptr<const Window>& window, bool causal, const Run&) {
  const auto values = std::make_shared<const std::vector<double>>(window->values);
  auto errors = std::make_shared<std::vector<double>>(window->values);
  for (std::size_t k = 0; k < errors->size(); ++k) {
    (*errors)[k] -= to_double(window->start) + to_double(k);
  }
  return {difference_source(values, causal), difference_source(errors, causal), spread(*values),
          spread(*errors)};
}

// --- pictures of ids that are computed where they are looked at

constexpr double kRoundingCost = 30;  // multiply-adds that rounding an id takes about as long as

// What a run of numbers has to say about all differences with another run.
struct Stretch {
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
  double count = 0;
  bool infinite = false, nan = false;

  void add(double x) {
    nan |= std::isnan(x);
    infinite |= std::isinf(x);
    least = std::min(least, x);
    most = std::max(most, x);
    sum += x;
    ++count;
  }
};

double larger(double a, double b) { return std::abs(b) > std::abs(a) ? b : a; }

// All differences, columns minus rows, of two runs. Ids are never negative, so that infinities have
// one sign and their differences are NaN.
float whole(const Stretch& row, const Stretch& col, Pool pool) {
  if (row.nan || col.nan || (row.infinite && col.infinite)) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  if (pool == Pool::max) {
    return to_float(larger(col.least - row.most, col.most - row.least));
  }
  return to_float(col.sum / col.count - row.sum / row.count);
}

struct Differences {
  std::shared_ptr<const std::vector<double>> x;
  bool causal = false;

  Index size() const { return to_index(x->size()); }
  double at(Index k) const { return (*x)[to_size(k)]; }
  float value(Index row, Index col) const {
    return causal && col > row ? core::kMasked : to_float(at(col) - at(row));
  }

  std::vector<Stretch> runs(int level, Index first, Index count) const {
    std::vector<Stretch> result(to_size(count));
    for (Index b = 0; b < count; ++b) {
      const core::CellSpan span = core::cell_span(first + b, level, size());
      for (Index k = span.begin; k < span.end; ++k) result[to_size(b)].add(at(k));
    }
    return result;
  }

  // A block on the diagonal: its cells j <= i.
  float triangle(int level, Index block, Pool pool) const {
    const core::CellSpan span = core::cell_span(block, level, size());
    Stretch before;
    double largest = 0, sum = 0, cells = 0;
    for (Index i = span.begin; i < span.end; ++i) {
      const double x_i = at(i);
      before.add(x_i);
      if (!std::isfinite(x_i)) return std::numeric_limits<float>::quiet_NaN();  // minus itself
      largest = larger(larger(largest, before.least - x_i), before.most - x_i);
      sum += before.sum - before.count * x_i;
      cells += before.count;
    }
    return to_float(pool == Pool::max ? largest : sum / cells);
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const {
    const std::vector<Stretch> rows = runs(level, region.row, region.rows);
    const std::vector<Stretch> cols = runs(level, region.col, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        const Index row = region.row + r, col = region.col + c;
        if (causal && col >= row) {
          *out++ = col > row ? core::kMasked : triangle(level, row, pool);
        } else {
          *out++ = whole(rows[to_size(r)], cols[to_size(c)], pool);
        }
      }
    }
  }
};

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  const Numbers numbers{p.format, p.rounding, p.overflow};
  const Index n = p.length, start = p.start, end = p.end();
  Model model{.rounded = numbers.ids()};
  model.curves = context.stage("curves", make_curves, numbers);
  model.facts = context.stage(
      "facts",
      [](const Numbers& of, Index count, const Run& run) {
        return of.ids().facts(count, run.cancel);
      },
      numbers, n);
  model.distances = context.stage(
      "distances",
      [](const Numbers& of, Index count, const Run& run) {
        return of.ids().distances(count, run.cancel);
      },
      numbers, n);
  model.sharers = *context.stage(
      "sharers",
      [](const Numbers& of, Index count, int id, const Run&) {
        return of.ids().sharers(id, count);
      },
      numbers, n, p.id);
  model.window = context.stage("window", make_window, numbers, start, end);
  model.strips = *context.stage("strips", make_strips, numbers, start, end);
  model.context = *context.stage("context", make_context, numbers, n);
  model.matrices = context.stage("matrices", make_matrices, model.window, p.causal);
  return model;
}

float group_color(const core::RoundedIds& rounded, Index id) {
  const double value = rounded(id);
  if (!std::isfinite(value)) return core::kMasked;
  return to_float(rounded.rank(value) % kStepColors);
}

std::shared_ptr<const TileSource> strips_source(std::vector<core::RoundedIds> rows, Index start,
                                                Index count) {
  auto table = std::make_shared<LongTable>();
  table->rows = to_index(rows.size());
  table->cols = count;
  table->value = [rows = std::move(rows), start](Index row, Index col) {
    return group_color(rows[to_size(row)], start + col);
  };
  table->pooled = [value = table->value](int row_level, int col_level, const Region& region,
                                         Pool /*pool*/, const core::Cancel& cancel) {
    Matrix cells(region.rows, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        cells(r, c) = value((region.row + r) << row_level, (region.col + c) << col_level);
      }
    }
    return cells;
  };
  table->cost = [](int, int) { return kRoundingCost; };
  return std::make_shared<const LongTableSource>(std::move(table));
}

std::shared_ptr<const TileSource> wrapped_source(const core::RoundedIds& rounded, Index n,
                                                 Index columns) {
  return cell_source({.rows = (n + columns - 1) / columns,
                      .cols = columns,
                      .value =
                          [rounded, n, columns](Index row, Index col) {
                            const Index id = row * columns + col;
                            return id < n ? group_color(rounded, id) : core::kMasked;
                          },
                      .cost =
                          [](int, const Region& region) {
                            return kRoundingCost * to_double(region.rows * region.cols);
                          }});
}

std::shared_ptr<const TileSource> difference_source(std::shared_ptr<const std::vector<double>> x,
                                                    bool causal) {
  const Differences all{std::move(x), causal};
  Cells cells{all.size(), all.size()};
  cells.value = [all](Index row, Index col) { return all.value(row, col); };
  cells.pooled = [all](int level, const Region& region, Pool pool, float* out,
                       const core::Cancel& cancel) {
    all.pooled(level, region, pool, out, cancel);
  };
  cells.cost = [](int level, const Region& region) {
    return std::ldexp(2 * to_double(region.rows + region.cols), level) +
           4 * to_double(region.rows * region.cols);
  };
  return cell_source(std::move(cells));
}

}  // namespace lab::position_ids
