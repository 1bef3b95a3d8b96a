// Attention rollout: how much of an input token reaches a token of a later layer, if attention and
// the residual connection around it were all there is.
//
// Source: Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", arXiv:2005.00928,
// section 3, "Attention rollout": A = 0.5 W + 0.5 I of each layer, W the mean over its heads, and
// the product A_l ... A_2 A_1.
#pragma once

#include <vector>

#include "core/heads/head_rows.h"

namespace core::heads {

// residual I + (1 - residual) W, each row divided by its sum. W: (n, n), else InputError; masked
// weights count as 0. residual in [0, 1], else InputError. A row that adds up to nothing is 0.
MatrixD with_residual(const HeadRows& weights, double residual, const Cancel& cancel = {});

// mixed times rolled, both (n, n), else InputError: one layer more. Each row is summed in one
// order, whatever the threads.
MatrixD rolled_on(const MatrixD& mixed, const MatrixD& rolled, int threads = 0,
                  const Cancel& cancel = {});

// A_l ... A_1 of the layers in their order, (n, n): row i says where token i behind the last of
// them comes from. At least one layer, all of one size, else InputError.
MatrixD rollout(const std::vector<HeadPointer>& layers, double residual, int threads = 0,
                const Cancel& cancel = {});
// The same behind each of the layers: A_1, A_2 A_1, ...
std::vector<MatrixD> rollout_steps(const std::vector<HeadPointer>& layers, double residual,
                                   int threads = 0, const Cancel& cancel = {});

}  // namespace core::heads
