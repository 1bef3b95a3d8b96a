// Every field of everything a page is made of, so that what walks over a page leaves none out.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/figure/figure.h"
#include "app/labs/lab.h"

namespace contract {

// The fields of one value, and their names as "lo, hi, unit".
template <class... T>
struct Fields {
  std::string_view names;
  std::tuple<const T&...> values;
};

// A structured binding must name each member: a struct with one more does not compile here. For the
// type itself only, since a role converts to a colour.
#define CONTRACT_FIELDS(Type, ...)                 \
  template <std::same_as<Type> T>                  \
  auto fields(const T& it) {                       \
    const auto& [__VA_ARGS__] = it;                \
    return make_fields(#__VA_ARGS__, __VA_ARGS__); \
  }

template <class... T>
Fields<T...> make_fields(std::string_view names, const T&... values) {
  return {names, {values...}};
}

CONTRACT_FIELDS(figure::Color, role, head, alpha)
CONTRACT_FIELDS(figure::ColorScale, map, transform, lo, hi, linear_below)
CONTRACT_FIELDS(figure::Span, text, color, style)
CONTRACT_FIELDS(figure::Axis, label, lo, hi, scale, cells, labels, link, color, visible, origin,
                unit, marked, named, end, ticks)
CONTRACT_FIELDS(figure::Heatmap::Meaning, value, name)
CONTRACT_FIELDS(figure::Heatmap, source, scale, pool, row_param, col_param, also, paint_param,
                brush, pinned, color_bar, bar_label, legend, masked)
CONTRACT_FIELDS(figure::Line, x, y, color, width, dashed, label, steps)
CONTRACT_FIELDS(figure::Band, x, lo, hi, color)
CONTRACT_FIELDS(figure::Loss, tip, said)
CONTRACT_FIELDS(figure::Bars, values, color, numbers, picks, marked, losses)
CONTRACT_FIELDS(figure::Points, x, y, color, radius, picks, points_param)
CONTRACT_FIELDS(figure::Rule, vertical, at, color, dashed, label)
CONTRACT_FIELDS(figure::Note, x, y, text, color, style, align, x0, x1)
CONTRACT_FIELDS(figure::Arrows::Arrow, x0, y0, x1, y1)
CONTRACT_FIELDS(figure::Arrows, arrows, color, width, label)
CONTRACT_FIELDS(figure::Handle, x, y, x_param, y_param, also, color, radius, label, points_param,
                point, text_param, before, after)
CONTRACT_FIELDS(figure::Interval, from, to, y, from_param, to_param, color, width, label, tooltip)
CONTRACT_FIELDS(figure::Boxes::Box, x0, y0, x1, y1, text, fill, marked, pick, tooltip, value)
CONTRACT_FIELDS(figure::Boxes, boxes, style, value_name)
CONTRACT_FIELDS(figure::Diagram::Place, x, y)
CONTRACT_FIELDS(figure::Diagram::Node, x0, y0, x1, y1, title, note, fill, edge, round, marked, bold,
                frame, picture, scale, share, picked, pick, picture_pick, tooltip, pointer_note,
                numbers)
CONTRACT_FIELDS(figure::Diagram::Wire, path, color, width, dashed, arrow, label)
CONTRACT_FIELDS(figure::Diagram, nodes, wires)
CONTRACT_FIELDS(figure::Table::Column, title, share, align, tooltip)
CONTRACT_FIELDS(figure::Table::Quantity, name, values)
CONTRACT_FIELDS(figure::Table, columns, rows, picks, marked, numbers)
CONTRACT_FIELDS(figure::Links::Link, from, to, weight, color)
CONTRACT_FIELDS(figure::Links, left, right, links, marked_left, marked_right, left_param,
                right_param)
CONTRACT_FIELDS(figure::Plot, id, title, note, x, y, marks, square, upright, thumbnail, selected,
                lead, lead_color, click, x_param, y_param, points_param, pointer_note)
CONTRACT_FIELDS(figure::Figure, id, title, note, caption, plots, columns, span, height, footer,
                plays, pointer_note, pointer_caption)
CONTRACT_FIELDS(lab::Readout, id, label, value, text, help)
CONTRACT_FIELDS(lab::Explanation::Line, left, right)
CONTRACT_FIELDS(lab::Explanation, title, lines)
CONTRACT_FIELDS(lab::Card::Place, preset, figure)
CONTRACT_FIELDS(lab::Card, id, said, truth, source, settled, verdict)
CONTRACT_FIELDS(param::Named, id, label)
CONTRACT_FIELDS(param::Range, min, max)
CONTRACT_FIELDS(param::Found, of, names, range, in)
CONTRACT_FIELDS(lab::Offer, label, help, sets)
CONTRACT_FIELDS(lab::JumpFile, knob, ending, bytes)
CONTRACT_FIELDS(lab::Jump, lab, label, help, sets, files, figure)
CONTRACT_FIELDS(lab::Page, figures, readouts, formula, explanation, cards, notes, status, made_up,
                offer, jumps, model, found, fault, empty_texts)

#undef CONTRACT_FIELDS

template <class T>
concept HasFields = requires(const T& value) {
  fields(value);
};

// Calls visit(name, value) for each field.
template <HasFields T, class Visit>
void each_field(const T& value, Visit&& visit) {
  auto all = fields(value);
  const auto next = [&all] {
    const std::size_t end = all.names.find(", ");
    const std::string_view name = all.names.substr(0, end);
    all.names.remove_prefix(end == std::string_view::npos ? name.size() : end + 2);
    return name;
  };
  std::apply([&](const auto&... field) { (visit(next(), field), ...); }, all.values);
}

}  // namespace contract
