#include "app/labs/position_ids/model.h"

#include "app/labs/shared/parts.h"
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
  core::parallel_for(static_cast<Index>(curves.formats.size()), run.threads, [&](Index k, int) {
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

using Picture = std::shared_ptr<const figure::TileSource>;

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

}  // namespace lab::position_ids
