// From a page to another lab with what was found there, and back.
#include "app/state/model.h"
#include "app/state/settings.h"
#include "app/words/sentence.h"

namespace state {

// What is written for it is written in the background.
void Model::jump(const lab::Jump& jump) {
  const Left leaving{jump, now_.lab, nullptr};
  jump.files.empty() ? take_left(leaving) : jumps_->add(leaving);
}

Model::Left Model::run_jump(const Left& leaving, const core::Cancel& cancel) {
  Left left = leaving;
  try {
    for (const lab::JumpFile& file : leaving.jump.files) {
      cancel.poll();
      const std::string bytes = file.bytes();
      cancel.poll();
      left.jump.sets.emplace_back(file.knob, keep_file(bytes, file.ending).string());
    }
  } catch (...) {
    left.failure = std::current_exception();
  }
  return left;
}

// Nobody is led away from where they have gone meanwhile.
void Model::take_left(const Left& left) {
  if (now_.lab != left.from) return;
  try {
    if (left.failure) std::rethrow_exception(left.failure);
    const lab::Lab& to = find_lab(left.jump.lab);
    auto fresh = to.make();
    param::assign(fresh->describe(), left.jump.sets);
    replace(to, std::move(fresh), {});
  } catch (const core::Cancelled&) {
    return;
  } catch (const std::exception& e) {
    return say(words::told(e, words_), true);
  }
  jumped_ = Jumped{left.from, left.jump.lab};
}

void Model::jump_back() {
  const std::string to = came_from();
  if (!to.empty()) show_lab(to);
}

}  // namespace state
