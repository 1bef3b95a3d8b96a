#include "app/paper/numbers/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <system_error>

#include "app/labs/shared/derivation/number_text.h"
#include "app/paper/file/selection.h"
#include "app/paper/numbers/arrays.h"
#include "app/paper/numbers/number_formats.h"
#include "app/words/sentence.h"
#include "core/text/lower_case.h"

namespace paper {
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

// Visits every plot's heatmap that has cells.
void each_map(const std::vector<figure::Figure>& figures,
              const std::function<void(const figure::Plot&, const figure::TileSource&)>& visit) {
  for (const figure::Figure& figure : figures) {
    for (const figure::Plot& plot : figure.plots) {
      for (const figure::Mark& mark : plot.marks) {
        const auto* map = std::get_if<figure::Heatmap>(&mark);
        if (map && map->source) visit(plot, *map->source);
        const auto* diagram = std::get_if<figure::Diagram>(&mark);
        if (!diagram) continue;
        for (const auto& node : diagram->nodes) {
          if (node.picture) visit(plot, *node.picture);
        }
      }
    }
  }
}

double cells_of(const figure::TileSource& source) {
  return static_cast<double>(source.rows()) * static_cast<double>(source.cols());
}

// What a cell takes as text, with what parts it from the next: the mean of some, row by row.
double text_bytes_a_cell(const figure::TileSource& source, bool json) {
  constexpr Index kRows = 8, kCols = 256;
  const Index rows = std::min(kRows, source.rows()), cols = std::min(kCols, source.cols());
  if (rows <= 0 || cols <= 0) return 0;
  std::vector<float> values(static_cast<std::size_t>(cols));
  std::size_t bytes = 0;
  for (Index k = 0; k < rows; ++k) {
    const Index row = rows > 1 ? k * (source.rows() - 1) / (rows - 1) : 0;
    const Index col = rows > 1 ? k * (source.cols() - cols) / (rows - 1) : 0;
    source.pooled(0, {row, col, 1, cols}, core::Pool::max, values.data(), {});
    for (const float v : values) {
      const std::size_t masked = json ? 4 : 0;  // null, or nothing
      bytes += 1 + (core::is_masked(v) ? masked : exact(v).size());
    }
  }
  return static_cast<double>(bytes) / static_cast<double>(rows * cols);
}

double bytes_of(const std::vector<figure::Figure>& figures, const std::string& ending) {
  double bytes = 0;
  for (const figure::Figure& figure : figures) {
    each_map({figure}, [&](const figure::Plot& plot, const figure::TileSource& source) {
      double each = 0;
      if (ending == ".npy" || ending == ".npz") each = sizeof(float);
      if (ending == ".json") each = text_bytes_a_cell(source, true);
      if (ending == ".csv") {
        each = text_bytes_a_cell(source, false) - 1 +
               csv_bytes_beside_a_value(figures, figure, plot, source);
      }
      bytes += cells_of(source) * each;
    });
  }
  return bytes;
}

// The way out that is said must be one: no .npy where that is too large as well.
void refuse_large_text(const std::vector<figure::Figure>& figures, const std::string& ending) {
  each_map(figures, [&](const figure::Plot& plot, const figure::TileSource& source) {
    const double cells = cells_of(source), as_array = cells * sizeof(float);
    if (cells <= static_cast<double>(kMostTextCells)) return;
    if (as_array <= kMostArrayBytes) {
      words::refuse<core::InputError>(N_("\"{}\" has {} x {} cells, more than the limit of {} for "
                                         "{}: export it as .npy, which takes {}"),
                                      plot.id, source.rows(), source.cols(), kMostTextCells, ending,
                                      lab::bytes_text(as_array));
    }
    words::refuse<core::InputError>(N_("\"{}\" has {} x {} cells, more than the limit of {} for "
                                       "{}: make it smaller, or export a picture (.png, .pdf)"),
                                    plot.id, source.rows(), source.cols(), kMostTextCells, ending);
  });
}

void refuse_large_array(const std::vector<figure::Figure>& figures, const std::string& ending) {
  ending == ".npy" ? check_npy(figures) : check_npz(figures);
  const double bytes = bytes_of(figures, ending);
  const double most = ending == ".npy" ? kMostArrayBytes : kMostArchiveBytes;
  if (bytes <= most) return;
  words::refuse<core::InputError>(N_("as {} this takes {}, more than the limit of {}: make it "
                                     "smaller, or export a picture (.png, .pdf)"),
                                  ending, lab::bytes_text(bytes), lab::bytes_text(most));
}

void refuse_large(const std::vector<figure::Figure>& figures, const std::string& ending) {
  const bool array = ending == ".npy" || ending == ".npz";
  array ? refuse_large_array(figures, ending) : refuse_large_text(figures, ending);
}

// What the table does not hold, in lines of comments.
std::vector<std::string> comments_of(const std::vector<figure::Figure>& figures,
                                     const NumbersOptions& options) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) lines.push_back(text);
  };
  add(options.title);
  for (const figure::Figure& figure : figures) {
    add(figure.id + ": " + figure.title);
    add(figure.caption);
  }
  add(options.parameters);
  return lines;
}

void write_numbers(const lab::Page& page, const std::vector<figure::Figure>& figures,
                   const std::string& session, const std::string& ending,
                   const NumbersOptions& options, NumbersSink& out) {
  if (ending == ".json") {
    write_json(figures, page.readouts, page.notes, page.cards, session, out);
  }
  if (ending == ".csv") {
    CsvOptions csv{.bom = options.bom};
    if (options.comments) csv.comments = comments_of(figures, options);
    write_csv(figures, csv, out);
  }
  if (ending == ".npy") write_npy(figures, out);
  if (ending == ".npz") write_npz(figures, out);
}

}  // namespace

std::string ending_of(const std::filesystem::path& out) {
  return core::ascii_lower(out.extension().string());
}

std::string exact(float value) { return exact_text(value); }
std::string exact(double value) { return exact_text(value); }

void check_room(const std::filesystem::path& out, double bytes) {
  std::error_code error;
  const std::filesystem::path folder = out.has_parent_path() ? out.parent_path() : ".";
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  // Where nobody knows how much room there is, writing will tell; of a folder that is not there,
  // Windows tells the drive's.
  if (error || !std::filesystem::is_directory(folder, error) ||
      static_cast<double>(space.available) >= bytes)
    return;
  words::refuse<sys::IoError>(N_("cannot write {}: it needs {}, and the disk has {} free"),
                              sys::shown_path(out), lab::bytes_text(bytes),
                              lab::bytes_text(static_cast<double>(space.available)));
}

double estimated_bytes(const lab::Page& page, const std::vector<std::string>& figure_ids,
                       const std::filesystem::path& out) {
  return bytes_of(select(page, figure_ids), ending_of(out));
}

NumbersFile::NumbersFile(const std::filesystem::path& target,
                         const std::vector<figure::Figure>& figures, core::Cancel cancel)
    : sys::AtomicFile(target), cancel_(std::move(cancel)) {
  each_map(figures, [&](const figure::Plot&, const figure::TileSource& source) {
    all_ += cells_of(source);
  });
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
                    const core::Cancel& cancel, const NumbersOptions& options) {
  const std::string ending = ending_of(out);
  if (ending != ".json" && ending != ".csv" && ending != ".npy" && ending != ".npz") {
    words::refuse<core::InputError>(
        N_("{}: expected a name that ends in .json, .csv, .npy or .npz"), sys::shown_path(out));
  }
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  refuse_large(figures, ending);
  check_room(out, bytes_of(figures, ending));
  NumbersFile file(out, figures, cancel);
  write_numbers(page, figures, session, ending, options, file);
  file.commit();
}

std::string numbers_bytes(const lab::Page& page, const std::vector<std::string>& figure_ids,
                          const std::string& session, const std::string& ending,
                          const core::Cancel& cancel, const NumbersOptions& options) {
  const std::vector<figure::Figure> figures = select(page, figure_ids);
  refuse_large(figures, ending);
  const double bytes = bytes_of(figures, ending), most = kMostTextCells * sizeof(float);
  if ((ending == ".npy" || ending == ".npz") && bytes > most) {
    words::refuse<core::InputError>(
        N_("as {} this takes {}, more than the limit of {} for what is not a file: write a file"),
        ending, lab::bytes_text(bytes), lab::bytes_text(most));
  }
  NumbersText text(cancel);
  write_numbers(page, figures, session, ending, options, text);
  return std::move(text.text());
}

}  // namespace paper
