// Memory that a computation takes piece by piece and returns all at once.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "core/types.h"

namespace core::model {

// Once a computation of the same shape was run, taking memory costs an addition and allocates
// nothing.
class Arena {
 public:
  // `count` values on a cache line, uninitialized, valid until the arena is reset or destroyed.
  template <class T>
  T* take(Index count) {
    static_assert(std::is_trivially_destructible_v<T>, "nothing is destroyed in an arena");
    static_assert(alignof(T) <= kLine);
    return reinterpret_cast<T*>(bytes(static_cast<std::size_t>(count) * sizeof(T)));
  }
  // Returns all memory. If there were several blocks, the next run gets a single one.
  void reset();
  // Sets the memory taken to zero.
  void clear();
  std::size_t taken() const;
  std::size_t held() const;

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::align_val_t kAligned{kLine};
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, kAligned); }
  };
  struct Block {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0, used = 0;
  };

  std::byte* bytes(std::size_t wanted);
  void add(std::size_t size);

  std::vector<Block> blocks_;
};

}  // namespace core::model
