// The numbers of a figure in blocks, as they are copied: a heatmap with its names around it.
#include <algorithm>

#include "app/figure/picking.h"
#include "app/paper/numbers/number_formats.h"

namespace paper {
namespace {

using figure::Plot;

constexpr const char* kEnd = "\r\n";

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

// The name of a cell: its label, or its index where there is none.
std::string name_of(const figure::Labels& labels, std::size_t k, core::Index first = 0) {
  if (labels && k < labels->size()) return field((*labels)[k]);
  return std::to_string(static_cast<core::Index>(k) + first);
}
std::string name_of(const figure::Axis& axis, std::size_t k) {
  return name_of(axis.labels, k, figure::first_cell(axis));
}

struct BlockColumn {
  std::string name;
  const std::vector<double>* values;
};

class BlockWriter {
 public:
  BlockWriter(NumbersSink& file, bool headed) : file_(file), headed_(headed) {}

  void plot(const Plot& plot) {
    lines(plot);
    for (const figure::Mark& mark : plot.marks) {
      std::visit([&](const auto& each) { block(plot, each); }, mark);
    }
    handles(plot);
  }

 private:
  void begin(const Plot& plot) {
    if (!headed_) return;
    if (blocks_++ > 0) file_.write(kEnd);
    file_.write("# " + plot.id + kEnd);
  }

  // One for every kind of mark, so that a new one does not compile before it has its place here.
  void block(const Plot&, const figure::Line&) {}    // all of a plot's together, before the others
  void block(const Plot&, const figure::Handle&) {}  // together behind them
  void block(const Plot&, const figure::Rule&) {}    // no data
  void block(const Plot&, const figure::Note&) {}

  void block(const Plot& plot, const figure::Band& band) {
    table(plot, {{"x", &band.x}, {"lo", &band.lo}, {"hi", &band.hi}});
  }
  void block(const Plot& plot, const figure::Points& points) {
    table(plot, {{"x", &points.x}, {"y", &points.y}});
  }

  void block(const Plot& plot, const figure::Heatmap& map) {
    if (!map.source) return;
    begin(plot);
    std::string line;
    for (core::Index col = 0; col < map.source->cols(); ++col) {
      line += ',' + name_of(plot.x, static_cast<std::size_t>(col));
    }
    file_.write(line + kEnd);
    each_row(*map.source, file_, [&](core::Index row, std::span<const float> values) {
      line = name_of(plot.y, static_cast<std::size_t>(row));
      for (const float v : values) {
        line += ',';
        if (!core::is_masked(v)) line += exact(v);
      }
      file_.write(line += kEnd);
    });
  }

  void lines(const Plot& plot) {
    std::vector<const figure::Line*> all;
    for (const figure::Mark& mark : plot.marks) {
      if (const auto* line = std::get_if<figure::Line>(&mark)) all.push_back(line);
    }
    if (all.empty()) return;
    const bool shared = std::all_of(all.begin(), all.end(),
                                    [&](const figure::Line* l) { return l->x == all[0]->x; });
    std::vector<BlockColumn> columns;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string number = all.size() > 1 ? std::to_string(k + 1) : "";
      const std::string y = all[k]->label.empty() ? "y" + number : all[k]->label;
      if (k == 0 || !shared) columns.push_back({shared ? "x" : "x of " + y, &all[k]->x});
      columns.push_back({y, &all[k]->y});
    }
    table(plot, columns);
  }

  // Columns of different lengths are filled up with empty fields.
  void table(const Plot& plot, const std::vector<BlockColumn>& columns) {
    begin(plot);
    std::string line;
    std::size_t rows = 0;
    for (const BlockColumn& column : columns) {
      if (&column != columns.data()) line += ',';
      line += field(column.name);
      rows = std::max(rows, column.values->size());
    }
    file_.write(line + kEnd);
    for (std::size_t row = 0; row < rows; ++row) {
      line.clear();
      for (const BlockColumn& column : columns) {
        if (&column != columns.data()) line += ',';
        if (row < column.values->size()) line += exact((*column.values)[row]);
      }
      file_.write(line + kEnd);
    }
  }

  void block(const Plot& plot, const figure::Bars& bars) {
    begin(plot);
    file_.write(std::string("label,value") + kEnd);
    for (std::size_t k = 0; k < bars.values.size(); ++k) {
      file_.write(name_of(plot.x, k) + ',' + exact(bars.values[k]) + kEnd);
    }
  }

  void block(const Plot& plot, const figure::Links& links) {
    begin(plot);
    file_.write(std::string("from,to,weight") + kEnd);
    for (const figure::Links::Link& link : links.links) {
      file_.write(name_of(links.left, static_cast<std::size_t>(link.from)) + ',' +
                  name_of(links.right, static_cast<std::size_t>(link.to)) + ',' +
                  exact(link.weight) + kEnd);
    }
  }

  void block(const Plot& plot, const figure::Arrows& arrows) {
    begin(plot);
    file_.write(std::string("x0,y0,x1,y1") + kEnd);
    for (const figure::Arrows::Arrow& a : arrows.arrows) {
      file_.write(exact(a.x0) + ',' + exact(a.y0) + ',' + exact(a.x1) + ',' + exact(a.y1) + kEnd);
    }
  }

  void block(const Plot& plot, const figure::Interval& interval) {
    begin(plot);
    file_.write(std::string("label,from,to,y") + kEnd);
    file_.write(field(interval.label) + ',' + exact(interval.from) + ',' + exact(interval.to) +
                ',' + exact(interval.y) + kEnd);
  }

  void block(const Plot& plot, const figure::Boxes& boxes) {
    begin(plot);
    file_.write(std::string("text,x0,y0,x1,y1") + kEnd);
    for (const figure::Boxes::Box& b : boxes.boxes) {
      file_.write(field(b.text) + ',' + exact(b.x0) + ',' + exact(b.y0) + ',' + exact(b.x1) + ',' +
                  exact(b.y1) + kEnd);
    }
  }

  // The boxes, and under each with a picture its cells.
  void block(const Plot& plot, const figure::Diagram& diagram) {
    begin(plot);
    std::string head = "title,note,x0,y0,x1,y1";
    for (const figure::Diagram::Node& n : diagram.nodes) {
      if (n.numbers.empty()) continue;
      for (const auto& [name, value] : n.numbers) head += ',' + field(name);
      break;
    }
    file_.write(head + kEnd);
    for (const figure::Diagram::Node& n : diagram.nodes) {
      file_.write(field(n.title) + ',' + field(n.note) + ',' + exact(n.x0) + ',' + exact(n.y0) +
                  ',' + exact(n.x1) + ',' + exact(n.y1));
      for (const auto& [name, value] : n.numbers)
        file_.write(std::isnan(value) ? std::string(",") : ',' + exact(value));
      file_.write(kEnd);
      if (!n.picture) continue;
      each_row(*n.picture, file_, [&](core::Index row, std::span<const float> values) {
        std::string line = std::to_string(row);
        for (const float v : values) {
          line += ',';
          if (!core::is_masked(v)) line += exact(v);
        }
        file_.write(line += kEnd);
      });
    }
  }

  void handles(const Plot& plot) {
    bool begun = false;
    for (const figure::Mark& mark : plot.marks) {
      const auto* handle = std::get_if<figure::Handle>(&mark);
      if (!handle) continue;
      if (!begun) {
        begin(plot);
        file_.write(std::string("label,x,y") + kEnd);
        begun = true;
      }
      file_.write(field(handle->label) + ',' + exact(handle->x) + ',' + exact(handle->y) + kEnd);
    }
  }

  // The lines of a cell stand beside each other: cells of several lines are hard to paste.
  void block(const Plot& plot, const figure::Table& table) {
    begin(plot);
    std::string line;
    for (const figure::Table::Column& column : table.columns) {
      if (&column != table.columns.data()) line += ',';
      line += field(column.title);
    }
    for (const figure::Table::Quantity& one : table.numbers) line += ',' + field(one.name);
    file_.write(line + kEnd);
    for (const auto& row : table.rows) {
      line.clear();
      for (std::size_t k = 0; k < std::max(row.size(), table.columns.size()); ++k) {
        if (k > 0) line += ',';
        std::string text;
        for (std::size_t i = 0; k < row.size() && i < row[k].size(); ++i) {
          text += (i > 0 ? " / " : "") + row[k][i].text;
        }
        line += field(text);
      }
      const auto at = static_cast<std::size_t>(&row - table.rows.data());
      for (const figure::Table::Quantity& one : table.numbers) {
        const bool there = at < one.values.size() && !std::isnan(one.values[at]);
        line += ',' + (there ? exact(one.values[at]) : std::string());
      }
      file_.write(line + kEnd);
    }
  }

  NumbersSink& file_;
  bool headed_;
  int blocks_ = 0;
};

// How many blocks a plot makes: one for its lines, one for its handles, and others one each.
class Blocks {
 public:
  int of(const Plot& plot) {
    for (const figure::Mark& mark : plot.marks) std::visit(*this, mark);
    return others_ + lines_ + handles_;
  }
  void operator()(const figure::Line&) { lines_ = true; }
  void operator()(const figure::Handle&) { handles_ = true; }
  void operator()(const figure::Rule&) {}
  void operator()(const figure::Note&) {}
  void operator()(const figure::Heatmap&) { ++others_; }
  void operator()(const figure::Bars&) { ++others_; }
  void operator()(const figure::Band&) { ++others_; }
  void operator()(const figure::Points&) { ++others_; }
  void operator()(const figure::Links&) { ++others_; }
  void operator()(const figure::Arrows&) { ++others_; }
  void operator()(const figure::Table&) { ++others_; }
  void operator()(const figure::Boxes&) { ++others_; }
  void operator()(const figure::Interval&) { ++others_; }
  void operator()(const figure::Diagram&) { ++others_; }

 private:
  bool lines_ = false, handles_ = false;
  int others_ = 0;
};

}  // namespace

void write_blocks(const std::vector<figure::Figure>& figures, NumbersSink& file) {
  int blocks = 0;
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) blocks += Blocks().of(plot);
  }
  BlockWriter writer(file, blocks > 1);
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) writer.plot(plot);
  }
}

}  // namespace paper
