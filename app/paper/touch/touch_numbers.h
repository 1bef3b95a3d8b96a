// Cells of heatmaps as a page that is touched carries them: two bytes each, packed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/types.h"

namespace paper {

// One heatmap, row by row.
struct TouchCells {
  int scale = 0;  // index of its colors
  core::Index rows = 0, cols = 0;
  std::vector<std::uint16_t> codes;
  // The decade of the smallest decimal that has a code; bins have -1.
  int least = 0;
  bool operator==(const TouchCells&) const = default;
};

// Numbers as decimals of three significant digits, which is how they are read: m 10^(e - 2) with m
// from 100 to 999 is 1 + sign + 2 (m - 100) + 1800 (e - least), over 36 decades below the largest;
// what is smaller is 0. The last codes are for what is no number.
struct Decimals {
  static constexpr int kDecades = 36;
  enum Special : std::uint16_t { kZero = 0, kMinus = 65532, kPlus = 65533, kNan = 65534, kMasked };

  static int least(const std::vector<float>& values);
  static std::uint16_t code(float value, int least);
  // As the page reads it again; core::kMasked for kMasked.
  static double value(std::uint16_t code, int least);
};

// All of a page: equal ones are kept once, and each is written as what changed since the frame
// before, all low bytes and then all high ones, so that it can be packed well.
class TouchNumbers {
 public:
  // Its index. `before`: that of the same heatmap in the frame before; -1: none.
  int add(TouchCells cells, int before);

  struct Entry {
    TouchCells cells;
    int before;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  std::string bytes() const;

 private:
  std::vector<Entry> entries_;
  std::multimap<std::uint64_t, int> found_;  // by a hash of the codes
};

}  // namespace paper
