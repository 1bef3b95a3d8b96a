#include <windows.h>
// After it.
#include <psapi.h>

#include "core/system/memory.h"

namespace core {
namespace {

MEMORYSTATUSEX memory_status() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (!::GlobalMemoryStatusEx(&status)) return {};
  return status;
}

}  // namespace

void keep_freed_memory() {}
void give_back_freed_memory() {}

std::size_t memory_in_use() {
  PROCESS_MEMORY_COUNTERS counters{};
  if (!::K32GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters)) return 0;
  return counters.PagefileUsage;  // what the process alone has, wherever it lies
}

std::size_t machine_memory() { return memory_status().ullTotalPhys; }

std::size_t free_memory() { return memory_status().ullAvailPhys; }

std::optional<double> address_space_left() { return std::nullopt; }

void wish_huge_pages(void*, std::size_t) {}

}  // namespace core
