// The program without its window: its parts, each of which owns one thing, and how they go
// together.
//
//   a knob, a pick, undo ──► Desk ──► who follows it: Knobs, Playing, Holding, Pages
//   Pages ──► the page on screen, which Sight, Holding and Trainings look at, and Exports write
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/progress.h"
#include "app/state/appearance.h"
#include "app/state/desk/desk.h"
#include "app/state/desk/knobs.h"
#include "app/state/desk/playing.h"
#include "app/state/events.h"
#include "app/state/files/exports.h"
#include "app/state/files/files.h"
#include "app/state/files/jumps.h"
#include "app/state/messages.h"
#include "app/state/pages/holding.h"
#include "app/state/pages/pages.h"
#include "app/state/pages/sight.h"
#include "app/state/pages/trainings.h"

namespace state {

class Program {
  // Memory that pages, what was computed for them, tiles of heatmaps and trainings may hold: all
  // that can be made again. It goes after all that holds some.
  worker::MemoryBudget memory_;
  worker::Runs runs_;
  worker::MemoryBudget::Holder states_held_;

 public:
  // `labs` outlives it; `wake` is called from workers when there is something new.
  explicit Program(const std::vector<lab::Lab>& labs, const std::function<void()>& wake = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Appearance looks;
  Messages messages;
  Events events;
  Desk desk;
  Knobs knobs;
  Playing playing;
  Pages pages;
  Sight sight;
  Holding holding;
  Trainings trainings;
  Files files;
  Exports exports;
  Jumps jumps;
  lesson::Progress learned;  // how far the person has come in lessons

  const words::Words& words() const { return looks.words; }
  void set_language(words::Language language);
  // Exports look as the figure that was opened did; what cannot be is told.
  void take_paper(const PaperOpened& opened);

  // Bytes; a quarter of the machine's unless it is set. What other labs have computed is given up
  // first, then tiles that are not shown, then states of trainings.
  std::size_t memory_budget() const { return held_.most; }
  worker::MemoryBudget& memory() { return memory_; }
  void set_memory_budget(std::size_t bytes);
  // While a lesson is on, what was computed for the stops before is given up sooner.
  void hold_for_lesson(bool on);
  // How long drawing a frame takes: pages of a training follow one another so that most time is
  // left.
  void set_frame_ms(double ms) { frame_ms_ = ms; }

  // Advances what plays.
  void advance(double seconds) { playing.advance(seconds, pages.busy()); }
  double seconds_to_step() const { return playing.seconds_to_step(pages.busy()); }
  // Gives up the page that is made.
  void cancel_page();
  // The file being written: an export, or one that a jump takes along.
  Writing writing() const;
  bool is_writing() const { return exports.busy() || jumps.busy(); }
  void cancel_writing() { exports.cancel(), jumps.cancel(); }

  // Takes over finished work. True when something changed.
  bool poll();
  // Blocks until no training of the page goes on, no page is made, no file is read and every export
  // is written. A limit, where there is one, ends a hang alone: std::runtime_error says what went
  // on.
  void wait(std::optional<std::chrono::minutes> most = std::chrono::minutes(20));

 private:
  const char* going_on() const;
  void share_memory();

  double frame_ms_ = 0;
  struct {
    std::size_t most;
    bool lesson;
  } held_{memory_.bytes(), false};
};

}  // namespace state
