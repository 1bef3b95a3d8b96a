// Where the figures of a page stand, and how each is laid out.
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/figure/marks/first_mark.h"
#include "app/ui/page/page_view.h"

namespace ui {

figure::LayoutOptions PageView::options() const {
  figure::LayoutOptions options;
  options.theme = &gui_.theme();
  options.measure = &measure_;
  options.scale = gui_.scale();
  options.pixel_ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const words::Words& w = gui_.words();
  options.largest = w("max");
  options.mean = w("mean");
  options.colon = w.format(N_("{}: {}"), "", "");
  if (!presented_) options.corner = kMore + 6 - kInset;
  if (compared_.ghost.held) options.ghost = &compared_.ghost;
  return options;
}

void PageView::lay_out(const Rect& area) {
  const bool filled = !alone_.empty() || presented_;
  LayoutKey key{program_.pages.page(),
                area.w,
                gui_.scale(),
                &gui_.theme(),
                gui_.fonts().version(),
                ImGui::GetIO().DisplayFramebufferScale.x,
                program_.looks.captions,
                program_.sight.figures(),
                covers_.left_out,
                alone_,
                filled ? area.h : 0,
                held_key(),
                presented_};
  const bool anew = !(key == laid_.key);
  Stood before;
  if (anew) {
    before = stood(key);
    laid_.key = std::move(key);
    page_ = program_.pages.shared();
    laid_.spread.reset();
    choose_figures();
    laid_.placed.assign(laid_.shown.size(), {});
    stand_beside();
    arrange(area);
  }
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) lay_out(i, anew);
  if (anew) begin_motion(std::move(before));
}

// Nothing moves but by a change of knobs: not when the window is another, and not in a lab that was
// just opened. What changes faster than things move, a drag or a training, is shown at once.
PageView::Stood PageView::stood(const LayoutKey& next) const {
  LayoutKey same_page = next;
  same_page.page = laid_.key.page;
  same_page.held = laid_.key.held;
  const bool knobs_alone = program_.looks.moves && page_ && laid_.key.page &&
                           same_page == laid_.key &&
                           next.page->made_from.lab == page_->made_from.lab;
  Stood all;
  if (!knobs_alone || ImGui::GetTime() - laid_.changed < kMotion) return all;
  if (next.page->made_from == page_->made_from) return all;  // a training went on
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    all.emplace(figure_at(i).id, laid_.placed[i].drawing);
  }
  return all;
}

void PageView::begin_motion(Stood stood) {
  laid_.changed = ImGui::GetTime();
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    const auto found = stood.find(figure_at(i).id);
    if (found == stood.end()) continue;
    if (figure::moves(found->second, laid_.placed[i].drawing)) {
      laid_.placed[i].from = std::move(found->second);
    }
  }
}

bool PageView::moving() const {
  const auto moves = [](const Placed& placed) { return placed.from.has_value(); };
  return std::any_of(laid_.placed.begin(), laid_.placed.end(), moves);
}

// Slower towards the end.
const std::vector<figure::Primitive>& PageView::seen(const Placed& placed) {
  if (!placed.from) return placed.drawing.primitives;
  const double left = 1 - (ImGui::GetTime() - laid_.changed) / kMotion;
  const auto share = static_cast<float>(1 - left * left * left);
  laid_.midway = figure::between(*placed.from, placed.drawing, share);
  return laid_.midway;
}

// Those that were moved come first, in their order; a figure alone, if the page has it.
void PageView::choose_figures() {
  const auto& figures = page_->page.figures;
  laid_.shown.clear();
  if (presented_) {
    for (const std::string& id : presented_->figures) {
      for (std::size_t k = 0; k < figures.size(); ++k) {
        if (figures[k].id == id) laid_.shown.push_back(k);
      }
    }
    return;
  }
  for (std::size_t k = 0; k < figures.size() && !alone_.empty(); ++k) {
    if (figures[k].id == alone_) laid_.shown = {k};
  }
  if (!laid_.shown.empty()) return;
  alone_.clear();
  laid_.shown = session::shown_figures(page_->page, program_.sight.figures());
  // All the same a page is not empty.
  const auto left_out = [&](std::size_t k) { return covers_.left_out.contains(figures[k].id); };
  if (!std::all_of(laid_.shown.begin(), laid_.shown.end(), left_out)) {
    std::erase_if(laid_.shown, left_out);
  }
}

namespace {

constexpr float kLeast = 120;  // units: a figure that takes the place of the page
constexpr float kAbove = 12;   // the gap above it, where words stand under it

template <typename Mark>
bool begins_with(const figure::Figure& f) {
  return std::any_of(f.plots.begin(), f.plots.end(), [](const figure::Plot& plot) {
    return !plot.marks.empty() && std::holds_alternative<Mark>(plot.marks.front());
  });
}

bool has_table(const figure::Figure& f) { return begins_with<figure::Table>(f); }

bool has_diagram(const figure::Figure& f) { return begins_with<figure::Diagram>(f); }

}  // namespace

// A table has all of its rows, and words in boxes do not shrink with the boxes.
float PageView::least_height(const figure::Figure& f, float width) const {
  constexpr float kLeastOfDiagram = 0.6f;  // of its own height
  const float share = has_table(f) ? 1 : has_diagram(f) ? kLeastOfDiagram : 0;
  return share > 0 ? std::round(share * figure::natural_height(f, width, options())) : 0;
}

// Under each other: each has what it needs at least, and of the rest the more the higher it would
// be.
void PageView::stack(const Rect& area, float gap) {
  const std::size_t count = laid_.shown.size();
  laid_.boxes.assign(count, {0, 0, area.w, 0});
  if (captioned()) measure_under();
  std::vector<float> wanted;
  float rest = area.h - gap * static_cast<float>(count - 1), more = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const float own = figure::natural_height(figure_at(k), area.w, options());
    const float least =
        std::max(std::min(own, gui_.px(kLeast)), least_height(figure_at(k), area.w));
    laid_.boxes[k].h = least + (captioned() ? laid_.placed[k].under + 2 * gui_.px(kAbove) : 0);
    wanted.push_back(std::max(own - least, 0.0f));
    rest -= laid_.boxes[k].h;
    more += wanted.back();
  }
  float y = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (rest > 0) {
      const float share = more > 0 ? wanted[k] / more : 1 / static_cast<float>(count);
      laid_.boxes[k].h += std::floor(rest * share);
    }
    laid_.boxes[k].y = y;
    y += laid_.boxes[k].h + gap;
  }
}

// Beside each other as their spans say; two wide ones under each other where that is high enough.
void PageView::arrange_presented(const Rect& area) {
  constexpr int kWide = 14;           // columns of two figures together
  constexpr float kHighEnough = 420;  // units
  const float gap = gui_.px(12);
  int spans = 0;
  for (std::size_t k = 0; k < laid_.shown.size(); ++k) spans += std::max(figure_at(k).span, 1);
  const bool tall = area.h > area.w || (spans > kWide && area.h >= gui_.px(kHighEnough));
  if (laid_.shown.size() > 1 && tall) {
    stack(area, gap);
  } else {
    laid_.boxes.clear();
    const float gaps = gap * static_cast<float>(laid_.shown.empty() ? 0 : laid_.shown.size() - 1);
    float x = 0;
    for (std::size_t k = 0; k < laid_.shown.size(); ++k) {
      const figure::Figure& f = figure_at(k);
      const float share = static_cast<float>(std::max(f.span, 1)) / static_cast<float>(spans);
      Rect box{x, 0, (area.w - gaps) * share, area.h};
      box.h = std::max(box.h, least_height(f, box.w));
      x += box.w + gap;
      laid_.boxes.push_back(box);
    }
  }
  if (captioned()) make_room_in(laid_.boxes);
  if (laid_.shown.size() == 1 && !has_table(figure_at(0))) spread_pictures(laid_.boxes[0]);
}

// What stands under a figure that fills its place takes a part of it. A figure is not stretched
// beyond what its marks can use.
void PageView::make_room_in(std::vector<figure::Rect>& boxes) {
  constexpr float kMostStretch = 2.2f;  // of its own height
  const float above = gui_.px(kAbove);
  measure_under();
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    boxes[k].y += above;
    if (has_table(figure_at(k))) continue;
    const float own = figure::natural_height(figure_at(k), boxes[k].w, options());
    const float room = boxes[k].h - laid_.placed[k].under - 2 * above;
    boxes[k].h = std::max({std::min(room, std::round(own * kMostStretch)),
                           std::min(own, gui_.px(kLeast)), least_height(figure_at(k), boxes[k].w)});
  }
}

void PageView::arrange(const Rect& area) {
  if (presented_) return arrange_presented(area);
  std::vector<figure::Figure> shapes;
  for (const std::size_t k : laid_.shown) {
    const figure::Figure& f = page_->page.figures[k];
    figure::Figure shape{.columns = f.columns, .span = f.span, .height = f.height};
    for (const figure::Plot& plot : f.plots) {
      shape.plots.push_back({.square = plot.square, .thumbnail = plot.thumbnail});
    }
    shapes.push_back(std::move(shape));
  }
  const auto natural = [&](std::size_t k, float width) {
    return std::round(figure::natural_height(figure_at(k), width, options()));
  };
  laid_.boxes = figure::arrange(shapes, area.w, gui_.scale(), natural);
  measure_under();
  if (alone_.empty()) return make_room_under();
  const float room = std::max(area.h - laid_.placed[0].under - gui_.px(12), gui_.px(120));
  laid_.boxes[0].h = has_table(figure_at(0)) ? std::max(room, laid_.boxes[0].h) : room;
  spread_pictures(laid_.boxes[0]);
}

namespace {

int columns_of_small(int count, const figure::Rect& box) {
  int best = 1;
  float largest = 0;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float side =
        std::min(box.w / static_cast<float>(columns), box.h / static_cast<float>(rows));
    if (side > largest) largest = side, best = columns;
  }
  return best;
}

// Square maps of the same rows and columns, all in one row: in several, something may hang on what
// stands over what.
bool are_maps_of_one_row(const figure::Figure& f) {
  const auto map_in = [](const figure::Plot& plot) -> const figure::TileSource* {
    const auto* map = figure::first_mark<figure::Heatmap>(plot);
    return map ? map->source.get() : nullptr;
  };
  const figure::TileSource* first = map_in(f.plots.front());
  return first && f.columns >= static_cast<int>(f.plots.size()) &&
         std::all_of(f.plots.begin(), f.plots.end(), [&](const figure::Plot& plot) {
           const figure::TileSource* map = map_in(plot);
           return plot.square && map && map->rows() == first->rows() &&
                  map->cols() == first->cols();
         });
}

}  // namespace

// What stands beside them, names and titles, counts: so they are laid out, in ever fewer columns,
// until they do not grow any more. Of the same number of rows the fullest: four in two rows of two.
int PageView::columns_of_maps(const figure::Figure& f, const figure::Rect& box) const {
  figure::Figure tried = f;
  const auto side = [&](int columns) {
    tried.columns = columns;
    float least = std::numeric_limits<float>::infinity();
    for (const auto& frame : figure::layout(tried, box, {}, options()).frames) {
      least = std::min({least, frame.area.w, frame.area.h});
    }
    return least;
  };
  const auto count = static_cast<int>(f.plots.size());
  int best = count;
  float largest = side(best);
  const auto rows = [&](int columns) { return (count + columns - 1) / columns; };
  for (int columns = best - 1; columns > 0; --columns) {
    const float now = side(columns);
    if (now < largest || (now == largest && rows(columns) > rows(best))) break;
    largest = now, best = columns;
  }
  return best;
}

// As many columns of small pictures, or of maps, as make them largest in a box.
void PageView::spread_pictures(const figure::Rect& box) {
  const figure::Figure& f = figure_at(0);
  const auto count = static_cast<int>(f.plots.size());
  const bool small = std::all_of(f.plots.begin(), f.plots.end(),
                                 [](const figure::Plot& plot) { return plot.thumbnail; });
  if (count < 2 || !(small || are_maps_of_one_row(f))) return;
  auto spread = std::make_shared<figure::Figure>(f);
  spread->columns = small ? columns_of_small(count, box) : columns_of_maps(f, box);
  laid_.spread = std::move(spread);
}

// A figure whose plots show what they did stays as it is.
void PageView::lay_out(std::size_t index, bool anew) {
  const figure::Figure& f = figure_at(index);
  Placed& placed = laid_.placed[index];
  figure::Views views;
  for (const figure::Plot& plot : f.plots) {
    const auto found = program_.sight.views().find(plot.id);
    if (found != program_.sight.views().end()) views.insert(*found);
  }
  const bool divided = !placed.drawing.dividers.empty() && placed.split != compared_.ghost.at;
  if (!anew && !divided && views == placed.views) return;
  const Rect box{0, 0, std::round(laid_.boxes[index].w), std::round(laid_.boxes[index].h)};
  placed.drawing = figure::layout(f, box, views, options());
  placed.from.reset();
  placed.split = compared_.ghost.at;
  placed.views = std::move(views);
  ++laid_.count;
}

// Under a card stand the buttons of what it plays and its caption, in the width of what is drawn.
void PageView::measure_under() {
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    const figure::Figure& f = figure_at(i);
    const float room = laid_.boxes[i].w - 2 * gui_.px(kInset);
    if (const std::string caption = caption_of(f); program_.looks.captions && !caption.empty()) {
      laid_.placed[i].caption = gui_.paragraph_height(room, caption, TextStyle::label) + gui_.px(8);
    }
    laid_.placed[i].under = laid_.placed[i].caption + (f.plays.empty() ? 0 : gui_.px(kTransport));
  }
}

// The cards keep their height; what is below moves down by what is highest under each row.
void PageView::make_room_under() {
  float down = 0, highest = 0;
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    if (i > 0 && laid_.boxes[i].y + down != laid_.boxes[i - 1].y)
      down += std::exchange(highest, 0.0f);
    laid_.boxes[i].y += down;
    highest = std::max(highest, laid_.placed[i].under);
  }
}

}  // namespace ui
