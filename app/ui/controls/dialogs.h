// The dialogs: files to save or open, whether to leave without saving, and help. At most one is
// open.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/state/program.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"

namespace ui {

class Dialogs {
 public:
  Dialogs(Gui& gui, state::Program& program, TextEdit& edit)
      : gui_(gui), program_(program), edit_(edit) {}

  struct FileQuestion {
    std::string title, action;  // the action is on the button: "Save"
    std::string path;           // where it begins
    std::string endings = {};   // ".csv .txt": only such files are listed; empty: all
    std::function<void(const std::string&)> done;  // gets the path that was chosen
    // For writing: a file that is there already is replaced only after a question, unless it is
    // `own`. `ending` is put after a name that has none.
    bool writes = false;
    bool adds = false;  // to a file that may be there: nothing is lost, so nothing is asked
    std::string own = {}, ending = {};
    // A sentence that says why a path cannot be taken; empty: it can.
    std::function<std::string(const std::string&)> problem = {};
    // A sentence about a path that is asked about before it is written; empty: nothing is.
    std::function<std::string(const std::string&)> warning = {};
    // Draws what else is asked, at the right of the files; gets the path as it is typed.
    std::function<void(const Rect&, const std::string&)> beside = {};
    float wide = 0, high = 0;  // units, where that needs other ones than most; 0: as most
  };
  void ask_file(FileQuestion question);
  // Has the system ask for files that are there, instead of a dialog.
  using TakeFile = std::function<void(const std::string& path)>;
  void choose_by(std::function<void(TakeFile)> by) { choose_ = std::move(by); }
  // Changes of `file` would be lost.
  void ask_to_leave(const std::string& file, std::function<void()> save,
                    std::function<void()> discard);
  // A question with two answers: to stay, or `action`.
  void ask(const std::string& title, const std::string& text, const std::string& action,
           std::function<void()> done);
  // About the lab that is shown, or the start page; and the keys.
  void show_help(bool on_start = false);
  bool open() const { return kind_ != Kind::none; }
  void draw();

 private:
  enum class Kind { none, file, leave, question, help };
  struct Entry {
    std::string name;
    bool folder;
  };
  struct Choice {
    const char* id;
    std::string label;
    bool accent;
  };

  void show(Kind kind);
  void draw_file(const Rect& r);
  void draw_entries(const Rect& r);
  void draw_leave(const Rect& r);
  void draw_question(const Rect& r);
  void draw_help(const Rect& r);
  // Each from (x, y) down, `room` wide; answer where they end.
  float help_on_lab(float x, float y, float room) const;
  float help_on_start(float x, float y, float room) const;
  float help_on_keys(float x, float y, float room) const;
  const char* buttons(const Rect& r, const std::vector<Choice>& choices);
  void list_folder();
  void close();
  void accept(bool asked);
  void edit_path();

  Gui& gui_;
  state::Program& program_;
  TextEdit& edit_;
  Kind kind_ = Kind::none;
  bool opening_ = false, on_start_ = false;
  FileQuestion question_;
  std::function<void(TakeFile)> choose_;  // may be none
  std::string path_, listed_;
  std::string problem_;  // of the path
  std::string asked_;    // the file that is asked about, and what
  std::string question_about_it_;
  bool replaces_ = false;  // it is there already
  std::vector<Entry> entries_;
  std::string file_;  // whose changes would be lost
  std::function<void()> save_, discard_;
  struct Asked {
    std::string title, text, action;
    std::function<void()> done;
  } two_;  // with two answers
};

}  // namespace ui
