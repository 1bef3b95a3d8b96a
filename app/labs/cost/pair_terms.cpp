// How many pairs a pattern keeps, as a sum whose terms can be read.
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/cost/kernels.h"
#include "app/labs/shared/number_text.h"

namespace lab::cost {
namespace {

using Terms = std::vector<PairTerm>;

Index half(Index product) { return product / 2; }

// A window of `reach` on both sides, or behind only.
void add_window(Terms& terms, Index n, Index reach) {
  terms.push_back(
      {"n(2r+1)", fmt::format("{}·{}", grouped(n), grouped(2 * reach + 1)), n * (2 * reach + 1)});
  terms.push_back({"- r(r+1)", fmt::format("- {}·{}", grouped(reach), grouped(reach + 1)),
                   -reach * (reach + 1)});
}
void add_past(Terms& terms, Index n, Index reach, const char* letter) {
  terms.push_back({fmt::format("n({}+1)", letter),
                   fmt::format("{}·{}", grouped(n), grouped(reach + 1)), n * (reach + 1)});
  terms.push_back({fmt::format("- {0}({0}+1)/2", letter),
                   fmt::format("- {}·{}/2", grouped(reach), grouped(reach + 1)),
                   -half(reach * (reach + 1))});
}

// Each of the r residues sees itself: s of them have q + 1 keys, the others q.
void add_stride(Terms& terms, Index n, Index r) {
  const Index q = n / r, s = n % r;
  terms.push_back(
      {"s(q+1)²", fmt::format("{}·{}²", grouped(s), grouped(q + 1)), s * (q + 1) * (q + 1)});
  terms.push_back(
      {"+ (r-s)q²", fmt::format("+ {}·{}²", grouped(r - s), grouped(q)), (r - s) * q * q});
}
void add_past_stride(Terms& terms, Index n, Index r) {
  const Index q = n / r, s = n % r;
  terms.push_back({"+ s(q+1)(q+2)/2",
                   fmt::format("+ {}·{}·{}/2", grouped(s), grouped(q + 1), grouped(q + 2)),
                   s * half((q + 1) * (q + 2))});
  terms.push_back({"+ (r-s)q(q+1)/2",
                   fmt::format("+ {}·{}·{}/2", grouped(r - s), grouped(q), grouped(q + 1)),
                   (r - s) * half(q * (q + 1))});
}

// Distances 0 and r are in the window and in the stride.
void take_shared(Terms& terms, Index n, Index r, Index sides) {
  const Index far = std::max<Index>(0, n - r);
  const std::string factor = sides == 2 ? "2" : "";
  terms.push_back({"- n", "- " + grouped(n), -n});
  terms.push_back({fmt::format("- {}(n-r)", factor),
                   fmt::format("- {}{}", sides == 2 ? "2·" : "", grouped(far)), -sides * far});
}

// Own blocks; the last key of each whole block, seen by all from it on; less itself, counted twice.
void add_fixed(Terms& terms, Index n, Index r) {
  const Index q = n / r, s = n % r;
  terms.push_back({"q·r(r+1)/2", fmt::format("{}·{}·{}/2", grouped(q), grouped(r), grouped(r + 1)),
                   q * half(r * (r + 1))});
  terms.push_back(
      {"+ s(s+1)/2", fmt::format("+ {}·{}/2", grouped(s), grouped(s + 1)), half(s * (s + 1))});
  terms.push_back({"+ q(n+1)", fmt::format("+ {}·{}", grouped(q), grouped(n + 1)), q * (n + 1)});
  terms.push_back({"- r·q(q+1)/2",
                   fmt::format("- {}·{}·{}/2", grouped(r), grouped(q), grouped(q + 1)),
                   -r * half(q * (q + 1))});
  terms.push_back({"- q", "- " + grouped(q), -q});
}

}  // namespace

std::vector<PairTerm> pair_terms(Pattern pattern, Index n, Index r) {
  Terms terms;
  const Index reach = std::min(r, n - 1);
  switch (pattern) {
    case Pattern::local:
      add_window(terms, n, reach);
      break;
    case Pattern::atrous:
      add_stride(terms, n, r);
      break;
    case Pattern::local_and_atrous:
      add_window(terms, n, reach);
      add_stride(terms, n, r);
      terms[2].symbols.insert(0, "+ ");
      terms[2].numbers.insert(0, "+ ");
      take_shared(terms, n, r, 2);
      break;
    case Pattern::strided:
      add_past(terms, n, reach, "r");
      add_past_stride(terms, n, r);
      take_shared(terms, n, r, 1);
      break;
    case Pattern::fixed:
      add_fixed(terms, n, r);
      break;
    case Pattern::streaming:
      add_past(terms, n, std::min(kSinks + r, n) - 1, "(w-1)");
      break;
    case Pattern::longformer:
      add_window(terms, n, reach);
      terms.push_back({"+ 2n - 1", fmt::format("+ {}", grouped(2 * n - 1)), 2 * n - 1});
      terms.push_back({"- (2r+1)", fmt::format("- {}", grouped(2 * reach + 1)), -(2 * reach + 1)});
      break;
  }
  return terms;
}

}  // namespace lab::cost
