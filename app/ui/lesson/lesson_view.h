// A lesson beside the page: its text, its question, what it points at, and the way through it. What
// is said on the page itself (lights, ghosts, what is drawn) is lesson_marks.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/play.h"
#include "app/lesson/text/text.h"
#include "app/state/program.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"
#include "app/ui/lesson/lesson_state.h"
#include "app/ui/page/page_view.h"

namespace ui {

class LessonView {
 public:
  LessonView(state::Program& program, Gui& gui, PageView& page, TextEdit& edit)
      : program_(program), gui_(gui), page_(page), edit_(edit) {}

  bool open() const { return play_.has_value(); }
  const lesson::Play* play() const { return play_ ? &*play_ : nullptr; }
  // Opens one of the program's lessons, where it was left or at a stop; false, with a message,
  // where there is none of that name. `home`: the start page is left for it.
  bool begin(const std::string& name, std::optional<std::size_t> stop = {}, bool home = false);
  // Opens a lesson from a file.
  void begin(std::string path, lesson::Lesson lesson, std::optional<std::size_t> stop = {});
  // Shows another page of the stop's lab at the stop: as a link has it.
  void show(const session::Session& session);
  // Closes the lesson; the page stays. As a person does it, what stood before comes back: the start
  // page, or the page, as one step and with a message, unless they went to another lab meanwhile.
  void leave(bool back = false);

  // Call every frame before the page is drawn: takes over the language, moves knobs, looks at the
  // page.
  void advance();
  // Draws the text in its own column. `knob` draws one of the lab's knobs and returns its height;
  // empty: they stand beside the page already.
  using DrawKnob = std::function<float(const std::string& id, float x, float y, float w)>;
  void draw(const Rect& area, const DrawKnob& knob);
  // Draws marks over the page and the panel: what is pointed at, answered and true; handles the
  // pointer there while a question is asked.
  // On a stage what is pointed at is seen from afar.
  void draw_marks(const Rect& page, const Rect& panel, bool stage = false);

  // Goes forward (Space): shows or does what is asked for, then moves on to the next stop.
  // Backspace goes back.
  void forward();
  void back();
  // Answers with the choice that has this number on screen, from 1; false: there is none to make.
  bool choose(std::size_t number);
  // Notes that the learner picked something in a figure or plot.
  void pick(const std::string& id) {
    if (play_) play_->pick(id);
  }
  // True for readouts that are covered until this stop's question or a later one is answered.
  bool hides_readout(const std::string& id) const;
  // True while the page's question, formula, derivation, statements, notes and status would give
  // away an answer.
  bool hides_words() const;
  // The page as the stop began, once its answer has led elsewhere.
  BeforeAnswer before() const;
  // What the stop means of the page, while nothing else is shown; null: the page is whole.
  const lesson::Focus* focus() const { return shown_.focus ? &*shown_.focus : nullptr; }

  // For a lecture: draws the stop's sentences, if they are wanted, and its question; returns their
  // height. And that height for a column of this width.
  float draw_slide(float x, float y, float w, bool sentence);
  float slide_height(float w, bool sentence);
  // The scene that going forward leads to, whose page may be made before; none: it stays.
  std::optional<session::Session> scene_forward() const;
  std::optional<session::Session> scene_back() const;
  bool on_its_lab() const { return play_ && program_.desk.lab().id == lab_; }
  // A paragraph as text, with the numbers of the page on screen.
  std::string plain_text(const lesson::Paragraph& paragraph);
  // The right answer in words, as soon as its page is made; empty: there is none.
  std::string answer_ahead() const;
  // Asks the stop's question again, or begins the lesson afresh with all its questions.
  void ask_again(bool all);
  // How the next stop begins, with the numbers of its page; dots until that is made.
  std::string next_sentence() const;
  bool at_end() const;  // the last stop is done with
  void first(), last();

  void need_fonts(Fonts& fonts);
  // For the control map.
  struct Status {
    std::string name, stop, phase;  // phase: reading, asking, answered, waiting or done
    std::size_t at = 0, of = 0;
    bool right = false, moving = false;
    std::string said = {};  // to a known mistake
  };
  std::optional<Status> status() const;

 private:
  void start(lesson::Play play, std::size_t stop);
  bool bring_back();
  void put_away();
  void go(std::size_t stop);
  void show_scene();
  void move_to(param::Values values);
  void glide();
  bool gliding() const { return glide_.has_value(); }
  void look();
  bool own() const;  // it is in a file
  void read_again(bool asked);
  bool answers() const;  // the page on screen is that of the knobs, be it unfinished
  lesson::Sight sight() const;
  void answer(lesson::Answer answer);
  void show_me();
  void cover_page();
  void focus_page();
  void look_ahead(), tidy();
  void compare();
  void note_answer();
  void note_end(), finish();

  // The column.
  float heading(float x, float y, float w);
  float texts(float x, float y, float w);
  float slide_title(float x, float y, float w);
  float text(const lesson::Paragraph& paragraph, float x, float y, float w, Rgba ink);
  float knobs(float x, float y, float w, const DrawKnob& knob);
  float waiting(float x, float y, float w);
  float next_lesson(float x, float y, float w);
  float numbers(float x, float y, float w);
  float ending(float x, float y, float w);
  float right_at_first(float x, float y, float w);
  float route_done(float x, float y, float w);
  float to_read(float x, float y, float w);
  std::vector<lesson::TextRun> seen_text() const;
  float question(float x, float y, float w);
  float options(const lesson::Choose& asked, float x, float y, float w);
  float truths(float x, float y, float w);
  float typed(float x, float y, float w);
  float on_figure(float x, float y, float w);
  float outcome(float x, float y, float w);
  float again(float x, float y, float w);
  void bring(float top, float bottom);
  void note_lines(float y, float h, float pitch);
  float option_row(std::size_t number, const std::string& id, const std::string& text, float x,
                   float y, float w, bool given, bool right);
  void footer(const Rect& whole);
  void fold_page(const Rect& row);
  void stops_menu(const Rect& under);
  const std::vector<lesson::TextRun>& text_of(const lesson::Paragraph& paragraph);
  lesson::Sight sight_of(const lesson::Paragraph& paragraph) const;
  lesson::Sight sight_of(const state::Computed& page) const;
  void look_at_words();
  float outdated(float x, float y, float w);

  // On the page.
  const PageView::PlotPlace* plot_asked() const;
  void pointer();
  struct Spot {
    Rect rect, seen_in;
  };
  std::optional<Spot> spot(const lesson::Reference& reference, const Rect& page,
                           const Rect& panel) const;
  void light(const lesson::Reference& reference, const Rect& page, const Rect& panel);
  void point_out(const Rect& page, bool stage);
  void find_words(const Rect& page, const Rect& panel);
  void outline(const lesson::Element& element, Rgba color, bool tight);
  void ghosts();
  void fly(const Rect& page);
  void curve(const std::vector<std::array<double, 2>>& points, Rgba color, bool dashed);

  Graded grade() const;
  bool graded_in_other_words() const;

  state::Program& program_;
  Gui& gui_;
  PageView& page_;
  TextEdit& edit_;
  std::optional<lesson::Play> play_;
  words::Language language_ = words::Language::en;
  std::optional<Glide> glide_;
  Flight flight_;
  param::Values last_;  // of the knobs, to know what the learner moves
  std::string lab_;     // of the scene
  Shown shown_;
  Compared compared_;
  Answering answering_;
  Pointing pointing_;
  NextFrame next_;
  LessonFile file_;
  long gestures_ = 0;
  TextCache said_;
  Stood stood_;
  Column column_;
};

}  // namespace ui
