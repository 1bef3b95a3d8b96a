#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>  // defines __GLIBC__
#include <fstream>
#include <string>

#include "core/system/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace core {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestPiece = 32 << 20, kMostKept = 512 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestPiece);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
#endif
}

void give_back_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::size_t memory_in_use() {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

std::size_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  return static_cast<std::size_t>(std::max(pages, 0L)) *
         static_cast<std::size_t>(std::max(page, 0L));
}

std::size_t free_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, unit; file >> key;) {
    std::size_t kibibytes = 0;
    if (key == "MemAvailable:" && file >> kibibytes) return kibibytes << 10;
    std::getline(file, unit);
  }
  return machine_memory() / 2;
}

std::optional<double> address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  std::ifstream statm("/proc/self/statm");  // in pages, the first number is the address space
  double pages = 0;
  if (!(statm >> pages)) return std::nullopt;
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void wish_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace core
