// Which parts of a picture differ from the last one: every tile of it has a fingerprint of all that
// is drawn there, in order.
#pragma once

#include <cstdint>
#include <vector>

#include "app/gl/box.h"

namespace ui {

// Folds a value into a fingerprint; order counts.
inline std::uint64_t hash_combine(std::uint64_t fingerprint, std::uint64_t value) {
  fingerprint = (fingerprint ^ value) * 0x9e3779b97f4a7c15u;
  return fingerprint ^ (fingerprint >> 29);
}

class Damage {
 public:
  // Begins the fingerprints of a picture of this size; `fingerprint` is what counts everywhere.
  void begin(int width, int height, std::uint64_t fingerprint);
  // Something with this fingerprint is drawn in the box.
  void add(const gl::Box& box, std::uint64_t fingerprint);
  // Compares with the picture before: the boxes to be drawn anew, which do not overlap.
  const std::vector<gl::Box>& finish();
  // Whether the box may meet one of those.
  bool meets(const gl::Box& box) const;
  // The picture before is lost: the next is drawn whole.
  void forget();

 private:
  using Row = std::uint64_t;  // a bit for each tile
  static constexpr int kColumns = 64;
  Row columns(int x0, int x1) const;
  void merge();

  int width_ = 0, height_ = 0, side_ = 32, across_ = 0;
  std::vector<std::uint64_t> fingerprints_, before_;
  std::vector<Row> rows_;  // the tiles that differ
  std::vector<gl::Box> boxes_;
};

}  // namespace ui
