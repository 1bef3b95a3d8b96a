#include "app/labs/cost/kernels.h"

#include "core/mask/compose.h"
#include "core/mask/kept_in_closed_form.h"
#include "core/mask/patterns.h"

namespace lab::cost {

namespace make = core::pattern;
namespace kept = core::kept;
using core::Causal;

namespace {

core::SparseMask window_mask(Index n, const Window& window) {
  std::vector<std::vector<core::KeyRange>> rows;
  for (Index i = 0; i < n; ++i) {
    rows.push_back({{std::max<Index>(0, i - window.before), std::min(n, i + window.after + 1)}});
  }
  return core::from_ranges(n, rows);
}

Index window_pairs(Index n, const Window& window) {
  return kept::local(n, window.before, Causal::yes) + kept::local(n, window.after, Causal::yes) - n;
}

// What a global token at the beginning adds: its row and column less what the window has of them.
Index global_pairs(Index n, const Window& window) { return 2 * n - 1 - window.size(); }

}  // namespace

core::SparseMask make_mask(Pattern pattern, Index n, Index r) {
  switch (pattern) {
    case Pattern::local: return window_mask(n, {r, n});
    case Pattern::atrous: return make::atrous(n, r);
    case Pattern::local_and_atrous: return make::local_and_atrous(n, r);
    case Pattern::strided: return make::strided_merged(n, r);
    case Pattern::fixed: return make::fixed_merged(n, r, 1);
    case Pattern::streaming: return make::streaming(n, kSinks, r);
    case Pattern::longformer:
      return core::unite(window_mask(n, {r, n}), make::longformer(n, {0, 1, {0}}));
  }
  return core::SparseMask(n, n);
}

Index pattern_pairs(Pattern pattern, Index n, Index r) {
  switch (pattern) {
    case Pattern::local: return window_pairs(n, {r, n});
    case Pattern::atrous: return kept::atrous(n, r);
    case Pattern::local_and_atrous: return kept::local_and_atrous(n, r);
    case Pattern::strided: return kept::local_and_atrous(n, r, Causal::yes);
    case Pattern::fixed: return kept::fixed_merged(n, r, 1);
    case Pattern::streaming: return kept::streaming(n, kSinks, r);
    case Pattern::longformer: return window_pairs(n, {r, n}) + global_pairs(n, {r, n});
  }
  return 0;
}

Index kernel_pairs(Kernel kernel, const KernelSizes& sizes, Index n) {
  if (kernel == Kernel::dense) return kept::full(n, n);
  if (kernel == Kernel::causal) return kept::causal(n, n);
  return pattern_pairs(sizes.pattern, n, sizes.r);
}

core::MaskedCost kernel_cost(Kernel kernel, const KernelSizes& sizes, Index n) {
  return core::masked_cost(n, n, kernel_pairs(kernel, sizes, n),
                           {sizes.heads, sizes.d_head(), sizes.d_head()});
}

std::vector<Index> kernel_lengths(int longest) {
  std::vector<Index> lengths;
  for (Index n = kShortestMeasured; n <= longest; n *= 2) lengths.push_back(n);
  return lengths;
}

const Timing* Series::at(Index n) const {
  for (const Timing& timing : timings) {
    if (timing.n == n) return &timing;
  }
  return nullptr;
}

}  // namespace lab::cost
