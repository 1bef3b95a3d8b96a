// What each thread holds for itself.
#pragma once

#include <type_traits>

namespace core {

// `thread_local PerThread<T> x;`: nothing that is destroyed when the thread ends. The runtime of
// mingw-w64 gives a thread's memory back first, and what is destroyed then lies there no more
// (GCC's bug 80816).
template <class T>
requires std::is_trivially_destructible_v<T>
using PerThread = T;

}  // namespace core
