// The page on screen: the newest one of the lab shown, and the one that is being made.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/state/desk/desk.h"
#include "app/state/messages.h"
#include "app/state/pages/ahead.h"
#include "app/state/pages/page_worker.h"

namespace state {

class Pages {
 public:
  // All outlive it.
  Pages(Desk& desk, Messages& messages, const words::Words& words, Ahead::MakeWorker worker);

  // The newest page of the lab shown; null before the first.
  const Computed* page() const { return shown_.get(); }
  std::shared_ptr<const Computed> shared() const { return shown_; }
  long version() const { return version_; }
  // True when the page is not that of the knobs and the language as they are.
  bool stale() const;
  // How long its successor has been in the making, in seconds; 0: none is.
  double waiting_s() const;
  bool busy() const { return status_.busy; }
  double running_s() const { return status_.running_s; }
  float progress() const { return status_.progress; }
  void cancel() { worker_->cancel(); }
  // Asks for the page of the knobs as they are.
  void ask();
  // Recomputes the page of the same knobs, without showing that it is waited for.
  void refresh();
  // Whether the next page of a training may be made yet: drawing and making pages take a fifth of a
  // processor at most, so that most time is left for the training. `frame_ms`: how long drawing
  // takes.
  bool may_refresh(double frame_ms) const;

  // Why the last request has no page; empty when it has one.
  std::string error() const { return error_.in(words_); }
  // The error where nothing else shows it: neither the place of a page that never was, nor the
  // message.
  std::string unreported_error() const;

  Ahead& ahead() { return ahead_; }
  const Ahead& ahead() const { return ahead_; }
  // The page of a scene, made ahead or on screen; null: there is none yet.
  std::shared_ptr<const Computed> of(const session::Session& scene) const;

  // Takes over what the worker has finished. True when something changed.
  bool poll();
  // True once for each page that shows the knobs as they are, whole, with nothing newer in the
  // making.
  bool settled_anew();
  void follow(const Desk::Change& change);

 private:
  using Clock = std::chrono::steady_clock;
  void take(const worker::Status<Computed>& status);
  void report_error();

  Desk& desk_;
  Messages& messages_;
  const words::Words& words_;
  std::unique_ptr<PageWorker> worker_;
  Ahead ahead_;
  worker::Status<Computed> status_;
  std::shared_ptr<const Computed> shown_;
  std::string lab_;   // whose page it is
  long version_ = 0;  // counts pages
  long taken_ = 0;    // the worker's version that was taken over last
  long settled_ = 0;  // the last page that settled_anew told of
  std::optional<Clock::time_point> waiting_since_;
  Clock::time_point refreshed_{};
  core::Message error_;
  std::optional<long> reported_error_;  // number of the message that says so
};

}  // namespace state
