// What a model's pass is remembered by, as matrices.
#pragma once

#include "app/labs/lab.h"
#include "core/model/trace.h"

namespace lab {

// One head's weights out of a traced (1, heads, n, m).
Matrix head_matrix(const core::model::Traced<float>& traced, Index head);
// A traced (1, n, d) as rows.
Matrix row_matrix(const core::model::Traced<float>& traced);

}  // namespace lab
