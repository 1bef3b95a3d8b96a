// Holding: what the page shows is kept, to be compared with what the knobs make of it (see
// session::Holds). Each change is a step of undo; a sentence says where it cannot be.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/appearance.h"
#include "app/state/pages/held_pages.h"
#include "app/state/pages/pages.h"

namespace state {

class Holding {
 public:
  // All outlive it.
  Holding(Desk& desk, const Pages& pages, Messages& messages, const Appearance& looks,
          std::function<void()> wake)
      : desk_(desk), pages_(pages), messages_(messages), looks_(looks), made_(std::move(wake)) {}

  const session::Holds& holds() const { return desk_.now().holds; }
  void hold();
  void drop(std::size_t k);
  void rename(std::size_t k, const std::string& name);
  void compare_with(int k);  // -1: with none
  void show_cells(figure::CellsShown shown);
  void set_split(float at);  // one drag is one step
  // "head = 2, scale = no": the knobs that stood otherwise there, as they stood; empty: none did.
  std::string differs(const session::Hold& hold) const;
  std::string fault(const session::Hold& hold) const;  // why it has no page; empty: none

  // The page compared with; null: none, or it is still being made. While a knob is dragged and
  // nothing else is compared, the page at which the drag began.
  std::shared_ptr<const Computed> page() const;
  bool is_drag() const { return !holds().now() && dragged_from_; }
  // Whether the mouse is down: what a gesture changes meanwhile is a drag, unless it is that of
  // what plays.
  void set_dragging(bool dragging);
  void follow(const Desk::Change& change, const std::string& played);

  // Takes over what was made. True when something was.
  bool poll();
  bool busy() const { return made_.busy(); }
  const HeldPages& pages() const { return made_; }

 private:
  HeldPages::Key key_of(const session::Hold& hold) const;
  void change(session::Holds holds, const std::string& gesture = "");
  void begin_drag(const Desk::Change& change);

  Desk& desk_;
  const Pages& pages_;
  Messages& messages_;
  const Appearance& looks_;
  bool dragging_ = false;
  std::string dragged_by_;                        // the gesture of the drag
  std::shared_ptr<const Computed> dragged_from_;  // the page at which it began
  // Last result of `page`; empty where something has changed since.
  mutable std::optional<std::shared_ptr<const Computed>> now_;
  mutable HeldPages made_;  // made when they are first asked for
};

}  // namespace state
