// How much memory the process holds, and how it deals with what was freed.
#pragma once

#include <cstddef>
#include <optional>

namespace core {

// Keeps freed memory of up to 32 MiB a piece for the next allocation instead of handing it back to
// the system. A recompute frees and takes the same buffers over and over; asked for anew, each page
// of them is cleared and every core's address cache flushed, which costs more than the arithmetic
// (a page of 512 tokens: 21 ms, kept 8). For main functions, before anything else; without glibc
// it does nothing.
void keep_freed_memory();

// Hands freed memory that was kept back to the system: what was needed for a while and is not any
// more. Without glibc it does nothing.
void give_back_freed_memory();

// Bytes that were allocated and not freed, by all threads, as nearly as the system says it; 0 where
// it does not.
std::size_t memory_in_use();
// Bytes of memory that this machine has; 0 when it does not say.
std::size_t machine_memory();
// Bytes of it that programs could take now, caches of files among them (MemAvailable of Linux);
// elsewhere half of what the machine has, and 0 when it does not say.
std::size_t free_memory();
// Bytes of address space that the process may still take; none where it has no limit.
std::optional<double> address_space_left();

// Asks for large pages under memory that will be written to soon: 2 MiB each, and begun on such a
// boundary. A wish: where the system has none it does nothing.
void wish_huge_pages(void* memory, std::size_t bytes);

}  // namespace core
