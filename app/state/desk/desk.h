// The desk: which lab is shown, every lab's knobs, what is seen of its page, and the steps back.
// Whatever changes any of it goes through here, and who follows the desk is told of it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"
#include "app/session/session.h"
#include "app/state/desk/history.h"
#include "app/words/words.h"

namespace state {

class Desk {
 public:
  // `labs` and `words` outlive the desk. It begins with the first lab that opens by itself.
  Desk(const std::vector<lab::Lab>& labs, const words::Words& words);

  // What has changed.
  struct Change {
    enum class Kind {
      strokes,   // the pen's, of lectures
      sight,     // zoom, the order of figures, what is compared
      colors,    // of heatmaps
      knobs,     // values, one after the other
      scene,     // all values at once, and perhaps the lab
      language,  // of examples, where nobody had touched them
    };
    Kind kind;
    const session::Session& before;
    const std::string& gesture;  // that it is a part of; empty: of none
    bool asks_for_page() const { return kind >= Kind::colors; }
  };
  // Calls `follower` after each change; followers are called in the order in which they came.
  void follow(std::function<void(const Change&)> follower);

  const std::vector<lab::Lab>& labs() const { return labs_; }
  const lab::Lab& lab() const { return *lab_; }
  // Throws core::InputError for an unknown id.
  const lab::Lab& find(std::string_view id) const;
  // The lab shown, its values, and what is seen of its page.
  const session::Session& now() const { return now_; }
  // The session of any lab, as it was left.
  session::Session of(const std::string& lab) const;
  // The knobs of the lab shown. A list can be walked until `forget_replaced`, even where what a
  // knob does replaces the state that it describes.
  param::List list() { return state().list(); }
  lab::State& state() { return *states_.at(now_.lab); }
  // Values of the lab shown before anybody touched it, in the language of the window.
  const param::Values& untouched() const { return untouched_; }

  void show_lab(std::string_view id);
  void step_lab(int by);  // up and down the story; stops at its ends
  // Parts of a session that come with a new state; those left empty stay as they are.
  struct Brought {
    figure::Views views = {};
    std::optional<session::FigureChoices> figures = {};
    std::optional<session::Holds> holds = {};
    std::optional<session::Strokes> strokes = {};
  };
  // A whole new state of a lab, which comes on screen: one step.
  void replace(const lab::Lab& lab, std::unique_ptr<lab::State> state, const Brought& with);
  // At the beginning of a frame, when nobody walks a list: states that were replaced go.
  void forget_replaced() { replaced_.clear(); }
  // Sets values of the lab shown. What was found need not hold for values that come from elsewhere:
  // where it refuses them it is forgotten, and the next page finds it anew.
  void assign(const param::Values& values) { assign(state(), values); }
  // Takes over the values of `state()` as they are now. `gesture` names one continuous action (a
  // drag, typing in one box): its changes become one step of undo; an empty one is a step of its
  // own. False when they are as before.
  bool take_values(const std::string& gesture);
  // Takes over the values of `state()` as part of the last step.
  void amend_values();
  // Changes what is seen of the page: one step.
  void see(session::Session next, const std::string& gesture = "") {
    change(Change::Kind::sight, std::move(next), gesture);
  }
  // Changes the colours of a figure's or plot's heatmaps, as paper::Style has them; none: its own.
  void set_colors(const std::string& id, param::Values colors, const std::string& gesture = "");
  void set_strokes(session::Strokes strokes, const std::string& gesture = "");
  // Labs that nobody has touched; they begin with the example of the language. Ask before the
  // language changes.
  std::vector<const lab::Lab*> untouched_labs() const;
  void begin_anew(const std::vector<const lab::Lab*>& untouched);

  void end_gesture() { history_.end_gesture(); }
  // Undoes the gesture in progress. False when it changed nothing.
  bool take_back(const std::string& gesture);
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }
  void undo() { go(history_.undo()); }
  void redo() { go(history_.redo()); }
  const History& history() const { return history_; }

 private:
  // Views of the pages of labs that are not shown.
  struct Kept {
    figure::Views views;
    session::FigureChoices figures;
    session::Holds holds;
  };

  static void assign(lab::State& state, const param::Values& values);
  std::unique_ptr<lab::State> begun(const lab::Lab& lab) const;
  void put(std::string_view lab, std::unique_ptr<lab::State> state);
  void put_away();
  void bring(std::string_view id);
  void change(Change::Kind kind, session::Session next, const std::string& gesture);
  void emit(Change::Kind kind, const session::Session& before, const std::string& gesture);
  void go(const std::optional<History::Move>& move);

  const std::vector<lab::Lab>& labs_;
  const words::Words& words_;
  const lab::Lab* lab_;
  std::map<std::string, std::unique_ptr<lab::State>> states_;
  std::vector<std::unique_ptr<lab::State>> replaced_;
  std::map<std::string, Kept> kept_;
  session::Session now_;
  param::Values untouched_;
  History history_;
  std::vector<std::function<void(const Change&)>> followers_;
};

}  // namespace state
