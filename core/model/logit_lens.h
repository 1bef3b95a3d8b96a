// What a model would say after each part or layer, were it the last one ("logit lens",
// nostalgebraist 2020), as figures show it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/model/residual_stream.h"

namespace core::model {

struct LensView {
  // The likeliest token, how likely it is, and how likely a wanted one is.
  struct Cell {
    std::int32_t best = 0;
    double chance = 0, of_wanted = 0;
  };
  Index first = 0, tokens = 0;  // of the text
  std::vector<StreamPoint> points = {};
  std::vector<std::vector<Cell>> cells = {};  // by point and token

  // logits: (tokens, vocabulary) as that point of the stream gives them; `wanted` by token.
  void add(const StreamPoint& point, const Matrix& logits,
           const std::vector<std::int32_t>& wanted) {
    points.push_back(point);
    auto& row = cells.emplace_back();
    for (Index t = 0; t < logits.rows(); ++t) {
      const Eigen::RowVectorXd z = logits.row(t).cast<double>();
      Index best = 0;
      const double most = z.maxCoeff(&best), sum = (z.array() - most).exp().sum();
      const double of_wanted = std::exp(z(wanted[static_cast<std::size_t>(t)]) - most) / sum;
      row.push_back({static_cast<std::int32_t>(best), 1 / sum, of_wanted});
    }
  }
};

}  // namespace core::model
