// Memory for the fast kernels: on cache lines, never cleared, kept while it is large enough.
#pragma once

#include <cstddef>

#include "core/types.h"

namespace core {

// Floats on a 64-byte boundary, uninitialised. Large ones ask the system for huge pages: touching
// fresh small pages costs as much as computing attention does.
class FloatBuffer {
 public:
  FloatBuffer() = default;
  explicit FloatBuffer(Index count) { reserve(count); }
  FloatBuffer(const FloatBuffer& other);
  FloatBuffer(FloatBuffer&& other) noexcept;
  FloatBuffer& operator=(FloatBuffer other) noexcept;
  ~FloatBuffer();

  // Room for at least `count` floats; forgets what was there when it has to grow.
  float* reserve(Index count);
  float* data() { return data_; }
  const float* data() const { return data_; }

 private:
  float* data_ = nullptr;
  Index capacity_ = 0;
};

// A row-major n x m matrix in such a buffer, rows without gaps. The attention weights of one head.
class HeadWeights {
 public:
  // Entries are undefined afterwards; memory is kept when it suffices.
  void resize(Index rows, Index cols) {
    buffer_.reserve(rows * cols);
    rows_ = rows;
    cols_ = cols;
  }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  float operator()(Index i, Index j) const { return buffer_.data()[i * cols_ + j]; }
  float* data() { return buffer_.data(); }
  const float* data() const { return buffer_.data(); }
  // As an Eigen matrix, without a copy.
  Eigen::Map<const Matrix> matrix() const { return {buffer_.data(), rows_, cols_}; }

 private:
  FloatBuffer buffer_;
  Index rows_ = 0, cols_ = 0;
};

}  // namespace core
