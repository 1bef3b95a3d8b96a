// Background recompute. One worker, at most one waiting request: a newer one replaces the waiting
// one. The running one is cancelled only when one waits and it has run longer than `grace`;
// cancelling at every slider tick would starve the screen while somebody drags.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "app/worker/signal.h"
#include "core/types.h"

namespace worker {

// Status of a worker: one consistent snapshot.
template <class Result>
struct Status {
  std::shared_ptr<const Result> result;  // the newest whole one; null before the first
  core::Message error;                   // of the newest finished request; empty when it went well
  bool busy = false;                     // a newer result is being made
  double running_s = 0;                  // how long the current job has run
  float progress = 0;                    // its share done, if it says; 0 when nothing runs
  long version = 0;                      // counts published results
};

template <class Request, class Result>
class LatestWins {
 public:
  using Clock = std::chrono::steady_clock;
  using Publish = std::function<void(Result)>;
  using Work = std::function<Result(const Request&, const core::Cancel&, const Publish&)>;

  // `wake` is called from the worker after each result, so that a sleeping window redraws.
  explicit LatestWins(Work work, std::function<void()> wake = {},
                      Clock::duration grace = std::chrono::milliseconds(250))
      : work_(std::move(work)),
        wake_(std::move(wake)),
        grace_(grace),
        watcher_(changed_, mutex_, [this](const std::stop_token& quit) { watch(quit); }),
        thread_(changed_, mutex_, [this](const std::stop_token& quit) { loop(quit); }) {}
  ~LatestWins() {
    watcher_.stop();
    thread_.stop();
    cancel();
  }
  LatestWins(const LatestWins&) = delete;
  LatestWins& operator=(const LatestWins&) = delete;

  void submit(Request request) {
    {
      const std::scoped_lock lock(mutex_);
      waiting_.emplace(std::move(request));
    }
    changed_.notify_all();
  }

  // Stops what runs and forgets what waits; the last whole result stays, even when what runs
  // finishes all the same.
  void cancel() {
    const std::scoped_lock lock(mutex_);
    waiting_.reset();
    discard_ = running_;
    stop_.request_stop();
  }

  Status<Result> status() const {
    const std::scoped_lock lock(mutex_);
    Status<Result> s;
    s.result = done_;
    s.error = error_;
    s.busy = running_ || waiting_.has_value();
    if (running_) {
      s.running_s = std::chrono::duration<double>(Clock::now() - began_).count();
      s.progress = progress_.load(std::memory_order_relaxed);
    }
    s.version = version_;
    return s;
  }

 private:
  void loop(const std::stop_token& quit) {
    for (;;) {
      std::optional<Request> request;
      core::Cancel cancel;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, quit, [&] { return waiting_.has_value(); });
        if (quit.stop_requested()) return;
        request = std::move(waiting_);
        waiting_.reset();
        stop_ = std::stop_source{};
        progress_.store(0, std::memory_order_relaxed);
        cancel = core::Cancel(stop_.get_token(), &progress_);
        began_ = Clock::now();
        ++job_;
        running_ = true;
        discard_ = false;
      }
      run(*request, cancel);
      if (wake_) wake_();
    }
  }

  // Cancels a job that has outrun its grace while another waits, however long ago that one came.
  void watch(const std::stop_token& quit) {
    std::unique_lock lock(mutex_);
    const auto contested = [&] { return running_ && waiting_ && !stop_.stop_requested(); };
    while (changed_.wait(lock, quit, contested)) {
      const long job = job_;
      const auto moved_on = [&] { return job_ != job || !contested(); };
      if (changed_.wait_until(lock, quit, began_ + grace_, moved_on)) continue;
      if (quit.stop_requested()) return;
      stop_.request_stop();
    }
  }

  void run(const Request& request, const core::Cancel& cancel) {
    std::shared_ptr<const Result> result;
    core::Message error;
    bool cancelled = false;
    try {
      result = std::make_shared<const Result>(work_(request, cancel, [this](Result part) {
        publish(std::make_shared<const Result>(std::move(part)));
        if (wake_) wake_();
      }));
    } catch (const core::Cancelled&) {
      cancelled = true;
    } catch (...) {
      error = core::caught();
    }
    const std::scoped_lock lock(mutex_);
    running_ = false;
    if (cancelled || discard_) return;
    error_ = std::move(error);
    if (result) {
      done_.swap(result);  // the old one dies after the lock is gone: that may take a while
      ++version_;
    }
  }

  void publish(std::shared_ptr<const Result> part) {
    const std::scoped_lock lock(mutex_);
    if (discard_) return;
    done_.swap(part);
    error_ = {};
    ++version_;
  }

  Work work_;
  std::function<void()> wake_;
  Clock::duration grace_;
  mutable std::mutex mutex_;
  Signal changed_;
  std::optional<Request> waiting_;
  std::stop_source stop_;
  std::atomic<float> progress_{0};
  std::shared_ptr<const Result> done_;
  core::Message error_;
  bool running_ = false, discard_ = false;
  long version_ = 0, job_ = 0;
  Clock::time_point began_{};
  Listener watcher_, thread_;  // last: they join before the rest dies
};

}  // namespace worker
