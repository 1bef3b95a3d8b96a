// What is read beside the figures, in a column: the formula, the sum behind what is pinned,
// numbers, what is commonly said, sources.
#pragma once

#include <string>

#include "app/state/program.h"
#include "app/ui/draw/screen_painter.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/ui/page/statements.h"

namespace ui {

class ReadColumn {
 public:
  // All outlive it.
  ReadColumn(state::Program& program, Gui& gui, Fonts& fonts, const figure::TextMeasure& measure,
             ScreenPainter& painter, Statements& statements, LessonView& lesson)
      : program_(program),
        gui_(gui),
        fonts_(fonts),
        measure_(measure),
        painter_(painter),
        statements_(statements),
        lesson_(lesson) {}

  // From (x, y) down, w wide; answers where it ends. With `focus` only what a stop of a lesson
  // means.
  float draw(float x, float y, float w, const lesson::Focus* focus = nullptr);
  // Brings a source into view, by its citation, as soon as the page is there.
  void show_source(const std::string& citation) { wanted_source_ = citation; }

 private:
  float section(float x, float y, float w, const char* title);
  float formula(float x, float y, float w);
  float explanation(float x, float y, float w);
  float numbers(float x, float y, float w, const lesson::Focus* focus);
  float held_number(const lab::Readout& now, float x, float y, float w);
  float cards(float x, float y, float w);
  float sources(float x, float y, float w);
  void mark_source(const lab::Source& source, const Rect& r);

  struct FormulaKey {
    std::string tex;
    const figure::Theme* theme = nullptr;
    long fonts = -1;
    bool operator==(const FormulaKey&) const = default;
  };

  state::Program& program_;
  Gui& gui_;
  Fonts& fonts_;
  const figure::TextMeasure& measure_;
  ScreenPainter& painter_;
  Statements& statements_;
  LessonView& lesson_;
  FormulaKey formula_key_;
  figure::Drawing formula_;
  std::string wanted_source_, shown_source_;  // a source to bring into view, and to mark
  double source_until_ = 0;
};

}  // namespace ui
