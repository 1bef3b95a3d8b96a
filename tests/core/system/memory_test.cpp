#include "core/system/memory.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

// Sanitizers, which may be linked beside what was built without them, keep freed memory aside on
// purpose.
#ifdef __GLIBC__
extern "C" void __asan_init() __attribute__((weak));  // NOLINT: its name
extern "C" void __tsan_init() __attribute__((weak));  // NOLINT: its name
static bool allocator_is_the_systems() { return !__asan_init && !__tsan_init; }
#else
static bool allocator_is_the_systems() { return false; }
#endif

TEST_CASE("freed memory is given out again") {
  core::keep_freed_memory();
  constexpr std::size_t kFloats = 1 << 20;
  const auto place = [] {
    const std::vector<float> buffer(kFloats, 1.0f);
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
    return address;
  };
  const std::uintptr_t first = place();
  CHECK(first != 0);
  if (allocator_is_the_systems()) CHECK(place() == first);
}

// Megabytes of memory that the process has; 0 where it is not told.
static double resident() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes = 0;
    if (word == "VmRSS:" && file >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

TEST_CASE("freed memory that was kept is handed back when that is asked for") {
  if (!allocator_is_the_systems() || resident() == 0) return;
  core::keep_freed_memory();
  {
    std::vector<std::vector<char>> many;
    for (int k = 0; k < 300; ++k) many.emplace_back(std::size_t{1} << 20, char{1});
    CHECK(resident() > 300);
  }
  const double kept = resident();
  core::give_back_freed_memory();
  CHECK(resident() < kept - 200);
}

TEST_CASE("what is held is counted, and no longer when it is given back") {
  if (allocator_is_the_systems()) {
    const std::size_t before = core::memory_in_use();
    CHECK(before > 0);
    {
      const std::vector<char> small(100'000), large(100'000'000);
      CHECK(core::memory_in_use() >= before + 100'100'000);
    }
    CHECK(core::memory_in_use() < before + 50'000);
  }
  CHECK(core::machine_memory() > std::size_t{16} << 20);
  CHECK(core::free_memory() > 0);
  CHECK(core::free_memory() <= core::machine_memory());
}
