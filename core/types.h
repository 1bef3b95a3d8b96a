// The types that every part of core shares. Letters are fixed in core/README.md:
// n queries, m keys, d_model, d_k, d_v, h heads; row = query, column = key.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include "core/message.h"

namespace core {

using Index = Eigen::Index;

// For counts: a / b rounded up, and the least multiple of `step` that is not below i.
constexpr Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }
constexpr Index round_up(Index i, Index step) { return ceil_div(i, step) * step; }

// Row-major, so that one query's row is contiguous. The scalar is float in the program and
// double where a result is held against reference numbers.
template <class Scalar>
using MatrixOf = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Scalar>
using VectorOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

using Matrix = MatrixOf<float>;
using Vector = VectorOf<float>;
using MatrixD = MatrixOf<double>;
using VectorD = VectorOf<double>;

// Input that a function refuses. The message is one sentence: what was expected, what came.
// One that a person can meet is a core::Message with its arguments, so that it can be told in every
// language; one for programmers is a text.
struct InputError : std::invalid_argument, Translatable {
  explicit InputError(Message message);
  explicit InputError(const std::string& sentence);
  ~InputError() override;
};

// Thrown by Cancel::poll when nobody waits for the result any more.
struct Cancelled {};

// Handed down to long computations. `poll` belongs in outer loops; a default-constructed one never
// fires. `progress` may be called from any thread with a share done in [0, 1].
class Cancel {
 public:
  Cancel() = default;
  explicit Cancel(std::stop_token token, std::atomic<float>* progress = nullptr)
      : token_(std::move(token)), progress_(progress) {}
  // Fires when it has been asked `questions` times and from then on; counts down. For tests of what
  // stops midway.
  explicit Cancel(std::atomic<std::int64_t>& questions) : questions_(&questions) {}

  bool requested() const {
    if (questions_ && questions_->fetch_sub(1, std::memory_order_relaxed) <= 1) return true;
    return token_.stop_requested();
  }
  void poll() const {
    if (requested()) throw Cancelled{};
  }
  // The same without the share: for a part of something longer, which tells its own.
  Cancel without_progress() const {
    Cancel quiet(*this);
    quiet.progress_ = nullptr;
    return quiet;
  }
  void progress(float share) const {
    if (progress_) progress_->store(share, std::memory_order_relaxed);
  }

 private:
  std::stop_token token_;
  std::atomic<float>* progress_ = nullptr;
  std::atomic<std::int64_t>* questions_ = nullptr;
};

}  // namespace core
