#include "app/worker/timeline.h"

#include <bit>
#include <utility>

namespace worker {

void Timeline::keep(Index step, std::shared_ptr<const lab::Training> state) {
  drop(step);
  const std::size_t bytes = state->bytes();
  large_ = static_cast<Index>(std::bit_ceil(bytes / kLargeBytes));
  later_ = bytes < kMuchBytes ? 4 : 16;
  kept_[step] = {std::move(state), bytes};
  bytes_ += bytes;
}

void Timeline::drop(Index step) {
  const auto found = kept_.find(step);
  if (found == kept_.end()) return;
  bytes_ -= found->second.bytes;
  kept_.erase(found);
}

std::pair<Index, std::shared_ptr<const lab::Training>> Timeline::before(Index step) const {
  auto after = kept_.upper_bound(step);
  if (after == kept_.begin()) return {0, nullptr};
  --after;
  return {after->first, after->second.state};
}

void Timeline::thin(std::size_t most) {
  while (bytes_ > most && !kept_.empty()) {
    // Beyond the last step that a stride would keep, all go.
    stride_ *= 2;
    const bool none_left = stride_ > 2 * (reached() + 1);
    for (auto it = kept_.begin(); it != kept_.end();) {
      const Index step = (it++)->first;
      if (none_left || step % stride_ != 0) drop(step);
    }
  }
}

}  // namespace worker
