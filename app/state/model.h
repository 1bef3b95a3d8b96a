// What the window shows, with no window: the lab and its values, undo, views, messages, and the
// worker that turns values into pages. Every widget changes the program through these functions.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/picking.h"
#include "app/labs/lab.h"
#include "app/session/session.h"
#include "app/lesson/lesson.h"
#include "app/lesson/progress.h"
#include "app/paper/export_figure.h"
#include "app/param/param.h"
#include "app/state/computed.h"
#include "app/state/film_look.h"
#include "app/state/held_pages.h"
#include "app/state/history.h"
#include "app/state/lecture_look.h"
#include "app/state/player.h"
#include "app/state/recents.h"
#include "app/words/words.h"
#include "app/worker/in_order.h"
#include "app/worker/latest_wins.h"
#include "app/worker/memory_budget.h"
#include "app/worker/runs.h"

namespace sweep {
struct Sweep;
struct Job;
}  // namespace sweep

namespace state {

// A sentence for the person, shown for a while at the bottom of the window.
struct Message {
  std::string text;
  bool is_error = false;
  long number = 0;  // counts messages, so that a repeated sentence is new again
};

class Model {
 public:
  // `labs` outlives the model; `wake` is called from the worker when there is something new.
  explicit Model(const std::vector<lab::Lab>& labs, std::function<void()> wake = {});
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // Labs.
  const std::vector<lab::Lab>& labs() const { return labs_; }
  const lab::Lab& lab() const { return *lab_; }
  param::List list() { return state().list(); }
  void show_lab(std::string_view id);
  void step_lab(int by);  // up and down the story; stops at its ends
  // Sets the preset's values over the defaults.
  void apply_preset(std::string_view id);
  // Opens another lab as a page of this one offers it; one step of undo.
  void jump(const lab::Jump& jump);
  // The lab that `jump` led away from, while the one it led to is shown; empty: none.
  std::string came_from() const { return jumped_ && jumped_->to == lab_->id ? jumped_->from : ""; }
  // To that lab, as it was left.
  void jump_back();
  // Its knobs as they are in a lab that nobody has touched; one step of undo.
  void set_defaults() { set_all(untouched_), end_gesture(); }
  // The preset whose values are those of the knobs now, or null.
  const lab::Preset* current_preset();

  // Knobs. `gesture` names one continuous action (a drag, typing in one box): its changes become
  // one step of undo. An empty gesture is a step of its own. False, and an error beside the knob,
  // when the text is refused.
  bool set(const std::string& id, const std::string& text, const std::string& gesture = "");
  // Several knobs at once, all of the lab's: a step of undo, or a part of the gesture's.
  void set_all(const param::Values& values, const std::string& gesture = "");
  void apply(const figure::Assignments& pick) { this->pick({pick, {}}); }
  // What a click or a drag on a figure sets; all of a drag's, under one gesture, are one step.
  void pick(const figure::Pick& pick, const std::string& gesture = "");
  void end_gesture() { history_.end_gesture(); }
  // Gives up a gesture that goes on: all is as it was before it. False when it changed nothing.
  bool take_back(const std::string& gesture);
  // Sets every parameter that says what un-pinning sets it back to. False when nothing was pinned.
  bool unpin();
  // Sets the first file parameter of the lab shown that has an effect and whose endings fit. False
  // when there is none: then the path is something else's.
  bool take_file(const std::string& path);
  bool set_file(const std::string& id, const std::string& path);
  const std::string& error_of(const std::string& id) const;
  void clear_error(const std::string& id) { errors_.erase(id); }
  std::string value(std::string_view id);
  // It is not what it is in a lab that nobody has touched, in the language of the window.
  bool changed(std::string_view id) const;

  // Playing (see Player): an integer parameter that says so goes up by itself to its maximum, one
  // step of undo in all; at its maximum it begins anew. Any other change pauses it.
  void play(const std::string& id);
  void pause();
  double speed() const { return player_.speed(); }
  void set_speed(double speed) { player_.set_speed(speed); }
  const std::string& playing() const { return player_.id(); }  // empty: none
  // Lets time pass. A step waits until the page of the one before is made.
  void advance(double seconds);
  double seconds_to_step() const;  // infinity when nothing plays

  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void undo() { go(history_.undo()); }
  void redo() { go(history_.redo()); }

  // Zoomed plots. Plots whose axis has an equal link show the same part of it.
  const figure::Views& views() const { return now_.views; }
  void set_view(const std::string& plot, const figure::View& view, const std::string& gesture = "");
  // The whole again, of the plot and of all that are linked with it.
  void reset_view(const std::string& plot);
  // It, or one that is linked with it, does not show the whole.
  bool zoomed_in(const figure::Plot& plot) const;

  // The order of the figures, and which are hidden. Each change is a step of undo.
  const session::FigureOrder& figure_order() const { return now_.figures; }
  void hide_figure(const std::string& id);
  // Before or after the next one of those in `shown`, the ids that stand on the page now.
  void move_figure(const std::string& id, int by, std::vector<std::string> shown);
  void show_all_figures() { order_figures({}); }

  // Holding (see session::Holds). What the page shows is kept, to be compared with; each change is a
  // step of undo. A sentence says where it cannot be.
  const session::Holds& holds() const { return now_.holds; }
  void hold();
  void drop_hold(std::size_t k);
  void name_hold(std::size_t k, const std::string& name);
  void compare_with(int k);  // -1: with none
  void show_cells(figure::CellsShown shown);
  void set_split(float at);        // one drag is one step
  void go_to_hold(std::size_t k);  // sets the knobs as they stood there
  // "head = 2, scale = no": the knobs that stood otherwise there, as they stood; empty: none did.
  std::string differs(const session::Hold& hold) const;
  // The page that is compared with; null: none, or it is still made. While a knob is dragged and
  // nothing else is compared, the page at which the drag began.
  std::shared_ptr<const Computed> held() const;
  bool held_by_drag() const { return !now_.holds.now() && dragged_from_; }
  std::string hold_fault(const session::Hold& hold) const;  // empty: none
  // Whether the mouse is down: what a gesture changes meanwhile is a drag.
  void set_dragging(bool dragging);
  bool holds_drags() const { return holds_drags_; }
  void set_holds_drags(bool holds) { holds_drags_ = holds; }
  const HeldPages& held_pages() const { return held_pages_; }

  // The pen's strokes in lectures, of whatever lab; each change is a step of undo, or a part of the
  // gesture's.
  const session::Strokes& strokes() const { return now_.strokes; }
  void set_strokes(session::Strokes strokes, const std::string& gesture = "");

  // How it looks.
  figure::ThemeName theme() const { return theme_; }
  void set_theme(figure::ThemeName theme) { theme_ = theme; }
  const words::Words& words() const { return words_; }
  void set_language(words::Language language);
  float scale() const { return scale_; }
  void set_scale(float scale);  // brought to 1 to 3, in steps of a quarter
  // Whether the introduction stands under a page's question, and a figure's caption under it.
  bool introduces() const { return introduces_; }
  void set_introduces(bool introduces) { introduces_ = introduces; }
  bool captions() const { return captions_; }
  void set_captions(bool captions) { captions_ = captions; }
  // Whether what is commonly said is asked about before the truth is told.
  bool asks_first() const { return asks_first_; }
  void set_asks_first(bool asks) { asks_first_ = asks; }
  // Whether what a knob changes is seen to go there.
  bool moves() const { return moves_; }
  void set_moves(bool moves) { moves_ = moves; }
  // Whether the window opens with the start page.
  bool shows_start() const { return shows_start_; }
  void set_shows_start(bool shows) { shows_start_ = shows; }
  // How lectures look, which is remembered apart.
  LectureLook& lecture_look() { return lecture_look_; }
  const LectureLook& lecture_look() const { return lecture_look_; }

  // Sessions and exported figures.
  const session::Session& session() const { return now_; }
  // To a file that ends in .attn. False, and a message, when it could not be done.
  bool save(const std::string& path);
  // Long files that a session reads are told by their contents, which are read in the background;
  // meanwhile by their lengths and times, and a message says so. Once they are known, a session
  // that was saved without them is saved with them, and one that was opened says whether they
  // changed.
  bool reading() const { return reads_->busy(); }
  void cancel_reading() { reads_->cancel(); }
  // Reads a session, or an exported figure's, in the background; a message says how it went.
  void open(const std::string& path);
  bool opening() const { return opens_->busy(); }
  // A lesson that was opened as a file since the last call, with its path.
  std::optional<std::pair<std::string, lesson::Lesson>> take_lesson() {
    return std::exchange(opened_lesson_, std::nullopt);
  }
  // How far the person has come in lessons.
  lesson::Progress& learned() { return learned_; }
  const lesson::Progress& learned() const { return learned_; }
  // What was opened last.
  Recents& recents() { return recents_; }
  const Recents& recents() const { return recents_; }
  // Counts what was opened from files: sessions, figures, tensors and lessons.
  long opened() const { return opened_; }
  void note_file(const std::string& path);    // as opened last
  void restore(const session::Session& session);  // throws core::InputError
  // What the session that was restored last names and its page does not have, in sentences.
  const std::vector<std::string>& strange_parts() const { return strange_; }
  // The figure or plot that was exported alone into the file that was opened, once its page is
  // there; then it is forgotten. Empty: none.
  std::string take_opened_figure();
  // Says that the session now shown came from this file.
  void opened_from(const std::string& path);
  // The file that was saved or opened last; empty: none.
  std::string file() const { return own_ ? own_->path : std::string(); }
  // Knobs have been turned since, or figures hidden or moved, in the lab of that file.
  bool unsaved();

  // Writes one figure, or the whole page when `figure` is empty; the path's ending chooses how. It
  // is the page on screen with the session that made it, wherever the knobs stand by now. It is
  // done in the background, one export after the other, and a message says how it went. False when
  // there is no page yet. What is being written when the model ends is finished first.
  // `paper`: the paper's size and what stands on it; null: as the figures stand on the page.
  bool export_to(const std::string& path, const std::string& figure = "",
                 const paper::PaperOptions* paper = nullptr);
  // The same of a film: .gif, .png, .mp4, .webm or a folder of frames.
  bool export_film(const std::string& path, const sweep::Sweep& sweep, const std::string& figure);
  // How films are made, which is remembered.
  FilmLook& film_look() { return film_look_; }
  const FilmLook& film_look() const { return film_look_; }
  // The paper that was chosen last, of which only its size and what stands on it count.
  const paper::PaperOptions& paper() const { return paper_; }
  void set_paper(const paper::PaperOptions& paper) { paper_ = paper; }
  // That paper with the texts of the page on screen, of which there is one; without its session.
  paper::PaperOptions shown_paper() const;
  // That figure, or all that are shown. There is a page; throws core::InputError when all are
  // hidden.
  std::vector<std::string> exported(const std::string& figure) const;
  // About how many bytes of numbers that would be; 0 for pictures.
  double export_bytes(const std::string& path, const std::string& figure) const;
  // The file that is being written, or the lab that files are written for: its name, since when,
  // and the share done. Empty: none.
  struct Writing {
    std::string file;
    double running_s = 0;
    float progress = 0;
  };
  Writing writing() const;
  // The same of what is read for sessions.
  Writing reading_now() const;
  bool exporting() const { return exports_->busy() || jumps_->busy(); }
  void cancel_export() { exports_->cancel(), jumps_->cancel(); }
  // Waits so long for what is being written and gives up the rest: the files stay as they were.
  // Answers with their paths.
  std::vector<std::string> give_up_exports(std::chrono::milliseconds patience);

  // Pages of these scenes are made beside the page on screen, in this order, and kept until others
  // are asked for; a scene whose page is there is on screen at once when the knobs come to it.
  void make_ahead(std::vector<session::Session> scenes);
  bool made_ahead(const session::Session& scene) const { return ahead_of(scene) != nullptr; }
  // The page of a scene, made ahead or on screen; null: there is none yet.
  std::shared_ptr<const Computed> page_of(const session::Session& scene) const;
  // It is asked for, and neither made nor found impossible.
  bool awaits_ahead(const session::Session& scene) const;

  // The newest page of this lab; null before the first.
  const Computed* page() const { return shown_.get(); }
  std::shared_ptr<const Computed> shared_page() const { return shown_; }
  long page_version() const { return page_version_; }
  // Takes over what the worker has finished. True when something changed.
  bool poll();
  bool busy() const { return standing_.busy; }
  double running_s() const { return standing_.running_s; }
  float progress() const { return standing_.progress; }
  // The page on screen is not the one of the knobs as they are, in the language as it is.
  bool stale() const;
  // For how long the page on screen has waited for its successor; 0: none is made.
  double waiting_s() const;
  void cancel();

  // The trainings that the page on screen shows.
  std::vector<worker::RunStanding> trainings() const;
  bool overtaken() const;  // one has gone on since the page was made
  // All of them together: a page whose one training stood while another went on would never rest.
  void pause_trainings();
  void go_on_trainings();
  void step_trainings();     // one step of each that is not done
  void restart_trainings();  // forgets their steps and begins anew
  // How long drawing takes: pages of a training follow one another so that most time is left.
  void set_frame_ms(double ms) { frame_ms_ = ms; }
  // Memory that pages, what was computed for them, tiles of heatmaps and trainings may hold, in
  // bytes; a quarter of the machine's unless it is set. What other labs have computed is given up
  // first, then tiles that are not shown, then states of trainings: all can be made again.
  std::size_t memory_budget() const { return memory_->bytes(); }
  worker::MemoryBudget& memory() { return *memory_; }
  void set_memory_budget(std::size_t bytes);
  // Blocks until no training of the page goes on, no page is made, no file is read and every export
  // is written. A limit, where there is one, ends a hang alone: std::runtime_error says what went
  // on.
  void wait(std::optional<std::chrono::minutes> most = std::chrono::minutes(20));
  std::string compute_error() const { return compute_error_.in(words_); }
  // The same where it is told nowhere else: neither in the place of a page that never was, nor by
  // the message.
  std::string untold_error() const;

  // The numbers that were beyond what a page found and were brought into its range last.
  const std::vector<param::Refusal>& brought() const { return brought_; }

  void say(std::string text, bool is_error = false);
  const Message& message() const { return message_; }
  void dismiss_message() { message_.text.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Request {
    session::Session made_from;
    std::shared_ptr<const lab::State> state;
    words::Words words;
  };
  struct ExportJob {
    std::shared_ptr<const Computed> page;
    std::vector<std::string> figures;
    figure::Views views;
    paper::PaperOptions options;
    std::string path;
    std::shared_ptr<const sweep::Job> film = nullptr;  // instead of a page
    std::string unread = {};  // the files that its session tells by length and time
  };
  struct Exported {
    std::string path;
    bool whole = true;           // the page was
    std::exception_ptr failure;  // null when it was written
    std::string unread = {};
  };
  struct Opened {
    std::string path;
    std::optional<session::Session> session;
    std::optional<lesson::Lesson> lesson;
    std::exception_ptr failure;  // null when it was read
  };
  // Files that a session reads, and the session that was saved before their contents were known,
  // with the text that it has until then.
  struct ReadJob {
    std::vector<session::SessionFile> files;
    struct Saved {
      std::string path;
      session::Session session;
      std::string text;
    };
    std::optional<Saved> saved = std::nullopt;
    std::string names() const;
  };
  struct Read {
    ReadJob job;
    std::vector<core::Message> notes;  // of those that were there before
    bool whole = true;                 // false: it was cancelled
  };
  // The session's own file, and what it held when it was saved or opened.
  struct Own {
    std::string path;
    session::Session session;
  };
  // A way to another lab, and, once they are written, the files that it brings among its values.
  struct Left {
    lab::Jump jump;
    std::string from;
    std::exception_ptr failure;
  };
  static Left run_jump(const Left& leaving, const core::Cancel& cancel);
  void take_left(const Left& left);
  static Exported run_export(const ExportJob& job, const core::Cancel& cancel);
  static void make_film(const sweep::Job& film, const core::Cancel& cancel);
  static Opened run_open(const std::string& path);
  static Read run_read(const ReadJob& job, const core::Cancel& cancel);
  std::vector<session::SessionFile> unread_files(const session::Session& session) const;
  void take_read(const Read& read);
  paper::PaperOptions told_on(paper::PaperOptions paper) const;
  paper::Compared compared_on_paper(lab::State& now, const words::Words& w) const;
  std::string session_for(const std::string& path, const std::string& figure) const;
  void take_exported(const Exported& exported);
  void take_opened(const Opened& opened);
  void tell_strange_parts();
  void refuse_inputs(const std::string& path) const;
  void bring_into_range();
  void assign(lab::State& state, const param::Values& values);

  struct Jumped {
    std::string from, to;
  };
  lab::State& state() { return *states_.at(std::string(lab_->id)); }
  const lab::Lab& find_lab(std::string_view id) const;
  // As it is at first: its defaults, with the example of who reads Chinese.
  std::unique_ptr<lab::State> begun(const lab::Lab& lab) const;
  void switch_to(std::string_view id);
  // What comes with a new state; what is none stays as it is.
  struct Brought {
    figure::Views views = {};
    std::optional<session::FigureOrder> figures = {};
    std::optional<session::Holds> holds = {};
    std::optional<session::Strokes> strokes = {};
  };
  void replace(const lab::Lab& lab, std::unique_ptr<lab::State> state, const Brought& with);
  void order_figures(session::FigureOrder order);
  void change_holds(session::Holds holds, const std::string& gesture = "");
  HeldPages::Key key_of(const session::Hold& hold) const;
  void begin_drag(const session::Session& before, const std::string& gesture);
  // Takes over the state's values as they are now, as one step. False when they are as before.
  bool update(const std::string& gesture);
  void note(std::string_view shown, const session::Session& before, const std::string& gesture);
  void go(const std::optional<History::Move>& move);
  void set_number(const param::Parameter& p, double value);  // of what is played
  void submit();
  void poll_ahead();
  std::shared_ptr<const Computed> ahead_of(const session::Session& scene) const;
  void refresh();  // the page anew, of the same knobs
  core::Message fault_of(const worker::Standing<Computed>& standing) const;
  const figure::Plot* find_plot(const std::string& id) const;
  std::vector<const figure::Plot*> linked_with(const figure::Plot& plot) const;
  void show(const figure::Plot& plot, const figure::View& view);

  const std::vector<lab::Lab>& labs_;
  const lab::Lab* lab_;
  std::map<std::string, std::unique_ptr<lab::State>> states_;
  std::map<std::string, figure::Views> kept_views_;  // of the labs not shown
  std::map<std::string, session::FigureOrder> kept_orders_;
  std::map<std::string, session::Holds> kept_holds_;
  session::Session now_;         // the lab shown, its values and views
  param::Values untouched_;  // of the lab shown
  std::map<std::string, std::string> errors_;
  History history_;
  Player player_;
  std::optional<Own> own_;
  std::optional<std::pair<std::string, lesson::Lesson>> opened_lesson_;
  lesson::Progress learned_;
  Recents recents_;
  long opened_ = 0;
  std::string opened_figure_;
  std::optional<session::Session> restored_;  // until its page is there
  std::vector<std::string> strange_;
  std::vector<param::Refusal> brought_;
  std::optional<Jumped> jumped_;
  figure::ThemeName theme_ = figure::ThemeName::dark;
  words::Words words_;
  float scale_ = 1;
  bool introduces_ = true, captions_ = true, asks_first_ = true;
  bool moves_ = false, holds_drags_ = true, shows_start_ = true;
  bool dragging_ = false;
  std::string dragged_by_;                        // the gesture of the drag
  std::shared_ptr<const Computed> dragged_from_;  // the page at which it began
  LectureLook lecture_look_;
  FilmLook film_look_;
  paper::PaperOptions paper_;
  Message message_;
  std::shared_ptr<const Computed> shown_;
  long page_version_ = 0;
  long in_range_ = 0;  // the last page whose ranges the numbers were brought into
  long taken_ = 0;     // the worker's version that was taken over last
  std::optional<Clock::time_point> waiting_since_;
  core::Message compute_error_;
  std::optional<long> told_error_;  // number of the message that says so
  std::unique_ptr<worker::MemoryBudget> memory_;
  std::unique_ptr<worker::Runs> runs_;
  std::optional<worker::MemoryBudget::Holder> states_held_;  // by the runs
  double frame_ms_ = 0;
  Clock::time_point refreshed_{};
  using Worker = worker::LatestWins<Request, Computed>;
  worker::Standing<Computed> standing_;
  std::unique_ptr<Worker> worker_;
  Worker::Work computing();  // with a memory of its own of what was computed
  std::function<void()> wake_;
  std::vector<session::Session> wanted_ahead_, failed_ahead_;
  std::vector<std::shared_ptr<const Computed>> made_ahead_;
  session::Session asked_ahead_;
  bool ahead_busy_ = false;
  long taken_ahead_ = 0;
  std::unique_ptr<Worker> ahead_;  // null until pages are made ahead
  using Exports = worker::InOrder<ExportJob, Exported>;
  std::unique_ptr<Exports> exports_;
  using Opens = worker::InOrder<std::string, Opened>;
  std::unique_ptr<Opens> opens_;
  using Reads = worker::InOrder<ReadJob, Read>;
  std::unique_ptr<Reads> reads_;
  using Jumps = worker::InOrder<Left, Left>;
  std::unique_ptr<Jumps> jumps_;
  // What `held` answered last; none where something has changed since.
  mutable std::optional<std::shared_ptr<const Computed>> held_now_;
  mutable HeldPages held_pages_;  // made when they are first asked for
};

}  // namespace state
