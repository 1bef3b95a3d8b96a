#include "app/state/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/paper/style/named_style.h"
#include "core/system/memory.h"

namespace state {

namespace {

constexpr std::size_t kLeastMemory = std::size_t{64} << 20;
constexpr std::size_t kLessonMemory = std::size_t{256} << 20;

}  // namespace

Program::Program(const std::vector<lab::Lab>& labs, const std::function<void()>& wake)
    : memory_(std::max(core::machine_memory() / 4, kLeastMemory), core::memory_in_use),
      runs_({.budget = memory_.bytes(), .wake = wake}),
      states_held_(memory_, [this](std::size_t bytes) { runs_.give_up(bytes); }),
      desk(labs, looks.words),
      knobs(desk, messages, looks.words),
      playing(desk, knobs),
      pages(desk, messages, looks.words,
            [this, wake] { return page_worker(memory_, runs_, wake); }),
      sight(desk, pages),
      holding(desk, pages, messages, looks, wake),
      trainings(pages, runs_),
      files(desk, knobs, pages, messages, events, looks.words, wake),
      exports(desk, pages, holding, files, messages, looks, wake),
      jumps(desk, messages, events, looks.words, wake) {
  // A drag begins before what plays is paused and before another page is asked for.
  desk.follow([this](const Desk::Change& change) {
    holding.follow(change, playing.gesture());
    knobs.follow(change);
    playing.follow(change);
    pages.follow(change);
  });
}

void Program::take_paper(const PaperOpened& opened) {
  try {
    paper::PaperOptions paper = looks.paper;
    paper.style = {};
    paper::set(paper, opened.paper);
    paper::check(paper.style);
    looks.paper = paper;
    looks.paper_of = opened.lab + " " + opened.figure;
  } catch (const core::InputError& error) {
    messages.say(words::translated(error, looks.words), true);
  }
}

void Program::set_language(words::Language language) {
  if (language == looks.words.language()) return;
  const std::vector<const lab::Lab*> untouched = desk.untouched_labs();
  looks.words = words::Words(language);
  desk.begin_anew(untouched);
}

void Program::set_memory_budget(std::size_t bytes) {
  held_.most = std::max(bytes, kLeastMemory);
  share_memory();
  pages.refresh();  // which gives up what is too much
}

void Program::hold_for_lesson(bool on) {
  held_.lesson = on;
  share_memory();
}

void Program::share_memory() {
  memory_.set(held_.lesson ? std::min(held_.most, kLessonMemory) : held_.most);
  runs_.set_budget(memory_.bytes());
}

void Program::cancel_page() {
  playing.pause();
  pages.cancel();
  messages.say(looks.words("Cancelled: the page shows the last finished result."));
}

Writing Program::writing() const {
  const Writing now = exports.now();
  return now.file.empty() ? jumps.writing() : now;
}

bool Program::poll() {
  desk.forget_replaced();
  bool changed = pages.poll();
  // A drag or a text that is being typed comes to its end first: what is beyond a half of the text
  // may be within all of it.
  if (!desk.history().is_changing() && pages.settled_anew()) knobs.bring_into_range();
  if (trainings.overtaken() && pages.may_refresh(frame_ms_)) pages.refresh();
  changed = holding.poll() || changed;
  changed = exports.poll() || changed;
  changed = files.poll() || changed;
  return jumps.poll() || changed;
}

// What still goes on; null: nothing.
const char* Program::going_on() const {
  if (pages.busy() || pages.ahead().busy()) return "a page";
  if (holding.busy()) return "a page that is held";
  if (is_writing()) return "an export";
  if (files.opening() || files.contents().busy()) return "a file that is read";
  return trainings.going_on() ? "a training" : nullptr;
}

void Program::wait(std::optional<std::chrono::minutes> most) {
  const auto begun = std::chrono::steady_clock::now();
  const char* what = nullptr;
  while (poll(), holding.page(), (what = going_on()) != nullptr) {
    if (most && std::chrono::steady_clock::now() - begun > *most) {
      throw std::runtime_error(fmt::format("waited {} minutes for {}", most->count(), what));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  poll();
}

}  // namespace state
