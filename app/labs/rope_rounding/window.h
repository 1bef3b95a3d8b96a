// Attention of a block of tokens far out, exact and under rounding.
#pragma once

#include "app/labs/rope_rounding/model.h"

namespace lab::rope_rounding {

// The block of `window` tokens that the query lies in, cut at the context's end.
Index window_start(const Parameters& p);
Index window_size(const Parameters& p);

// Of the token at `position`, (d).
VectorD query_vector(const Parameters& p, Index position);
VectorD key_vector(const Parameters& p, Index position);

core::Attended<double> exact_attention(const Parameters& p);
Window make_window(const Parameters& p, const core::Attended<double>& exact,
                   const core::RotaryRounder& rounder);

}  // namespace lab::rope_rounding
