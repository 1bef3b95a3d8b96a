#include "app/state/pages/ahead.h"

#include <algorithm>
#include <utility>

namespace state {

bool same_scene(const session::Session& one, const session::Session& other) {
  return one.lab == other.lab && one.values == other.values;
}

std::shared_ptr<const Computed> Ahead::of(const session::Session& scene) const {
  const auto found = std::find_if(made_.begin(), made_.end(), [&](const auto& one) {
    return same_scene(one->made_from, scene) && one->language == words_.language();
  });
  return found == made_.end() ? nullptr : *found;
}

void Ahead::make(std::vector<session::Session> scenes) {
  const bool as_before =
      std::equal(scenes.begin(), scenes.end(), wanted_.begin(), wanted_.end(), same_scene);
  if (as_before) return;
  wanted_ = std::move(scenes);
  failed_.clear();
  std::erase_if(made_, [this](const auto& page) {
    return std::none_of(wanted_.begin(), wanted_.end(),
                        [&](const auto& scene) { return same_scene(page->made_from, scene); });
  });
  if (!worker_ && !wanted_.empty()) worker_ = make_worker_();
  poll();
}

bool Ahead::awaits(const session::Session& scene) const {
  const auto is_it = [&](const session::Session& one) { return same_scene(one, scene); };
  return std::any_of(wanted_.begin(), wanted_.end(), is_it) && !of(scene) &&
         std::none_of(failed_.begin(), failed_.end(), is_it);
}

// A page that cannot be made is left alone: when it is asked for, it says why.
void Ahead::poll() {
  if (!worker_) return;
  const auto status = worker_->status();
  if (status.busy) return;
  if (std::exchange(busy_, false)) {
    const bool made = status.version != taken_ && status.result &&
                      status.result->page.fault.empty() && status.error.empty();
    taken_ = status.version;
    if (made) {
      made_.push_back(status.result);
    } else {
      failed_.push_back(asked_);
    }
  }
  const auto next = std::find_if(wanted_.begin(), wanted_.end(),
                                 [this](const auto& scene) { return awaits(scene); });
  if (next == wanted_.end()) return;
  asked_ = *next;
  auto state = desk_.find(next->lab).make();
  param::assign(state->describe(), next->values);
  worker_->submit({*next, std::shared_ptr<const lab::State>(std::move(state)), words_});
  busy_ = true;
}

}  // namespace state
