// A number for everything a page says, so that two pages can be compared.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "app/labs/labs.h"
#include "core/random.h"

namespace contract {

class PageHash {
 public:
  std::uint64_t of(const lab::Page& page) {
    for (const auto& figure : page.figures) add(figure);
    for (const auto& readout : page.readouts) {
      text(readout.id + readout.label + readout.text);
      number(readout.value);
    }
    text(page.formula + page.explanation.title + page.status);
    for (const auto& line : page.explanation.lines) {
      text(line.left);
      for (const auto& span : line.right) add(span);
    }
    for (const auto& note : page.notes) text(note);
    for (const auto& card : page.cards) text(card.said + card.truth + card.source);
    return hash_;
  }

 private:
  void word(std::uint64_t value) { hash_ = core::mix64(hash_ + value + 0x9e3779b97f4a7c15u); }
  void text(const std::string& value) { word(core::hash64(value)); }
  void number(double value) { word(std::bit_cast<std::uint64_t>(value)); }
  void numbers(const std::vector<double>& values) {
    word(values.size());
    for (const double value : values) number(value);
  }
  void labels(const figure::Labels& names) {
    word(names ? names->size() : ~std::uint64_t{0});
    if (!names) return;
    for (const std::string& name : *names) text(name);
  }
  void color(const figure::Color& c) {
    word(static_cast<std::uint64_t>(c.role));
    word(static_cast<std::uint64_t>(c.head + 1));
    number(static_cast<double>(c.alpha));
  }
  void picks(const figure::Assignments& all) {
    for (const auto& [id, value] : all) text(id + "=" + value);
  }
  void add(const figure::Span& span) {
    text(span.text);
    color(span.color);
  }
  void add(const figure::Axis& axis) {
    text(axis.label + axis.link);
    number(axis.lo);
    number(axis.hi);
    number(axis.origin);
    number(axis.unit);
    labels(axis.labels);
    word(static_cast<std::uint64_t>(axis.marked + 1));
  }
  void add(const figure::Figure& figure) {
    text(figure.id + figure.title + figure.note + figure.caption);
    number(static_cast<double>(figure.height));
    word(static_cast<std::uint64_t>(figure.columns * 100 + figure.span));
    for (const auto& span : figure.footer) add(span);
    for (const auto& plot : figure.plots) add(plot);
  }
  void add(const figure::Plot& plot) {
    text(plot.id + plot.title + plot.note + plot.lead);
    word(plot.selected);
    text(plot.x_param + " " + plot.y_param + " " + plot.points_param);
    picks(plot.click);
    add(plot.x);
    add(plot.y);
    for (const auto& mark : plot.marks) std::visit([this](const auto& m) { add(m); }, mark);
  }
  void add(const figure::Heatmap& map) {
    word(static_cast<std::uint64_t>(map.scale.map) * 100 +
         static_cast<std::uint64_t>(map.scale.transform) * 10 +
         static_cast<std::uint64_t>(map.pool));
    number(static_cast<double>(map.scale.lo));
    number(static_cast<double>(map.scale.hi));
    text(map.row_param + map.col_param + map.paint_param);
    word(static_cast<std::uint64_t>(map.paint_param.empty() ? 0 : map.brush));
    picks(map.also);
    word(map.pinned ? static_cast<std::uint64_t>(map.pinned->first * 65536 + map.pinned->second)
                    : ~std::uint64_t{0});
    // All values of a small source, a grid of a large one.
    const auto rows = map.source->rows(), cols = map.source->cols();
    word(static_cast<std::uint64_t>(rows * 65536 + cols));
    const auto row_step = std::max<core::Index>(1, rows / 64);
    const auto col_step = std::max<core::Index>(1, cols / 64);
    for (core::Index i = 0; i < rows; i += row_step) {
      for (core::Index j = 0; j < cols; j += col_step) {
        word(std::bit_cast<std::uint32_t>(map.source->value(i, j)));
      }
    }
  }
  void add(const figure::Line& line) {
    numbers(line.x);
    numbers(line.y);
    color(line.color);
    text(line.label);
  }
  void add(const figure::Band& band) {
    numbers(band.x);
    numbers(band.lo);
    numbers(band.hi);
  }
  void add(const figure::Bars& bars) {
    numbers(bars.values);
    word(static_cast<std::uint64_t>(bars.marked + 1));
    for (const auto& pick : bars.picks) picks(pick);
  }
  void add(const figure::Points& points) {
    numbers(points.x);
    numbers(points.y);
    text(points.points_param);
    for (const auto& pick : points.picks) picks(pick);
  }
  void add(const figure::Arrows& arrows) {
    for (const auto& a : arrows.arrows) numbers({a.x0, a.y0, a.x1, a.y1});
    color(arrows.color);
    text(arrows.label);
  }
  void add(const figure::Handle& handle) {
    numbers({handle.x, handle.y});
    text(handle.x_param + " " + handle.y_param + " " + handle.points_param + " " + handle.label);
    word(handle.point);
    picks(handle.also);
  }
  void add(const figure::Boxes& boxes) {
    for (const auto& box : boxes.boxes) {
      numbers({box.x0, box.y0, box.x1, box.y1});
      text(box.text + box.tooltip);
      color(box.fill);
      word(box.marked);
      picks(box.pick);
    }
  }
  void add(const figure::Table& table) {
    for (const auto& column : table.columns) text(column.title);
    for (const auto& row : table.rows) {
      for (const auto& cell : row) {
        for (const auto& span : cell) add(span);
      }
    }
    for (const auto& pick : table.picks) picks(pick);
    word(static_cast<std::uint64_t>(table.marked + 1));
  }
  void add(const figure::Rule& rule) {
    number(rule.at);
    text(rule.label);
  }
  void add(const figure::Note& note) {
    number(note.x);
    number(note.y);
    text(note.text);
  }
  void add(const figure::Links& links) {
    labels(links.left);
    labels(links.right);
    text(links.left_param + links.right_param);
    word(static_cast<std::uint64_t>(links.marked_left * 65536 + links.marked_right + 65537));
    for (const auto& link : links.links) {
      word(static_cast<std::uint64_t>(link.from * 65536 + link.to));
      number(static_cast<double>(link.weight));
      color(link.color);
    }
  }

  std::uint64_t hash_ = 0;
};

}  // namespace contract
