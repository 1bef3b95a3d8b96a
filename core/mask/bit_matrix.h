// A boolean matrix of one bit an entry, 64 columns a word.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/mask/mask.h"

namespace core {

class BitMatrix {
 public:
  static constexpr Index kWord = 64;

  explicit BitMatrix(Index rows = 0, Index cols = 0)
      : rows_(rows),
        cols_(cols),
        words_((cols + kWord - 1) / kWord),
        bits_(static_cast<std::size_t>(rows * words_), 0) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  // Words a row; the bits of the last one beyond the columns are 0.
  Index words() const { return words_; }
  std::uint64_t* row(Index i) { return bits_.data() + i * words_; }
  const std::uint64_t* row(Index i) const { return bits_.data() + i * words_; }
  bool operator()(Index i, Index j) const { return (row(i)[j / kWord] >> (j % kWord)) & 1; }
  void set(Index i, Index j) { row(i)[j / kWord] |= std::uint64_t{1} << (j % kWord); }

  Index count() const {
    Index sum = 0;
    for (const std::uint64_t word : bits_) sum += std::popcount(word);
    return sum;
  }
  BoolMatrix dense() const {
    return BoolMatrix::NullaryExpr(rows_, cols_,
                                   [this](Index i, Index j) { return (*this)(i, j); });
  }

 private:
  Index rows_ = 0, cols_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace core
