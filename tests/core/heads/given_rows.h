// Small maps that are given number by number.
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "core/heads/head_rows.h"

namespace given {

using core::Index, core::kMasked;
using core::heads::HeadPointer;

inline const float kNaN = std::numeric_limits<float>::quiet_NaN();
inline const float kInf = std::numeric_limits<float>::infinity();

inline HeadPointer rows(const std::vector<std::vector<float>>& rows) {
  core::Matrix all(static_cast<Index>(rows.size()), static_cast<Index>(rows.front().size()));
  for (Index i = 0; i < all.rows(); ++i) {
    for (Index j = 0; j < all.cols(); ++j) {
      all(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return core::heads::dense_rows(std::move(all));
}

// Masked and NaN count as what they are.
inline void check_row(const HeadPointer& head, Index query, const std::vector<float>& expected) {
  const std::vector<float> row = head->row(query);
  REQUIRE(row.size() == expected.size());
  for (std::size_t j = 0; j < row.size(); ++j) {
    CAPTURE(query);
    CAPTURE(j);
    if (core::is_masked(expected[j])) {
      CHECK(core::is_masked(row[j]));
    } else if (std::isnan(expected[j])) {
      CHECK((std::isnan(row[j]) && !core::is_masked(row[j])));
    } else {
      CHECK(row[j] == doctest::Approx(expected[j]).epsilon(1e-6));
    }
  }
}

}  // namespace given
