// The projections of the multi-head lab, from a seed.
#pragma once

#include "app/labs/multi_head/model.h"

namespace lab::multi_head {

// W_q, W_k, W_v: N(0, 1/d_model), a stream of random numbers for each head; or slices.
Projected project(const Parameters& p, const core::Matrix& X, const Context& context);

// W_o: (h d_v, d_model), N(0, 1/(h d_v)).
core::Matrix output_projection(const Parameters& p);

}  // namespace lab::multi_head
