#include "app/labs/cost/kernels.h"

#include "app/words/words.h"
#include "core/mask/kept_in_closed_form.h"
#include "core/mask/patterns.h"

namespace lab::cost {

core::SparseMask make_mask(Pattern pattern, Index n, Index r) {
  using core::Causal;
  switch (pattern) {
    case Pattern::local:
      return core::pattern::local(n, r);
    case Pattern::atrous:
      return core::pattern::atrous(n, r);
    case Pattern::local_and_atrous:
      return core::pattern::local_and_atrous(n, r);
    case Pattern::strided:
      return core::pattern::strided_merged(n, r);
    case Pattern::fixed:
      return core::pattern::fixed_merged(n, r, 1);
    case Pattern::streaming:
      return core::pattern::streaming(n, kSinks, r);
    case Pattern::longformer:
      return core::pattern::longformer(n, {r, 1, {0}});
  }
  return core::SparseMask(n, n);
}

Index pattern_pairs(Pattern pattern, Index n, Index r) {
  switch (pattern) {
    case Pattern::local:
      return core::kept::local(n, r);
    case Pattern::atrous:
      return core::kept::atrous(n, r);
    case Pattern::local_and_atrous:
      return core::kept::local_and_atrous(n, r);
    case Pattern::strided:
      return core::kept::local_and_atrous(n, r, core::Causal::yes);
    case Pattern::fixed:
      return core::kept::fixed_merged(n, r, 1);
    case Pattern::streaming:
      return core::kept::streaming(n, kSinks, r);
    case Pattern::longformer:
      return core::kept::longformer(n, {r, 1, {0}});
  }
  return 0;
}

std::string_view pattern_name(Pattern pattern) {
  static constexpr std::string_view kNames[] = {N_("local window"),
                                                N_("atrous"),
                                                N_("local and atrous"),
                                                N_("strided, causal"),
                                                N_("fixed, causal"),
                                                N_("sinks and window"),
                                                N_("window and a global token")};
  return kNames[static_cast<int>(pattern)];
}

Index kernel_pairs(Kernel kernel, const Parameters& p, Index n) {
  if (kernel == Kernel::dense) return core::kept::full(n, n);
  if (kernel == Kernel::causal) return core::kept::causal(n, n);
  return pattern_pairs(p.pattern, n, p.r);
}

core::MaskedCost kernel_cost(Kernel kernel, const Parameters& p, Index n) {
  const Index d_head = p.d / p.heads;
  return core::masked_cost(n, n, kernel_pairs(kernel, p, n), {p.heads, d_head, d_head});
}

std::vector<Index> kernel_lengths(const Parameters& p) {
  std::vector<Index> lengths;
  for (Index n = kShortestMeasured; n <= p.longest; n *= 2) lengths.push_back(n);
  return lengths;
}

const Timing* Series::at(Index n) const {
  for (const Timing& timing : timings) {
    if (timing.n == n) return &timing;
  }
  return nullptr;
}

}  // namespace lab::cost
