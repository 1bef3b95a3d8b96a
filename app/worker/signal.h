// What threads wait for, in such a way that they can be ended while they do.
//
// std::condition_variable_any has such waits, too, by a callback of the token; but whoever takes a
// callback back waits for an atomic number, and without futexes, as on Windows, that may sleep for
// ever in libstdc++ 12 (GCC's bug 106183).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace worker {

// A condition variable: `ready` is asked under the lock of the mutex that guards what it looks at.
// Waits with a token end, too, when the Listener that it is of ends.
class Signal {
 public:
  using Lock = std::unique_lock<std::mutex>;

  void notify_all() { changed_.notify_all(); }

  template <class Ready>
  void wait(Lock& lock, Ready ready) {
    changed_.wait(lock, std::move(ready));
  }
  // Whether it is ready, as all that follow.
  template <class Time, class Ready>
  bool wait_for(Lock& lock, Time time, Ready ready) {
    return changed_.wait_for(lock, time, std::move(ready));
  }
  template <class Ready>
  bool wait(Lock& lock, const std::stop_token& quit, Ready ready) {
    bool is_ready = false;
    changed_.wait(lock, [&] { return (is_ready = ready()) || quit.stop_requested(); });
    return is_ready;
  }
  template <class Time, class Ready>
  bool wait_until(Lock& lock, const std::stop_token& quit, Time time, Ready ready) {
    bool is_ready = false;
    changed_.wait_until(lock, time, [&] { return (is_ready = ready()) || quit.stop_requested(); });
    return is_ready;
  }

 private:
  std::condition_variable changed_;
};

// A thread that waits for a signal under a mutex, both of which outlive it. Its end stops the
// token, wakes it and joins.
class Listener {
 public:
  Listener() = default;
  Listener(Signal& signal, std::mutex& mutex, std::function<void(const std::stop_token&)> work)
      : signal_(&signal), mutex_(&mutex), thread_(std::move(work)) {}
  Listener(Listener&&) = default;
  Listener& operator=(Listener&&) = delete;
  ~Listener() { stop(); }

  // Does not join yet.
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::scoped_lock lock(*mutex_);
      thread_.request_stop();
    }
    signal_->notify_all();
  }

 private:
  Signal* signal_ = nullptr;
  std::mutex* mutex_ = nullptr;
  std::jthread thread_;
};

}  // namespace worker
