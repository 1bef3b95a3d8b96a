// What stands over the figures of a page: its question, what is made up in it, its introduction,
// and the tabs of a lab that has several pages. It scrolls away with the page.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/state/program.h"
#include "app/ui/draw/gui.h"

namespace ui {

class PageHead {
 public:
  PageHead(state::Program& program, Gui& gui) : program_(program), gui_(gui) {}

  // Draws it from `y` on in a column, on a page of which `room` is seen at once; returns where the
  // figures begin.
  float draw(float x, float y, float w, float room);
  // Whether the introduction stands there, and folding it away.
  bool introduces() const;
  void collapse(bool collapsed);
  // None are offered while one is open.
  void offer_lessons(bool offered) { offers_ = offered; }
  // The page's question may be the answer to a lesson's: then its title stands there.
  void hide_question(bool hidden) { hides_question_ = hidden; }

 private:
  float question(float x, float y, float w);
  float badge(float x, float y, float w, float question_end, float middle);
  float introduction(float x, float y, float w);
  float tabs(float x, float y, float w);
  lab::Offer offer() const;
  float jumps(float x, float y, float w);
  float lessons(float x, float y, float w);

  state::Program& program_;
  Gui& gui_;
  std::string lab_;               // drawn last
  bool low_ = false;              // too little is seen at once for words before figures
  std::optional<bool> unfolded_;  // of this lab, by hand
  bool offers_ = true, hides_question_ = false;
};

}  // namespace ui
