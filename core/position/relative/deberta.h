// DeBERTa's disentangled attention: He et al. 2021, arXiv:2006.03654, section 3.1, eqs. 2 to 4:
//   A_ij = Qc_i . Kc_j + Qc_i . Kr_delta(i,j) + Kc_j . Qr_delta(j,i),  softmax(A / sqrt(3 d)) Vc
// delta(i, j) = 0 for i - j <= -k, 2k - 1 for i - j >= k, else i - j + k. Two traps: delta counts
// query minus key, the opposite of this program's relative position, and the third term takes
// delta(j, i), not delta(i, j). The paper leaves out the position-position term.
#pragma once

#include <optional>

#include "core/position/relative/relative.h"

namespace core {

struct DebertaTerms {
  IndexMatrix delta;            // (n, m): delta(i, j)
  MatrixD content_to_content;   // Qc_i . Kc_j
  MatrixD content_to_position;  // Qc_i . Kr_delta(i,j)
  MatrixD position_to_content;  // Kc_j . Qr_delta(j,i)
  Index d = 0;

  // The sum of the terms, divided by sqrt(3 d).
  MatrixD scores() const;
};

// The row of the table for one pair: clip(query - key + k, 0, 2k - 1). k >= 1.
Index deberta_row(Index query_minus_key, Index k);

// delta of all pairs, (n, m), in [0, 2k). k >= 1, else InputError.
IndexMatrix deberta_delta(Index n, Index m, Index k);

// Qc: (n, d), Kc: (m, d); Kr, Qr: (2k, d), the projected relative table, else InputError.
DebertaTerms deberta_terms(const MatrixD& Qc, const MatrixD& Kc, const MatrixD& Kr,
                           const MatrixD& Qr);

}  // namespace core
