#include "core/cost/attention_cost.h"

#include <string>

#include "core/mask/patterns/kept_in_closed_form.h"
#include "core/refuse.h"

namespace core {
namespace {

void check(const char* name, Index value, Index most) {
  if (value < 1 || value > most) {
    refuse("attention cost", name + std::string(" from 1 to ") + std::to_string(most),
           std::to_string(value));
  }
}
// With these no product passes 2^62.
constexpr Index kMostSize = Index{1} << 20, kMostCount = Index{1} << 12, kMostBytes = 8;

}  // namespace

AttentionCost attention_cost(const AttentionSize& size) {
  check("n", size.n, kMostSize);
  check("d", size.d, kMostSize);
  check("heads", size.heads, kMostCount);
  check("layers", size.layers, kMostCount);
  check("bytes per number", size.bytes_per_number, kMostBytes);
  if (size.d % size.heads != 0) {
    refuse("attention cost", "heads that divide d = " + std::to_string(size.d),
           std::to_string(size.heads));
  }
  const Index n = size.n, d = size.d;
  AttentionCost cost = {};
  cost.projection_macs = 4 * n * d * d;
  cost.score_macs = n * n * d;
  cost.weighted_sum_macs = n * n * d;
  cost.score_entries = size.heads * n * n;
  cost.score_bytes = cost.score_entries * size.bytes_per_number;
  cost.kv_cache_bytes = 2 * n * d * size.layers * size.bytes_per_number;
  cost.causal_pairs = kept::causal(n, n);
  return cost;
}

MaskedCost masked_cost(Index n, Index m, Index pairs, const HeadSize& size) {
  check("heads", size.heads, kMostCount);
  check("d_k", size.d_k, kMostSize);
  check("d_v", size.d_v, kMostSize);
  const double all = static_cast<double>(n) * static_cast<double>(m);
  if (n < 0 || m < 0 || pairs < 0 || static_cast<double>(pairs) > all) {
    refuse("attention cost", "kept pairs from 0 to those of " + shape_text(n, m),
           std::to_string(pairs));
  }
  const auto heads = static_cast<double>(size.heads);
  const double each = heads * static_cast<double>(size.d_k + size.d_v);
  const auto kept = static_cast<double>(pairs);
  return {kept, kept * each, all * each, kept * heads * 4, 0};
}

MaskedCost masked_cost(const SparseMask& mask, const HeadSize& size) {
  MaskedCost cost = masked_cost(mask.rows(), mask.cols(), mask.kept(), size);
  cost.index_bytes = mask.memory_bytes();
  return cost;
}

}  // namespace core
