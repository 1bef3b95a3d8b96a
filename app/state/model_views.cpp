// Zoomed plots, and those that are linked with them.
#include <algorithm>

#include "app/figure/picking.h"
#include "app/state/model.h"
#include "app/state/zoom.h"

namespace state {

const figure::Plot* Model::find_plot(const std::string& id) const {
  if (!shown_) return nullptr;
  for (const figure::Figure& f : shown_->page.figures) {
    for (const figure::Plot& plot : f.plots) {
      if (plot.id == id) return &plot;
    }
  }
  return nullptr;
}

// Links go on: what shares an axis with one that shares an axis follows, too.
std::vector<const figure::Plot*> Model::linked_with(const figure::Plot& plot) const {
  std::vector<const figure::Plot*> found{&plot};
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const figure::Figure& f : shown_->page.figures) {
      for (const figure::Plot& other : f.plots) {
        const bool known = std::find(found.begin(), found.end(), &other) != found.end();
        if (!known && linked(*found[k], other)) found.push_back(&other);
      }
    }
  }
  return found;
}

void Model::show(const figure::Plot& plot, const figure::View& view) {
  if (view == figure::whole_view(plot)) {
    now_.views.erase(plot.id);
  } else {
    now_.views[plot.id] = view;
  }
}

void Model::set_view(const std::string& id, const figure::View& view, const std::string& gesture) {
  const figure::Plot* plot = find_plot(id);
  if (!plot) return;
  const session::Session before = now_;
  show(*plot, view);
  for (const figure::Figure& f : shown_->page.figures) {
    for (const figure::Plot& other : f.plots) {
      if (&other == plot || !figure::can_zoom(other) || !linked(*plot, other)) continue;
      const auto kept = now_.views.find(other.id);
      const auto now = kept == now_.views.end() ? figure::whole_view(other) : kept->second;
      show(other, followed(*plot, view, other, now));
    }
  }
  note(now_.lab, before, gesture);
}

void Model::reset_view(const std::string& id) {
  const figure::Plot* plot = find_plot(id);
  if (!plot) return;
  const session::Session before = now_;
  for (const figure::Plot* other : linked_with(*plot)) now_.views.erase(other->id);
  if (now_.views != before.views) note(now_.lab, before, "");
}

bool Model::zoomed_in(const figure::Plot& plot) const {
  const auto others = linked_with(plot);
  return std::any_of(others.begin(), others.end(),
                     [&](const figure::Plot* one) { return now_.views.contains(one->id); });
}

// Which figures are shown, and in what order.

void Model::order_figures(session::FigureOrder order) {
  const session::Session before = now_;
  now_.figures = std::move(order);
  end_gesture();
  note(now_.lab, before, "");
}

void Model::hide_figure(const std::string& id) {
  session::FigureOrder order = now_.figures;
  order.hidden.push_back(id);
  order_figures(std::move(order));
}

void Model::move_figure(const std::string& id, int by, std::vector<std::string> shown) {
  const auto here = std::find(shown.begin(), shown.end(), id);
  if (here == shown.end()) return;
  const auto to = (here - shown.begin()) + by;
  if (to < 0 || to >= std::ssize(shown)) return;
  std::swap(*here, shown[static_cast<std::size_t>(to)]);
  order_figures({std::move(shown), now_.figures.hidden});
}

}  // namespace state
