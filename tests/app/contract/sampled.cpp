#include "sampled.h"

#include <algorithm>

namespace contract {

namespace {

using core::Index;

constexpr Index kMost = 64;   // about as many rows and columns are compared
constexpr Index kCorner = 4;  // pooled cells of each of two levels, at the first and the last
constexpr int kLevels[] = {1, 3};

std::vector<Index> grid(Index count) {
  std::vector<Index> at;
  for (Index k = 0; k < count; k += std::max<Index>(1, count / kMost)) at.push_back(k);
  if (!at.empty() && at.back() != count - 1) at.push_back(count - 1);
  return at;
}

void add_pooled(const figure::TileSource& source, int level, figure::Pool pool,
                std::vector<float>& all) {
  const Index rows = figure::pooled_size(source.rows(), level);
  const Index cols = figure::pooled_size(source.cols(), level);
  const Index height = std::min(kCorner, rows), width = std::min(kCorner, cols);
  std::vector<float> tile(static_cast<std::size_t>(height * width));
  source.pooled(level, {0, 0, height, width}, pool, tile.data(), {});
  all.insert(all.end(), tile.begin(), tile.end());
  source.pooled(level, {rows - height, cols - width, height, width}, pool, tile.data(), {});
  all.insert(all.end(), tile.begin(), tile.end());
}

}  // namespace

Sampled sample(const figure::TileSource& source) {
  Sampled sampled{source.rows(), source.cols(), grid(source.rows()), grid(source.cols()), {}, {}};
  for (const Index row : sampled.at_row) {
    for (const Index col : sampled.at_col) sampled.values.push_back(source.value(row, col));
  }
  for (const figure::Pool pool : {figure::Pool::max, figure::Pool::mean}) {
    for (const int level : kLevels) add_pooled(source, level, pool, sampled.pooled);
  }
  return sampled;
}

}  // namespace contract
