// A lecture in the window: the stop's figures and its sentence over the whole screen, with a
// spotlight and a pen on top. Without a lesson, the figures of the lab's page, row by row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lesson/lecture.h"
#include "app/state/program.h"
#include "app/ui/draw/gui.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/ui/page/page_view.h"

namespace ui {

class LectureView {
 public:
  LectureView(state::Program& program, Gui& gui, PageView& page, LessonView& lesson)
      : program_(program), gui_(gui), page_(page), lesson_(lesson) {}

  bool on() const { return lecture_.on(); }
  const lesson::Lecture& lecture() const { return lecture_; }
  // Begins a lecture, with the theme and the scale of lectures; the person's own come back when it
  // is left.
  void begin();
  void leave();

  // Draws all of the window. `knob` draws one of the lab's knobs and answers with its height; where
  // a stop names no knobs, `at_hand` are the lab's.
  void draw(const Rect& screen, const LessonView::DrawKnob& knob,
            const std::vector<std::string>& at_hand);
  // Takes the keys of a lecture.
  void keys();
  // True where the pointer is not shown: it rests, or it is the spotlight.
  bool hides_pointer() const;
  // True when it has not moved for a while: tips go away.
  bool pointer_rests() const;

  // Progress of the lecture, for the lecturer.
  struct Place {
    std::size_t at = 0, of = 1;
    std::string title = {}, next = {}, next_sentence = {};
    std::vector<std::string> notes = {};
    std::string answer = {};  // of the stop's question
    double planned_s = 0;     // from the lesson's beginning to this stop's end
  };
  Place place();
  // Draws the lecturer's own window: notes, what comes next, the clock.
  void draw_notes(Gui& gui, const Rect& r);
  void close_notes() {
    if (lecture_.notes()) lecture_.switch_notes();
  }

  // For the control map.
  struct Status {
    std::string blank, tool;
    std::vector<std::string> figures;
    std::size_t at = 0, of = 1, strokes = 0;
    int ink = 0;
    bool sentence = true, knobs = false, notes = false, waiting = false;
  };
  std::optional<Status> status() const;

 private:
  enum class Step { none, forward, back };

  static double now();  // seconds of a clock that goes on evenly

  void step(Step step);
  void try_step();
  void look_ahead();
  void choose_figures();
  // Strokes of the pen: where one is, and what was drawn on the figures there.
  std::string place_key() const;
  session::Strokes strokes_here() const;
  std::optional<Rect> figure_box(const std::string& id) const;
  std::string figure_near(figure::Point at) const;  // empty: none is shown
  void draw_on(figure::Point at);
  void lift_pen();
  void erase(figure::Point at, float reach);
  void wipe(bool everywhere);
  void words(const Rect& area, bool beside);
  void knobs(const Rect& area, const LessonView::DrawKnob& knob);
  void ink(const Rect& screen);
  void draw_strokes() const;
  void draw_stroke(const session::Stroke& stroke) const;
  void spotlight(const Rect& screen);
  void blank(const Rect& screen) const;
  bool navigation_keys();
  void switch_keys();
  void tool_keys();

  state::Program& program_;
  Gui& gui_;
  PageView& page_;
  LessonView& lesson_;
  lesson::Lecture lecture_;
  struct Own {
    figure::ThemeName theme;
    float scale;
  };
  std::optional<Own> own_;
  Step step_ = Step::none;  // that waits for its page
  std::vector<std::string> figures_, knob_ids_;
  std::size_t row_ = 0, rows_ = 1;  // of the lab's page
  std::string lab_;
  float knobs_height_ = 0;
  std::string ahead_of_;
  double moved_ = 0;                    // the pointer, in ImGui's seconds
  std::optional<session::Stroke> pen_;  // the stroke that is being drawn
  bool erasing_ = false;
};

}  // namespace ui
