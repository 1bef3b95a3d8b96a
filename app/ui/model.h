// What the window shows, with no window: the lab and its values, undo, views, messages, and the
// worker that turns values into pages. Every widget changes the program through these functions.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"
#include "app/figure/picking.h"
#include "app/labs/lab.h"
#include "app/labs/session.h"
#include "app/page/export_figure.h"
#include "app/param/param.h"
#include "app/words/words.h"
#include "app/worker/in_order.h"
#include "app/worker/latest_wins.h"

namespace ui {

// A page with what it was made from.
struct Computed {
  std::string lab;
  words::Language language = words::Language::en;
  lab::Page page;
  double ms = 0;  // spent in the lab's compute
};

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
  lab::State& state() { return *states_.at(std::string(lab_->id)); }
  param::List list() { return state().list(); }
  void show_lab(std::string_view id);
  void step_lab(int by);  // up and down the story; stops at its ends
  // Sets the preset's values over the defaults.
  void apply_preset(std::string_view id);
  // The preset whose values are those of the knobs now, or null.
  const lab::Preset* current_preset();

  // Knobs. `gesture` names one continuous action (a drag, typing in one box): its changes become
  // one step of undo. An empty gesture is a step of its own. False, and an error beside the knob,
  // when the text is refused.
  bool set(const std::string& id, const std::string& text, const std::string& gesture = "");
  void apply(const figure::Assignments& pick) { this->pick({pick, {}}); }
  // What a click or a drag on a figure sets; all of a drag's, under one gesture, are one step.
  void pick(const figure::Pick& pick, const std::string& gesture = "");
  void end_gesture() { gesture_.clear(); }
  // Gives up a gesture that goes on: all is as it was before it. False when it changed nothing.
  bool take_back(const std::string& gesture);
  // Sets every parameter that says what un-pinning sets it back to. False when nothing was pinned.
  bool unpin();
  // Sets the first file parameter of the lab shown that has an effect and whose endings fit. False
  // when there is none: then the path is something else's.
  bool take_file(const std::string& path);
  const std::string& error_of(const std::string& id) const;
  void clear_error(const std::string& id) { errors_.erase(id); }
  std::string value(std::string_view id);

  // Playing: an integer parameter that says so goes up by itself to its maximum, one step of undo
  // in all; at its maximum it begins anew. Any other change pauses it.
  void play(const std::string& id);
  void pause();
  const std::string& playing() const { return playing_; }  // empty: none
  // Lets time pass. A step waits until the page shows the one before.
  void advance(double seconds);
  double seconds_to_step() const;  // infinity when nothing plays

  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo();
  void redo();

  // Zoomed plots. Plots whose axis has an equal link show the same part of it.
  const figure::Views& views() const { return views_; }
  void set_view(const std::string& plot, const figure::View& view, const std::string& gesture = "");
  void reset_view(const std::string& plot);

  // How it looks.
  figure::ThemeName theme() const { return theme_; }
  void set_theme(figure::ThemeName theme) { theme_ = theme; }
  const words::Words& words() const { return words_; }
  void set_language(words::Language language);
  float scale() const { return scale_; }
  void set_scale(float scale);  // brought to 1 to 3, in steps of a quarter

  // Sessions and exported figures. False, and a message, when it could not be done.
  lab::Session session();
  bool save(const std::string& path);
  bool open(const std::string& path);
  // Writes one figure, or the whole page when `figure` is empty; the path's ending chooses how. It
  // is done in the background, one export after the other, and a message says how it went. False
  // when there is no page yet. What is being written when the model ends is finished first.
  bool export_to(const std::string& path, const std::string& figure = "");
  // The file that is being written: its name, since when, and the share done. Empty: none.
  struct Writing {
    std::string file;
    double running_s = 0;
    float progress = 0;
  };
  Writing writing() const;
  bool exporting() const { return exports_->busy(); }
  void cancel_export() { exports_->cancel(); }
  void restore(const lab::Session& session);  // throws core::InputError

  // The newest whole page of this lab; null before the first.
  const Computed* page() const;
  std::shared_ptr<const Computed> shared_page() const { return shown_; }
  long page_version() const { return page_version_; }
  // Takes over what the worker has finished. True when something changed.
  bool poll();
  bool busy() const { return standing_.busy; }
  double running_s() const { return standing_.running_s; }
  float progress() const { return standing_.progress; }
  // The page on screen does not show the knobs as they are.
  bool stale() const { return stale_; }
  void cancel();
  // Blocks until the page shows the knobs as they are and every export is written.
  void wait();
  std::string compute_error() const { return compute_error_.in(words_); }

  void say(std::string text, bool is_error = false);
  const Message& message() const { return message_; }
  void dismiss_message() { message_.text.clear(); }

 private:
  struct Request {
    std::string lab;
    std::shared_ptr<const lab::State> state;
    words::Words words;
  };
  struct ExportJob {
    std::shared_ptr<const Computed> page;
    std::vector<std::string> figures;
    figure::Views views;
    page::PaperOptions options;
    std::string path;
  };
  struct Exported {
    std::string path;
    std::exception_ptr failure;  // null when it was written
  };
  static Exported run_export(const ExportJob& job, const core::Cancel& cancel);
  void say_exported(const Exported& exported);

  struct Snapshot {
    std::string lab;
    param::Values values;
    figure::Views views;
  };

  Snapshot snapshot();
  void restore(const Snapshot& snapshot);
  void remember(const std::string& gesture);
  void set_number(const param::Parameter& p, double value);  // of what is played
  void push_undo(Snapshot before, const std::string& gesture);
  // The values have changed: keeps how they were, unless the gesture goes on, and computes anew.
  void step(const Snapshot& before, const std::string& gesture);
  void switch_to(std::string_view id);
  void submit();
  const figure::Plot* find_plot(const std::string& id) const;
  void share_view(const figure::Plot& plot, const figure::View& view);
  const lab::Lab& find_lab(std::string_view id) const;

  const std::vector<lab::Lab>& labs_;
  const lab::Lab* lab_;
  std::map<std::string, std::unique_ptr<lab::State>> states_;
  std::map<std::string, figure::Views> kept_views_;  // of the labs not shown
  figure::Views views_;
  std::map<std::string, std::string> errors_;
  std::vector<Snapshot> undo_, redo_;
  std::string gesture_;
  std::string playing_;
  double play_rate_ = 0, play_due_ = 0;  // steps a second, and how many have not been taken yet
  figure::ThemeName theme_ = figure::ThemeName::dark;
  words::Words words_;
  float scale_ = 1;
  Message message_;
  std::shared_ptr<const Computed> shown_;
  long page_version_ = 0;
  long taken_ = 0;  // the worker's version that was taken over last
  bool stale_ = true;
  core::Message compute_error_;
  using Worker = worker::LatestWins<Request, Computed>;
  worker::Standing<Computed> standing_;
  std::unique_ptr<Worker> worker_;
  using Exports = worker::InOrder<ExportJob, Exported>;
  std::unique_ptr<Exports> exports_;
};

}  // namespace ui
