// Copies of a training's state. To ask for as much memory anew takes several times as long as to
// copy into some that is there: what nobody looks at any more lends its own to the next copy.
#pragma once

#include <memory>
#include <mutex>

#include "app/labs/training.h"

namespace worker {

class Copies {
 public:
  std::shared_ptr<const lab::Training> of(const lab::Training& state);
  // Keeps what nobody looks at any more for the next copy, one at most; or no longer.
  void reuse(bool on);

 private:
  // Outlives the copies, which may be looked at for longer than this.
  struct Room {
    std::mutex mutex;
    bool open = false;
    std::unique_ptr<lab::Training> spare = {};
  };
  std::shared_ptr<Room> room_ = std::make_shared<Room>();
};

}  // namespace worker
