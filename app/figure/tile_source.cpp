#include "app/figure/tile_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/figure/pyramid.h"
#include "core/types.h"

namespace figure {
namespace {

void require_shape(bool good, Index rows, Index cols, const core::Mask& mask) {
  if (good) return;
  throw core::InputError(fmt::format("mask of a matrix: expected {} by {}, got {} by {}", rows,
                                     cols, mask.rows(), mask.cols()));
}

}  // namespace

int level_for(double cells, double pixels) {
  pixels = std::max(pixels, 1.0);
  int level = 0;
  while (level < Pyramid::kLevels - 1 && std::ldexp(cells, -level) > pixels) ++level;
  return level;
}

DenseSource::DenseSource(std::shared_ptr<const void> owner, const float* data, Index rows,
                         Index cols, std::shared_ptr<const core::Mask> mask)
    : owner_(std::move(owner)),
      data_(data),
      rows_(rows),
      cols_(cols),
      mask_(std::move(mask)),
      pyramid_(std::make_unique<Pyramid>()) {
  if (rows < 0 || cols < 0) {
    throw core::InputError(
        fmt::format("matrix to show: expected a shape >= 0, got {} by {}", rows, cols));
  }
  if (mask_) require_shape(mask_->rows() == rows && mask_->cols() == cols, rows, cols, *mask_);
}

DenseSource::DenseSource(core::Matrix matrix, std::shared_ptr<const core::Mask> mask)
    : data_(nullptr),
      rows_(matrix.rows()),
      cols_(matrix.cols()),
      mask_(std::move(mask)),
      pyramid_(std::make_unique<Pyramid>()) {
  const auto kept = std::make_shared<const core::Matrix>(std::move(matrix));
  data_ = kept->data();
  owner_ = kept;
  if (mask_) require_shape(mask_->rows() == rows_ && mask_->cols() == cols_, rows_, cols_, *mask_);
}

DenseSource::~DenseSource() = default;

float DenseSource::value(Index row, Index col) const {
  if (row < 0 || row >= rows_ || col < 0 || col >= cols_) {
    throw core::InputError(
        fmt::format("cell: expected one of {} by {}, got {}, {}", rows_, cols_, row, col));
  }
  return mask_ && !mask_->allowed(row, col) ? core::kMasked : data_[row * cols_ + col];
}

void DenseSource::pooled(int level, const Region& region, Pool pool, float* out,
                         const core::Cancel& cancel) const {
  if (level < 0 || level >= Pyramid::kLevels) {
    throw core::InputError(
        fmt::format("pooling level: expected 0 to {}, got {}", Pyramid::kLevels - 1, level));
  }
  const Index rows = pooled_size(rows_, level), cols = pooled_size(cols_, level);
  if (region.row < 0 || region.col < 0 || region.rows < 0 || region.cols < 0 ||
      region.rows > rows - region.row || region.cols > cols - region.col) {
    throw core::InputError(
        fmt::format("region: expected a part of {} by {} cells, got {} by {} from {}, {}", rows,
                    cols, region.rows, region.cols, region.row, region.col));
  }
  const auto width = static_cast<std::size_t>(region.cols) * sizeof(float);
  if (level > 0) {
    const float* const from =
        pyramid_->get({data_, rows_, cols_, mask_.get()}, level, pool, cancel).data();
    for (Index i = 0; i < region.rows; ++i) {
      std::memcpy(out + i * region.cols, from + (region.row + i) * cols + region.col, width);
    }
    return;
  }
  for (Index i = 0; i < region.rows; ++i) {
    cancel.poll();
    const Index row = region.row + i, end = region.col + region.cols;
    float* const to = out + i * region.cols;
    if (!mask_) {
      std::memcpy(to, data_ + row * cols_ + region.col, width);
      continue;
    }
    const core::KeyRange range = mask_->range(row);
    const Index first = std::clamp(range.begin, region.col, end);
    const Index last = std::clamp(range.end, first, end);
    std::fill(to, to + (first - region.col), core::kMasked);
    std::memcpy(to + (first - region.col), data_ + row * cols_ + first,
                static_cast<std::size_t>(last - first) * sizeof(float));
    std::fill(to + (last - region.col), to + region.cols, core::kMasked);
    if (mask_->is_ranges()) continue;
    for (Index j = first; j < last; ++j) {
      if (!mask_->allowed(row, j)) to[j - region.col] = core::kMasked;
    }
  }
}

double DenseSource::cost(int level, const Region& region, Pool pool) const {
  const bool made = level <= 0 || level >= Pyramid::kLevels || pyramid_->made(level, pool);
  // A copy costs far less than a multiply-add would: both are counted as a quarter.
  const double cells = made ? static_cast<double>(region.rows) * static_cast<double>(region.cols)
                            : static_cast<double>(rows_) * static_cast<double>(cols_);
  return cells / 4;
}

}  // namespace figure
