// One rectangular table in long form, for pandas and spreadsheets.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <optional>

#include "app/figure/picking.h"
#include "app/paper/numbers/number_formats.h"

namespace paper {
namespace {

using core::Index;
using figure::Plot;

// The columns in their order; those that nothing fills are left out.
enum Column {
  kFigure,
  kPlot,
  kMark,
  kSeries,
  kRow,
  kRowLabel,
  kColumn,
  kColumnLabel,
  kX,
  kY,
  kX2,
  kY2,
  kValue,
  kText,
  kXAxis,
  kYAxis,
  kColumns
};
constexpr std::array<const char*, kColumns> kNames = {
    "figure", "plot", "mark", "series", "row",   "row_label", "column", "column_label",
    "x",      "y",    "x2",   "y2",     "value", "text",      "x_axis", "y_axis"};
using Filled = std::bitset<kColumns>;

// A field of RFC 4180 on one line: the end of a line (a token may be one) is a sign of its own.
std::string csv_field(const std::string& text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\n') {
      out += "⏎";
      continue;
    }
    quoted = quoted || c == ',' || c == '"';
    out += c;
    if (c == '"') out += c;
  }
  return quoted ? '"' + out + '"' : out;
}

std::string cell_text(const figure::Table::Cell& cell) {
  std::string text;
  for (const figure::Span& span : cell) {
    if (!text.empty() && !span.text.empty()) text += " / ";
    for (const char c : span.text) text += c == '\n' ? std::string(" / ") : std::string(1, c);
  }
  return text;
}

class Record {
 public:
  void set(Column column, const std::string& text) { fields_[column] = csv_field(text); }
  // A place has no sign of zero; values keep theirs.
  void set(Column column, double value) { fields_[column] = exact(value + 0.0); }
  void set(Column column, float value) {
    fields_[column] = core::is_masked(value) ? std::string() : exact(value);
  }
  void set(Column column, Index value) { fields_[column] = std::to_string(value); }
  void label(Column column, const figure::Labels& labels, std::size_t k) {
    if (labels && k < labels->size()) set(column, (*labels)[k]);
  }
  const std::string& operator[](std::size_t column) const { return fields_[column]; }

 private:
  std::array<std::string, kColumns> fields_;
};

std::string line_of(const Record& record, const Filled& filled) {
  std::string line;
  bool first = true;
  for (std::size_t k = 0; k < kColumns; ++k) {
    if (!filled[k]) continue;
    if (!first) line += ',';
    first = false;
    line += record[k];
  }
  return line += "\r\n";
}

// Which columns a plot's marks fill.
class Needs {
 public:
  explicit Needs(const Plot& plot) : plot_(plot) {}
  Filled of() {
    filled_.set(kPlot).set(kMark);
    for (const figure::Mark& mark : plot_.marks) std::visit(*this, mark);
    return filled_;
  }
  void operator()(const figure::Heatmap& map) {
    if (!map.source) return;
    cells();
    filled_.set(kValue);
    if (!plot_.x.cells || !plot_.y.cells) places();
  }
  void operator()(const figure::Line&) { filled_.set(kSeries), places(); }
  void operator()(const figure::Band&) { filled_.set(kSeries).set(kY2), places(); }
  void operator()(const figure::Points&) { filled_.set(kSeries), places(); }
  void operator()(const figure::Bars&) {
    filled_.set(kSeries).set(kColumn).set(kValue);
    if (plot_.x.labels) filled_.set(kColumnLabel);
    axes();
  }
  void operator()(const figure::Links& links) {
    filled_.set(kRow).set(kColumn).set(kValue);
    if (links.left) filled_.set(kRowLabel);
    if (links.right) filled_.set(kColumnLabel);
  }
  void operator()(const figure::Arrows&) { filled_.set(kSeries), corners(); }
  void operator()(const figure::Handle&) { filled_.set(kText), places(); }
  void operator()(const figure::Interval&) { filled_.set(kText).set(kX2), places(); }
  void operator()(const figure::Boxes& boxes) {
    filled_.set(kText), corners();
    if (!boxes.value_name.empty()) filled_.set(kColumnLabel).set(kValue);
  }
  void operator()(const figure::Table& table) {
    filled_.set(kRow).set(kColumn).set(kColumnLabel).set(kText);
    if (!table.numbers.empty()) filled_.set(kRowLabel).set(kValue);
  }
  void operator()(const figure::Diagram& diagram) {
    filled_.set(kSeries).set(kText), corners();
    for (const auto& node : diagram.nodes) {
      if (node.picture) filled_.set(kRow).set(kColumn).set(kValue);
      if (!node.numbers.empty()) filled_.set(kColumnLabel).set(kValue);
    }
  }
  void operator()(const figure::Rule&) {}  // no data
  void operator()(const figure::Note&) {}

 private:
  void cells() {
    filled_.set(kRow).set(kColumn);
    if (plot_.y.labels) filled_.set(kRowLabel);
    if (plot_.x.labels) filled_.set(kColumnLabel);
  }
  void axes() {
    if (!plot_.x.label.empty()) filled_.set(kXAxis);
    if (!plot_.y.label.empty()) filled_.set(kYAxis);
  }
  void places() { filled_.set(kX).set(kY), axes(); }
  void corners() { filled_.set(kX).set(kY).set(kX2).set(kY2), axes(); }

  const Plot& plot_;
  Filled filled_;
};

Filled needs(const std::vector<figure::Figure>& figures) {
  Filled filled;
  if (figures.size() > 1) filled.set(kFigure);
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) filled |= Needs(plot).of();
  }
  return filled;
}

// The middle of a cell where its axis is in other units than cells.
double middle(const figure::Axis& axis, Index cell, Index count) {
  return axis.lo + (axis.hi - axis.lo) * (static_cast<double>(cell) + 0.5) /
                       static_cast<double>(std::max<Index>(count, 1));
}

// One for every kind of mark, so that a new one does not compile before it has its place here.
class TableWriter {
 public:
  TableWriter(NumbersSink& file, const Filled& filled) : file_(file), filled_(filled) {}

  void plot(const figure::Figure& figure, const Plot& plot) {
    plot_ = &plot;
    figure_ = &figure;
    lines_ = bands_ = points_ = bars_ = arrows_ = 0;
    for (const figure::Mark& mark : plot.marks) std::visit(*this, mark);
  }

  void operator()(const figure::Heatmap& map) {
    if (!map.source) return;
    const Index rows = map.source->rows(), cols = map.source->cols();
    const bool places = !plot_->x.cells || !plot_->y.cells;
    // An upright plane has its row 0 at the top, where y is largest.
    const auto y_row = [&](Index row) { return plot_->upright ? rows - 1 - row : row; };
    Record record = begin("heatmap", false);
    each_row(*map.source, file_, [&](Index row, std::span<const float> values) {
      record.set(kRow, row + figure::first_cell(plot_->y));
      record.label(kRowLabel, plot_->y.labels, static_cast<std::size_t>(row));
      if (places) record.set(kY, middle(plot_->y, y_row(row), rows));
      std::string text;
      for (Index col = 0; col < cols; ++col) {
        record.set(kColumn, col + figure::first_cell(plot_->x));
        record.label(kColumnLabel, plot_->x.labels, static_cast<std::size_t>(col));
        if (places) record.set(kX, middle(plot_->x, col, cols));
        record.set(kValue, values[static_cast<std::size_t>(col)]);
        text += line_of(record, filled_);
      }
      file_.write(text);
    });
  }
  void operator()(const figure::Line& line) {
    Record record = begin("line", true);
    series(record, line.label, ++lines_);
    xy(record, line.x, line.y);
  }
  void operator()(const figure::Points& points) {
    Record record = begin("points", true);
    record.set(kSeries, std::to_string(++points_));
    xy(record, points.x, points.y);
  }
  void operator()(const figure::Band& band) {
    Record record = begin("band", true);
    record.set(kSeries, std::to_string(++bands_));
    for (std::size_t k = 0; k < std::min({band.x.size(), band.lo.size(), band.hi.size()}); ++k) {
      record.set(kX, band.x[k]);
      record.set(kY, band.lo[k]);
      record.set(kY2, band.hi[k]);
      write(record);
    }
  }
  void operator()(const figure::Bars& bars) {
    Record record = begin("bars", true);
    record.set(kSeries, std::to_string(++bars_));
    for (std::size_t k = 0; k < bars.values.size(); ++k) {
      record.set(kColumn, static_cast<Index>(k) + figure::first_cell(plot_->x));
      record.label(kColumnLabel, plot_->x.labels, k);
      record.set(kValue, bars.values[k]);
      write(record);
    }
  }
  void operator()(const figure::Links& links) {
    Record record = begin("links", false);
    for (const figure::Links::Link& link : links.links) {
      record.set(kRow, static_cast<Index>(link.from));
      record.label(kRowLabel, links.left, static_cast<std::size_t>(link.from));
      record.set(kColumn, static_cast<Index>(link.to));
      record.label(kColumnLabel, links.right, static_cast<std::size_t>(link.to));
      record.set(kValue, link.weight);
      write(record);
    }
  }
  void operator()(const figure::Arrows& arrows) {
    Record record = begin("arrows", true);
    series(record, arrows.label, ++arrows_);
    for (const figure::Arrows::Arrow& a : arrows.arrows) corners(record, a.x0, a.y0, a.x1, a.y1);
  }
  void operator()(const figure::Handle& handle) {
    Record record = begin("point", true);
    record.set(kText, handle.label);
    record.set(kX, handle.x);
    record.set(kY, handle.y);
    write(record);
  }
  void operator()(const figure::Interval& interval) {
    Record record = begin("interval", true);
    record.set(kText, interval.label);
    record.set(kX, interval.from);
    record.set(kX2, interval.to);
    record.set(kY, interval.y);
    write(record);
  }
  void operator()(const figure::Boxes& boxes) {
    const Record common = begin("box", true);
    for (const figure::Boxes::Box& b : boxes.boxes) {
      Record record = common;
      record.set(kText, b.text);
      if (b.value) {
        record.set(kColumnLabel, boxes.value_name);
        record.set(kValue, *b.value);
      }
      corners(record, b.x0, b.y0, b.x1, b.y1);
    }
  }
  // A record a cell, and one a number that its cells tell otherwise.
  void operator()(const figure::Table& table) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      Record record = begin("table", false);
      record.set(kRow, static_cast<Index>(row));
      if (!table.numbers.empty() && !table.rows[row].empty()) {
        record.set(kRowLabel, cell_text(table.rows[row].front()));
      }
      Record number = record;
      for (std::size_t col = 0; col < table.rows[row].size(); ++col) {
        record.set(kColumn, static_cast<Index>(col));
        record.set(kColumnLabel, col < table.columns.size() ? table.columns[col].title : "");
        record.set(kText, cell_text(table.rows[row][col]));
        write(record);
      }
      for (const figure::Table::Quantity& one : table.numbers) {
        if (row >= one.values.size() || std::isnan(one.values[row])) continue;
        number.set(kColumnLabel, one.name);
        number.set(kValue, one.values[row]);
        write(number);
      }
    }
  }
  // The boxes, each followed by its numbers and the cells of its picture; all have the box's number
  // for a series.
  void operator()(const figure::Diagram& diagram) {
    for (std::size_t k = 0; k < diagram.nodes.size(); ++k) {
      const figure::Diagram::Node& n = diagram.nodes[k];
      Record box = begin("box", true);
      box.set(kSeries, std::to_string(k + 1));
      box.set(kText, n.note.empty() ? n.title : n.title + " / " + n.note);
      corners(box, n.x0, n.y0, n.x1, n.y1);
      for (const auto& [name, value] : n.numbers) {
        if (std::isnan(value)) continue;
        Record number = begin("number", false);
        number.set(kSeries, std::to_string(k + 1));
        number.set(kText, n.title);
        number.set(kColumnLabel, name);
        number.set(kValue, value);
        write(number);
      }
      if (!n.picture) continue;
      Record cell = begin("heatmap", false);
      cell.set(kSeries, std::to_string(k + 1));
      cell.set(kText, n.title);
      each_row(*n.picture, file_, [&](Index row, std::span<const float> values) {
        cell.set(kRow, row);
        for (std::size_t col = 0; col < values.size(); ++col) {
          cell.set(kColumn, static_cast<Index>(col));
          cell.set(kValue, values[col]);
          write(cell);
        }
      });
    }
  }
  void operator()(const figure::Rule&) {}  // no data
  void operator()(const figure::Note&) {}

 private:
  Record begin(const char* mark, bool axes) const {
    Record record;
    record.set(kFigure, figure_->id);
    record.set(kPlot, plot_->id);
    record.set(kMark, std::string(mark));
    if (axes) {
      record.set(kXAxis, plot_->x.label);
      record.set(kYAxis, plot_->y.label);
    }
    return record;
  }
  void series(Record& record, const std::string& label, int number) const {
    record.set(kSeries, label.empty() ? std::to_string(number) : label);
  }
  void xy(Record& record, const std::vector<double>& x, const std::vector<double>& y) {
    for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
      record.set(kX, x[k]);
      record.set(kY, y[k]);
      write(record);
    }
  }
  void corners(Record& record, double x0, double y0, double x1, double y1) {
    record.set(kX, x0);
    record.set(kY, y0);
    record.set(kX2, x1);
    record.set(kY2, y1);
    write(record);
  }
  void write(const Record& record) { file_.write(line_of(record, filled_)); }

  NumbersSink& file_;
  const Filled& filled_;
  const Plot* plot_ = nullptr;
  const figure::Figure* figure_ = nullptr;
  int lines_ = 0, bands_ = 0, points_ = 0, bars_ = 0, arrows_ = 0;
};

std::string header_line(const Filled& filled) {
  Record record;
  for (std::size_t k = 0; k < kColumns; ++k) {
    record.set(static_cast<Column>(k), std::string(kNames[k]));
  }
  return line_of(record, filled);
}

}  // namespace

void write_csv(const std::vector<figure::Figure>& figures, const CsvOptions& options,
               NumbersSink& file) {
  const Filled filled = needs(figures);
  if (options.bom) file.write("\xef\xbb\xbf");
  for (const std::string& comment : options.comments) {
    std::string line = comment;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    file.write("# " + line + "\r\n");
  }
  file.write(header_line(filled));
  TableWriter writer(file, filled);
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) writer.plot(figure, plot);
  }
}

double csv_bytes_beside_a_value(const std::vector<figure::Figure>& figures,
                                const figure::Figure& figure, const Plot& plot,
                                const figure::TileSource& source) {
  constexpr Index kSamples = 16;
  const Filled filled = needs(figures);
  const bool places = filled[kX] && (!plot.x.cells || !plot.y.cells);
  double bytes = 0, count = 0;
  const auto sample = [](Index k, Index size) { return k * (size - 1) / (kSamples - 1); };
  for (Index a = 0; a < kSamples && source.rows() > 0 && source.cols() > 0; ++a) {
    for (Index b = 0; b < kSamples; ++b) {
      const Index row = sample(a, source.rows()), col = sample(b, source.cols());
      Record record;
      record.set(kFigure, figure.id);
      record.set(kPlot, plot.id);
      record.set(kMark, std::string("heatmap"));
      record.set(kRow, row);
      record.set(kColumn, col);
      record.label(kRowLabel, plot.y.labels, static_cast<std::size_t>(row));
      record.label(kColumnLabel, plot.x.labels, static_cast<std::size_t>(col));
      if (places) record.set(kX, middle(plot.x, col, source.cols()));
      if (places) record.set(kY, middle(plot.y, row, source.rows()));
      bytes += static_cast<double>(line_of(record, filled).size());
      ++count;
    }
  }
  return count > 0 ? bytes / count : 0;
}

}  // namespace paper
