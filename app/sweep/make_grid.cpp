#include "app/paper/file/selection.h"
#include "app/param/reading.h"
#include "app/sweep/make.h"
#include "app/sweep/page_at.h"
#include "app/sweep/steady.h"
#include "app/words/sentence.h"

namespace sweep {
namespace {

using core::InputError;
using figure::Figure;
using figure::Plot;

// Two knobs, one along each side.
bool crossed(const Job& job, const Grid& grid) {
  return job.sweep.tracks.size() == 2 && grid.rows > 1 && grid.columns > 1;
}

double share(int k, int count) { return count > 1 ? static_cast<double>(k) / (count - 1) : 0; }

param::Values cell_values(const Job& job, const Grid& grid, int row, int column) {
  if (!crossed(job, grid)) {
    const int cells = grid.rows * grid.columns;
    return values_at(job.sweep, *job.lab, share(row * grid.columns + column, cells));
  }
  Sweep one = job.sweep;
  one.tracks = {job.sweep.tracks[0]};
  one.base = values_at(one, *job.lab, share(row, grid.rows));
  one.tracks = {job.sweep.tracks[1]};
  return values_at(one, *job.lab, share(column, grid.columns));
}

struct Cell {
  param::Values values;
  Figure figure;
};

// The only figure that is meant: the first of the page unless one is named.
Figure figure_of(const Job& job, const lab::Page& page) {
  std::vector<std::string> ids = shown_ids(job, page);
  ids.resize(1);
  return paper::select(page, ids).front();
}

// Plots of a cell under each other, under what its knobs are.
std::vector<Plot> plots_of(const Cell& cell, const std::string& label, std::size_t number) {
  std::vector<Plot> plots = cell.figure.plots;
  for (Plot& plot : plots) {
    plot.id = fmt::format("{}-{}", plot.id, number + 1);
    plot.selected = false;
    plot.note = plot.pointer_note = "";
    if (&plot == &plots.front()) {
      plot.title = plots.size() == 1 || plot.title.empty()
                       ? label
                       : fmt::format("{} · {}", label, plot.title);
    }
  }
  return plots;
}

Plot no_plot(std::size_t number, std::size_t k) {
  Plot plot;
  plot.id = fmt::format("none-{}-{}", number + 1, k + 1);
  plot.x.visible = plot.y.visible = false;
  return plot;
}

std::string caption_of(const Job& job, const Grid& grid, const words::Words& w) {
  const auto state = job.lab->make();
  param::List list = state->list();
  const auto label = [&](const Track& track) {
    const param::Parameter* p = list.find(track.id);
    return w(p->info.label);
  };
  std::string over;
  for (const Track& track : job.sweep.tracks) {
    over += (over.empty() ? "" : " · ") + label(track);
  }
  const std::string what = crossed(job, grid)
                               ? w.format(N_("From row to row: {}; from column to column: {}."),
                                          label(job.sweep.tracks[0]), label(job.sweep.tracks[1]))
                               : w.format(N_("From plot to plot: {}."), over);
  const std::string shared = w("Axes and colours are the same in all.");
  return w.format(N_("{} {}"), what, shared);
}

Figure put_together(const Job& job, const Grid& grid, const std::vector<Cell>& cells) {
  const words::Words w(job.options.language);
  Figure all = cells.front().figure;
  std::vector<std::vector<Plot>> plots;
  std::size_t high = 1;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    plots.push_back(plots_of(cells[k], caption(job.sweep, *job.lab, cells[k].values, w), k));
    high = std::max(high, plots.back().size());
  }
  const auto columns = static_cast<std::size_t>(grid.columns);
  const std::size_t before = all.plots.size();
  const std::size_t in_row = all.columns > 0 ? static_cast<std::size_t>(all.columns) : before;
  const std::size_t rows_before = (before + in_row - 1) / std::max<std::size_t>(1, in_row);
  all.plots.clear();
  for (std::size_t row = 0; row < static_cast<std::size_t>(grid.rows); ++row) {
    for (std::size_t k = 0; k < high; ++k) {
      for (std::size_t cell = row * columns; cell < (row + 1) * columns; ++cell) {
        all.plots.push_back(k < plots[cell].size() ? plots[cell][k] : no_plot(cell, k));
      }
    }
  }
  all.columns = grid.columns;
  all.span = 12;
  all.height *= static_cast<float>(static_cast<std::size_t>(grid.rows) * high) /
                static_cast<float>(std::max<std::size_t>(1, rows_before));
  all.footer.clear();
  all.note = all.pointer_note = all.pointer_caption = all.plays = "";
  all.caption = caption_of(job, grid, w);
  return all;
}

}  // namespace

Grid parse_grid(std::string_view text) {
  const std::size_t x = text.find('x');
  const auto rows = param::whole<int>(text.substr(0, x));
  const auto columns =
      x == std::string_view::npos ? std::nullopt : param::whole<int>(text.substr(x + 1));
  const bool fits = rows && columns && *rows >= 1 && *columns >= 1 && *rows <= kMostCells &&
                    *columns <= kMostCells && *rows * *columns >= 2 &&
                    *rows * *columns <= kMostCells;
  if (fits) return {*rows, *columns};
  words::refuse<InputError>(
      N_("--grid: expected ROWSxCOLUMNS with 2 to {} cells such as 1x5, got {}"), kMostCells,
      param::shown(text));
}

void make_grid(const Job& job, const Grid& grid, const MakePage& make, const core::Cancel& cancel,
               const Report& report) {
  check(job.sweep, *job.lab);
  Pages pages(job, make);
  Steady steady;
  std::vector<Cell> cells;
  lab::Page all;
  const int count = grid.rows * grid.columns;
  for (int k = 0; k < count; ++k) {
    cancel.poll();
    Cell cell{cell_values(job, grid, k / grid.columns, k % grid.columns), {}};
    const auto page = pages.at(cell.values);
    cell.figure = figure_of(job, *page);
    steady.add({cell.figure});
    if (k == 0) all.made_up = page->made_up;
    for (const std::string& note : page->notes) {
      if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) all.note(note);
    }
    cells.push_back(std::move(cell));
    cancel.progress(static_cast<float>(k + 1) / static_cast<float>(count + 1));
    if (report) report(k + 1, count);
  }
  // By their new ids no two plots are one: the axes are set before the figures are put together.
  for (Cell& cell : cells) {
    std::vector<Figure> one = {cell.figure};
    steady.apply(one);
    cell.figure = one.front();
  }
  all.figures = {put_together(job, grid, cells)};
  paper::PaperOptions options = options_at(job, cells.front().values);
  options.above.clear();
  options.session = session_at(job, cells.front().values);
  paper::export_page(all, {}, {}, options, job.out, cancel.without_progress());
}

}  // namespace sweep
