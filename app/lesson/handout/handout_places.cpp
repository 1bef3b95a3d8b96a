// Places of a plot in words, and what is cited.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figure/layout.h"
#include "app/lesson/handout/handout_parts.h"
#include "app/lesson/text/answer.h"

namespace lesson {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Whether names are places along the axis, and not words that happen to be digits.
bool are_places(const std::vector<std::string>& names) {
  core::Index before = -1;
  for (const std::string& name : names) {
    if (!is_number(name) || name.size() > 9 || std::stol(name) <= before) return false;
    before = std::stol(name);
  }
  return true;
}

// A cell of an axis as the reader finds it there: by its name; with its number where questions name
// that, or where others have the same name.
std::string axis_name(const figure::Axis& axis, core::Index index, bool numbered,
                      const words::Words& w) {
  const std::string number = fmt::format("{}", index);
  const auto k = static_cast<std::size_t>(index);
  if (!axis.labels || k >= axis.labels->size()) return number;
  const std::string& name = (*axis.labels)[k];
  if (name.empty()) return number;
  if (are_places(*axis.labels)) return name;
  const bool alone = !numbered && std::count(axis.labels->begin(), axis.labels->end(), name) == 1;
  const std::string quoted = w.format(N_("“{}”"), name);
  return alone ? quoted : w.format(N_("{} ({})"), quoted, number);
}

// Cells beside each other in a row are named by the first and the last.
std::string cells_text(const figure::Plot& plot, const std::vector<Element>& cells,
                       const words::Words& w) {
  const auto [row0, col0] = first_index(plot, Kind::cell);
  std::vector<std::string> all;
  for (std::size_t k = 0; k < cells.size();) {
    std::size_t end = k + 1;
    while (end < cells.size() && cells[end].row == cells[k].row &&
           cells[end].col == cells[end - 1].col + 1) {
      ++end;
    }
    const std::string row = axis_name(plot.y, cells[k].row + row0, true, w);
    const std::string first = axis_name(plot.x, cells[k].col + col0, true, w);
    const std::string last = axis_name(plot.x, cells[end - 1].col + col0, true, w);
    all.push_back(end == k + 1 ? w.format(N_("row {}, column {}"), row, first)
                               : w.format(N_("row {}, columns {} to {}"), row, first, last));
    k = end;
  }
  std::string text;
  for (const std::string& one : all) {
    text = text.empty() ? one : w.format(N_("{}; {}"), text, one);
  }
  return text;
}

std::vector<figure::Boxes::Box> all_boxes(const figure::Plot& plot) {
  std::vector<figure::Boxes::Box> all;
  for (const figure::Mark& mark : plot.marks) {
    const auto* found = std::get_if<figure::Boxes>(&mark);
    if (found) all.insert(all.end(), found->boxes.begin(), found->boxes.end());
  }
  return all;
}

// By its text where no other box has that; else by its place among those beside it.
std::string box_text(const figure::Plot& plot, core::Index index, const words::Words& w) {
  const std::vector<figure::Boxes::Box> boxes = all_boxes(plot);
  const auto& box = boxes.at(static_cast<std::size_t>(index));
  const auto count = [&](auto&& is) { return std::count_if(boxes.begin(), boxes.end(), is); };
  if (!box.text.empty() && count([&](const auto& one) { return one.text == box.text; }) == 1) {
    return w.format(N_("“{}”"), box.text);
  }
  const auto before = count(
      [&](const auto& one) { return one.y0 == box.y0 && one.y1 == box.y1 && one.x0 < box.x0; });
  return w.format(N_("box {} from the left"), before + 1);
}

std::string point_text(const figure::Plot& plot, core::Index index, const words::Words& w) {
  const auto k = static_cast<std::size_t>(index);
  for (const figure::Mark& mark : plot.marks) {
    const auto* points = std::get_if<figure::Points>(&mark);
    if (!points || k >= points->x.size()) continue;
    if (plot.x.cells)
      return axis_name(plot.x, static_cast<core::Index>(std::floor(points->x[k])), false, w);
    const std::string at = figure::number_text(points->x[k]);
    return fmt::format("{} = {}", plot.x.label.empty() ? "x" : plot.x.label, at);
  }
  return w.format(N_("number {}"), index);
}

std::string words_for(const figure::Plot& plot, Kind kind, const Element& one,
                      const words::Words& w) {
  if (kind == Kind::box) return box_text(plot, one.row, w);
  if (kind == Kind::point) return point_text(plot, one.row, w);
  const std::string name = axis_name(plot.x, one.row + first_index(plot, kind)[0], false, w);
  return is_number(name) ? w.format(N_("number {}"), name) : name;
}

}  // namespace

std::string places_text(const Question& question, const Sight& sight, const words::Words& w) {
  return asked_about(question) ? places_text(question, right_elements(question, sight), sight, w)
                               : std::string();
}

std::string places_text(const Question& question, const std::vector<Element>& places,
                        const Sight& sight, const words::Words& w) {
  const auto about = asked_about(question);
  const figure::Plot* plot = about ? find_plot(*sight.page, about->id) : nullptr;
  if (!plot || about->kind == Kind::line) return {};
  if (about->kind == Kind::cell) return cells_text(*plot, places, w);
  std::vector<std::string> all;
  for (const Element& one : places) all.push_back(words_for(*plot, about->kind, one, w));
  return w.list(all);
}

std::vector<std::string> cited(const std::vector<const lab::Source*>& sources,
                               const words::Words& w) {
  struct Work {
    std::string_view citation, url;
    std::vector<std::string> places;
  };
  std::vector<Work> works;
  for (const lab::Source* source : sources) {
    const lab::Source& one = *source;
    const auto same = [&](const Work& work) {
      return one.url.empty() ? work.citation == one.citation : work.url == one.url;
    };
    auto work = std::find_if(works.begin(), works.end(), same);
    if (work == works.end()) {
      works.push_back({one.citation, one.url, {}});
      work = works.end() - 1;
    }
    const std::string place = one.where.empty() ? "" : w(one.where);
    auto& places = work->places;
    const bool there = std::find(places.begin(), places.end(), place) != places.end();
    if (!place.empty() && !there) places.push_back(place);
  }
  std::vector<std::string> all;
  for (const Work& work : works) {
    std::string text(work.citation), places;
    for (const std::string& place : work.places) {
      places = places.empty() ? place : w.format(N_("{}; {}"), places, place);
    }
    if (!places.empty()) text = fmt::format("{}, {}", text, places);
    if (!work.url.empty()) text += fmt::format(" · {}", work.url);
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace lesson
