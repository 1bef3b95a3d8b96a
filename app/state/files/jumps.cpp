#include "app/state/files/jumps.h"

#include <utility>

#include "app/state/files/settings.h"
#include "app/words/sentence.h"

namespace state {

Jumps::Jumps(Desk& desk, Messages& messages, Events& events, const words::Words& words,
             std::function<void()> wake)
    : desk_(desk),
      messages_(messages),
      events_(events),
      words_(words),
      jumps_(run, std::move(wake)) {}

void Jumps::jump(const lab::Jump& jump) {
  const Left leaving{jump, desk_.now().lab, nullptr};
  jump.files.empty() ? take(leaving) : jumps_.add(leaving);
}

Jumps::Left Jumps::run(const Left& leaving, const core::Cancel& cancel) {
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
void Jumps::take(const Left& left) {
  if (desk_.now().lab != left.from) return;
  try {
    if (left.failure) std::rethrow_exception(left.failure);
    const lab::Lab& to = desk_.find(left.jump.lab);
    auto fresh = to.make();
    param::assign(fresh->describe(), left.jump.sets);
    desk_.replace(to, std::move(fresh), {});
  } catch (const core::Cancelled&) {
    return;
  } catch (const std::exception& e) {
    return messages_.say(words::translated(e, words_), true);
  }
  jumped_ = Jumped{left.from, left.jump.lab};
  if (!left.jump.figure.empty()) events_.add(FigureOpened{left.jump.figure});
}

std::string Jumps::came_from() const {
  return jumped_ && jumped_->to == desk_.now().lab ? jumped_->from : "";
}

void Jumps::back() {
  const std::string to = came_from();
  if (!to.empty()) desk_.show_lab(to);
}

Writing Jumps::writing() const {
  const auto leaving = jumps_.status();
  if (!leaving.job) return {};
  return {leaving.job->jump.label, leaving.running_s, leaving.progress};
}

bool Jumps::poll() {
  const std::vector<Left> all = jumps_.take();
  for (const Left& left : all) take(left);
  return !all.empty();
}

}  // namespace state
