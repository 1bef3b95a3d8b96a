// Memory that a computation takes piece by piece and gives back all at once.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "core/types.h"

namespace core::model {

// After a computation of the same shape was run once, taking costs an addition and no memory is
// asked for any more.
class Arena {
 public:
  // `count` values on a cache line, uninitialised. They live until the arena is reset or ends.
  template <class T>
  T* take(Index count) {
    static_assert(std::is_trivially_destructible_v<T>, "nothing is destroyed in an arena");
    static_assert(alignof(T) <= kLine);
    return reinterpret_cast<T*>(bytes(static_cast<std::size_t>(count) * sizeof(T)));
  }
  // Gives everything back. Where the pieces had become several, the next ones lie in one.
  void reset();
  // Sets what is taken to zero.
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
