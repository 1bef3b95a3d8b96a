// Softmax of one row and of every row, and what is read off it. Plain loops, the trusted version
// that faster ones answer to.
//
// Conventions, the same for all: the row maximum is subtracted before exp, so finite scores never
// overflow. An entry of -inf has weight exactly 0. A row whose entries are all -inf has weights
// that are all 0 (PyTorch gives NaN there; see masked_softmax.h for the choice). A NaN, or a +inf,
// makes the whole row NaN. An empty row gives an empty result. Scalar is float or double; the
// arithmetic is done in Scalar.
#pragma once

#include "core/types.h"

namespace core {

// p_i = exp(x_i / T) / sum_j exp(x_j / T). x: (m). T > 0 and finite, else InputError. The
// temperature is that of Hinton et al. 2015, arXiv:1503.02531, eq. 1.
template <class Scalar>
VectorOf<Scalar> softmax(const VectorOf<Scalar>& x, Scalar temperature = Scalar(1));

// `softmax` of each row. x: (n, m), result (n, m).
template <class Scalar>
MatrixOf<Scalar> softmax_rows(const MatrixOf<Scalar>& x, Scalar temperature = Scalar(1));

// exp(x_i) / sum_j exp(x_j) as it is written, without subtracting the maximum: kept to show where
// that overflows (inf / inf = NaN) or underflows (0 / 0 = NaN). Not for use.
template <class Scalar>
VectorOf<Scalar> naive_softmax(const VectorOf<Scalar>& x);

// log sum_j exp(x_j), as max + log sum_j exp(x_j - max). All -inf, or empty: -inf. With +inf: +inf.
template <class Scalar>
Scalar logsumexp(const VectorOf<Scalar>& x);

// log p_i = x_i - logsumexp(x). All -inf: all -inf, the logarithm of the zeros of `softmax`.
template <class Scalar>
VectorOf<Scalar> log_softmax(const VectorOf<Scalar>& x);

// -sum_i p_i log p_i in nats, with 0 log 0 = 0. p: (m), each in [0, 1]. A negative entry gives NaN.
template <class Scalar>
Scalar entropy(const VectorOf<Scalar>& p);

// d p_i / d x_j = (p_i [i=j] - p_i p_j) / T of p = softmax(x, T). p: (m), result (m, m), symmetric.
// T as in `softmax`.
template <class Scalar>
MatrixOf<Scalar> softmax_jacobian(const VectorOf<Scalar>& p, Scalar temperature = Scalar(1));

// d loss / d x of P = softmax_rows(x), of which dP = d loss / d P is known: P (dP - rowsum(P dP)),
// number by number. p, dp: (n, m), result (n, m); InputError for different shapes.
template <class Scalar>
MatrixOf<Scalar> softmax_rows_gradient(const MatrixOf<Scalar>& p, const MatrixOf<Scalar>& dp);

// One-hot of the first largest entry. x: (m). A NaN makes the whole row NaN; -inf everywhere gives
// zeros, as `softmax` does.
template <class Scalar>
VectorOf<Scalar> hardmax(const VectorOf<Scalar>& x);

// The same, the weight shared equally by all entries that equal the maximum: the limit T -> 0 of
// softmax(x, T).
template <class Scalar>
VectorOf<Scalar> hardmax_ties_shared(const VectorOf<Scalar>& x);

}  // namespace core
