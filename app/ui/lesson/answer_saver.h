// A learner's answers to the open lesson are written to a file, because they say so: which file,
// and under which name.
#pragma once

#include <string>

#include "app/state/program.h"
#include "app/ui/controls/dialogs.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"
#include "app/ui/lesson/lesson_view.h"

namespace ui {

class AnswerSaver {
 public:
  AnswerSaver(state::Program& program, Gui& gui, Dialogs& dialogs, TextEdit& edit,
              const LessonView& lesson)
      : program_(program), gui_(gui), dialogs_(dialogs), edit_(edit), lesson_(lesson) {}

  // `folder`: where the file would be.
  void ask(const std::string& folder);

 private:
  void draw(const Rect& r);
  void write(const std::string& path);

  state::Program& program_;
  Gui& gui_;
  Dialogs& dialogs_;
  TextEdit& edit_;
  const LessonView& lesson_;
  std::string name_;
};

}  // namespace ui
