// Loops over several cores: a few threads that are started once, on first use, and then wait.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "core/per_thread.h"
#include "core/types.h"

namespace core {

// How many threads `requested` means: itself when positive, every core of this machine when 0.
// Negative is an InputError. Never less than 1.
int thread_count(int requested);

namespace detail {
inline thread_local PerThread<bool> alone = false;
using LoopBody = void (*)(void* context, Index index, int worker);
void run_loop(Index count, int threads, LoopBody body, void* context);
}  // namespace detail

// While one lives, the loops that its thread begins run on that thread alone: for a thread that is
// one of several with work of their own, so that helpers stay free for others.
class Alone {
 public:
  Alone() : before_(std::exchange(detail::alone, true)) {}
  ~Alone() { detail::alone = before_; }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  bool before_;
};

// Calls fn(index, worker) once for every index in [0, count), in rising order of start, on at most
// `threads` threads (0 = all cores). `worker` lies in [0, min(threads, count)) and no two calls
// with the same worker overlap, so it may pick a scratch buffer. The caller's thread takes part and
// is always worker 0; the call returns when every started fn has returned. What the first fn to
// throw threw is rethrown here, and indices not yet started are then left out. Where the system has
// no room for so many threads, fewer take part. May be called from several threads at once and from
// within fn.
template <class Fn>
void parallel_for(Index count, int threads, Fn&& fn) {
  using Body = std::remove_reference_t<Fn>;
  detail::run_loop(
      count, threads,
      [](void* context, Index index, int worker) { (*static_cast<Body*>(context))(index, worker); },
      const_cast<std::remove_const_t<Body>*>(std::addressof(fn)));
}

}  // namespace core
