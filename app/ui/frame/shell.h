// The whole window as one function of the program: sidebar, header, page, panel, status, dialogs.
// Needs an ImGui context, but neither GL nor a window: tests drive it with injected input.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/link.h"
#include "app/state/events.h"
#include "app/ui/bars/arrangement.h"
#include "app/ui/bars/header.h"
#include "app/ui/bars/sidebar.h"
#include "app/ui/bars/status_bar.h"
#include "app/ui/bars/toast.h"
#include "app/ui/controls/palette.h"
#include "app/ui/frame/embedded.h"
#include "app/ui/frame/file_questions.h"
#include "app/ui/frame/font_needs.h"
#include "app/ui/lesson/answer_saver.h"
#include "app/ui/lesson/lecture_view.h"
#include "app/ui/lesson/stop_adder.h"
#include "app/ui/page/hold_strip.h"
#include "app/ui/panel/panel.h"

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
  // True while something is computed, read, written or looked up that the next frames show. A
  // training in progress does not count: its pages come one after the other.
  bool at_work() const;
  // True when the last frame shows everything: nothing was at work before it or is now.
  bool settled() const { return !seen_.worked && !at_work() && next_change() > 0; }
  // True while a text box has the keyboard.
  bool typing() const { return !tools_.edit.id.empty(); }
  void drop(const std::vector<std::string>& paths);
  void set_frame_ms(double ms);
  // What is shown as a link, which begins with #; empty on the start page and where none can be
  // made.
  std::string view() const;
  // The lab or the program's lesson that is shown, as a link without knobs; empty on the start
  // page.
  std::string place() const;
  // Shows such a place as it was left, the start page for an empty one, or what any link holds.
  // Says why where one cannot be opened.
  void go(const std::string& link);
  void set_first_page_s(double seconds) { seen_.first_page_s = seconds; }

  // Does one of `state::actions()`.
  void act(std::string_view id);
  FileQuestions& files() { return files_; }
  Dialogs& dialogs() { return dialogs_; }
  ScreenPainter& painter() { return tools_.painter; }
  const Gui& gui() const { return tools_.gui; }
  const PageView& page_view() const { return page_.view; }
  LessonView& lesson() { return lessons_.view; }
  LectureView& lecture() { return lessons_.lecture; }
  const LectureView& lecture() const { return lessons_.lecture; }
  StartPage& start() { return start_; }
  Embedded& embedded() { return embedded_; }

  // One frame of the lecturer's notes, in the ImGui context that is current.
  void notes_frame();
  // The text that --control-map writes. `frames` were drawn so far; `answered`: the last of them
  // answers to all input.
  std::string control_map(const InputCount& input, long frames, bool answered) const;

 private:
  // Tools that everything is drawn with, and the one box that is being typed in.
  struct Tools {
    Tools(state::Program& program, const std::function<void()>& wake);
    Fonts fonts;
    ImGuiMeasure measure;
    Gui gui;
    ScreenPainter painter;
    TextEdit edit;
  };
  struct PageParts {
    PageParts(state::Program& program, Tools& tools, const std::function<void()>& wake);
    PageView view;
    Statements statements;
    HoldStrip holds;
  };
  struct Lessons {
    Lessons(state::Program& program, Tools& tools, PageParts& page, Dialogs& dialogs);
    LessonView view;
    LectureView lecture;
    StopAdder adder;
    AnswerSaver answers;
  };
  // What earlier frames showed.
  struct Seen {
    bool worked = true;  // as the last one began
    long clicks = 0, double_clicks = 0;
    double first_page_s = 0;
    std::string edited_lab = {};
    figure::ThemeName theme = figure::ThemeName::dark;  // styled for it, and for this scale
    float scale = 0;
  };

  void parts(const Arrangement::Places& l);
  void middle(const Arrangement::Places& l);
  void start_bar(const Rect& r);
  void find_anything();
  void leave_vanished_box();
  void shortcuts();
  void escape();
  void act_on_page(std::string_view id);
  session::Link link() const;
  void copy_link();
  void answer_events();
  void answer(const state::Event& event);
  void open(const std::string& lab, const std::string& preset);
  void show(const state::Found& found);
  void begin_lesson(const std::string& name, std::optional<std::size_t> stop = {});
  void lesson(const Arrangement::Places& l);
  void lecture_parts();
  void embedded_parts();
  std::vector<std::string> knobs_at_hand();
  bool lesson_keys();
  void ask_to_leave_lesson();
  float lesson_knob(const std::string& id, float x, float y, float w);
  void sweep(const Rect& r);
  std::vector<param::Values> stops_here() const;

  state::Program& program_;
  Tools tools_;
  Gui notes_gui_;
  FontNeeds font_needs_;
  Dialogs dialogs_;
  PageParts page_;
  Lessons lessons_;
  SweepBar sweep_bar_;
  StartPage start_;
  Palette palette_;
  FileQuestions files_;
  Arrangement arrangement_;
  Header header_;
  Sidebar sidebar_;
  Panel panel_;
  StatusBar status_;
  Toast toast_;
  Embedded embedded_;
  Seen seen_;
};

}  // namespace ui
