// Every sparsity pattern that the program knows, by family. Each is a function to a SparseMask that
// never makes n x n; kept_in_closed_form.h counts their pairs without making them.
//
//   window_patterns.h     full, causal, padding, local, atrous, local with atrous
//   factorized_patterns.h the strided and fixed patterns of the Sparse Transformer
//   global_patterns.h     Longformer, BigBird, sinks and window, prefix language model
//   block_patterns.h      documents in one batch, block-sparse layouts, 2-D neighbourhoods
//
// Besides: top_k.h (the best keys of each row), compose.h (and, or, minus, painted by hand).
#pragma once

#include "core/mask/patterns/block_patterns.h"
#include "core/mask/patterns/factorized_patterns.h"
#include "core/mask/patterns/global_patterns.h"
#include "core/mask/patterns/window_patterns.h"
