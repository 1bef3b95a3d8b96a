// Softmax over the keys that a query may attend to, in the conventions that code bases use.
//
// `masked_softmax` leaves masked keys out by index: their weights are exactly 0 whatever their
// scores are, NaN included. `filled_softmax` overwrites masked scores by a finite number first, as
// the d2l book and others do; the fill then takes part in the row, so scores far below it lose to
// masked keys, and a fully masked row becomes uniform.
#pragma once

#include <vector>

#include "core/mask/mask.h"
#include "core/types.h"

namespace core {

// The weights of an empty row: no key is allowed, or every allowed score is -inf.
enum class EmptyRow {
  zeros,    // all 0: this program's own answer
  nan,      // all NaN, masked keys too: what PyTorch gives when masked scores are -inf
  uniform,  // 1/m for each of the m keys, masked ones too: the effect of a finite fill
};

// The fill value of d2l's masked_softmax. Finite on purpose there; it overflows to -inf in float16.
inline constexpr double kD2lFill = -1e6;

// scores: (n, m), mask: n by m, else InputError. Result (n, m), 0 where masked (except in the
// empty rows of nan and uniform). Temperature as in `softmax`.
template <class Scalar>
MatrixOf<Scalar> masked_softmax(const MatrixOf<Scalar>& scores, const Mask& mask,
                                EmptyRow empty_row = EmptyRow::zeros,
                                Scalar temperature = Scalar(1));

// Softmax of the rows after every masked score was replaced by `fill`. scores: (n, m), mask: n by
// m, else InputError. With fill = -inf a fully masked row gives zeros.
template <class Scalar>
MatrixOf<Scalar> filled_softmax(const MatrixOf<Scalar>& scores, const Mask& mask,
                                Scalar fill = Scalar(kD2lFill));

// Divisor of the product of weights and mask: none, or its row's sum.
enum class Renormalize { no, yes };

// Softmax of all m scores, masked ones too, and only then the masked weights set to 0: rows no
// longer add up to 1. With `Renormalize::yes` they are divided by what is left of them, which is
// 0 / 0 = NaN where nothing is: where every key is masked, or where the allowed scores lie so far
// below a masked one that their weights are 0 already. scores: (n, m), mask: n by m, else
// InputError.
template <class Scalar>
MatrixOf<Scalar> softmax_then_mask(const MatrixOf<Scalar>& scores, const Mask& mask,
                                   Renormalize renormalize = Renormalize::no);

// Softmax of scores times mask: masked scores become 0, which is a score like any other, and not
// -inf. A common mistake; an infinite masked score makes its row NaN. Kept to show. scores: (n, m),
// mask: n by m, else InputError.
template <class Scalar>
MatrixOf<Scalar> softmax_of_masked_product(const MatrixOf<Scalar>& scores, const Mask& mask);

// The mask of valid lengths, one per row: query i sees keys 0 .. lengths[i]-1. A length beyond m
// means all m; one below 0 is an InputError, as is a number of lengths other than n. (Lengths that
// are one per batch entry, d2l's 1-D form, are Mask::key_padding of each entry.)
Mask valid_lengths_mask(Index n, Index m, const std::vector<Index>& lengths);

// The same with one length for all rows, clamped to m in the same way.
Mask valid_length_mask(Index n, Index m, Index length);

}  // namespace core
