// Numbers that training would have learned, drawn at random.
#pragma once

#include "core/types.h"

namespace lab::position_compare {

enum class TableKind {
  learned,
  t5,
  shaw,
  xl_key,
  xl_u,
  xl_v,
  deberta,
  deberta_query,
  deberta_key,
  urpe
};

// Entries N(0, size^2). Tables of one seed are independent, those of a head (from 0) too; rows that
// are added leave those before as they are.
core::MatrixD random_table(TableKind which, core::Index rows, core::Index cols, double size,
                           int seed, core::Index head = 0);

}  // namespace lab::position_compare
