#include "app/ui/draw/damage.h"

#include <bit>
#include <limits>

namespace ui {

namespace {

constexpr int kTile = 32;
// Each box costs a look at everything that is drawn; beyond so many, near ones are drawn as one.
constexpr std::size_t kMostBoxes = 16;
// From here on, finding out which are near costs more than drawing everything.
constexpr std::size_t kManyBoxes = 128;

gl::Box around(const gl::Box& a, const gl::Box& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

}  // namespace

void Damage::begin(int width, int height, std::uint64_t fingerprint) {
  if (width != width_ || height != height_) forget();
  width_ = width;
  height_ = height;
  // A row of tiles has to fit into the bits of a word.
  side_ = kTile * std::max(1, (width + kTile * kColumns - 1) / (kTile * kColumns));
  across_ = (width + side_ - 1) / side_;
  const int down = (height + side_ - 1) / side_;
  fingerprints_.assign(static_cast<std::size_t>(across_) * static_cast<std::size_t>(down),
                       fingerprint);
  rows_.assign(static_cast<std::size_t>(down), 0);
}

void Damage::add(const gl::Box& box, std::uint64_t fingerprint) {
  const gl::Box b = common(box, {0, 0, width_, height_});
  if (b.empty()) return;
  const int left = b.x0 / side_, right = (b.x1 - 1) / side_;
  for (int row = b.y0 / side_; row <= (b.y1 - 1) / side_; ++row) {
    std::uint64_t* tiles = fingerprints_.data() + std::ptrdiff_t{row} * across_;
    for (int column = left; column <= right; ++column) {
      tiles[column] = hash_combine(tiles[column], fingerprint);
    }
  }
}

Damage::Row Damage::columns(int x0, int x1) const {
  const int first = x0 / side_, last = (x1 - 1) / side_;
  return (~Row{0} << first) & (~Row{0} >> (kColumns - 1 - last));
}

const std::vector<gl::Box>& Damage::finish() {
  boxes_.clear();
  const bool all = before_.size() != fingerprints_.size();
  std::vector<gl::Box> open, next;  // boxes that reach down to the row before
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const std::size_t first = row * static_cast<std::size_t>(across_);
    for (std::size_t i = 0; i < static_cast<std::size_t>(across_); ++i) {
      if (all || fingerprints_[first + i] != before_[first + i]) rows_[row] |= Row{1} << i;
    }
    next.clear();
    const int top = static_cast<int>(row) * side_, bottom = std::min(top + side_, height_);
    for (Row left = rows_[row]; left != 0;) {
      const int from = std::countr_zero(left);
      const int length = std::countr_one(left >> from);
      left &= length == kColumns ? 0 : ~(((Row{1} << length) - 1) << from);
      gl::Box box{from * side_, top, std::min((from + length) * side_, width_), bottom};
      const auto above = std::find_if(open.begin(), open.end(), [&](const gl::Box& b) {
        return b.x0 == box.x0 && b.x1 == box.x1;
      });
      if (above != open.end()) {
        box.y0 = above->y0;
        open.erase(above);
      }
      next.push_back(box);
    }
    boxes_.insert(boxes_.end(), open.begin(), open.end());
    std::swap(open, next);
  }
  boxes_.insert(boxes_.end(), open.begin(), open.end());
  merge();
  before_ = fingerprints_;
  return boxes_;
}

// Joins the two boxes that waste the fewest pixels until there are few; what a joined box meets is
// joined with it.
void Damage::merge() {
  const auto join = [&](std::size_t a, std::size_t b) {
    boxes_[a] = around(boxes_[a], boxes_[b]);
    boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(b));
  };
  const auto settle = [&] {
    for (std::size_t a = 0; a < boxes_.size(); ++a) {
      for (std::size_t b = a + 1; b < boxes_.size(); ++b) {
        if (common(boxes_[a], boxes_[b]).empty()) continue;
        join(a, b);
        return true;
      }
    }
    return false;
  };
  if (boxes_.size() > kManyBoxes) boxes_ = {{0, 0, width_, height_}};
  while (boxes_.size() > kMostBoxes) {
    std::size_t one = 0, other = 1;
    long least = std::numeric_limits<long>::max();
    for (std::size_t a = 0; a < boxes_.size(); ++a) {
      for (std::size_t b = a + 1; b < boxes_.size(); ++b) {
        const long waste = area(around(boxes_[a], boxes_[b])) - area(boxes_[a]) - area(boxes_[b]);
        if (waste < least) least = waste, one = a, other = b;
      }
    }
    join(one, other);
    while (settle()) {
    }
  }
  for (const gl::Box& box : boxes_) {
    const Row mask = columns(box.x0, box.x1);
    for (int row = box.y0 / side_; row <= (box.y1 - 1) / side_; ++row) {
      rows_[static_cast<std::size_t>(row)] |= mask;
    }
  }
}

bool Damage::meets(const gl::Box& box) const {
  const gl::Box b = common(box, {0, 0, width_, height_});
  if (b.empty()) return false;
  const Row mask = columns(b.x0, b.x1);
  for (int row = b.y0 / side_; row <= (b.y1 - 1) / side_; ++row) {
    if ((rows_[static_cast<std::size_t>(row)] & mask) != 0) return true;
  }
  return false;
}

void Damage::forget() { before_.clear(); }

}  // namespace ui
