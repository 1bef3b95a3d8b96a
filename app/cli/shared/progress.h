// How far a film is, twice a second, of what takes longer than one.
#pragma once

#include <chrono>
#include <string_view>

#include "app/cli/shared/output.h"
#include "app/words/words.h"

namespace cli {

class Progress {
 public:
  // message: with two places, for how many are done and of how many.
  Progress(std::string_view message, const words::Words& w) : message_(message), w_(w) {}
  void operator()(double done, int frames) {
    const auto now = Clock::now();
    if (now - reported_ < std::chrono::milliseconds(reported_any_ ? 500 : 1000)) return;
    reported_ = now;
    reported_any_ = true;
    report(w_.format(message_, static_cast<int>(done), frames));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string_view message_;
  const words::Words& w_;
  Clock::time_point reported_ = Clock::now();
  bool reported_any_ = false;
};

}  // namespace cli
