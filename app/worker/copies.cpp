#include "app/worker/copies.h"

#include <utility>

namespace worker {

std::shared_ptr<const lab::Training> Copies::of(const lab::Training& state) {
  std::unique_ptr<lab::Training> copy;
  {
    const std::lock_guard lock(room_->mutex);
    copy = std::move(room_->spare);
  }
  if (copy) {
    copy->become(state);
  } else {
    copy = state.clone();
  }
  const auto give_back = [room = room_](lab::Training* unseen) {
    std::unique_ptr<lab::Training> own(unseen);
    const std::lock_guard lock(room->mutex);
    if (room->open && !room->spare) room->spare = std::move(own);
  };
  return std::shared_ptr<lab::Training>(copy.release(), give_back);
}

void Copies::reuse(bool on) {
  std::unique_ptr<lab::Training> gone;  // destroyed when no lock is held
  const std::lock_guard lock(room_->mutex);
  room_->open = on;
  if (!on) gone = std::move(room_->spare);
}

}  // namespace worker
