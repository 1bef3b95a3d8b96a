// Everything by its name (Ctrl K): a box to type in and a list under it, in the middle of the
// window. Up and down walk, Enter opens, Escape closes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/search.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"

namespace ui {

class Palette {
 public:
  Palette(Gui& gui, TextEdit& edit) : gui_(gui), edit_(edit) {}

  bool open() const { return open_; }
  void show();
  // While it is open; what was chosen in this frame.
  std::optional<state::Found> draw(const state::SearchIndex& index);

 private:
  static constexpr std::size_t kMost = 60;  // that are listed

  void close();
  void find(const state::SearchIndex& index);
  std::optional<std::size_t> list(const Rect& r);
  std::optional<std::size_t> row(std::size_t k, const Rect& r);
  void walk();

  Gui& gui_;
  TextEdit& edit_;
  bool open_ = false, opening_ = false, moved_ = false;
  std::string query_;
  std::vector<state::Found> found_;
  std::optional<std::string> found_for_;
  const state::SearchIndex* found_in_ = nullptr;
  std::size_t at_ = 0;
};

// What a kind is called beside a hit: "Lab", "Preset".
std::string kind_name(state::Found::Kind kind, const words::Words& w);

}  // namespace ui
