#include "app/labs/position_ids/model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/labs/position_ids/sources.h"
#include "core/parallel.h"

namespace lab::position_ids {
namespace {

using core::RoundedIds;

// Four lengths an octave, every power of two among them.
std::vector<Index> curve_lengths() {
  std::vector<Index> lengths;
  for (int k = 16; k <= 80; ++k) {
    lengths.push_back(static_cast<Index>(std::llround(std::exp2(k / 4.0))));
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

RoundedIds rounded_ids(const core::Format& format, const Parameters& p) {
  return RoundedIds(format, p.rule(), p.rounding.random_seed());
}

Curves make_curves(const Parameters& p, const Context& context) {
  Curves curves{curve_lengths(), formats_of(p.format)};
  core::parallel_for(static_cast<Index>(curves.formats.size()), context.threads, [&](Index k, int) {
    FormatCurve& curve = curves.formats[static_cast<std::size_t>(k)];
    curve.facts = rounded_ids(curve.format, p).facts(curves.lengths, context.cancel);
  });
  return curves;
}

Window make_window(const RoundedIds& rounded, const Parameters& p, const core::Cancel& cancel) {
  Window window{p.start, {}};
  window.values.reserve(static_cast<std::size_t>(p.shown()));
  for (Index id = p.start; id < p.end(); ++id) {
    if (id % 65536 == 0) cancel.poll();
    window.values.push_back(rounded(id));
  }
  return window;
}

// Rows of the context's picture: a power of two, so that binades begin at the left.
Index wrapped_columns(Index n) {
  Index columns = 16;
  while (columns * columns < 4 * n) columns *= 2;
  return columns;
}

// The matrices of the window's ids: distances as seen, and what is wrong with them.
struct Matrices {
  std::shared_ptr<const figure::TileSource> seen, error;
  double largest_seen = 0, largest_error = 0;
};

double spread(const std::vector<double>& x) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const double v : x) {
    if (!std::isfinite(v)) continue;
    least = std::min(least, v);
    most = std::max(most, v);
  }
  return most >= least ? most - least : 0;
}

Matrices make_matrices(const Window& window, bool causal) {
  auto values = std::make_shared<std::vector<double>>(window.values);
  auto errors = std::make_shared<std::vector<double>>(window.values);
  for (std::size_t k = 0; k < errors->size(); ++k) {
    (*errors)[k] -= static_cast<double>(window.start + static_cast<Index>(k));
  }
  return {difference_source(values, causal), difference_source(errors, causal), spread(*values),
          spread(*errors)};
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  const core::Format format = format_of(p.format);
  const RoundedIds rounded = rounded_ids(format, p);
  const auto number = std::tuple{p.format, p.rounding, p.overflow};
  const core::Cancel& cancel = context.cancel;
  Model model{rounded, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  model.curves = context.memo.get("curves", number, [&] { return make_curves(p, context); });
  const auto counted = std::tuple{number, p.length};
  model.facts = context.memo.get("facts", counted, [&] { return rounded.facts(p.length, cancel); });
  model.distances =
      context.memo.get("distances", counted, [&] { return rounded.distances(p.length, cancel); });
  const auto places = std::tuple{number, p.start, p.end()};
  model.window =
      context.memo.get("window", places, [&] { return make_window(rounded, p, cancel); });
  model.sharers = *context.memo.get("sharers", std::tuple{counted, p.id},
                                    [&] { return rounded.sharers(p.id, p.length); });
  model.strips = *context.memo.get("strips", places, [&] {
    std::vector<RoundedIds> rows;
    for (const FormatCurve& curve : formats_of(p.format)) {
      rows.push_back(rounded_ids(curve.format, p));
    }
    return strips_source(std::move(rows), p.start, p.shown());
  });
  model.context = *context.memo.get("context", counted, [&] {
    return wrapped_source(rounded, p.length, wrapped_columns(p.length));
  });
  const auto matrices = context.memo.get("matrices", std::tuple{places, p.causal},
                                         [&] { return make_matrices(*model.window, p.causal); });
  model.seen = matrices->seen;
  model.error = matrices->error;
  model.largest_seen = matrices->largest_seen;
  model.largest_error = matrices->largest_error;
  return model;
}

}  // namespace lab::position_ids
