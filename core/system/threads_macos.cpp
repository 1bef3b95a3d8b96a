#include <pthread/qos.h>

#include "core/system/threads.h"

namespace core {

// macOS says neither on which core a thread runs, nor does it let a thread choose.
int current_core() { return -1; }
Cores allowed_cores() { return {}; }
void allow_cores(std::thread&, const Cores&) {}

void step_back() { ::pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0); }

}  // namespace core
