// Memory of the benchmarks' own side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

namespace bench {

// On a cache line, as the peer's memory is.
template <class T>
class Aligned {
 public:
  explicit Aligned(std::ptrdiff_t count)
      : data_(static_cast<T*>(
            ::operator new (static_cast<std::size_t>(count) * sizeof(T), std::align_val_t{64}))) {
    std::fill_n(data_, count, T{});
  }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;
  ~Aligned() { ::operator delete (data_, std::align_val_t{64}); }
  T* data() { return data_; }

 private:
  T* data_;
};

}  // namespace bench
