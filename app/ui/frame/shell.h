// The whole window as one function of the model: sidebar, header, page, knobs, status, dialogs.
// Needs an ImGui context, but neither GL nor a window: tests drive it with injected input.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/state/program.h"
#include "app/state/search.h"
#include "app/ui/controls/dialogs.h"
#include "app/ui/controls/name_knob.h"
#include "app/ui/controls/palette.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"
#include "app/ui/draw/screen_painter.h"
#include "app/ui/lesson/lecture_view.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/ui/lesson/stop_adder.h"
#include "app/ui/page/hold_strip.h"
#include "app/ui/page/page_view.h"
#include "app/ui/page/statements.h"
#include "app/ui/panel/export_panel.h"
#include "app/ui/panel/film_panel.h"
#include "app/ui/panel/sweep_bar.h"
#include "app/ui/start/start_page.h"

namespace ui {

class Shell {
 public:
  Shell(state::Program& program, const std::function<void()>& wake);

  // Draws one frame inside of ImGui::NewFrame and ImGui::Render. `keys` were pressed since the
  // last.
  void frame(std::vector<KeyPress> keys);
  // Call before NewFrame: builds the font atlas when characters are missing; true when it did.
  bool prepare();

  // Seconds until the window changes by itself; infinity when idle.
  double next_change() const;
  // Something is computed, read, written or found out, that the next frames show. A training that
  // goes on is not: its pages come one after the other.
  bool at_work() const;
  // The last frame shows all that there is: nothing was at work before it or is now.
  bool settled() const { return !worked_ && !at_work() && next_change() > 0; }
  bool wants_quit() const { return quit_; }
  // Quits, unless changes of a saved session would be lost: then that is asked about.
  void ask_to_quit();
  // Something is being typed: text goes to the box.
  bool typing() const { return !edit_.id.empty(); }
  void drop(const std::vector<std::string>& paths);
  void set_frame_ms(double ms) {
    frame_ms_ = ms;
    program_.set_frame_ms(ms);
  }
  void set_first_page_s(double seconds) { first_page_s_ = seconds; }
  ScreenPainter& painter() { return painter_; }
  const PageView& page_view() const { return page_view_; }
  LessonView& lesson() { return lesson_; }
  StartPage& start() { return start_; }

  // Does one of `actions()`.
  void act(std::string_view id);
  LectureView& lecture() { return lecture_; }
  const LectureView& lecture() const { return lecture_; }

  const Gui& gui() const { return gui_; }
  // One frame of the lecturer's notes, in the ImGui context that is current.
  void notes_frame();
  // Who writes a picture of what is on screen to a path.
  void write_pictures_by(std::function<void(const std::string& path)> write) {
    write_picture_ = std::move(write);
  }
  // What --control-map writes. `frames` were drawn so far; `answered`: the last of them answers to
  // all input.
  std::string control_map(const InputCount& input, long frames, bool answered) const;

 private:
  struct Layout {
    Rect sidebar, header, page, panel, status, lesson, sweep;
    bool sidebar_over = false, panel_over = false;  // drawn over the page, with a shadow
    bool wide = true;
  };
  Layout arrange_parts() const;
  void fold_what_would_cover();
  void leave_vanished_box();
  void need_names_found();
  void need_text(const std::string& id, const std::string& text);
  void need_names(const std::string& id, const param::Name& name);

  float start_item(const Rect& r, float y);
  void start_bar(const Rect& r);
  void middle(const Layout& l);
  void find_anything();
  void answer_events();
  void answer(const state::Event& event);
  void begin_lesson(const std::string& name, std::optional<std::size_t> stop = {});
  void ask_open();
  const state::SearchIndex& index();
  void act_on_page(std::string_view id);
  void sidebar(const Rect& r);
  float lab_list(const Rect& r, float y);
  float lesson_list(const Rect& r, float y);
  float lesson_row(const std::string& name, const Rect& r, float y);
  float list_tabs(const Rect& r, float y);
  void parts(const Layout& l);
  void lecture_parts();
  void lesson(const Layout& l);
  bool lesson_keys();
  float lesson_knob(const std::string& id, float x, float y, float w);
  std::vector<state::Found> search();
  float search_results(const Rect& r, float y);
  bool found_item(const std::string& id, const Rect& row, const state::Found& found);
  void header(const Rect& r);
  void alone_header(const Rect& r);
  void escape();
  void written_items(Menu& menu);
  void header_menus(const Rect& presets, const Rect& exports, const Rect& more, const Rect& scale);
  void panel(const Rect& r);
  float knobs(float x, float y, float w);
  bool at_hand(const param::Parameter& p);
  float more_knobs(int count, bool every, float x, float y, float w);
  float group_heading(std::string_view name, bool first, float x, float y, float w);
  float knob(const param::Parameter& p, float x, float y, float w);
  float number_knob(const param::Parameter& p, float x, float y, float w);
  float choice_knob(const param::Parameter& p, float x, float y, float w);
  float measure_knob(const param::Parameter& p, float x, float y, float w);
  float file_knob(const param::Parameter& p, float x, float y, float w);
  void ask_for_file(const param::Parameter& p);
  float text_knob(const param::Parameter& p, float x, float y, float w);
  float stack_knob(const param::Parameter& p, float x, float y, float w);
  float error_line(const std::string& id, float x, float y, float w);
  float formula(float x, float y, float w);
  float explanation(float x, float y, float w);
  float numbers(float x, float y, float w);
  float held_number(const lab::Readout& now, float x, float y, float w);
  float cards(float x, float y, float w);
  void to_statements(float right, float middle);
  float sources(float x, float y, float w);
  void mark_source(const lab::Source& source, const Rect& r);
  float section(float x, float y, float w, const char* title);
  void status(const Rect& r);
  void sweep(const Rect& r);
  std::vector<param::Values> stops_here() const;
  void ask_sweep_export();
  void memory(const Rect& line, float x);
  std::optional<worker::RunStanding> shown_training();
  float training_buttons(const worker::RunStanding& run, const Rect& line);
  void toast(const Rect& page);
  void note_said();
  void shortcuts();
  void export_quickly(const std::string& ending);
  void ask_save(bool then_quit);
  void working_sign(const Rect& page);
  void ask_picture();
  void ask_export(const std::string& ending, const std::string& figure);
  void choose(const state::Found& found);
  void show_knob(const std::string& id);
  std::string problem_of(const std::string& path,
                         void (*check)(const std::filesystem::path&)) const;
  std::string default_name(const std::string& ending) const;
  std::string tooltip_of(const param::Parameter& p) const;

  state::Program& program_;
  Fonts fonts_;
  ImGuiMeasure measure_;
  Gui gui_, notes_gui_;
  ScreenPainter painter_;
  PageView page_view_;
  Statements statements_;
  Dialogs dialogs_;

  TextEdit edit_;
  HoldStrip hold_strip_;
  LessonView lesson_;
  LectureView lecture_;
  StopAdder stop_adder_;
  bool lists_lessons_ = false;  // in the sidebar, instead of labs
  NameKnob name_knob_;
  SweepBar sweep_bar_;
  ExportPanel export_panel_;
  FilmPanel film_panel_;
  StartPage start_;
  Palette palette_;
  std::string query_;
  std::optional<std::pair<words::Language, state::SearchIndex>> index_;  // of the language shown
  std::string edited_lab_;
  std::optional<bool> sidebar_open_, panel_open_;  // none: as the width suggests
  bool sidebar_was_over_ = false, panel_was_over_ = false;
  struct FormulaKey {
    std::string tex;
    const figure::Theme* theme = nullptr;
    long fonts = -1;
    bool operator==(const FormulaKey&) const = default;
  };
  FormulaKey formula_key_;
  figure::Drawing formula_;
  float knobs_height_ = 1e6f;
  std::string panel_lab_, read_lab_;          // whose knobs and texts are scrolled
  std::string scroll_to_;                     // a knob to bring into view
  std::string wanted_source_, shown_source_;  // a source to bring into view, and to mark
  double source_until_ = 0;
  std::string listed_lab_;                         // brought into view in the list of labs
  std::set<std::string, std::less<>> every_knob_;  // labs whose knobs are all shown
  bool quit_ = false;
  std::size_t held_ = 0;
  long held_of_ = -1;  // the page at which it was asked
  std::optional<double> training_since_;
  std::optional<double> working_since_;  // pages or cells are made, one after the other
  double frame_ms_ = 0, first_page_s_ = 0;
  long seen_page_ = -1, seen_message_ = 0;
  std::shared_ptr<const state::Computed> seen_held_;
  bool worked_ = true;  // as the last frame began
  double message_since_ = 0;
  std::deque<state::Message> said_;  // the last few, the newest last
  long clicks_ = 0, double_clicks_ = 0;
  words::Language fonts_language_ = words::Language::en;
  figure::ThemeName styled_theme_ = figure::ThemeName::dark;
  float styled_scale_ = 0;
  std::string export_folder_ = ".";
  std::function<void(const std::string&)> write_picture_;
  // Whose characters the fonts were asked for.
  std::map<std::string, std::string> seen_texts_;
  std::optional<words::Language> listed_in_;  // what can be found
  std::map<std::string, param::Names> seen_names_;
};

}  // namespace ui
