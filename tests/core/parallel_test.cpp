#include "core/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "eventually.h"

namespace parallel_test {

TEST_CASE("parallel_for calls every index exactly once, whatever the number of threads") {
  for (const int threads : {0, 1, 2, 3, 7}) {
    for (const core::Index count : {0, 1, 2, 5, 1000}) {
      CAPTURE(threads);
      CAPTURE(count);
      std::vector<int> calls(static_cast<std::size_t>(count), 0);
      core::parallel_for(count, threads,
                         [&](core::Index i, int) { ++calls[static_cast<std::size_t>(i)]; });
      for (const int n : calls) CHECK(n == 1);
    }
  }
}

TEST_CASE("a worker's number is its own while it runs, and lies below the number of threads") {
  constexpr int kThreads = 3;
  std::vector<std::atomic<int>> busy(kThreads);
  std::atomic<int> clashes{0};
  core::parallel_for(500, kThreads, [&](core::Index, int worker) {
    if (worker < 0 || worker >= kThreads) {
      ++clashes;
      return;
    }
    std::atomic<int>& mine = busy[static_cast<std::size_t>(worker)];
    if (mine.fetch_add(1) != 0) ++clashes;
    std::this_thread::yield();
    mine.fetch_sub(1);
  });
  CHECK(clashes == 0);
}

TEST_CASE("a thread that stands alone gets no help, and its neighbours do") {
  std::atomic<int> helped{0};
  const auto count_others = [&](int threads) {
    helped = 0;
    const auto here = std::this_thread::get_id();
    core::parallel_for(200, threads, [&](core::Index, int worker) {
      helped += worker != 0 || std::this_thread::get_id() != here;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
    return helped.load();
  };
  // However late they come, this thread waits for them.
  const auto others_come = [&](int threads) {
    helped = 0;
    const auto here = std::this_thread::get_id();
    std::atomic<bool> came{true};
    core::parallel_for(200, threads, [&](core::Index, int) {
      if (std::this_thread::get_id() != here) {
        ++helped;
      } else if (helped == 0 && came) {
        came = eventually([&] { return helped > 0; });
      }
    });
    return came.load();
  };
  {
    const core::Alone alone;
    CHECK(count_others(3) == 0);
    { const core::Alone still; }
    CHECK(count_others(3) == 0);
    std::thread([&] { CHECK(others_come(3)); }).join();
  }
  CHECK(others_come(3));
}

TEST_CASE("what a loop's body throws reaches the caller, and the pool works on") {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> calls{0};
    const auto body = [&](core::Index i, int) {
      ++calls;
      if (i == 5) throw std::runtime_error("five");
      // All of them would take far longer than any throw.
      if (i > 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    CHECK_THROWS_WITH_AS(core::parallel_for(100000, threads, body), "five", std::runtime_error);
    CHECK(calls < 100000);
    std::atomic<int> after{0};
    core::parallel_for(50, threads, [&](core::Index, int) { ++after; });
    CHECK(after == 50);
  }
}

TEST_CASE("a cancelled loop throws Cancelled once every worker has stopped") {
  std::stop_source source;
  const core::Cancel cancel(source.get_token());
  std::atomic<int> inside{0};
  CHECK_THROWS_AS(core::parallel_for(1000, 3,
                                     [&](core::Index i, int) {
                                       ++inside;
                                       if (i == 20) source.request_stop();
                                       --inside;
                                       cancel.poll();
                                     }),
                  core::Cancelled);
  CHECK(inside == 0);
}

TEST_CASE("loops nest, and run from several threads at once") {
  std::atomic<int> sum{0};
  const auto outer = [&] {
    core::parallel_for(8, 3, [&](core::Index, int) {
      core::parallel_for(8, 3, [&](core::Index, int) { ++sum; });
    });
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) callers.emplace_back(outer);
  for (std::thread& caller : callers) caller.join();
  CHECK(sum == 3 * 64);
}

TEST_CASE("a number of threads below zero is refused") {
  CHECK(core::thread_count(3) == 3);
  CHECK(core::thread_count(0) >= 1);
  CHECK_THROWS_WITH_AS(core::thread_count(-1),
                       "threads: expected 0 (all cores) or a positive number, got -1",
                       core::InputError);
}

}  // namespace parallel_test
