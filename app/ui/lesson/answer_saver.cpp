#include "app/ui/lesson/answer_saver.h"

#include <filesystem>

#include "app/lesson/answers.h"
#include "app/lesson/library.h"
#include "app/words/sentence.h"

namespace ui {

namespace {

namespace fs = std::filesystem;

// As files of one class are told apart: "rope" of the program's lessons, "class.md" of a file.
std::string short_name(const std::string& lesson) {
  return lesson::exists(lesson) ? lesson : fs::path(lesson).filename().string();
}

}  // namespace

void AnswerSaver::ask(const std::string& folder) {
  const lesson::Play* play = lesson_.play();
  if (!play) return;
  const words::Words& w = gui_.words();
  const std::string stem = fs::path(short_name(play->name())).stem().string();
  dialogs_.ask_file({.title = w("Write your answers to a file"),
                     .action = w("Write"),
                     .path = (fs::path(folder) / (stem + "_answers.csv")).string(),
                     .endings = ".csv .json",
                     .done = [this](const std::string& to) { write(to); },
                     .writes = true,
                     .ending = ".csv",
                     .beside = [this](const Rect& r, const std::string&) { draw(r); }});
}

void AnswerSaver::draw(const Rect& r) {
  const words::Words& w = gui_.words();
  gui_.text_in(r.x, r.y - gui_.px(12), r.w,
               w("Your name, as it is to stand in the file (optional)"), TextStyle::label,
               gui_.theme().dim);
  BoxLook look;
  look.style = TextStyle::body;
  look.align = 0;
  text_box(gui_, edit_, "answers.name", {r.x, r.y, r.w, gui_.px(30)}, name_, look);
  if (edit_.id == "answers.name") name_ = edit_.buffer;
  gui_.paragraph(r.x, r.y + gui_.px(44), r.w,
                 w("The file has a line for each question that you answered: name, lesson, stop, "
                   "title, question, your first answer, whether it was right, and the time. "
                   "Nothing is sent anywhere."),
                 TextStyle::label, gui_.theme().dim);
}

void AnswerSaver::write(const std::string& path) {
  const lesson::Play* play = lesson_.play();
  if (!play) return;
  const words::Words& w = gui_.words();
  try {
    const std::string lesson = short_name(play->name());
    const auto records =
        records_of(play->lesson(), lesson, name_, program_.learned.of(play->name()));
    lesson::write_records(records, path);
    program_.messages.say(w.format(N_("{} answers written to {}"), records.size(),
                                   fs::path(path).filename().string()));
  } catch (const std::exception& error) {
    program_.messages.say(words::translated(error, w), true);
  }
}

}  // namespace ui
