// Undo and redo. A step keeps only what it changed, so that a long history of large values stays
// small.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace state {

class History {
 public:
  explicit History(std::size_t most = 500) : most_(most) {}

  // A lab went from `before` to `after`, while `shown` was on screen; afterwards it is on screen
  // itself. `gesture` names one continuous action: as long as it goes on its changes are one step.
  // An empty gesture is a step of its own. What was undone is forgotten.
  void add(std::string_view shown, const session::Session& before, const session::Session& after,
           const std::string& gesture);
  void end_gesture() { gesture_.clear(); }
  // Whether a gesture goes on that has changed values.
  bool is_changing() const {
    return !gesture_.empty() && !undo_.empty() && !undo_.back().before.empty();
  }
  // Adds a change that followed from the last step of this lab to that step; without one it is no
  // step.
  void amend(const session::Session& before, const session::Session& after);
  // Values that the gesture in progress has changed, as they were before; null when none is in
  // progress.
  const param::Values* before_gesture(const std::string& gesture) const;

  // Where a step back or forth leads.
  struct Move {
    std::string shown;  // the lab on screen
    // A state of one lab: the values that differ, all its views, and which figures are shown.
    session::Session to;
    std::optional<session::Holds> holds = {};  // none: those stay as they are
    std::optional<session::Strokes> strokes = {};
    bool operator==(const Move&) const = default;
  };
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  // Empty when there is nothing to undo or redo. Each ends the gesture.
  std::optional<Move> undo();
  std::optional<Move> redo();
  // Undoes the gesture in progress: a step back that cannot be redone.
  std::optional<Move> take_back(const std::string& gesture);

  std::size_t steps() const { return undo_.size(); }
  // How many bytes of values are kept; for tests.
  std::size_t bytes() const;

 private:
  struct Step {
    std::string lab;    // whose values, views and figures changed
    std::string shown;  // the lab on screen before; `lab` is on screen after
    param::Values before, after;
    figure::Views views_before, views_after;
    session::FigureChoices figures_before, figures_after;
    // Holds and strokes are large: they are kept only where they changed.
    template <class T>
    struct Change {
      T before, after;
    };
    std::optional<Change<session::Holds>> held = {};
    std::optional<Change<session::Strokes>> drawn = {};

    bool empty() const {
      return before.empty() && views_before == views_after && figures_before == figures_after &&
             !held && !drawn && shown == lab;
    }
  };
  bool goes_on(const std::string& gesture) const;
  void extend(const session::Session& before, const session::Session& after);

  std::size_t most_;
  std::deque<Step> undo_;
  std::vector<Step> redo_;
  std::string gesture_;  // whose step is the last one
};

}  // namespace state
