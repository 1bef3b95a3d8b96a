// The numbers of a published model, read when they are first needed and kept in the format of the
// file, so that memory grows by what was used alone.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "core/checkpoint/names.h"
#include "core/decode/stored_matrix.h"

namespace core::checkpoint {

// Numbers of a tensor that are NaN or infinite.
struct NotFinite {
  std::string tensor;
  Index count = 0;
};

// Callable from any thread. Reading throws InputError when the file was changed since it was
// opened, and Cancelled.
class Weights {
 public:
  using Stored = std::shared_ptr<const decode::StoredMatrix>;

  // Keeps at most `most_bytes` of matrices; those beyond are read again each time.
  Weights(std::vector<Declared> declared, Index most_bytes);

  // The tensors by their parameters' places, as the file has them.
  const std::vector<Declared>& declared() const { return declared_; }
  Index rows(const Parameter& p) const { return declared_[p.at].rows; }
  Index cols(const Parameter& p) const { return declared_[p.at].cols; }
  // (rows, cols) in the file's format; float64 is rounded to float32.
  Stored matrix(const Parameter& p, const Cancel& cancel) const;
  // The matrix in double, exactly, and not kept.
  MatrixD exact(const Parameter& p, const Cancel& cancel) const;
  // A row's numbers, for a bias or a norm.
  template <class S>
  VectorOf<S> vector(const Parameter& p, const Cancel& cancel) const;
  // Some rows of a matrix that is not turned: of a table of embeddings. Out of the kept one, or of
  // the file where the rest of it was never needed.
  template <class S>
  MatrixOf<S> some_rows(const Parameter& p, const std::vector<std::int32_t>& which,
                        const Cancel& cancel) const;

  Index bytes_kept() const;
  // Tensors read so far that have numbers that are not finite.
  std::vector<NotFinite> not_finite() const;

 private:
  struct Slot {
    Stored matrix;
    std::shared_ptr<const VectorD> vector;
    bool counted = false;
  };
  struct Loaded {
    decode::StoredMatrix matrix;
    Index not_finite;
  };
  Loaded load(const Declared& from, const Cancel& cancel) const;
  void note(const Declared& from, Slot& slot, Index not_finite) const;

  std::vector<Declared> declared_;
  Index most_bytes_;
  mutable std::mutex mutex_;
  mutable std::vector<Slot> slots_;
  mutable Index bytes_ = 0;
  mutable std::vector<NotFinite> not_finite_;
};

}  // namespace core::checkpoint
