// Loops where only one system has what they are tried with.
#include <doctest/doctest.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "core/parallel.h"

namespace parallel_posix_test {

TEST_CASE("after loops from several threads, helpers may still run on every core") {
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([] {
      for (int round = 0; round < 500; ++round) core::parallel_for(4, 3, [](core::Index, int) {});
    });
  }
  for (std::thread& caller : callers) caller.join();
  cpu_set_t own = {};
  REQUIRE(sched_getaffinity(0, sizeof own, &own) == 0);
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    cpu_set_t cores = {};
    const int id = std::stoi(thread.path().filename());
    if (sched_getaffinity(id, sizeof cores, &cores) == 0) CHECK(CPU_EQUAL(&cores, &own));
  }
}

TEST_CASE("where no thread can be made, a loop runs on with those there are") {
  core::parallel_for(4, 2, [](core::Index, int) {});  // one helper there is at least
  pthread_attr_t usual, endless;
  REQUIRE(pthread_getattr_default_np(&usual) == 0);
  REQUIRE(pthread_getattr_default_np(&endless) == 0);
  // No address space has room for such a stack.
  REQUIRE(pthread_attr_setstacksize(&endless, std::size_t{1} << 60) == 0);
  REQUIRE(pthread_setattr_default_np(&endless) == 0);
  CHECK_THROWS_AS(std::thread([] {}).join(), std::system_error);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> calls{0};
    std::atomic<bool> outside{false};
    CHECK_NOTHROW(core::parallel_for(500, 200, [&](core::Index, int worker) {
      ++calls;
      if (worker < 0 || worker >= 200) outside = true;
    }));
    CHECK(calls == 500);
    CHECK_FALSE(outside);
  }
  REQUIRE(pthread_setattr_default_np(&usual) == 0);
  pthread_attr_destroy(&usual);
  pthread_attr_destroy(&endless);
  // And so it does when there is room again; at the end of the program every helper is joined.
  std::atomic<int> after{0};
  core::parallel_for(500, 9, [&](core::Index, int) { ++after; });
  CHECK(after == 500);
}

}  // namespace parallel_posix_test
