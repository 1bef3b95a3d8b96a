#include "core/checkpoint/weights.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/io/tensor/tensor_view.h"
#include "core/parallel.h"

namespace core::checkpoint {
namespace {

using decode::StoredMatrix;

const Format& stored_format(NumberType type) {
  return type == NumberType::float16    ? kFloat16
         : type == NumberType::bfloat16 ? kBFloat16
                                        : kFloat32;
}

// NaN and the infinities have all bits of the exponent set.
template <class Code>
Index count_codes(const std::byte* from, Index count, Code exponent) {
  const auto* codes = reinterpret_cast<const Code*>(from);
  Index found = 0;
  for (Index i = 0; i < count; ++i) found += (codes[i] & exponent) == exponent;
  return found;
}

Index count_not_finite_codes(const std::byte* from, std::size_t bytes, const Format& format) {
  const auto count = static_cast<Index>(bytes);
  if (format == kFloat16) return count_codes<std::uint16_t>(from, count / 2, 0x7c00);
  if (format == kBFloat16) return count_codes<std::uint16_t>(from, count / 2, 0x7f80);
  return count_codes<std::uint32_t>(from, count / 4, 0x7f800000);
}

// All codes of a tensor, and how many of them are not finite, counted while they are at hand.
Index read_codes(const Tensor& tensor, StoredMatrix& to, const Cancel& cancel) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::span<std::byte> all = to.stored();
  std::atomic<Index> found{0};
  parallel_for(static_cast<Index>((all.size() + kPiece - 1) / kPiece), 0, [&](Index k, int) {
    const std::size_t begin = static_cast<std::size_t>(k) * kPiece;
    const auto piece = all.subspan(begin, std::min(kPiece, all.size() - begin));
    tensor.bytes->read(tensor.begin + begin, piece, cancel);
    found += count_not_finite_codes(piece.data(), piece.size(), to.format());
  });
  return found;
}

// to (rows, cols) = the transposed of from (cols, rows), in blocks that stay in the nearest cache.
template <class Code>
void transpose_codes(const std::byte* from, Index rows, Index cols, std::byte* to) {
  constexpr Index kBlock = 32;
  const auto* source = reinterpret_cast<const Code*>(from);
  auto* target = reinterpret_cast<Code*>(to);
  parallel_for(ceil_div(rows, kBlock), 0, [&](Index block, int) {
    const Index first = block * kBlock, end = std::min(rows, first + kBlock);
    for (Index c = 0; c < cols; c += kBlock) {
      const Index last = std::min(cols, c + kBlock);
      for (Index i = first; i < end; ++i) {
        for (Index j = c; j < last; ++j) target[i * cols + j] = source[j * rows + i];
      }
    }
  });
}

template <class S>
MatrixOf<S> whole(const Tensor& tensor, const Cancel& cancel) {
  const TensorView view(tensor);
  MatrixOf<S> out(view.rows(), view.cols());
  view.read({0, 0, view.rows(), view.cols()}, out.data(), cancel);
  return out;
}

}  // namespace

Weights::Weights(std::vector<Declared> declared, Index most_bytes)
    : declared_(std::move(declared)), most_bytes_(most_bytes), slots_(declared_.size()) {}

// The codes as they are, where this machine writes its numbers as the file does; else by way of
// float32, which holds all numbers of both narrow formats.
Weights::Loaded Weights::load(const Declared& from, const Cancel& cancel) const {
  const Tensor& tensor = from.tensor;
  StoredMatrix out(from.rows, from.cols, stored_format(tensor.type));
  if (std::endian::native == std::endian::little && tensor.type != NumberType::float64) {
    if (!from.transposed) {
      const Index wrong = read_codes(tensor, out, cancel);
      return {std::move(out), wrong};
    }
    StoredMatrix transposed(from.cols, from.rows, out.format());
    const Index wrong = read_codes(tensor, transposed, cancel);
    const std::byte* codes = transposed.stored().data();
    facts(tensor.type).bytes == 2
        ? transpose_codes<std::uint16_t>(codes, from.rows, from.cols, out.stored().data())
        : transpose_codes<std::uint32_t>(codes, from.rows, from.cols, out.stored().data());
    return {std::move(out), wrong};
  }
  Matrix numbers = whole<float>(tensor, cancel);
  if (from.transposed) numbers = Matrix(numbers.transpose());
  for (Index i = 0; i < from.rows; ++i) out.put(i, numbers.data() + i * from.cols);
  return {std::move(out), numbers.size() - numbers.array().isFinite().count()};
}

void Weights::note(const Declared& from, Slot& slot, Index count) const {
  if (count > 0 && !slot.counted) not_finite_.push_back({from.tensor.name, count});
  slot.counted = true;
}

Weights::Stored Weights::matrix(const Parameter& p, const Cancel& cancel) const {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[p.at];
  if (slot.matrix) return slot.matrix;
  Loaded read = load(declared_[p.at], cancel);
  note(declared_[p.at], slot, read.not_finite);
  const auto loaded = std::make_shared<const StoredMatrix>(std::move(read.matrix));
  if (bytes_ + loaded->bytes() <= most_bytes_) {
    slot.matrix = loaded;
    bytes_ += loaded->bytes();
  }
  return loaded;
}

MatrixD Weights::exact(const Parameter& p, const Cancel& cancel) const {
  const Declared& from = declared_[p.at];
  const MatrixD numbers = whole<double>(from.tensor, cancel);
  return from.transposed ? MatrixD(numbers.transpose()) : numbers;
}

template <class S>
VectorOf<S> Weights::vector(const Parameter& p, const Cancel& cancel) const {
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[p.at];
  if (!slot.vector) {
    const MatrixD numbers = whole<double>(declared_[p.at].tensor, cancel);
    slot.vector =
        std::make_shared<const VectorD>(Eigen::Map<const VectorD>(numbers.data(), numbers.size()));
    const Index finite = slot.vector->array().isFinite().count();
    note(declared_[p.at], slot, slot.vector->size() - finite);
  }
  return slot.vector->template cast<S>();
}
template VectorD Weights::vector(const Parameter&, const Cancel&) const;
template Vector Weights::vector(const Parameter&, const Cancel&) const;

template <class S>
MatrixOf<S> Weights::some_rows(const Parameter& p, const std::vector<std::int32_t>& which,
                               const Cancel& cancel) const {
  const Declared& from = declared_[p.at];
  MatrixOf<S> out(static_cast<Index>(which.size()), from.cols);
  Stored kept;
  if constexpr (std::is_same_v<S, float>) {
    const std::lock_guard lock(mutex_);
    kept = slots_[p.at].matrix;
  }
  const TensorView view(from.tensor);
  for (Index i = 0; i < out.rows(); ++i) {
    const Index row = which[static_cast<std::size_t>(i)];
    S* to = out.data() + i * from.cols;
    if constexpr (std::is_same_v<S, float>) {
      if (kept) {
        kept->read(row, to);
        continue;
      }
    }
    view.read({row, 0, 1, from.cols}, to, cancel);
  }
  return out;
}
template MatrixD Weights::some_rows(const Parameter&, const std::vector<std::int32_t>&,
                                    const Cancel&) const;
template Matrix Weights::some_rows(const Parameter&, const std::vector<std::int32_t>&,
                                   const Cancel&) const;

Index Weights::bytes_kept() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::vector<NotFinite> Weights::not_finite() const {
  const std::lock_guard lock(mutex_);
  return not_finite_;
}

}  // namespace core::checkpoint
