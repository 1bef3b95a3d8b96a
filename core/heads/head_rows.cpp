#include "core/heads/head_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/refuse.h"

namespace core::heads {
namespace {

class StoredRows final : public HeadRows {
 public:
  explicit StoredRows(TensorView view) : view_(std::move(view)) {}
  Index queries() const override { return view_.rows(); }
  Index keys() const override { return view_.cols(); }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    view_.read({first, 0, count, view_.cols()}, out, cancel);
  }

 private:
  TensorView view_;
};

class DenseRows final : public HeadRows {
 public:
  explicit DenseRows(Matrix weights) : weights_(std::move(weights)) {}
  Index queries() const override { return weights_.rows(); }
  Index keys() const override { return weights_.cols(); }
  void read(Index first, Index count, float* out, const Cancel&) const override {
    std::copy_n(weights_.data() + first * keys(), count * keys(), out);
  }

 private:
  Matrix weights_;
};

class SeenRows final : public HeadRows {
 public:
  SeenRows(const Eigen::Map<const Matrix>& weights, bool causal, Index window)
      : weights_(weights), causal_(causal), window_(window) {}
  Index queries() const override { return weights_.rows(); }
  Index keys() const override { return weights_.cols(); }
  void read(Index first, Index count, float* out, const Cancel&) const override {
    std::copy_n(weights_.data() + first * keys(), count * keys(), out);
    if (!causal_) return;
    for (Index query = first; query < first + count; ++query, out += keys()) {
      const Index end = query + 1, begin = window_ > 0 ? std::max<Index>(0, end - window_) : 0;
      std::fill(out, out + begin, kMasked);
      std::fill(out + end, out + keys(), kMasked);
    }
  }

 private:
  Eigen::Map<const Matrix> weights_;
  bool causal_;
  Index window_;
};

// In place. Keys from `seen` on are masked.
void softmax_in_place(float* row, Index keys, Index seen) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto weighs = [&](Index j) { return !is_masked(row[j]) && row[j] != -kInfinity; };
  std::fill(row + std::clamp<Index>(seen, 0, keys), row + keys, kMasked);
  double largest = -kInfinity, sum = 0;
  bool defined = true;
  for (Index j = 0; j < keys; ++j) {
    if (!weighs(j)) continue;
    defined = defined && row[j] < kInfinity;  // of NaN, no comparison is true
    largest = std::max(largest, static_cast<double>(row[j]));
  }
  for (Index j = 0; j < keys; ++j) {
    if (weighs(j)) sum += std::exp(static_cast<double>(row[j]) - largest);
  }
  for (Index j = 0; j < keys; ++j) {
    if (!weighs(j)) {
      row[j] = kMasked;
    } else if (!defined) {
      row[j] = std::numeric_limits<float>::quiet_NaN();
    } else {
      row[j] = static_cast<float>(std::exp(static_cast<double>(row[j]) - largest) / sum);
    }
  }
}

class SoftmaxRows final : public HeadRows {
 public:
  SoftmaxRows(HeadPointer scores, const SoftmaxOptions& options)
      : scores_(std::move(scores)), options_(options) {}
  Index queries() const override { return scores_->queries(); }
  Index keys() const override { return scores_->keys(); }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    scores_->read(first, count, out, cancel);
    for (Index i = 0; i < count; ++i) {
      cancel.poll();
      const Index seen = options_.causal ? own_key(first + i, queries(), keys()) + 1 : keys();
      softmax_in_place(out + i * keys(), keys(), seen);
    }
  }

 private:
  HeadPointer scores_;
  SoftmaxOptions options_;
};

class ProductRows final : public HeadRows {
 public:
  ProductRows(TensorView queries, TensorView keys, double scale)
      : queries_(std::move(queries)), keys_(std::move(keys)), scale_(scale) {}
  Index queries() const override { return queries_.rows(); }
  Index keys() const override { return keys_.rows(); }
  // Keys are read anew each time, a few at once: kept ones of many heads would fill the memory.
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    constexpr Index kBlock = 512;
    const Index width = queries_.cols(), m = keys();
    MatrixD q(count, width);
    queries_.read({first, 0, count, width}, q.data(), cancel);
    for (Index begin = 0; begin < m; begin += kBlock) {
      cancel.poll();
      const Index here = std::min(kBlock, m - begin);
      MatrixD k(here, width);
      keys_.read({begin, 0, here, width}, k.data(), cancel);
      for (Index i = 0; i < count; ++i) {
        for (Index j = 0; j < here; ++j) {
          out[i * m + begin + j] = static_cast<float>(scale_ * q.row(i).dot(k.row(j)));
        }
      }
    }
  }

 private:
  TensorView queries_, keys_;
  double scale_;
};

void require_one_shape(const HeadRows& a, const HeadRows& b) {
  if (a.queries() == b.queries() && a.keys() == b.keys()) return;
  throw InputError(Message(N_("expected maps of one size, got {} by {} and {} by {}"), a.queries(),
                           a.keys(), b.queries(), b.keys()));
}

class CombinedRows final : public HeadRows {
 public:
  CombinedRows(std::vector<HeadPointer> heads, bool mean) : heads_(std::move(heads)), mean_(mean) {
    if (heads_.empty()) refuse("heads that are combined", "at least one", "none");
    for (const HeadPointer& head : heads_) require_one_shape(*heads_.front(), *head);
  }
  Index queries() const override { return heads_.front()->queries(); }
  Index keys() const override { return heads_.front()->keys(); }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    const std::size_t cells = static_cast<std::size_t>(count * keys());
    std::vector<double> all(cells, mean_ ? 0.0 : -std::numeric_limits<double>::infinity());
    std::vector<char> seen(cells, 0);
    std::vector<float> one(cells);
    for (const HeadPointer& head : heads_) {
      cancel.poll();
      head->read(first, count, one.data(), cancel);
      for (std::size_t k = 0; k < cells; ++k) {
        const bool masked = is_masked(one[k]);
        const double number = masked ? 0 : static_cast<double>(one[k]);
        seen[k] = static_cast<char>(seen[k] | (masked ? 0 : 1));
        all[k] = mean_ ? all[k] + number : larger(all[k], number);
      }
    }
    const double share = mean_ ? 1 / static_cast<double>(heads_.size()) : 1;
    for (std::size_t k = 0; k < cells; ++k) {
      out[k] = seen[k] ? static_cast<float>(all[k] * share) : kMasked;
    }
  }

 private:
  // NaN if one of them is.
  static double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

  std::vector<HeadPointer> heads_;
  bool mean_;
};

class DifferenceRows final : public HeadRows {
 public:
  DifferenceRows(HeadPointer a, HeadPointer b) : a_(std::move(a)), b_(std::move(b)) {
    require_one_shape(*a_, *b_);
  }
  Index queries() const override { return a_->queries(); }
  Index keys() const override { return a_->keys(); }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    const std::size_t cells = static_cast<std::size_t>(count * keys());
    std::vector<float> other(cells);
    a_->read(first, count, out, cancel);
    b_->read(first, count, other.data(), cancel);
    for (std::size_t k = 0; k < cells; ++k) {
      const bool here = !is_masked(out[k]), there = !is_masked(other[k]);
      if (here || there) out[k] = (here ? out[k] : 0) - (there ? other[k] : 0);
    }
  }

 private:
  HeadPointer a_, b_;
};

// Read a row at a time.
class EveryRow final : public HeadRows {
 public:
  EveryRow(HeadPointer head, Index step) : head_(std::move(head)), step_(step) {}
  Index queries() const override { return ceil_div(head_->queries(), step_); }
  Index keys() const override { return ceil_div(head_->keys(), step_); }
  void read(Index first, Index count, float* out, const Cancel& cancel) const override {
    std::vector<float> row(static_cast<std::size_t>(head_->keys()));
    for (Index i = 0; i < count; ++i) {
      head_->read((first + i) * step_, 1, row.data(), cancel);
      for (Index j = 0; j < keys(); ++j) *out++ = row[static_cast<std::size_t>(j * step_)];
    }
  }

 private:
  HeadPointer head_;
  Index step_;
};

}  // namespace

std::vector<float> HeadRows::row(Index query, const Cancel& cancel) const {
  std::vector<float> weights(static_cast<std::size_t>(keys()));
  read(query, 1, weights.data(), cancel);
  return weights;
}

HeadPointer stored_rows(TensorView view) {
  return std::make_shared<const StoredRows>(std::move(view));
}

HeadPointer dense_rows(Matrix weights) {
  return std::make_shared<const DenseRows>(std::move(weights));
}

HeadPointer seen_rows(const Eigen::Map<const Matrix>& weights, bool causal, Index window) {
  return std::make_shared<const SeenRows>(weights, causal, window);
}

HeadPointer softmax_rows_of(HeadPointer scores, const SoftmaxOptions& options) {
  return std::make_shared<const SoftmaxRows>(std::move(scores), options);
}

HeadPointer product_rows(TensorView queries, TensorView keys, double scale) {
  if (queries.cols() != keys.cols()) {
    throw InputError(Message(N_("expected queries and keys of one width, got {} and {}"),
                             queries.cols(), keys.cols()));
  }
  return std::make_shared<const ProductRows>(std::move(queries), std::move(keys), scale);
}

HeadPointer mean_rows(std::vector<HeadPointer> heads) {
  return std::make_shared<const CombinedRows>(std::move(heads), true);
}

HeadPointer largest_rows(std::vector<HeadPointer> heads) {
  return std::make_shared<const CombinedRows>(std::move(heads), false);
}

HeadPointer difference_rows(HeadPointer a, HeadPointer b) {
  return std::make_shared<const DifferenceRows>(std::move(a), std::move(b));
}

HeadPointer every_row(HeadPointer head, Index step) {
  if (step < 1) refuse("step", "at least 1", std::to_string(step));
  if (step == 1) return head;
  return std::make_shared<const EveryRow>(std::move(head), step);
}

}  // namespace core::heads
