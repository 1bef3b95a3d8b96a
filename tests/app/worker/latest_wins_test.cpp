#include "app/worker/latest_wins.h"

#include <doctest/doctest.h>

#include <new>
#include <semaphore>
#include <stdexcept>
#include <vector>

#include "eventually.h"

namespace latest_wins_test {

namespace {

using namespace std::chrono_literals;
using IntWins = worker::LatestWins<int, int>;
using Publish = IntWins::Publish;

bool idle(const IntWins& wins) {
  return eventually([&] { return !wins.status().busy; });
}

}  // namespace

TEST_CASE("nothing is there before the first request") {
  IntWins wins([](const int& n, const core::Cancel&, const Publish&) { return n; });
  const auto s = wins.status();
  CHECK(s.result == nullptr);
  CHECK(s.error.empty());
  CHECK_FALSE(s.busy);
  CHECK(s.version == 0);
}

TEST_CASE("of many requests the last one stands, and those between are never begun") {
  std::atomic<int> begun{0};
  std::binary_semaphore go{0};
  IntWins wins(
      [&](const int& n, const core::Cancel&, const Publish&) {
        if (++begun == 1) go.acquire();
        return n * n;
      },
      {}, 1h);
  wins.submit(1);
  REQUIRE(eventually([&] { return begun == 1; }));
  for (int i = 2; i <= 500; ++i) wins.submit(i);
  CHECK(begun == 1);
  go.release();
  REQUIRE(idle(wins));
  const auto s = wins.status();
  REQUIRE(s.result);
  CHECK(*s.result == 500 * 500);
  CHECK(begun == 2);
  CHECK(s.version == begun);
}

TEST_CASE("busy from the request until its result, and wake is called after it") {
  std::binary_semaphore go{0};
  std::atomic<int> woken{0};
  IntWins wins(
      [&](const int& n, const core::Cancel& cancel, const Publish&) {
        cancel.progress(0.5f);
        go.acquire();
        return n;
      },
      [&] { ++woken; });
  wins.submit(7);
  CHECK(wins.status().busy);
  CHECK(eventually([&] { return wins.status().progress == 0.5f; }));
  CHECK(eventually([&] { return wins.status().running_s > 0; }));
  CHECK(woken == 0);
  go.release();
  REQUIRE(idle(wins));
  CHECK(eventually([&] { return woken == 1; }));
  CHECK(wins.status().progress == 0);
  CHECK(wins.status().running_s == 0);
  CHECK(*wins.status().result == 7);
}

TEST_CASE("a failure says why and keeps the old result; the next success clears it") {
  IntWins wins([](const int& n, const core::Cancel&, const Publish&) -> int {
    if (n == 13) throw std::runtime_error("unlucky");
    if (n == 14) throw std::bad_alloc();
    if (n == 15) throw 3;
    return n;
  });
  wins.submit(1);
  REQUIRE(idle(wins));
  const struct {
    int request;
    const char* error;
  } cases[] = {{13, "unlucky"},
               {14, "not enough memory for this size"},
               {15, "the computation failed without saying why"}};
  for (const auto& one : cases) {
    wins.submit(one.request);
    REQUIRE(idle(wins));
    const auto s = wins.status();
    CHECK(s.error.in_english() == one.error);
    REQUIRE(s.result);
    CHECK(*s.result == 1);
    CHECK(s.version == 1);
  }
  wins.submit(2);
  REQUIRE(idle(wins));
  CHECK(wins.status().error.empty());
  CHECK(*wins.status().result == 2);
}

TEST_CASE("a running job is left alone within its grace") {
  std::binary_semaphore go{0};
  std::atomic<int> cancelled{0};
  IntWins wins(
      [&](const int& n, const core::Cancel& cancel, const Publish&) {
        if (n == 1) go.acquire();
        if (cancel.requested()) ++cancelled;
        cancel.poll();
        return n;
      },
      {}, 1h);
  wins.submit(1);
  CHECK(eventually([&] { return wins.status().running_s > 0; }));
  wins.submit(2);
  CHECK(wins.status().busy);
  go.release();
  REQUIRE(idle(wins));
  CHECK(cancelled == 0);
  CHECK(wins.status().version == 2);
}

TEST_CASE("a running job is cancelled once its grace is over, though nothing new is submitted") {
  std::atomic<bool> cancelled{false};
  IntWins wins(
      [&](const int& n, const core::Cancel& cancel, const Publish&) {
        if (n == 1) {
          cancelled = eventually([&] { return cancel.requested(); });
          cancel.poll();
        }
        return n;
      },
      {}, 50ms);
  wins.submit(1);
  CHECK(eventually([&] { return wins.status().running_s > 0; }));
  wins.submit(2);  // well within the grace: nobody asks again later
  REQUIRE(idle(wins));
  CHECK(cancelled);
  CHECK(*wins.status().result == 2);
  CHECK(wins.status().version == 1);
}

TEST_CASE("a job alone is never cancelled, however long it runs") {
  IntWins wins(
      [](const int& n, const core::Cancel& cancel, const Publish&) {
        for (int i = 0; i < 50; ++i) {
          std::this_thread::sleep_for(1ms);
          cancel.poll();
        }
        return n;
      },
      {}, 1ms);
  wins.submit(4);
  REQUIRE(idle(wins));
  REQUIRE(wins.status().result);
  CHECK(*wins.status().result == 4);
}

TEST_CASE("parts are published in order, each with a version of its own") {
  std::vector<int> seen;
  std::counting_semaphore<> taken{0};
  std::atomic<int> woken{0};
  IntWins wins(
      [&](const int& n, const core::Cancel&, const Publish& publish) {
        for (int i = 0; i < n; ++i) {
          publish(i);
          taken.acquire();
        }
        return n;
      },
      [&] { ++woken; });
  wins.submit(20);
  for (int i = 0; i < 20; ++i) {
    REQUIRE(eventually([&] { return wins.status().version == i + 1; }));
    const auto s = wins.status();
    CHECK(s.busy);
    seen.push_back(*s.result);
    taken.release();
  }
  REQUIRE(idle(wins));
  seen.push_back(*wins.status().result);
  for (int i = 0; i <= 20; ++i) CHECK(seen[static_cast<std::size_t>(i)] == i);
  CHECK(wins.status().version == 21);
  CHECK(eventually([&] { return woken == 21; }));
}

TEST_CASE("cancel keeps the last whole result, whether or not the job notices") {
  for (const bool notices : {true, false}) {
    CAPTURE(notices);
    std::binary_semaphore go{0};
    IntWins wins([&](const int& n, const core::Cancel& cancel, const Publish& publish) {
      if (n == 1) return n;
      go.acquire();
      publish(n + 100);
      if (notices) cancel.poll();
      return n;
    });
    wins.submit(1);
    REQUIRE(idle(wins));
    wins.submit(2);
    REQUIRE(eventually([&] { return wins.status().running_s > 0; }));
    wins.submit(3);  // waits, and is forgotten
    wins.cancel();
    go.release();
    REQUIRE(idle(wins));
    const auto s = wins.status();
    CHECK(*s.result == 1);
    CHECK(s.version == 1);
    CHECK(s.error.empty());
    go.release();
    wins.submit(4);  // and it goes on
    REQUIRE(idle(wins));
    CHECK(*wins.status().result == 4);
  }
}

TEST_CASE("a result that is held outlives newer ones and the worker") {
  std::shared_ptr<const int> held;
  {
    IntWins wins([](const int& n, const core::Cancel&, const Publish&) { return n; });
    wins.submit(1);
    REQUIRE(idle(wins));
    held = wins.status().result;
    wins.submit(2);
    REQUIRE(idle(wins));
    CHECK(*wins.status().result == 2);
  }
  CHECK(*held == 1);
}

TEST_CASE("it is torn down at any moment, and waits for what runs") {
  for (int delay = 0; delay < 60; ++delay) {
    std::atomic<int> inside{0};
    {
      IntWins wins(
          [&](const int& n, const core::Cancel& cancel, const Publish& publish) {
            ++inside;
            for (int i = 0; i < 20; ++i) {
              std::this_thread::sleep_for(100us);
              publish(i);
              if (cancel.requested()) {
                --inside;
                cancel.poll();
              }
            }
            --inside;
            return n;
          },
          [] {}, delay % 2 == 0 ? 0ms : 250ms);
      for (int i = 0; i < 3; ++i) {
        wins.submit(i);
        std::this_thread::sleep_for(std::chrono::microseconds(37 * delay));
      }
    }
    CHECK(inside == 0);
  }
}

TEST_CASE("many threads may submit and look") {
  IntWins wins(
      [](const int& n, const core::Cancel& cancel, const Publish&) {
        cancel.poll();
        return n;
      },
      {}, 0ms);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&wins, t] {
        for (int i = 0; i < 500; ++i) {
          wins.submit(1000 * t + i);
          if (const auto s = wins.status(); s.result) CHECK(*s.result % 1000 < 500);
        }
      });
    }
  }
  wins.submit(42);
  REQUIRE(idle(wins));
  CHECK(*wins.status().result == 42);
}

}  // namespace latest_wins_test
