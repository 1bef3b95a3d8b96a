// Options of attention: one set for the plain versions and the fast ones, for one head and for
// many.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/attention/fast/isa.h"
#include "core/attention/masked_softmax.h"
#include "core/mask/mask.h"
#include "core/types.h"

namespace core {

// Shared with whoever else keeps it: options can be copied and kept, and cost no matrix.
template <class Scalar>
using SharedMatrixOf = std::shared_ptr<const MatrixOf<Scalar>>;

template <class Scalar>
struct AttentionOptionsOf {
  // How many heads lie side by side in Q, K and V; not given: one, or those of the layer's weights
  // (which another number contradicts).
  std::optional<Index> heads = {};
  // Multiplies q.k: 1 / sqrt(d_k) when not given. A temperature is part of it.
  std::optional<Scalar> scale = {};
  // n by m, the same for all heads; every query sees every key when not given.
  std::optional<Mask> mask = {};
  // Added to the scaled scores: none, one n by m matrix for all heads, or one for each.
  std::vector<SharedMatrixOf<Scalar>> bias = {};
  // Value of a row without any key. The fast versions have zeros only.
  EmptyRow empty_row = EmptyRow::zeros;

  // For the fast versions; the plain ones keep everything and run on the calling thread.
  bool keep_weights = true;
  int threads = 0;      // 0 = all cores
  Isa isa = Isa::best;  // tests ask for each one

  Index head_count() const { return heads.value_or(1); }
  // InputError when it is not given and d_k < 1, or when it is not finite.
  Scalar scale_for(Index d_k) const;
};

using AttentionOptions = AttentionOptionsOf<float>;
using AttentionOptionsD = AttentionOptionsOf<double>;

// InputError, which begins with `where`, unless the mask is n by m and there are no, one or `heads`
// biases, all of them n by m.
template <class Scalar>
void require_fit(const char* where, const AttentionOptionsOf<Scalar>& options, Index n, Index m,
                 Index heads);

}  // namespace core
