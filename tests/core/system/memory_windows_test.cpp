#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "core/system/memory.h"

TEST_CASE("what the process holds is counted") {
  const std::size_t before = core::memory_in_use();
  CHECK(before > 0);
  constexpr std::size_t kLarge = 100'000'000, kNear = 20'000'000;
  {
    const std::vector<char> large(kLarge, 'x');
    CHECK(core::memory_in_use() >= before + kLarge);
  }
  CHECK(core::memory_in_use() < before + kNear);
}
