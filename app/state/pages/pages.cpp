#include "app/state/pages/pages.h"

#include <utility>

namespace state {

namespace {

double s_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

Pages::Pages(Desk& desk, Messages& messages, const words::Words& words, Ahead::MakeWorker worker)
    : desk_(desk),
      messages_(messages),
      words_(words),
      worker_(worker()),
      ahead_(desk, words, std::move(worker)),
      lab_(desk.now().lab) {
  ask();
}

void Pages::follow(const Desk::Change& change) {
  if (!change.asks_for_page()) return;
  if (desk_.now().lab != lab_) {
    lab_ = desk_.now().lab;
    shown_ = nullptr;
    ++version_;
  }
  ask();
}

void Pages::ask() {
  if (auto page = ahead_.of(desk_.now())) {
    shown_ = std::move(page);
    desk_.state().learn(shown_->page.found);
    ++version_;
  }
  refresh();
  if (!waiting_since_) waiting_since_ = Clock::now();
}

void Pages::refresh() {
  worker_->submit({desk_.now(), desk_.state().clone(), words_});
  status_.busy = true;
  refreshed_ = Clock::now();
}

bool Pages::may_refresh(double frame_ms) const {
  const double shown_ms = shown_ ? shown_->ms : 0;
  return !status_.busy && s_since(refreshed_) * 1000 >= 4 * (shown_ms + frame_ms);
}

bool Pages::stale() const {
  return !shown_ || !shown_->whole || shown_->made_from.values != desk_.now().values ||
         shown_->language != words_.language();
}

double Pages::waiting_s() const { return waiting_since_ ? s_since(*waiting_since_) : 0; }

std::shared_ptr<const Computed> Pages::of(const session::Session& scene) const {
  const bool shown =
      shown_ && same_scene(shown_->made_from, scene) && shown_->language == words_.language();
  return shown ? shown_ : ahead_.of(scene);
}

bool Pages::poll() {
  const bool was_busy = status_.busy;
  ahead_.poll();
  status_ = worker_->status();
  bool changed = was_busy != status_.busy;
  if (status_.version != taken_) {
    taken_ = status_.version;
    changed = true;
    take(status_);
  }
  if (!status_.busy) {
    waiting_since_.reset();
    report_error();
  }
  return changed;
}

// A late page of a lab that is no longer shown is left alone.
void Pages::take(const worker::Status<Computed>& status) {
  if (!status.result || status.result->made_from.lab != lab_) return;
  const lab::Page& page = status.result->page;
  desk_.state().learn(page.found);
  if (page.fault.empty()) shown_ = status.result;
  ++version_;
  if (waiting_since_) waiting_since_ = Clock::now();
}

void Pages::report_error() {
  core::Message error = status_.error;
  if (error.empty() && status_.result && status_.result->made_from.lab == lab_) {
    error = status_.result->page.fault;
  }
  if (error_ == error) return;
  error_ = std::move(error);
  if (!error_.empty()) {
    if (!shown_) return;
    messages_.say(error_.in(words_), true);
    reported_error_ = messages_.last().number;
  } else if (reported_error_ == messages_.last().number) {
    messages_.dismiss();  // what it says is no longer so
  }
}

std::string Pages::unreported_error() const {
  const bool said = reported_error_ == messages_.last().number && !messages_.last().text.empty();
  return shown_ && !said ? error() : std::string();
}

bool Pages::settled_anew() {
  if (!shown_ || settled_ == version_ || stale() || status_.busy) return false;
  settled_ = version_;
  return true;
}

}  // namespace state
