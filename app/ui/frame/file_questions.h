// Dialogs about files: where something is saved, opened or exported, and before something is lost.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/ui/controls/dialogs.h"
#include "app/ui/panel/export_panel.h"
#include "app/ui/panel/film_panel.h"
#include "app/ui/panel/sweep_bar.h"

namespace ui {

class FileQuestions {
 public:
  // All outlive it.
  FileQuestions(state::Program& program, Gui& gui, TextEdit& edit, Dialogs& dialogs,
                ScreenPainter& painter, Fonts& fonts, SweepBar& sweeps)
      : program_(program),
        dialogs_(dialogs),
        sweep_bar_(sweeps),
        export_panel_(gui, program, painter, fonts, edit),
        film_panel_(gui, program, edit) {}

  void open();
  // Saves the session.
  void save(bool then_leave);
  // Leaves; asks first where changes of a saved session would be lost.
  void leave();
  bool left() const { return left_; }
  // Writes a figure, or the page where it is empty.
  void write(const std::string& ending, const std::string& figure);
  // Writes the page at once, without a dialog: nothing is replaced, a second file gets a number.
  void write_quickly(const std::string& ending);
  // Writes the sweep of one figure or of the page.
  void write_sweep(const std::string& figure);
  // Writes what is on screen, in a lecture with the pen's strokes; `by` writes it.
  void write_picture();
  void write_pictures_by(std::function<void(const std::string& path)> by) {
    write_picture_ = std::move(by);
  }
  // The folder for files at first: the one that was used last.
  const std::string& folder() const { return folder_; }

 private:
  std::string default_name(const std::string& ending) const;
  std::string problem_of(const std::string& path,
                         void (*check)(const std::filesystem::path&)) const;

  state::Program& program_;
  Dialogs& dialogs_;
  SweepBar& sweep_bar_;
  ExportPanel export_panel_;
  FilmPanel film_panel_;
  std::string folder_ = ".";
  std::function<void(const std::string&)> write_picture_;
  bool left_ = false;
};

}  // namespace ui
