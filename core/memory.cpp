#include "core/memory.h"

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace core {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestPiece = 32 << 20, kMostKept = 512 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestPiece);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
#endif
}

}  // namespace core
