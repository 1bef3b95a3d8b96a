// Heatmaps of matrices that are kept, and their colours.
#pragma once

#include "app/labs/lab.h"

namespace lab {

// The numbers as cells.
template <class Derived>
std::shared_ptr<const TileSource> cells_of(const Eigen::DenseBase<Derived>& numbers) {
  return std::make_shared<const DenseSource>(Matrix(numbers.derived().template cast<float>()));
}

// A diverging scale about zero that holds values up to `largest`, or up to 1 when that is 0 or not
// finite; and one that holds these numbers.
ColorScale signed_scale(figure::Number largest);
template <class Derived>
ColorScale signed_scale(const Eigen::DenseBase<Derived>& numbers) {
  return signed_scale(numbers.derived().cwiseAbs().maxCoeff());
}

// The map of a matrix, by default on a scale of its own about zero.
template <class Derived>
Heatmap heatmap(const Eigen::DenseBase<Derived>& numbers) {
  return {.source = cells_of(numbers), .scale = signed_scale(numbers)};
}
template <class Derived>
Heatmap heatmap(const Eigen::DenseBase<Derived>& numbers, const ColorScale& scale) {
  return {.source = cells_of(numbers), .scale = scale};
}

// A map whose cells set two parameters, which are at the picked cell, and what is explained.
struct PickedCell {
  const char* row_param;
  Index row;
  const char* col_param;
  Index col;
};
Heatmap picked_map(std::shared_ptr<const TileSource> source, const ColorScale& scale,
                   core::Pool pool, const PickedCell& picked, std::string_view explained);

}  // namespace lab
