#include "app/figure/tile_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

#include "core/types.h"

namespace figure {
namespace {

constexpr int kLevels = 48;
constexpr Index kTile = 512;  // columns whose accumulators stay in the first-level cache

// A float as an integer that orders by magnitude, then positive over negative: the pooled value is
// the greatest key. NaN lies above infinity, so that one makes its block NaN.
std::uint32_t key_of(std::uint32_t bits) { return std::rotl(bits ^ 0x80000000u, 1); }

float value_of(std::uint32_t key) {
  const float value = std::bit_cast<float>(std::rotr(key, 1) ^ 0x80000000u);
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

// Plain loops over arrays, of which the compiler makes vectors.
void add_cells(const float* cells, Index n, std::uint32_t* k, std::int32_t* c, double* s) {
  for (Index j = 0; j < n; ++j) {
    const auto bits = std::bit_cast<std::uint32_t>(cells[j]);
    const bool here = bits != core::kMaskedBits;
    const std::uint32_t candidate = here ? key_of(bits) : 0u;
    k[j] = k[j] > candidate ? k[j] : candidate;
    c[j] += here ? 1 : 0;
  }
  for (Index j = 0; j < n; ++j) {
    const bool here = std::bit_cast<std::uint32_t>(cells[j]) != core::kMaskedBits;
    s[j] += static_cast<double>(here ? cells[j] : 0.0f);
  }
}

// Per column of a tile: what the rows of one block row gave so far.
struct Columns {
  std::array<std::uint32_t, kTile> key;
  std::array<double, kTile> sum;
  std::array<std::int32_t, kTile> count;

  void clear(Index n) {
    std::fill_n(key.begin(), n, 0u);
    std::fill_n(sum.begin(), n, 0.0);
    std::fill_n(count.begin(), n, 0);
  }

  // Adds the cells of one row from column `first` of the tile on.
  void add(const float* cells, Index first, Index n) {
    add_cells(cells, n, key.data() + first, count.data() + first, sum.data() + first);
  }
};

void require_shape(bool good, Index rows, Index cols, const core::Mask& mask) {
  if (good) return;
  throw core::InputError(fmt::format("mask of a matrix: expected {} by {}, got {} by {}", rows,
                                     cols, mask.rows(), mask.cols()));
}

}  // namespace

int level_for(double cells, double pixels) {
  pixels = std::max(pixels, 1.0);
  int level = 0;
  while (level < kLevels - 1 && std::ldexp(cells, -level) > pixels) ++level;
  return level;
}

// The pooled levels, each made in one pass over the matrix when it is first asked for.
struct DenseSource::Pyramid {
  struct Level {
    std::vector<float> max, mean;
    std::atomic<bool> ready = false;
  };
  std::mutex mutex;
  std::array<Level, kLevels> levels;

  // The visible part of a row's columns [begin, end): masks that are ranges cost nothing a cell.
  static void add_row(const DenseSource& source, Index row, Index begin, Index end,
                      Columns& columns) {
    const float* const cells = source.data_ + row * source.cols_;
    if (!source.mask_) return columns.add(cells + begin, 0, end - begin);
    const core::KeyRange range = source.mask_->range(row);
    const Index first = std::max(begin, range.begin), last = std::min(end, range.end);
    if (first >= last) return;
    if (source.mask_->is_ranges()) return columns.add(cells + first, first - begin, last - first);
    std::array<float, kTile> shown;
    for (Index j = first; j < last; ++j) {
      shown[static_cast<std::size_t>(j - first)] =
          source.mask_->allowed(row, j) ? cells[j] : core::kMasked;
    }
    columns.add(shown.data(), first - begin, last - first);
  }

  // Puts the columns [begin, end) of a tile into the pooled cells they belong to. Blocks wider than
  // a tile collect over several tiles.
  struct Block {
    std::uint32_t key = 0;
    double sum = 0;
    std::int64_t count = 0;
  };
  static void collect(const Columns& columns, Index begin, Index end, int level,
                      std::vector<Block>& blocks) {
    for (Index j = begin; j < end;) {
      const Index block = j >> level;
      const Index stop = std::min(end, (block + 1) << level);
      Block& b = blocks[static_cast<std::size_t>(block)];
      for (; j < stop; ++j) {
        const auto c = static_cast<std::size_t>(j - begin);
        b.key = std::max(b.key, columns.key[c]);
        b.sum += columns.sum[c];
        b.count += columns.count[c];
      }
    }
  }

  static void build(const DenseSource& source, int level, Level& made, const core::Cancel& cancel) {
    const Index rows = pooled_size(source.rows_, level), cols = pooled_size(source.cols_, level);
    made.max.resize(static_cast<std::size_t>(rows * cols));
    made.mean.resize(made.max.size());
    std::vector<Block> blocks(static_cast<std::size_t>(cols));
    const auto columns = std::make_unique<Columns>();
    for (Index r = 0; r < rows; ++r) {
      std::fill(blocks.begin(), blocks.end(), Block{});
      const Index first = r << level, last = std::min(source.rows_, (r + 1) << level);
      for (Index begin = 0; begin < source.cols_; begin += kTile) {
        cancel.poll();
        const Index end = std::min(source.cols_, begin + kTile);
        columns->clear(end - begin);
        for (Index i = first; i < last; ++i) add_row(source, i, begin, end, *columns);
        collect(*columns, begin, end, level, blocks);
      }
      for (Index c = 0; c < cols; ++c) {
        const Block& b = blocks[static_cast<std::size_t>(c)];
        const auto at = static_cast<std::size_t>(r * cols + c);
        made.max[at] = b.count ? value_of(b.key) : core::kMasked;
        const auto mean = static_cast<float>(b.sum / static_cast<double>(b.count));
        made.mean[at] = !b.count           ? core::kMasked
                        : std::isnan(mean) ? std::numeric_limits<float>::quiet_NaN()
                                           : mean;
      }
    }
  }

  const Level& get(const DenseSource& source, int level, const core::Cancel& cancel) {
    Level& wanted = levels[static_cast<std::size_t>(level)];
    if (wanted.ready.load(std::memory_order_acquire)) return wanted;
    const std::scoped_lock lock(mutex);
    if (!wanted.ready.load(std::memory_order_relaxed)) {
      build(source, level, wanted, cancel);
      wanted.ready.store(true, std::memory_order_release);
    }
    return wanted;
  }
};

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
  if (level < 0 || level >= kLevels) {
    throw core::InputError(
        fmt::format("pooling level: expected 0 to {}, got {}", kLevels - 1, level));
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
    const Pyramid::Level& made = pyramid_->get(*this, level, cancel);
    const float* const from = (pool == Pool::max ? made.max : made.mean).data();
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

double DenseSource::cost(int level, const Region& region) const {
  const bool made = level <= 0 || level >= kLevels ||
                    pyramid_->levels[static_cast<std::size_t>(level)].ready.load();
  // A copy costs far less than a multiply-add would: both are counted as a quarter.
  const double cells = made ? static_cast<double>(region.rows) * static_cast<double>(region.cols)
                            : static_cast<double>(rows_) * static_cast<double>(cols_);
  return cells / 4;
}

}  // namespace figure
