#include "app/page/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "app/page/number_formats.h"
#include "app/page/selection.h"
#include "app/words/sentence.h"

namespace page {
namespace {

using core::Index;

template <class Number>
std::string exact_text(Number value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

void refuse_large(const std::vector<figure::Figure>& figures, const std::string& ending) {
  for (const figure::Figure& figure : figures) {
    for (const figure::Plot& plot : figure.plots) {
      for (const figure::Mark& mark : plot.marks) {
        const auto* map = std::get_if<figure::Heatmap>(&mark);
        if (!map || !map->source) continue;
        const Index rows = map->source->rows(), cols = map->source->cols();
        if (static_cast<double>(rows) * static_cast<double>(cols) <=
            static_cast<double>(kMostTextCells)) {
          continue;
        }
        words::refuse<core::InputError>(
            N_("\"{}\" has {} x {} cells, more than the {} that are written to {}: export it as "
               ".npy"),
            plot.id, rows, cols, kMostTextCells, ending);
      }
    }
  }
}

}  // namespace

std::string exact(float value) { return exact_text(value); }
std::string exact(double value) { return exact_text(value); }

NumbersFile::NumbersFile(const std::filesystem::path& target,
                         const std::vector<figure::Figure>& figures, core::Cancel cancel)
    : AtomicFile(target), cancel_(std::move(cancel)) {
  for (const figure::Figure& figure : figures) {
    for (const figure::Plot& plot : figure.plots) {
      for (const figure::Mark& mark : plot.marks) {
        const auto* map = std::get_if<figure::Heatmap>(&mark);
        if (!map || !map->source) continue;
        all_ += static_cast<double>(map->source->rows()) * static_cast<double>(map->source->cols());
      }
    }
  }
}

void NumbersFile::wrote_cells(Index count) {
  cancel_.poll();
  done_ += static_cast<double>(count);
  if (all_ > 0) cancel_.progress(static_cast<float>(done_ / all_));
}

void each_row(const figure::TileSource& source, NumbersSink& file,
              const std::function<void(Index, std::span<const float>)>& visit) {
  constexpr Index kBlock = Index{1} << 20;
  const Index rows = source.rows(), cols = source.cols();
  if (rows <= 0 || cols <= 0) return;
  const Index block = std::clamp<Index>(kBlock / cols, 1, rows);
  std::vector<float> values(static_cast<std::size_t>(block * cols));
  for (Index row = 0; row < rows; row += block) {
    const core::Region region{row, 0, std::min(block, rows - row), cols};
    source.pooled(0, region, core::Pool::max, values.data(), file.cancel());
    for (Index k = 0; k < region.rows; ++k) {
      visit(row + k, {values.data() + k * cols, static_cast<std::size_t>(cols)});
    }
    file.wrote_cells(region.rows * cols);
  }
}

void export_numbers(const lab::Page& page, const std::vector<std::string>& figure_ids,
                    const std::string& session, const std::filesystem::path& out,
                    const core::Cancel& cancel) {
  std::string ending = out.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".json" && ending != ".csv" && ending != ".npy") {
    words::refuse<core::InputError>(N_("{}: expected a name that ends in .json, .csv or .npy"),
                                    out.string());
  }
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  if (ending == ".npy") {
    check_npy(figures);
  } else {
    refuse_large(figures, ending);
  }
  NumbersFile file(out, figures, cancel);
  if (ending == ".json") write_json(figures, page.readouts, session, file);
  if (ending == ".csv") write_csv(figures, file);
  if (ending == ".npy") write_npy(figures, file);
  file.commit();
}

}  // namespace page
