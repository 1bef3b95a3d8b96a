// "Add a stop": the scene on screen becomes a stop at the end of a lesson of one's own. Which file,
// its title and its sentence are asked in one dialog.
#pragma once

#include <string>

#include "app/lesson/own.h"
#include "app/state/program.h"
#include "app/ui/controls/dialogs.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/ui/page/page_view.h"

namespace ui {

class StopAdder {
 public:
  StopAdder(state::Program& program, Gui& gui, Dialogs& dialogs, TextEdit& edit, PageView& page,
            LessonView& lesson)
      : program_(program),
        gui_(gui),
        dialogs_(dialogs),
        edit_(edit),
        page_(page),
        lesson_(lesson) {}

  // `folder`: where a first file would be.
  void ask(const std::string& folder);

 private:
  void draw(const Rect& r);
  float box(const char* id, const std::string& label, std::string& text, float y, const Rect& r,
            float high);
  std::string problem(const std::string& path) const;
  void add(const std::string& path);
  lesson::Sight sight() const;

  state::Program& program_;
  Gui& gui_;
  Dialogs& dialogs_;
  TextEdit& edit_;
  PageView& page_;
  LessonView& lesson_;
  lesson::NewStop stop_;
  // The scene that was on screen when this was asked: the window may go on meanwhile.
  std::shared_ptr<const state::Computed> scene_;
  const lab::Lab* lab_ = nullptr;
  std::string path_;  // that was added to last
};

}  // namespace ui
