#include "core/checkpoint/past.h"

namespace core::checkpoint {
namespace {

constexpr Index kFewestTokens = 64;

Matrix side_by_side(const std::vector<const Matrix*>& heads, Index count) {
  const Index width = heads.empty() ? 0 : heads.front()->cols();
  Matrix all(count, static_cast<Index>(heads.size()) * width);
  for (std::size_t h = 0; h < heads.size(); ++h) {
    all.middleCols(static_cast<Index>(h) * width, width) = heads[h]->topRows(count);
  }
  return all;
}

}  // namespace

Past::Past(Index layers, Index key_heads, Index width)
    : key_heads_(key_heads), width_(width), heads_(static_cast<std::size_t>(layers * key_heads)) {}

Index Past::bytes() const {
  Index sum = 0;
  for (const Head& head : heads_) sum += head.keys.size() + head.values.size();
  return sum * static_cast<Index>(sizeof(float));
}

void Past::put(Index layer, const Matrix& k, const Matrix& v) {
  const Index needed = tokens_ + k.rows();
  for (Index h = 0; h < key_heads_; ++h) {
    Head& head = heads_[static_cast<std::size_t>(layer * key_heads_ + h)];
    if (head.keys.rows() < needed) {
      const Index capacity = std::max({kFewestTokens, needed, 2 * head.keys.rows()});
      head.keys.conservativeResize(capacity, width_);
      head.values.conservativeResize(capacity, width_);
    }
    head.keys.middleRows(tokens_, k.rows()) = k.middleCols(h * width_, width_);
    head.values.middleRows(tokens_, v.rows()) = v.middleCols(h * width_, width_);
  }
}

Matrix Past::all_keys(Index layer, Index count) const {
  std::vector<const Matrix*> heads;
  for (Index h = 0; h < key_heads_; ++h) heads.push_back(&at(layer, h).keys);
  return side_by_side(heads, count);
}

Matrix Past::all_values(Index layer, Index count) const {
  std::vector<const Matrix*> heads;
  for (Index h = 0; h < key_heads_; ++h) heads.push_back(&at(layer, h).values);
  return side_by_side(heads, count);
}

}  // namespace core::checkpoint
