#include "app/state/pages/sight.h"

#include <algorithm>
#include <utility>

#include "app/figure/picking.h"
#include "app/state/desk/zoom.h"

namespace state {

namespace {

void show(figure::Views& views, const figure::Plot& plot, const figure::View& view) {
  if (view == figure::whole_view(plot)) {
    views.erase(plot.id);
  } else {
    views[plot.id] = view;
  }
}

}  // namespace

const figure::Plot* Sight::find(const std::string& id) const {
  if (!pages_.page()) return nullptr;
  for (const figure::Figure& f : pages_.page()->page.figures) {
    for (const figure::Plot& plot : f.plots) {
      if (plot.id == id) return &plot;
    }
  }
  return nullptr;
}

// Links go on: what shares an axis with one that shares an axis follows, too.
std::vector<const figure::Plot*> Sight::linked_with(const figure::Plot& plot) const {
  std::vector<const figure::Plot*> found{&plot};
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const figure::Figure& f : pages_.page()->page.figures) {
      for (const figure::Plot& other : f.plots) {
        const bool known = std::find(found.begin(), found.end(), &other) != found.end();
        if (!known && linked(*found[k], other)) found.push_back(&other);
      }
    }
  }
  return found;
}

void Sight::set_view(const std::string& id, const figure::View& view, const std::string& gesture) {
  const figure::Plot* plot = find(id);
  if (!plot) return;
  session::Session next = desk_.now();
  show(next.views, *plot, view);
  for (const figure::Figure& f : pages_.page()->page.figures) {
    for (const figure::Plot& other : f.plots) {
      if (&other == plot || !figure::can_zoom(other) || !linked(*plot, other)) continue;
      const auto kept = next.views.find(other.id);
      const auto now = kept == next.views.end() ? figure::whole_view(other) : kept->second;
      show(next.views, other, followed(*plot, view, other, now));
    }
  }
  desk_.see(std::move(next), gesture);
}

void Sight::reset_view(const std::string& id) {
  const figure::Plot* plot = find(id);
  if (!plot) return;
  session::Session next = desk_.now();
  for (const figure::Plot* other : linked_with(*plot)) next.views.erase(other->id);
  if (next.views != views()) desk_.see(std::move(next));
}

bool Sight::zoomed_in(const figure::Plot& plot) const {
  const auto others = linked_with(plot);
  return std::any_of(others.begin(), others.end(),
                     [&](const figure::Plot* one) { return views().contains(one->id); });
}

// Which figures are shown, and in what order -----------------------------------------------------

void Sight::set_order(std::vector<std::string> first, std::vector<std::string> hidden) {
  session::Session next = desk_.now();
  next.figures.first = std::move(first);
  next.figures.hidden = std::move(hidden);
  desk_.end_gesture();
  desk_.see(std::move(next));
}

void Sight::hide_figure(const std::string& id) {
  std::vector<std::string> hidden = figures().hidden;
  hidden.push_back(id);
  set_order(figures().first, std::move(hidden));
}

void Sight::move_figure(const std::string& id, int by, std::vector<std::string> shown) {
  const auto here = std::find(shown.begin(), shown.end(), id);
  if (here == shown.end()) return;
  const auto to = (here - shown.begin()) + by;
  if (to < 0 || to >= std::ssize(shown)) return;
  std::swap(*here, shown[static_cast<std::size_t>(to)]);
  set_order(std::move(shown), figures().hidden);
}

paper::Style Sight::colors(const std::string& id) const {
  paper::Style style;
  const auto chosen = figures().colors.find(id);
  if (chosen == figures().colors.end()) return style;
  try {
    paper::set(style, chosen->second);
  } catch (const core::InputError&) {
    return {};  // a session's; the page says why it is not shown so
  }
  return style;
}

}  // namespace state
