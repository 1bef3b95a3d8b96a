#include "core/position/learned/learned.h"

#include <algorithm>

#include "core/position/checks.h"

namespace core {

MatrixD learned_positions(const MatrixD& table, const std::vector<Index>& positions,
                          BeyondTable beyond) {
  position::require_at_least("learned_positions", "a number of rows", 1, table.rows());
  MatrixD rows(static_cast<Index>(positions.size()), table.cols());
  for (size_t i = 0; i < positions.size(); ++i) {
    const Index p = positions[i];
    const bool inside = p < table.rows();
    if (p < 0 || (!inside && beyond == BeyondTable::refuse)) {
      refuse("learned_positions", "positions from 0 to " + std::to_string(table.rows() - 1),
             std::to_string(p));
    }
    const Index row = inside || beyond == BeyondTable::wrap ? p % table.rows() : table.rows() - 1;
    rows.row(static_cast<Index>(i)) = table.row(row);
    if (!inside && beyond == BeyondTable::zeros) rows.row(static_cast<Index>(i)).setZero();
  }
  return rows;
}

MatrixD one_hot(const std::vector<Index>& ids, Index classes) {
  MatrixD rows = MatrixD::Zero(static_cast<Index>(ids.size()), std::max<Index>(classes, 0));
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= classes) {
      refuse("one_hot", "ids from 0 to below " + std::to_string(classes), std::to_string(ids[i]));
    }
    rows(static_cast<Index>(i), ids[i]) = 1;
  }
  return rows;
}

MatrixD embed_by_concatenation(const MatrixD& token_table, const std::vector<Index>& ids,
                               const MatrixD& position_table, const std::vector<Index>& positions) {
  const char* where = "embed_by_concatenation";
  if (token_table.cols() != position_table.cols()) {
    refuse(where, "tables of one width",
           shape_text(token_table) + " and " + shape_text(position_table));
  }
  if (ids.size() != positions.size()) {
    refuse(where, std::to_string(ids.size()) + " positions, one a token",
           std::to_string(positions.size()));
  }
  MatrixD both(static_cast<Index>(ids.size()), token_table.rows() + position_table.rows());
  both << one_hot(ids, token_table.rows()), one_hot(positions, position_table.rows());
  MatrixD stacked(both.cols(), token_table.cols());
  stacked << token_table, position_table;
  return both * stacked;
}

}  // namespace core
