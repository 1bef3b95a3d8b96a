// Memory that is read once from end to end, so that the time of it can be taken: how many bytes a
// second a machine gives, which is what generation has to live with.
#pragma once

#include <vector>

#include "core/decode/stored_matrix.h"

namespace core::decode {

class MemoryReader {
 public:
  // At least so many bytes, which should be far more than the processor's caches; by so many
  // threads (0: all cores). InputError below 1.
  MemoryReader(Index bytes, int threads);

  Index bytes() const { return rows_.bytes(); }
  // Two ways to read them all; which is quicker differs from machine to machine. The sum of what
  // was read, so that no compiler leaves it out: bytes() / 4.
  float add_up();    // sums, side by side
  float multiply();  // the loops that generation reads its weights with

 private:
  int threads_;
  StoredMatrix rows_;
  std::vector<float> x_, y_, rooms_;
};

}  // namespace core::decode
