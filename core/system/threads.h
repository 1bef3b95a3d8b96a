// Where threads run, and how they give way. All of it is a wish: a system that has none of it may
// do nothing, which costs time and no more.
#pragma once

#include <bitset>
#include <thread>

namespace core {

using Cores = std::bitset<1024>;

// The number of the core that the calling thread runs on; -1 where the system does not say.
int current_core();
// Where the calling thread may run, and threads that it starts; none where the system does not say.
Cores allowed_cores();
// Lets a thread run on these alone, one at least.
void allow_cores(std::thread& thread, const Cores& cores);
// The calling thread leaves the processor to others that want it, until it ends.
void step_back();

}  // namespace core
