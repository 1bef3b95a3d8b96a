#include "app/labs/cost/kernels.h"
#include "app/labs/shared/parts.h"
#include "core/mask/compose.h"
#include "core/mask/patterns/kept_in_closed_form.h"
#include "core/mask/patterns/patterns.h"

namespace lab::cost {
namespace {

using Terms = std::vector<PairTerm>;

// --- how many pairs a pattern keeps, as a sum whose terms can be read

Index half(Index product) { return product / 2; }

// "symbols", and with every {} one of the numbers.
template <class... Numbers>
PairTerm term(std::string symbols, std::string_view numbers, Index value,
              const Numbers&... inserted) {
  return {std::move(symbols), fmt::format(fmt::runtime(numbers), grouped(inserted)...), value};
}

Terms operator+(Terms terms, const Terms& more) {
  terms.insert(terms.end(), more.begin(), more.end());
  return terms;
}

// A window of `reach` on both sides, or of so many behind only.
Terms window(Index n, Index w) {
  return {term("n(2w+1)", "{}·{}", n * (2 * w + 1), n, 2 * w + 1),
          term("- w(w+1)", "- {}·{}", -w * (w + 1), w, w + 1)};
}
Terms past(Index n, Index reach, const char* letter) {
  return {term(fmt::format("n({}+1)", letter), "{}·{}", n * (reach + 1), n, reach + 1),
          term(fmt::format("- {0}({0}+1)/2", letter), "- {}·{}/2", -half(reach * (reach + 1)),
               reach, reach + 1)};
}

// Each of the r residues sees itself: s of them have q + 1 keys, the others q.
Terms stride(Index n, Index r, const char* sign) {
  const Index q = n / r, s = n % r;
  return {term(fmt::format("{}s(q+1)²", sign), fmt::format("{}{{}}·{{}}²", sign),
               s * (q + 1) * (q + 1), s, q + 1),
          term("+ (r-s)q²", "+ {}·{}²", (r - s) * q * q, r - s, q)};
}
Terms past_stride(Index n, Index r) {
  const Index q = n / r, s = n % r;
  return {term("+ s(q+1)(q+2)/2", "+ {}·{}·{}/2", s * half((q + 1) * (q + 2)), s, q + 1, q + 2),
          term("+ (r-s)q(q+1)/2", "+ {}·{}·{}/2", (r - s) * half(q * (q + 1)), r - s, q, q + 1)};
}

// Distances 0 and r are in the window and in the stride; r on both sides or on one.
Terms shared(Index n, Index r, bool both) {
  const Index far = std::max<Index>(0, n - r);
  return {term("- n", "- {}", -n, n),
          both ? term("- 2(n-r)", "- 2·{}", -2 * far, far) : term("- (n-r)", "- {}", -far, far)};
}

// Own blocks; the last key of each whole block, seen by all from it on; less itself, counted twice.
Terms fixed_blocks(Index n, Index r) {
  const Index q = n / r, s = n % r;
  return {term("q·r(r+1)/2", "{}·{}·{}/2", q * half(r * (r + 1)), q, r, r + 1),
          term("+ s(s+1)/2", "+ {}·{}/2", half(s * (s + 1)), s, s + 1),
          term("+ q(n+1)", "+ {}·{}", q * (n + 1), q, n + 1),
          term("- r·q(q+1)/2", "- {}·{}·{}/2", -r * half(q * (q + 1)), r, q, q + 1),
          term("- q", "- {}", -q, q)};
}

// r positions about the query's own, cut where the sequence begins and ends.
Terms neighbourhood(Index n, const Window& at) {
  const Index b = at.before, a = at.after;
  return {term("n(b+1+a)", "{}·{}", n * at.size(), n, at.size()),
          term("- b(b+1)/2", "- {}·{}/2", -half(b * (b + 1)), b, b + 1),
          term("- a(a+1)/2", "- {}·{}/2", -half(a * (a + 1)), a, a + 1)};
}

}  // namespace

namespace make = core::pattern;
namespace kept = core::kept;
using core::Causal;

namespace {

core::SparseMask window_mask(Index n, const Window& window) {
  const auto rows = each(n, [&](Index i) {
    return std::vector<core::KeyRange>{
        {std::max<Index>(0, i - window.before), std::min(n, i + window.after + 1)}};
  });
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

PairSum pair_sum(Pattern pattern, Index n, Index r) {
  const Index reach = std::min(r, n - 1);
  const Window around(r, n);
  const std::string residues = fmt::format("n = q·r + s: {} = {}·{} + {}", grouped(n),
                                           grouped(n / r), grouped(r), grouped(n % r));
  const std::string sides =
      fmt::format("b = {}, a = {}", grouped(around.before), grouped(around.after));
  switch (pattern) {
    case Pattern::local: return {sides, neighbourhood(n, around)};
    case Pattern::atrous: return {residues, stride(n, r, "")};
    case Pattern::local_and_atrous:
      return {residues + fmt::format(", w = {}", grouped(reach)),
              window(n, reach) + stride(n, r, "+ ") + shared(n, r, true)};
    case Pattern::strided:
      return {residues + fmt::format(", w = {}", grouped(reach)),
              past(n, reach, "w") + past_stride(n, r) + shared(n, r, false)};
    case Pattern::fixed: return {residues, fixed_blocks(n, r)};
    case Pattern::streaming:
      return {fmt::format("w = {} + r = {}", kSinks, grouped(kSinks + r)),
              past(n, std::min(kSinks + r, n) - 1, "(w-1)")};
    case Pattern::longformer:
      return {sides, neighbourhood(n, around) +
                         Terms{term("+ 2n - 1", "+ 2·{} - 1", 2 * n - 1, n),
                               term("- (b+1+a)", "- {}", -around.size(), around.size())}};
  }
  return {};
}

Measured measure(const KernelSizes& sizes, const Run& run,
                 const std::function<void(const Measured&)>& report, const MeasureLimits& limits) {
  const core::TimedKernels what{
      .width = sizes.d,
      .heads = sizes.heads,
      .lengths = kernel_lengths(sizes.longest),
      .mask = [&](Index n) { return make_mask(sizes.pattern, n, sizes.r); },
      .macs = [&](Kernel kernel, Index n) { return kernel_cost(kernel, sizes, n).macs; }};
  return core::time_kernels(what, limits, run.threads, run.cancel, report);
}

}  // namespace lab::cost
