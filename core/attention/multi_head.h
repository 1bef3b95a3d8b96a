// Multi-head attention with everything in between kept: the slow, plain version that faster ones
// answer to. Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2;
// core/attention/multi_head_weights.h has the layout.
#pragma once

#include <vector>

#include "core/attention/attention.h"
#include "core/attention/multi_head_weights.h"
#include "core/types.h"

namespace core {

template <class Scalar>
struct Head {
  MatrixOf<Scalar> Q, K, V;  // (n, d_k), (m, d_k), (m, d_v): the projected inputs
  Attended<Scalar> attended;
};

template <class Scalar>
struct MultiHead {
  std::vector<Head<Scalar>> heads;  // h of them
  MatrixOf<Scalar> concat;          // (n, h*d_v)
  MatrixOf<Scalar> output;          // (n, width of the output): concat W_o + b_o

  // The average of the heads' weights, (n, m): what many viewers show in place of the heads.
  MatrixOf<Scalar> mean_weights() const;
};

// Cross attention. query: (n, in_q), key: (m, in_k), value: (m, in_v), where in_* are the rows of
// W_*. InputError when shapes do not fit, heads < 1, heads do not divide a projection's width, or
// the options speak of other heads than the weights. Note: where a query sees no key, its output is
// b_o, since only the heads' outputs are 0.
template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& query, const MatrixOf<Scalar>& key,
                             const MatrixOf<Scalar>& value,
                             const MultiHeadWeightsOf<Scalar>& weights,
                             const AttentionOptionsOf<Scalar>& options = {});

// Self attention: query, key and value are all x, (n, d_model).
template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& x, const MultiHeadWeightsOf<Scalar>& weights,
                             const AttentionOptionsOf<Scalar>& options = {});

}  // namespace core
