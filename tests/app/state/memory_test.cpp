// How much memory the program keeps while a lesson is on, and what it hands back.
#include "core/system/memory.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "app/state/program.h"
#include "test_lab.h"

namespace memory_test {

TEST_CASE("while a lesson is on little is kept, and what was chosen comes back") {
  state::Program program(test_lab::labs());
  const std::size_t chosen = program.memory_budget();
  program.keep_little(true);
  CHECK(program.memory().bytes() <= std::size_t{200} << 20);
  CHECK(program.memory_budget() == chosen);
  // Who chooses less gets less.
  program.set_memory_budget(std::size_t{80} << 20);
  CHECK(program.memory().bytes() == std::size_t{80} << 20);
  program.set_memory_budget(std::size_t{900} << 20);
  CHECK(program.memory().bytes() <= std::size_t{200} << 20);
  program.keep_little(false);
  CHECK(program.memory().bytes() == std::size_t{900} << 20);
  CHECK(program.memory_budget() == std::size_t{900} << 20);
}

#ifdef __GLIBC__
double resident_mb() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes = 0;
    if (word == "VmRSS:" && file >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

TEST_CASE("freed memory that was kept is handed back") {
  core::keep_freed_memory();
  {
    std::vector<std::vector<char>> many;
    for (int k = 0; k < 300; ++k) many.emplace_back(std::size_t{1} << 20, '\1');
    CHECK(resident_mb() > 300);
  }
  core::give_back_freed_memory();
  const double after = resident_mb();
  std::vector<std::vector<char>> again;
  for (int k = 0; k < 300; ++k) again.emplace_back(std::size_t{1} << 20, '\1');
  CHECK(after < resident_mb() - 200);
}
#endif

}  // namespace memory_test
