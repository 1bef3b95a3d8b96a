#include "core/system/threads.h"

#include <doctest/doctest.h>

#include <future>

namespace threads_test {

TEST_CASE("a thread runs where it is allowed to, and its maker's cores are inherited") {
  const core::Cores all = core::allowed_cores();
  REQUIRE(all.any());
  const int here = core::current_core();
  if (here >= 0) CHECK(all[static_cast<std::size_t>(here)]);
  core::Cores last;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k]) last.reset(), last.set(k);
  }
  core::Cores inherited, allowed;
  int ran_on = -1;
  std::promise<void> started, moved;
  std::thread thread([&] {
    inherited = core::allowed_cores();
    started.set_value();
    moved.get_future().wait();
    allowed = core::allowed_cores();
    ran_on = core::current_core();
  });
  started.get_future().wait();
  core::allow_cores(thread, last);
  moved.set_value();
  thread.join();
  CHECK(inherited == all);
  // A browser does not say where a thread runs, and lets nobody choose.
  const bool chosen = ran_on >= 0;
  CHECK(allowed == (chosen ? last : all));
  if (chosen) CHECK(last[static_cast<std::size_t>(ran_on)]);
  CHECK(core::allowed_cores() == all);
}

}  // namespace threads_test
