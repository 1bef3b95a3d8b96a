// Jobs in the background, one after the other in the order in which they came; none is left out.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "app/worker/signal.h"
#include "core/types.h"

namespace worker {

template <class Job, class Result>
class InOrder {
 public:
  using Clock = std::chrono::steady_clock;
  // Makes the result of what was thrown, too, core::Cancelled among it: nothing may come out of it.
  using Work = std::function<Result(const Job&, const core::Cancel&)>;

  // `wake` is called from the worker after each job, so that a sleeping window redraws.
  explicit InOrder(Work work, std::function<void()> wake = {})
      : work_(std::move(work)),
        wake_(std::move(wake)),
        thread_(changed_, mutex_, [this](const std::stop_token& quit) { loop(quit); }) {}
  // Finishes every job first: who wants to leave sooner cancels.
  ~InOrder() { wait(); }
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;

  void add(Job job) {
    {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(std::move(job));
    }
    changed_.notify_all();
  }

  // Stops the job that runs; those that wait come next.
  void cancel() {
    const std::scoped_lock lock(mutex_);
    stop_.request_stop();
  }

  // Stops the job that runs, too, and gives back those that wait.
  std::vector<Job> drop() {
    const std::scoped_lock lock(mutex_);
    stop_.request_stop();
    std::vector<Job> jobs(std::make_move_iterator(waiting_.begin()),
                          std::make_move_iterator(waiting_.end()));
    waiting_.clear();
    return jobs;
  }

  // The results since the last call, in order.
  std::vector<Result> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(done_, {});
  }

  // The job that runs, if one does, how long it has run, and its share done.
  struct Status {
    std::optional<Job> job;
    double running_s = 0;
    float progress = 0;
  };
  Status status() const {
    const std::scoped_lock lock(mutex_);
    if (!running_) return {};
    return {running_, std::chrono::duration<double>(Clock::now() - began_).count(),
            progress_.load(std::memory_order_relaxed)};
  }
  bool busy() const {
    const std::scoped_lock lock(mutex_);
    return running_ || !waiting_.empty();
  }
  // Waits until nothing runs or waits.
  void wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !running_ && waiting_.empty(); });
  }
  // Waits at most this long; returns whether nothing runs or waits.
  bool wait_for(Clock::duration time) const {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return !running_ && waiting_.empty(); });
  }

 private:
  void loop(const std::stop_token& quit) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, quit, [this] { return !waiting_.empty(); })) {
      running_ = std::move(waiting_.front());
      waiting_.pop_front();
      stop_ = {};
      progress_ = 0;
      began_ = Clock::now();
      const Job& job = *running_;
      const core::Cancel cancel(stop_.get_token(), &progress_);
      lock.unlock();
      Result result = work_(job, cancel);
      lock.lock();
      done_.push_back(std::move(result));
      running_.reset();
      changed_.notify_all();
      if (wake_) {
        lock.unlock();
        wake_();
        lock.lock();
      }
    }
  }

  Work work_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  mutable Signal changed_;
  std::deque<Job> waiting_;
  std::optional<Job> running_;
  std::vector<Result> done_;
  std::stop_source stop_;
  std::atomic<float> progress_ = 0;
  Clock::time_point began_;
  Listener thread_;  // last: it begins when the rest is there, and ends before
};

}  // namespace worker
