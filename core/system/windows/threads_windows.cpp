#include <pthread.h>
#include <windows.h>

#include "core/system/threads.h"

namespace core {

// Numbers of cores are those of the thread's group: Windows has groups of 64.
int current_core() { return static_cast<int>(::GetCurrentProcessorNumber()); }

Cores allowed_cores() {
  DWORD_PTR process = 0, system = 0;
  if (!::GetProcessAffinityMask(::GetCurrentProcess(), &process, &system) || process == 0) {
    return {};
  }
  // The call that says where the thread may run is the one that changes it.
  const HANDLE self = ::GetCurrentThread();
  const DWORD_PTR allowed = ::SetThreadAffinityMask(self, process);
  if (allowed == 0) return Cores(process);
  ::SetThreadAffinityMask(self, allowed);
  return Cores(allowed);
}

void allow_cores(std::thread& thread, const Cores& cores) {
  constexpr Cores kGroup(~0ULL);
  const auto mask = static_cast<DWORD_PTR>((cores & kGroup).to_ullong());
  const auto handle = static_cast<HANDLE>(::pthread_gethandle(thread.native_handle()));
  if (mask != 0 && handle) ::SetThreadAffinityMask(handle, mask);
}

void step_back() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

}  // namespace core
