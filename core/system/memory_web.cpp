#include <emscripten/heap.h>
#include <malloc.h>

#include <algorithm>

#include "core/system/memory.h"

namespace core {

void keep_freed_memory() {}
void give_back_freed_memory() {}

std::size_t memory_in_use() { return static_cast<std::size_t>(mallinfo().uordblks); }

// As much as the page may ask for: a browser does not say what its machine has.
std::size_t machine_memory() { return emscripten_get_heap_max(); }

std::size_t free_memory() { return machine_memory() - std::min(machine_memory(), memory_in_use()); }

std::optional<double> address_space_left() { return std::nullopt; }

void wish_huge_pages(void*, std::size_t) {}

}  // namespace core
