// Sums of many terms, of which few are written out.
#pragma once

#include "app/labs/shared/derivation/derivation.h"

namespace lab {

// Which terms are written of more than `most`: the first, or the largest in magnitude, with the
// largest first or in the order of the sum.
enum class Written { first, largest, largest_in_order };
struct SumForm {
  std::size_t most = 16, shown = 10;
  Written which = Written::first;
  int digits = 5;                          // decimals
  std::size_t always = std::string::npos;  // a term that is written in any case
};

// The terms that are written, in the order in which they are.
std::vector<std::size_t> written_of(const std::vector<double>& values, const SumForm& form);

// Those terms as an explanation writes them, `what` behind each, and last the others as one, behind
// which stands what `rest` says of so many.
std::vector<Derivation::Term> sum_terms(const std::vector<double>& values, const SumForm& form,
                                        const std::function<std::string(std::size_t)>& what,
                                        const std::function<std::string(std::size_t)>& rest);

}  // namespace lab
