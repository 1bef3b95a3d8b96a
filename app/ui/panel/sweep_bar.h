// The bar of a sweep, under the page: play, scrub, from, to, how long, how it repeats, what else
// moves, and its export. And the menus that begin one: of a knob's label, and over the knobs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/state/program.h"
#include "app/state/sweeper.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"

namespace ui {

class SweepBar {
 public:
  SweepBar(Gui& gui, state::Program& program, TextEdit& edit)
      : gui_(gui), program_(program), edit_(edit), sweeper_(program) {}

  state::Sweeper& sweeper() { return sweeper_; }
  const state::Sweeper& sweeper() const { return sweeper_; }
  bool open() const { return sweeper_.open(); }
  // How high it is in a page so wide; as it was drawn last.
  float height() const { return open() ? height_ : 0; }
  void draw(const Rect& r);

  // A knob's label, with a right click that opens its menu.
  void label(const std::string& knob, const Rect& label);
  // The button over the knobs, which lists them all; its left edge at x.
  void button_for_knobs(float x, float middle);
  // The menus that are open. `stops`: those of the lesson that is open, in the lab shown.
  void menus(const std::vector<param::Values>& stops);
  // The knob whose control has the keyboard's focus: set in motion, or the motion halted.
  bool key();

 private:
  class Flow;
  void transport(const Rect& line);
  void track(Flow& flow, const sweep::Track& track);
  void key_box(const std::string& id, const std::string& name, const param::Parameter& p,
               const sweep::Track& track, std::size_t key, const Rect& box);
  void through_presets(Flow& flow);
  void manner(Flow& flow);
  void ask_for_menu(const std::string& of, const Rect& at);
  void knob_items(Menu& menu, bool more);
  float more_height(bool lesson);

  Gui& gui_;
  state::Program& program_;
  TextEdit& edit_;
  state::Sweeper sweeper_;
  float height_ = 0;
  std::string knob_;  // whose menu is to be opened; "*": the one over all knobs; "+": the bar's
  std::string menu_knob_;  // whose menu is open
  Rect menu_at_{};
};

}  // namespace ui
