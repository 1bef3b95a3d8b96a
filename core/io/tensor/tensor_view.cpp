#include "core/io/tensor/tensor_view.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/refuse.h"

namespace core {
namespace {

constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 18;
// Bytes between two numbers that are sooner read over than asked for apart: a page.
constexpr std::uint64_t kFar = 4096;

// How many bytes lie between neighbours along each axis. An axis of none counts as one of 1.
std::vector<Index> strides_of(const Tensor& tensor) {
  std::vector<Index> strides(tensor.shape.size());
  std::vector<std::size_t> fastest_first(strides.size());
  std::iota(fastest_first.begin(), fastest_first.end(), std::size_t{0});
  if (!tensor.fortran_order) std::reverse(fastest_first.begin(), fastest_first.end());
  Index bytes = facts(tensor.type).bytes;
  for (const std::size_t axis : fastest_first) {
    strides[axis] = bytes;
    bytes *= std::max<Index>(tensor.shape[axis], 1);
  }
  return strides;
}

// The part of the bytes that is being read. Each reading goes on a while beyond what is asked for.
class ReadingWindow {
 public:
  ReadingWindow(const ByteSource& source, const Cancel& cancel)
      : source_(source), cancel_(cancel) {}

  // The bytes from `begin` on, at least `least` of them; from `useful` on none are of use.
  std::span<const std::byte> from(std::uint64_t begin, std::uint64_t least, std::uint64_t useful) {
    if (begin < begin_ || begin + least > begin_ + bytes_.size()) {
      const std::uint64_t most = useful > begin ? useful - begin : 0;
      bytes_.resize(static_cast<std::size_t>(std::max(least, std::min(most, kWindowBytes))));
      source_.read(begin, bytes_, cancel_);
      begin_ = begin;
    }
    return std::span<const std::byte>(bytes_).subspan(static_cast<std::size_t>(begin - begin_));
  }

 private:
  const ByteSource& source_;
  const Cancel& cancel_;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> bytes_;
};

// Numbers of a line, `stride` bytes apart.
struct NumberRun {
  std::uint64_t begin;
  Index stride, count;
  std::uint64_t useful;  // the bytes that will be looked at next end here
};

template <class Scalar>
void read_number_run(const Tensor& tensor, const NumberRun& run, ReadingWindow& window,
                     Scalar* out) {
  const Index bytes = facts(tensor.type).bytes;
  for (Index k = 0; k < run.count;) {
    const std::uint64_t begin = run.begin + static_cast<std::uint64_t>(k * run.stride);
    const auto here = window.from(begin, static_cast<std::uint64_t>(bytes), run.useful);
    const Index whole = (static_cast<Index>(here.size()) - bytes) / run.stride + 1;
    const Index count = std::min(whole, run.count - k);
    decode_numbers(tensor.type, tensor.big_endian, here.data(), run.stride, count, out + k);
    k += count;
  }
}

}  // namespace

ViewAxes last_axes(const Tensor& tensor) {
  const std::size_t axes = tensor.shape.size();
  ViewAxes shown;
  if (axes >= 1) shown.col = axes - 1;
  if (axes >= 2) shown.row = axes - 2;
  shown.at.assign(axes, 0);
  return shown;
}

TensorView::TensorView(const Tensor& tensor) : TensorView(tensor, last_axes(tensor)) {}

TensorView::TensorView(Tensor tensor, const ViewAxes& axes) : tensor_(std::move(tensor)) {
  require_axes(axes);
  const std::vector<Index> strides = strides_of(tensor_);
  first_ = tensor_.begin;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (axes.row == axis) {
      rows_ = {tensor_.shape[axis], strides[axis]};
    } else if (axes.col == axis) {
      cols_ = {tensor_.shape[axis], strides[axis]};
    } else {
      first_ += static_cast<std::uint64_t>(axes.at[axis] * strides[axis]);
    }
  }
  runs_down_ = rows_.size > 1 && (cols_.size <= 1 || rows_.stride < cols_.stride);
}

void TensorView::require_axes(const ViewAxes& axes) const {
  const std::size_t count = tensor_.shape.size();
  const std::string shape = tensor_shape_text(tensor_.shape);
  const auto known = [&](const std::optional<std::size_t>& axis) { return !axis || *axis < count; };
  if (!known(axes.row) || !known(axes.col) || (axes.row && axes.row == axes.col)) {
    refuse("view of a tensor", "two axes of " + shape, "others");
  }
  if (axes.at.size() != count) {
    refuse("view of a tensor", std::to_string(count) + " indices", std::to_string(axes.at.size()));
  }
  for (std::size_t axis = 0; axis < count; ++axis) {
    if (axes.row == axis || axes.col == axis) continue;
    if (axes.at[axis] < 0 || axes.at[axis] >= tensor_.shape[axis]) {
      refuse("view of a tensor", "an index of " + shape + " along axis " + std::to_string(axis),
             std::to_string(axes.at[axis]));
    }
  }
}

void TensorView::require_inside(const Region& region) const {
  if (region.row >= 0 && region.col >= 0 && region.rows >= 0 && region.cols >= 0 &&
      region.rows <= rows() - region.row && region.cols <= cols() - region.col) {
    return;
  }
  refuse("region of a tensor", "a part of " + shape_text(rows(), cols()),
         shape_text(region.rows, region.cols) + " from " + std::to_string(region.row) + ", " +
             std::to_string(region.col));
}

std::uint64_t TensorView::offset(Index row, Index col) const {
  return first_ + static_cast<std::uint64_t>(row * rows_.stride + col * cols_.stride);
}

double TensorView::value(Index row, Index col) const {
  require_inside({row, col, 1, 1});
  std::byte bytes[8];
  const std::span<std::byte> own(bytes, static_cast<std::size_t>(facts(tensor_.type).bytes));
  tensor_.bytes->read(offset(row, col), own, {});
  double number = 0;
  decode_numbers(tensor_.type, tensor_.big_endian, bytes, 1, 1, &number);
  return number;
}

template <class Scalar>
void TensorView::each_run(const Region& region, const TakeRun<Scalar>& take,
                          const Cancel& cancel) const {
  require_inside(region);
  if (region.rows == 0 || region.cols == 0) return;
  const Index length = runs_down_ ? region.rows : region.cols;
  const Index lines = runs_down_ ? region.cols : region.rows;
  const Index stride = std::max<Index>(runs_down_ ? rows_.stride : cols_.stride, 1);
  const Index line_stride = runs_down_ ? cols_.stride : rows_.stride;
  const auto bytes = static_cast<std::uint64_t>(facts(tensor_.type).bytes);
  const std::uint64_t line_bytes = static_cast<std::uint64_t>((length - 1) * stride) + bytes;
  const bool near = static_cast<std::uint64_t>(stride) <= kFar;
  const bool lines_near = near && static_cast<std::uint64_t>(line_stride) <= line_bytes + kFar;
  const std::uint64_t first = offset(region.row, region.col);
  const std::uint64_t end =
      first + static_cast<std::uint64_t>((lines - 1) * line_stride) + line_bytes;

  ReadingWindow window(*tensor_.bytes, cancel);
  std::vector<Scalar> numbers(static_cast<std::size_t>(std::min(length, kLongestRun)));
  for (Index line = 0; line < lines; ++line) {
    const std::uint64_t begin = first + static_cast<std::uint64_t>(line * line_stride);
    const std::uint64_t useful = lines_near ? end : near ? begin + line_bytes : 0;
    for (Index k = 0; k < length; k += kLongestRun) {
      const NumberRun run{begin + static_cast<std::uint64_t>(k * stride), stride,
                          std::min(kLongestRun, length - k), useful};
      read_number_run(tensor_, run, window, numbers.data());
      take(region.row + (runs_down_ ? k : line), region.col + (runs_down_ ? line : k),
           numbers.data(), run.count);
    }
  }
}

template <class Scalar>
void TensorView::read(const Region& region, Scalar* out, const Cancel& cancel) const {
  const Index step = runs_down_ ? region.cols : 1;
  const auto put = [&](Index row, Index col, const Scalar* numbers, Index count) {
    Scalar* const to = out + (row - region.row) * region.cols + (col - region.col);
    for (Index k = 0; k < count; ++k) to[k * step] = numbers[k];
  };
  each_run<Scalar>(region, put, cancel);
}

template void TensorView::each_run(const Region&, const TakeRun<float>&, const Cancel&) const;
template void TensorView::each_run(const Region&, const TakeRun<double>&, const Cancel&) const;
template void TensorView::read(const Region&, float*, const Cancel&) const;
template void TensorView::read(const Region&, double*, const Cancel&) const;

}  // namespace core
