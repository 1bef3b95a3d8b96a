#include "app/worker/in_order.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "eventually.h"

namespace in_order_test {

namespace {

using Jobs = worker::InOrder<int, std::string>;

// Until cancelled.
std::string forever(int job, const core::Cancel& cancel) {
  while (!cancel.requested()) std::this_thread::yield();
  return std::to_string(job) + " cancelled";
}

}  // namespace

TEST_CASE("every job is done, in the order in which they came") {
  std::atomic<int> woken = 0;
  Jobs jobs([](int job, const core::Cancel&) { return std::to_string(job); }, [&] { ++woken; });
  std::string all;
  for (int job = 0; job < 100; ++job) {
    jobs.add(job);
    if (job % 7 == 0) {
      for (const std::string& result : jobs.take()) all += result + " ";
    }
  }
  jobs.wait();
  for (const std::string& result : jobs.take()) all += result + " ";
  std::string wanted;
  for (int job = 0; job < 100; ++job) wanted += std::to_string(job) + " ";
  CHECK(all == wanted);
  CHECK(jobs.take().empty());
  CHECK_FALSE(jobs.busy());
  CHECK(eventually([&] { return woken == 100; }));
}

TEST_CASE("one job is cancelled and the next comes; its standing tells of it") {
  std::atomic<bool> began = false;
  Jobs jobs([&](int job, const core::Cancel& cancel) {
    cancel.progress(0.25f);
    began = true;
    return job == 1 ? forever(job, cancel) : std::to_string(job);
  });
  CHECK_FALSE(jobs.status().job.has_value());
  jobs.add(1);
  jobs.add(2);
  REQUIRE(eventually([&] { return began.load(); }));
  CHECK(jobs.busy());
  CHECK(jobs.status().job == 1);
  CHECK(jobs.status().progress == 0.25f);
  CHECK(jobs.status().running_s >= 0);
  jobs.cancel();
  jobs.wait();
  CHECK(jobs.take() == std::vector<std::string>{"1 cancelled", "2"});
}

TEST_CASE("the end waits for every job") {
  std::atomic<int> done = 0;
  {
    Jobs jobs([&](int, const core::Cancel&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++done;
      return std::string();
    });
    for (int job = 0; job < 5; ++job) jobs.add(job);
  }
  CHECK(done == 5);
}

}  // namespace in_order_test
