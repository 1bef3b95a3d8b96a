// The dialogs: files to save or open, and help. At most one is open.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/ui/gui.h"
#include "app/ui/model.h"
#include "app/ui/text_box.h"

namespace ui {

class Dialogs {
 public:
  Dialogs(Gui& gui, Model& model, TextEdit& edit) : gui_(gui), model_(model), edit_(edit) {}

  struct FileQuestion {
    std::string title, action;  // the action is on the button: "Save"
    std::string path;           // where it begins
    std::string endings = {};   // ".csv .txt": only such files are listed; empty: all
    std::function<void(const std::string&)> done;  // gets the path that was chosen
  };
  void ask_file(FileQuestion question);
  void show_help() { kind_ = Kind::help, opening_ = true; }
  bool open() const { return kind_ != Kind::none; }
  void draw();

 private:
  enum class Kind { none, file, help };
  struct Entry {
    std::string name;
    bool folder;
  };

  void draw_file(const Rect& r);
  void draw_help(const Rect& r);
  void list_folder();
  void close();
  void accept();

  Gui& gui_;
  Model& model_;
  TextEdit& edit_;
  Kind kind_ = Kind::none;
  bool opening_ = false;
  FileQuestion question_;
  std::string path_, listed_;
  std::vector<Entry> entries_;
};

}  // namespace ui
