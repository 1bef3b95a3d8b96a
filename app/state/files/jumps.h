// From a page to another lab with what was found there, and back.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "app/state/desk/desk.h"
#include "app/state/events.h"
#include "app/state/files/contents.h"
#include "app/state/messages.h"
#include "app/worker/in_order.h"

namespace state {

class Jumps {
 public:
  // All outlive it.
  Jumps(Desk& desk, Messages& messages, Events& events, const words::Words& words,
        std::function<void()> wake);

  // Opens the lab as a page of this one offers it; one step of undo. What is written for it is
  // written in the background.
  void jump(const lab::Jump& jump);
  // The lab that `jump` led away from, while the one it led to is shown; empty: none.
  std::string came_from() const;
  // Returns to that lab, as it was left.
  void back();

  bool busy() const { return jumps_.busy(); }
  void cancel() { jumps_.cancel(); }
  Writing writing() const;
  // Takes over what was written. True when something was.
  bool poll();

 private:
  // A way to another lab, and, once they are written, the files that it brings among its values.
  struct Left {
    lab::Jump jump;
    std::string from;
    std::exception_ptr failure;
  };
  struct Jumped {
    std::string from, to;
  };
  static Left run(const Left& leaving, const core::Cancel& cancel);
  void take(const Left& left);

  Desk& desk_;
  Messages& messages_;
  Events& events_;
  const words::Words& words_;
  std::optional<Jumped> jumped_;
  worker::InOrder<Left, Left> jumps_;
};

}  // namespace state
