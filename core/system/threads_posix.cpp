#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/system/threads.h"

namespace core {

static_assert(Cores().size() == CPU_SETSIZE);

int current_core() { return ::sched_getcpu(); }

Cores allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::pthread_getaffinity_np(::pthread_self(), sizeof set, &set);
  Cores cores;
  for (std::size_t k = 0; k < cores.size(); ++k) cores[k] = CPU_ISSET(k, &set) != 0;
  return cores;
}

void allow_cores(std::thread& thread, const Cores& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t k = 0; k < cores.size(); ++k) {
    if (cores[k]) CPU_SET(k, &set);
  }
  ::pthread_setaffinity_np(thread.native_handle(), sizeof set, &set);
}

void step_back() {
  // Threads have priorities of their own on Linux.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10);
}

}  // namespace core
