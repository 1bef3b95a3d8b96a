// Beside the question where to export: how the paper is, and what it will look like.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/paper/export_figure.h"
#include "app/paper/sheet.h"
#include "app/state/program.h"
#include "app/ui/controls/style_grid.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/fonts.h"
#include "app/ui/draw/gui.h"
#include "app/ui/draw/screen_painter.h"
#include "app/ui/panel/preview_texts.h"
#include "app/ui/panel/preview_zoom.h"

namespace ui {

class ExportPanel {
 public:
  ExportPanel(Gui& gui, state::Program& program, ScreenPainter& painter, Fonts& fonts,
              TextEdit& edit)
      : gui_(gui),
        program_(program),
        painter_(painter),
        fonts_(fonts),
        edit_(edit),
        grid_(gui, edit) {}

  // For this figure, or the page when it is empty. What it is like is Model::paper.
  void open(const std::string& figure);
  // `path`: whose ending says whether a picture or numbers are asked for.
  void draw(const Rect& r, const std::string& path);

 private:
  struct Key {
    long page = -1;
    std::string figure;
    paper::PaperOptions paper;
    bool operator==(const Key&) const = default;
  };

  // What stands over the preview: the paper, the look of what is on it, or this figure's own.
  enum class Tab { paper, look, figure };
  float tabs_and_styles(const Rect& r, float y);
  void styles(const Rect& at);
  void save_style(const Rect& at);
  float presets(const Rect& r, float y);
  float sizes(const Rect& r, float y);
  float switches(const Rect& r, float y, const std::string& ending);
  // A row of two toggles at most; `what` are fields of the paper.
  struct Switch {
    const char* id;
    std::string label;
    bool paper::PaperOptions::*field;
    std::string help;
  };
  float toggles(const Rect& r, float y, const std::vector<Switch>& all);
  // One number with its unit; 0 stands empty. `label` before it.
  void number(const char* id, const std::string& label, const Rect& r, double shown,
              const std::string& unit, double least, double most,
              double paper::PaperOptions::*field, double points, const std::string& help);
  void preview(const Rect& r);
  void look_nearer(const Rect& room);
  void compose();
  void part_texts();

  Gui& gui_;
  state::Program& program_;
  ScreenPainter& painter_;
  Fonts& fonts_;
  TextEdit& edit_;
  StyleGrid grid_;
  Tab tab_ = Tab::paper;
  std::vector<std::string> style_names_;
  std::string figure_;
  std::string wrong_;  // the box whose text is no such number
  Key key_;
  paper::PaperOptions options_;  // of the sheet
  paper::Sheet sheet_;
  // What the sheet's drawings are painted of: all but texts, and texts by how much larger they are
  // than the window's.
  struct Layer {
    float letters = 1;
    std::vector<figure::Primitive> primitives = {};
  };
  std::vector<Layer> layers_;
  PreviewTexts own_texts_;  // in a font that the window has not
  std::string fault_;       // why there is no sheet
  std::unique_ptr<paper::PaperMeasure> measure_;
  PreviewZoom zoom_;
  bool dragged_ = false;  // since the mouse went down on the preview
};

}  // namespace ui
