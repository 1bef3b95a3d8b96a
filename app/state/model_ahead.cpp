// Pages that are made before they are asked for: a lecture's next stop is on screen at once.
#include <algorithm>

#include "app/labs/labs.h"
#include "app/state/model.h"

namespace state {

namespace {

bool same(const session::Session& one, const session::Session& other) {
  return one.lab == other.lab && one.values == other.values;
}

}  // namespace

std::shared_ptr<const Computed> Model::ahead_of(const session::Session& scene) const {
  const auto found = std::find_if(made_ahead_.begin(), made_ahead_.end(), [&](const auto& one) {
    return same(one->made_from, scene) && one->language == words_.language();
  });
  return found == made_ahead_.end() ? nullptr : *found;
}

std::shared_ptr<const Computed> Model::page_of(const session::Session& scene) const {
  const bool shown =
      shown_ && same(shown_->made_from, scene) && shown_->language == words_.language();
  return shown ? shown_ : ahead_of(scene);
}

void Model::make_ahead(std::vector<session::Session> scenes) {
  const bool as_before =
      std::equal(scenes.begin(), scenes.end(), wanted_ahead_.begin(), wanted_ahead_.end(), same);
  if (as_before) return;
  wanted_ahead_ = std::move(scenes);
  failed_ahead_.clear();
  std::erase_if(made_ahead_, [this](const auto& page) {
    return std::none_of(wanted_ahead_.begin(), wanted_ahead_.end(),
                        [&](const auto& scene) { return same(page->made_from, scene); });
  });
  if (!ahead_ && !wanted_ahead_.empty()) ahead_ = std::make_unique<Worker>(computing(), wake_);
  poll_ahead();
}

bool Model::awaits_ahead(const session::Session& scene) const {
  const auto is_it = [&](const session::Session& one) { return same(one, scene); };
  return std::any_of(wanted_ahead_.begin(), wanted_ahead_.end(), is_it) && !made_ahead(scene) &&
         std::none_of(failed_ahead_.begin(), failed_ahead_.end(), is_it);
}

// Takes over the page that was made, and asks for the next one that is wanted. One that cannot be
// made is left alone: when it is asked for, the page says why.
void Model::poll_ahead() {
  if (!ahead_) return;
  const auto standing = ahead_->standing();
  if (standing.busy) return;
  if (std::exchange(ahead_busy_, false)) {
    const bool made = standing.version != taken_ahead_ && standing.result &&
                      standing.result->page.fault.empty() && standing.error.empty();
    taken_ahead_ = standing.version;
    if (made) {
      made_ahead_.push_back(standing.result);
    } else {
      failed_ahead_.push_back(asked_ahead_);
    }
  }
  const auto next = std::find_if(wanted_ahead_.begin(), wanted_ahead_.end(),
                                 [this](const auto& scene) { return awaits_ahead(scene); });
  if (next == wanted_ahead_.end()) return;
  asked_ahead_ = *next;
  auto state = find_lab(next->lab).make();
  param::assign(state->describe(), next->values);
  ahead_->submit({*next, std::shared_ptr<const lab::State>(std::move(state)), words_});
  ahead_busy_ = true;
}

}  // namespace state
