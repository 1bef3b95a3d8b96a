// The window as a part of somebody's page: one figure and a few knobs under it, nothing else.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/program.h"
#include "app/ui/draw/gui.h"
#include "app/ui/frame/embedded_parts.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/ui/page/page_view.h"

namespace ui {

class Embedded {
 public:
  static constexpr std::size_t kMostKnobs = 3;

  Embedded(state::Program& program, Gui& gui, PageView& page)
      : program_(program), gui_(gui), page_(page) {}

  bool on() const { return parts_.has_value(); }
  // What the lab or its page lacks is told once it is known.
  void show(EmbeddedParts parts) { parts_ = std::move(parts); }
  // Draws all of the window. `knob` draws a knob and answers with its height.
  void draw(const Rect& screen, const LessonView::DrawKnob& knob,
            const std::vector<std::string>& at_hand);

 private:
  void choose_figure();
  void choose_knobs(const std::vector<std::string>& at_hand);
  bool beside(float width) const;
  void draw_knobs(const Rect& area, const LessonView::DrawKnob& knob);

  state::Program& program_;
  Gui& gui_;
  PageView& page_;
  std::optional<EmbeddedParts> parts_;
  std::vector<std::string> knobs_;
  std::vector<float> heights_;  // of the knobs, as they were drawn last
  bool said_figure_ = false, said_knobs_ = false;
};

}  // namespace ui
