#include "app/lesson/flight.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/figure/marks/first_mark.h"

namespace lesson {
namespace {

// Those that leave last leave after this share of the time.
constexpr float kLastLeaves = 0.35f;

struct Spot {
  figure::Rect rect;
  figure::Rgba color;
  core::Index row = 0, col = -1;  // as an Element's
};

figure::Color color_of(const figure::Plot& plot, Kind kind, std::size_t k) {
  if (kind == Kind::bar) {
    const auto* bars = figure::first_mark<figure::Bars>(plot);
    const bool marked = bars && bars->marked == static_cast<int>(k);
    return marked ? figure::Role::accent : bars ? bars->color : figure::Role::dim;
  }
  if (kind == Kind::box) {
    for (const figure::Mark& mark : plot.marks) {
      const auto* boxes = std::get_if<figure::Boxes>(&mark);
      if (!boxes) continue;
      if (k < boxes->boxes.size()) return boxes->boxes[k].fill;
      k -= boxes->boxes.size();
    }
  }
  const auto* points = figure::first_mark<figure::Points>(plot);
  return points ? points->color : figure::Role::accent;
}

std::vector<Spot> spots(const Reference& reference, const Sight& sight, const FrameOf& frame_of,
                        const figure::Theme& theme) {
  const figure::Plot* plot = find_plot(*sight.page, reference.id);
  const auto frame = plot ? frame_of(*plot) : std::nullopt;
  if (!frame) return {};
  if (!is_element(reference.kind)) {
    return {{frame->area, theme.accent.with_alpha(0.5f)}};
  }
  std::vector<Element> all;
  try {
    all = elements(reference, sight);
  } catch (const core::InputError&) {
    return {};  // the learner has led the page to where there is no such thing
  }
  if (all.size() > kMostFlying) return {};
  std::optional<figure::ValueColors> cells;
  if (const figure::Heatmap* map = figure::heatmap_in(*plot); map && reference.kind == Kind::cell) {
    cells.emplace(map->scale, theme);
  }
  std::vector<Spot> found;
  for (const Element& one : all) {
    const auto k = static_cast<std::size_t>(one.row);
    found.push_back(
        {place_of(*plot, *frame, reference.kind, one),
         cells ? cells->color(std::isnan(one.value) ? core::kMasked : static_cast<float>(one.value))
               : figure::resolve(color_of(*plot, reference.kind, k), theme),
         one.row, one.col});
  }
  return found;
}

// Which target each source goes to, or the other way round: `many` are as many or more.
class Pairs {
 public:
  Pairs(const std::vector<Spot>& many, std::size_t few) : many_(many), few_(few) {
    std::set<core::Index> rows, cols;
    for (const Spot& one : many) rows.insert(one.row), cols.insert(one.col);
    const bool cells = !many.empty() && many.front().col >= 0 && many.size() > few;
    by_col_ = cells && cols.size() == few;
    by_row_ = cells && !by_col_ && rows.size() == few;
    const auto& taken = by_col_ ? cols : rows;
    order_.assign(taken.begin(), taken.end());
  }
  std::size_t of(std::size_t k) const {
    if (!by_col_ && !by_row_) return k * few_ / many_.size();
    const core::Index at = by_col_ ? many_[k].col : many_[k].row;
    return static_cast<std::size_t>(std::lower_bound(order_.begin(), order_.end(), at) -
                                    order_.begin());
  }

 private:
  const std::vector<Spot>& many_;
  std::size_t few_;
  bool by_col_ = false, by_row_ = false;
  std::vector<core::Index> order_;
};

float mixed(float a, float b, float share) { return a + (b - a) * share; }

}  // namespace

Flying::Place Flying::at(float share) const {
  const float own = std::clamp((share - delay) / (1 - kLastLeaves), 0.0f, 1.0f);
  const float eased = own * own * (3 - 2 * own);
  const auto part = [eased](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(mixed(a, b, eased)));
  };
  return {{mixed(from.x, to.x, eased), mixed(from.y, to.y, eased), mixed(from.w, to.w, eased),
           mixed(from.h, to.h, eased)},
          {part(begins.r, ends.r), part(begins.g, ends.g), part(begins.b, ends.b),
           part(begins.a, ends.a)}};
}

std::vector<Flying> flights(const std::vector<Travel>& travels, const Sight& sight,
                            const FrameOf& frame_of, const figure::Theme& theme) {
  std::vector<Flying> all;
  if (!sight.page) return all;
  for (const Travel& travel : travels) {
    const auto from = spots(travel.from.is, sight, frame_of, theme);
    const auto to = spots(travel.to.is, sight, frame_of, theme);
    if (from.empty() || to.empty()) continue;
    const bool joins = from.size() >= to.size();
    const std::size_t count = std::max(from.size(), to.size());
    const Pairs pairs(joins ? from : to, std::min(from.size(), to.size()));
    for (std::size_t k = 0; k < count; ++k) {
      const Spot &a = from[joins ? k : pairs.of(k)], &b = to[joins ? pairs.of(k) : k];
      const float delay =
          count > 1 ? kLastLeaves * static_cast<float>(k) / static_cast<float>(count - 1) : 0.0f;
      all.push_back({a.rect, b.rect, a.color, b.color, delay});
    }
  }
  return all;
}

}  // namespace lesson
