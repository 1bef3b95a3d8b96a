#include "core/system/memory.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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
