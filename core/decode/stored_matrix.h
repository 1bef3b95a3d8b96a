// A matrix whose numbers are kept in a format, read row after row against vectors: weights, and the
// keys and values of a cache. The bytes that it takes are those that this machine reads for a
// token.
#pragma once

#include <cstddef>
#include <span>

#include "core/attention/fast/buffer.h"
#include "core/model/layer/products.h"
#include "core/precision/format.h"
#include "core/types.h"

namespace core::decode {

// How a format's numbers lie in memory: 1, 2 or 4 bytes each. Those of more than 16 bits are
// float32 numbers that were rounded. InputError for a format with numbers that are no float32's.
Index stored_bytes(const Format& format);

// The bits that a number of the format takes where many lie packed one behind the other, as costs
// are counted: those of its code, or 32 for more than 16. InputError as stored_bytes() says.
Index stored_bits(const Format& format);
// Whole bytes of `count` numbers packed so.
Index packed_bytes(Index count, const Format& format);

class StoredMatrix {
 public:
  StoredMatrix() = default;
  // Numbers undefined. InputError as stored_bytes() says.
  StoredMatrix(Index rows, Index cols, const Format& format = kFloat32);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const Format& format() const { return format_; }
  Index bytes() const { return rows_ * cols_ * bytes_each_; }
  // Numbers of a float32 matrix, row after row.
  const float* floats() const { return buffer_.data(); }
  // All numbers as this machine keeps them, row after row: codes of the format, or float32.
  std::span<std::byte> stored() {
    return {reinterpret_cast<std::byte*>(buffer_.data()), static_cast<std::size_t>(bytes())};
  }
  // `count` rows from `first` on, of which the `cols` numbers from `col` on, without gaps.
  void read(Index first, Index count, Index col, Index cols, float* to) const;
  // Numbers of room() that are enough for any matrix.
  static constexpr Index kRoom = 8192;
  // The least that `room` must have: formats that no loop reads directly are decoded into it.
  Index room() const { return std::max(kRoom, cols_); }

  // Rounds `cols` numbers to the format, to the nearest, and keeps them.
  void put(Index row, const float* values);
  // The numbers of a row as they are kept.
  void read(Index row, float* to) const;
  // y[k y.stride + i] = row first + i . x_k for `count` rows and every row x_k of x (inputs, cols).
  // Each has the same bits however many others are asked for.
  void dots(Index first, Index count, const model::View<const float>& x,
            const model::View<float>& y, float* room) const;
  // y (cols) += the sum of p[i] times row first + i.
  void add_mixture(Index first, Index count, const float* p, float* y, float* room) const;

 private:
  enum class Kind { floats, bfloats, decoded };

  char* at(Index row) { return data() + row * cols_ * bytes_each_; }
  const char* at(Index row) const { return data() + row * cols_ * bytes_each_; }
  char* data() { return reinterpret_cast<char*>(buffer_.data()); }
  const char* data() const { return reinterpret_cast<const char*>(buffer_.data()); }
  // Calls f(rows, first, count) for pieces of the rows that are floats or bfloat16's codes.
  template <class Fn>
  void in_pieces(Index first, Index count, float* room, Fn f) const;
  void decode(Index row, Index count, float* to) const;
  void decode_codes(const char* from, Index count, float* to) const;

  Format format_ = kFloat32;
  Kind kind_ = Kind::floats;
  Index rows_ = 0, cols_ = 0, bytes_each_ = 4;
  FloatBuffer buffer_;
};

// How x (inputs, matrix.cols) times the transposed matrix is shared out: y (inputs, matrix.rows) =
// x M^T + bias, bias (matrix.rows) or null. The same bits with any number of threads. `rooms` has
// room() floats for each thread.
void multiply(const StoredMatrix& matrix, const float* bias, const model::View<const float>& x,
              const model::View<float>& y, int threads, float* rooms);

}  // namespace core::decode
