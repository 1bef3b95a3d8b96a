// What is seen of the page on screen: zoomed plots, the order of the figures, which are hidden, and
// the colours of heatmaps.
// Each change is a step of undo.
#pragma once

#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/paper/style/style.h"
#include "app/state/desk/desk.h"
#include "app/state/pages/pages.h"

namespace state {

class Sight {
 public:
  // Both outlive it.
  Sight(Desk& desk, const Pages& pages) : desk_(desk), pages_(pages) {}

  // Plots whose axis has an equal link show the same part of it.
  const figure::Views& views() const { return desk_.now().views; }
  void set_view(const std::string& plot, const figure::View& view, const std::string& gesture = "");
  // Shows the whole again, of the plot and of all linked with it.
  void reset_view(const std::string& plot);
  // True when the plot, or one linked with it, does not show the whole.
  bool zoomed_in(const figure::Plot& plot) const;

  const session::FigureChoices& figures() const { return desk_.now().figures; }
  // Whether figures are hidden or were moved.
  bool rearranged() const { return !figures().first.empty() || !figures().hidden.empty(); }
  void hide_figure(const std::string& id);
  // Moves the figure before or after the next of `shown`, the ids that stand on the page now.
  void move_figure(const std::string& id, int by, std::vector<std::string> shown);
  void show_all_figures() { set_order({}, {}); }
  // How the heatmaps of a figure or a plot are coloured.
  paper::Style colors(const std::string& id) const;
  void set_colors(const std::string& id, const paper::Style& style) {
    desk_.set_colors(id, paper::given(style), "colors." + id);
  }

 private:
  const figure::Plot* find(const std::string& id) const;
  std::vector<const figure::Plot*> linked_with(const figure::Plot& plot) const;
  void set_order(std::vector<std::string> first, std::vector<std::string> hidden);

  Desk& desk_;
  const Pages& pages_;
};

}  // namespace state
