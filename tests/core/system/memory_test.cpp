#include "core/system/memory.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

TEST_CASE("freed memory is given out again") {
  core::keep_freed_memory();
  constexpr std::size_t kFloats = 1 << 20;
  const auto place = [] {
    const std::vector<float> buffer(kFloats, 1.0f);
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
    return address;
  };
  const std::uintptr_t first = place();
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(place() == first);
#else
  CHECK(first != 0);  // sanitizers keep freed memory aside on purpose, and others are not asked
#endif
}

TEST_CASE("what is held is counted, and no longer when it is given back") {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const std::size_t before = core::memory_in_use();
  CHECK(before > 0);
  {
    const std::vector<char> small(100'000), large(100'000'000);
    CHECK(core::memory_in_use() >= before + 100'100'000);
  }
  CHECK(core::memory_in_use() < before + 50'000);
#endif
  CHECK(core::machine_memory() > std::size_t{16} << 20);
  CHECK(core::free_memory() > 0);
  CHECK(core::free_memory() <= core::machine_memory());
}
