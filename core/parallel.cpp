#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "core/system/threads.h"

namespace core {
namespace {

// More threads than this help nobody and would be a mistyped number.
constexpr int kMostThreads = 256;

// One parallel_for under way. It lives on its caller's stack; helpers may touch it only between
// joining (under the pool's mutex) and leaving (likewise).
struct Loop {
  Index count = 0;
  detail::LoopBody body = nullptr;
  void* context = nullptr;
  std::atomic<Index> next{0};
  int slots = 0;    // helpers that may still join
  int helpers = 0;  // helpers that have joined; the last one's number as a worker
  // Helpers that have joined and not yet left; changes under the pool's mutex.
  std::atomic<int> active{0};
  std::exception_ptr error;

  // Works until no index is left. Returns what was thrown, if anything.
  std::exception_ptr work(int worker) {
    try {
      for (;;) {
        const Index index = next.fetch_add(1, std::memory_order_relaxed);
        if (index >= count) return nullptr;
        body(context, index, worker);
      }
    } catch (...) {
      next.store(count, std::memory_order_relaxed);
      return std::current_exception();
    }
  }
};

// Waits for up to some tens of microseconds, about what falling asleep and being woken costs, for
// something that is likely to come sooner.
template <class Done>
void wait_awake(const Done& done) {
  constexpr int kMostLooks = 2000;
  for (int look = 0; look < kMostLooks && !done(); ++look) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }
}

// A thread that helps with loops.
struct Helper {
  std::thread thread;
  Cores cores;                // where it may run
  std::atomic<int> last{-1};  // where it last did
};

// Wakes helpers so that none of them starts on the caller's core. Where most cores are busy the
// scheduler of Linux puts a thread that wakes back to where it last ran without looking for an idle
// core; once that is the caller's, the two share one core loop after loop while another is idle.
// So a helper that last ran here is barred from here for the moment of its waking.
class AwayFromHere {
 public:
  explicit AwayFromHere(std::list<Helper>& helpers) {
    const int here = current_core();
    if (here < 0) return;
    barred_.reserve(helpers.size());  // before any is barred, as it may throw
    for (Helper& helper : helpers) {
      if (helper.last.load(std::memory_order_relaxed) == here) bar(helper, here);
    }
  }
  AwayFromHere(const AwayFromHere&) = delete;
  AwayFromHere& operator=(const AwayFromHere&) = delete;
  ~AwayFromHere() {
    for (Helper* helper : barred_) allow_cores(helper->thread, helper->cores);
  }

 private:
  void bar(Helper& helper, int core) {
    Cores others = helper.cores;
    others.reset(static_cast<std::size_t>(core));
    if (others.none()) return;
    barred_.push_back(&helper);
    allow_cores(helper.thread, others);
  }

  std::vector<Helper*> barred_;
};

class Pool {
 public:
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    work_.notify_all();
    for (Helper& helper : helpers_) helper.thread.join();
  }

  void run(Loop& loop) {
    open(loop);
    std::exception_ptr error = loop.work(0);
    std::unique_lock lock(mutex_);
    open_slots_ -= static_cast<int>(loops_.remove(&loop)) * loop.slots;
    lock.unlock();
    wait_awake([&] { return loop.active == 0; });
    lock.lock();
    left_.wait(lock, [&] { return loop.active == 0; });
    if (!error) error = loop.error;
    lock.unlock();
    if (error) std::rethrow_exception(error);
  }

 private:
  void open(Loop& loop) {
    std::unique_lock lock(mutex_);
    while (static_cast<int>(helpers_.size()) < loop.slots && hire()) {
    }
    loop.slots = std::min(loop.slots, static_cast<int>(helpers_.size()));
    const int slots = loop.slots;
    if (slots == 0) return;
    const AwayFromHere away(helpers_);
    loops_.push_back(&loop);
    open_slots_ += slots;
    lock.unlock();  // whoever wakes finds it free
    for (int i = 0; i < slots; ++i) work_.notify_one();
  }

  // False when there is no room for another thread: loops then go on with those there are, the
  // caller's own at least.
  bool hire() {
    try {
      helpers_.emplace_back();
    } catch (const std::bad_alloc&) {
      return false;
    }
    Helper& helper = helpers_.back();
    helper.cores = allowed_cores();  // inherited
    try {
      helper.thread = std::thread([this, &helper] { help(helper); });
      return true;
    } catch (const std::exception&) {  // no thread, or no memory for one
      helpers_.pop_back();             // what has no thread cannot be joined
      return false;
    }
  }

  void help(Helper& helper) {
    std::unique_lock lock(mutex_);
    for (;;) {
      lock.unlock();
      wait_awake([&] { return open_slots_ > 0; });  // loops often follow one another
      lock.lock();
      work_.wait(lock, [&] { return closing_ || !loops_.empty(); });
      if (closing_) return;
      Loop& loop = *loops_.front();
      const int worker = ++loop.helpers;
      ++loop.active;
      --open_slots_;
      if (--loop.slots == 0) loops_.pop_front();
      lock.unlock();
      const std::exception_ptr error = loop.work(worker);
      helper.last.store(current_core(), std::memory_order_relaxed);
      lock.lock();
      if (error && !loop.error) loop.error = error;
      if (--loop.active == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_, left_;
  std::list<Loop*> loops_;          // those that still have seats, oldest first
  std::atomic<int> open_slots_{0};  // of them all; changes under the mutex
  std::list<Helper> helpers_;
  bool closing_ = false;
};

// The only state of core that outlives a call: idle threads.
Pool& pool() {
  static Pool pool;
  return pool;
}

}  // namespace

int thread_count(int requested) {
  if (requested < 0) {
    throw InputError("threads: expected 0 (all cores) or a positive number, got " +
                     std::to_string(requested));
  }
  // Asked for once: the library reads a file each time, and counts those that a process is barred
  // from.
  static const int cores = [] {
    const auto all = static_cast<int>(std::thread::hardware_concurrency());
    const auto allowed = static_cast<int>(allowed_cores().count());
    return std::max(1, allowed > 0 ? std::min(all, allowed) : all);
  }();
  return std::min(requested == 0 ? cores : requested, kMostThreads);
}

void detail::run_loop(Index count, int threads, LoopBody body, void* context) {
  const int most = thread_count(threads);
  const int workers = alone ? 1 : static_cast<int>(std::min<Index>(most, count));
  if (workers <= 1) {
    for (Index i = 0; i < count; ++i) body(context, i, 0);
    return;
  }
  Loop loop;
  loop.count = count;
  loop.body = body;
  loop.context = context;
  loop.slots = workers - 1;
  pool().run(loop);
}

}  // namespace core
