#include "app/ui/bars/status_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/system/memory.h"

namespace ui {

namespace {

constexpr double kProgressAfter = 0.3, kSignAfter = 0.05;

// Two digits are what a time is good for.
std::string ms_text(double ms) {
  return ms < 10 ? fmt::format("{:.2g}", ms) : fmt::format("{:.0f}", ms);
}

// All that is unusual about a page; what does not fit in its line is told where the pointer is.
std::string notes_text(const state::Computed* page) {
  return page ? fmt::format("{}", fmt::join(page->page.notes, " · ")) : std::string();
}

std::string training_text(const worker::RunStatus& run, const state::Computed* page,
                          const words::Words& w) {
  if (run.state == worker::RunState::stopped) {
    const std::string notes = notes_text(page);
    return notes.empty() ? worker::why_stopped(run).in(w) : notes;
  }
  const core::Index reached = std::max<core::Index>(0, run.reached);
  if (run.state == worker::RunState::paused) {
    return w.format(N_("training is paused at step {} of {}"), reached, run.goal);
  }
  std::string text = w.format(N_("training: step {} of {}"), reached, run.goal);
  if (run.steps_per_s > 0) {
    text += " · " + w.format(N_("{} steps per second"), fmt::format("{:.3g}", run.steps_per_s)) +
            " · " + w.format(N_("{} s left"), fmt::format("{:.2g}", run.seconds_left));
  }
  return text;
}

}  // namespace

// A line under the header with a light that wanders along it while pages or cells are made.
void StatusBar::working_sign(const Rect& page) {
  const double now = ImGui::GetTime();
  if (!program_.pages.busy() && !painter_.busy()) {
    working_since_.reset();
    return;
  }
  if (!working_since_) working_since_ = now;
  if (now - *working_since_ < kSignAfter) return;
  const Rect line{page.x, page.y - gui_.px(2), page.w, gui_.px(2)};
  constexpr double kRound = 1.6;  // seconds
  const auto at = static_cast<float>(std::fmod(now - *working_since_, kRound) / kRound);
  const float light = line.w / 4, from = line.x + (line.w + light) * at - light;
  gui_.fill(line, mix(gui_.theme().window, gui_.theme().accent, 0.25f));
  const float left = std::max(from, line.x), right = std::min(from + light, line.right());
  gui_.fill({left, line.y, std::max(right - left, 0.0f), line.h}, gui_.theme().accent);
  gui_.control("working", line);
}

// The training of the page on screen, while it goes on for long, is paused or has stopped.
std::optional<worker::RunStatus> StatusBar::shown_training() {
  std::vector<worker::RunStatus> all = program_.trainings.all();
  std::erase_if(all, [](const auto& run) { return run.state == worker::RunState::waiting; });
  const bool goes_on = !all.empty() && all.front().state == worker::RunState::training;
  if (!goes_on) {
    training_since_.reset();
  } else if (!training_since_) {
    training_since_ = ImGui::GetTime();
  }
  if (all.empty() || (goes_on && ImGui::GetTime() - *training_since_ < kProgressAfter)) return {};
  return all.front();
}

// What can be done with it, at the right end of the line; the left edge of that.
float StatusBar::training_buttons(const worker::RunStatus& run, const Rect& line) {
  const words::Words& w = gui_.words();
  float right = line.right() - gui_.px(12);
  const auto add = [&](const std::string& id, const std::string& label, const std::string& help) {
    const float width = std::ceil(gui_.width(label, TextStyle::body)) + gui_.px(20);
    const Rect place{right - width, line.y + gui_.px(3), width, line.h - gui_.px(5)};
    right = place.x - gui_.px(6);
    return button(gui_, id, place, label, {}, help);
  };
  // To begin anew would come to the same end.
  if (run.state == worker::RunState::stopped) {
    if (const state::Computed* page = program_.pages.page();
        page && !page->page.offer.sets.empty()) {
      const lab::Offer offer = page->page.offer;
      if (add("training.offer", offer.label, offer.help)) program_.knobs.apply(offer.sets);
    }
    return right;
  }
  if (add("training.restart", w("Restart"), w("Discards the steps made so far and starts again"))) {
    program_.trainings.restart();
  }
  if (add("training.step", w("Step"), w("Takes one step and pauses"))) {
    program_.trainings.step();
  }
  if (run.state == worker::RunState::training) {
    if (add("training.pause", w("Pause"), w("Stops after this step; the page shows it"))) {
      program_.trainings.pause();
    }
  } else if (add("training.go_on", w("Go on"), w("Trains on to the requested step"))) {
    program_.trainings.go_on();
  }
  return right;
}

void StatusBar::draw(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  gui_.fill(r, theme.panel);
  gui_.hline(r.x, r.right(), r.y, theme.line);
  const float cy = r.y + r.h / 2 + 0.5f, pad = gui_.px(24);
  const state::Computed* page = program_.pages.page();
  std::string left;
  // At a stop of a lesson nobody asks how long anything took.
  const bool plain = lesson_.focus() != nullptr;
  const bool computes = working_since_ && ImGui::GetTime() - *working_since_ >= kSignAfter;
  if (page && plain) {
    if (computes) left = w("computing…");
  } else if (page) {
    if (!lesson_.hides_words()) left = page->page.status;
    if (!left.empty()) left += " · ";
    left += computes ? w("computing…") : w.format(N_("computed in {} ms"), ms_text(page->ms));
  }
  if (frame_ms_ > 0 && !plain) {
    if (!left.empty()) left += " · ";
    left += w.format(N_("frame {} ms"), ms_text(frame_ms_));
  }
  float room = r.w - 2 * pad, noted = 0;
  float left_room = std::numeric_limits<float>::infinity();
  const auto training = shown_training();
  const bool slow_page = program_.pages.busy() && program_.pages.running_s() > kProgressAfter;
  const state::Writing written = program_.writing();
  const state::Writing read = program_.files.contents().now();
  const bool writes = written.running_s > kProgressAfter;
  const state::Writing& file = writes ? written : read;
  if (training) {
    left = training_text(*training, page, w);
    room = training_buttons(*training, r) - gui_.px(12) - r.x - pad;
  } else if (slow_page || file.running_s > kProgressAfter) {
    if (!slow_page) left = w.format(writes ? N_("writing {}") : N_("reading {}"), file.file);
    const std::string cancel(w("Cancel"));
    const float button_w = std::ceil(gui_.width(cancel, TextStyle::body)) + gui_.px(20);
    const Rect stop{r.right() - gui_.px(12) - button_w, r.y + gui_.px(3), button_w,
                    r.h - gui_.px(5)};
    if (button(gui_, "button.cancel", stop, cancel)) {
      if (slow_page) {
        program_.cancel_page();
      } else {
        writes ? program_.cancel_writing() : program_.files.contents().cancel();
      }
    }
    const float bar_w = std::min(gui_.px(160), r.w * 0.3f);
    const Rect bar{stop.x - gui_.px(10) - bar_w, std::round(cy - gui_.px(2)), bar_w, gui_.px(4)};
    gui_.fill(bar, theme.line, gui_.px(2));
    const float share =
        std::clamp(slow_page ? program_.pages.progress() : file.progress, 0.02f, 1.0f);
    gui_.fill({bar.x, bar.y, bar.w * share, bar.h}, theme.accent, gui_.px(2));
    gui_.control("progress", bar);
    room = bar.x - gui_.px(12) - r.x - pad;
  } else {
    // Why the page is not what the knobs ask for, else what is unusual about it.
    std::string note = program_.pages.unreported_error();
    const bool failed = !note.empty();
    if (!failed && !plain && !lesson_.hides_words()) note = notes_text(page);
    // It says more than sizes and times do, which give way to it.
    constexpr float kShareOfNotes = 0.7f;
    const float gap = gui_.px(24), whole = std::ceil(gui_.width(note, TextStyle::label));
    noted = std::min(
        whole, std::max(room - gui_.width(left, TextStyle::mono) - gap, kShareOfNotes * room));
    gui_.text_or_tip("status.note", r.right() - pad, cy, noted, note, TextStyle::label,
                     failed ? theme.bad : theme.text, 1);
    left_room = noted > 0 ? room - noted - gap : room;
  }
  left_room = std::min(left_room, room);
  gui_.text_or_tip("status", r.x + pad, cy, left_room, left, TextStyle::mono, theme.dim);
  const float at = r.x + pad + std::min(left_room, gui_.width(left, TextStyle::mono));
  if (!training && !plain && at + gui_.px(noted > 0 ? 130 : 220) < r.x + pad + room - noted)
    memory(r, at);
}

// How much is held, behind the status; its menu says how much may be.
void StatusBar::memory(const Rect& line, float x) {
  const words::Words& w = gui_.words();
  const auto text = [](std::size_t bytes) {
    const double mega = static_cast<double>(bytes) / 1e6;
    return mega < 1000 ? fmt::format("{:.0f} MB", mega) : fmt::format("{:.1f} GB", mega / 1000);
  };
  if (held_of_ != program_.pages.version()) {
    held_of_ = program_.pages.version();
    held_ = core::memory_in_use();
  }
  const std::string label = w.format(N_("uses {}"), text(held_));
  const Rect place{x + gui_.px(8), line.y + gui_.px(3),
                   std::ceil(gui_.width(label, TextStyle::mono)) + gui_.px(16),
                   line.h - gui_.px(5)};
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  if (button(gui_, "button.memory", place, label, look,
             w("Memory in use; the least recently used results are freed first"))) {
    ImGui::OpenPopup("memory");
  }
  if (!ImGui::IsPopupOpen("memory")) return;
  const std::size_t machine = core::machine_memory();
  Menu menu(gui_, "memory", {place.x, place.y - gui_.px(170), gui_.px(190), 0});
  if (!menu) return;
  menu.heading(w("Memory limit"));
  for (const std::size_t part : {16u, 8u, 4u, 2u}) {
    const std::size_t bytes = machine / part;
    if (menu.item(fmt::format("memory.{}", part), text(bytes),
                  bytes == program_.memory_budget() ? "•" : "")) {
      program_.set_memory_budget(bytes);
    }
  }
}

}  // namespace ui
