// How a pattern's pairs were counted, and what its times come from.
#include <fmt/format.h>

#include "app/labs/cost/page.h"

namespace lab::cost {
namespace {

void add_timing(const Scene& scene, Kernel kernel, Index n, Derivation& d) {
  const Timing* timing = scene.measured->of(kernel).at(n);
  if (!timing) return;
  const auto& w = scene.w;
  const double macs = kernel_cost(kernel, scene.p.kernels(), n).macs;
  d.line("", {dim(scene.kernel_name(kernel))}).about_picked("t", time_text(timing->seconds));
  d.line("", {dim(w.format("the fastest of {}; median {}, slowest {}", timing->samples,
                           time_text(timing->median), time_text(timing->slowest)))});
  d.is("", fmt::format("{} / {}", whole(macs), time_text(timing->seconds)));
  d.about(w.format("{:.3g} G multiply-adds a second", macs / timing->seconds * 1e-9));
}

// The least squares behind an exponent.
void add_fit(const Scene& scene, Kernel kernel, Derivation& d) {
  const auto& fit = scene.measured->of(kernel).fit;
  if (!fit) return;
  d.line(
      "",
      {dim(scene.w.format("{}, the longest {} lengths", scene.kernel_name(kernel), fit->count))});
  d.is("", "Σ(x-x̄)(y-ȳ) / Σ(x-x̄)²")
      .about(fmt::format("{} / {}", fixed(fit->sxy, 5), fixed(fit->sxx, 5)));
  d.line("", {accented("≈ " + fixed(fit->exponent)), dim(" ± " + fixed(fit->error))});
}

}  // namespace

Explanation explain_kernel(const Scene& scene) {
  const auto& [p, w, measured] = scene;
  const KernelSizes sizes = p.kernels();
  const PairSum pairs = pair_sum(p.pattern, p.n, p.r);
  Derivation d(w);
  d.say(w.format("Pairs that the pattern keeps: {}", w(pattern_name(p.pattern))));
  if (!pairs.letters.empty()) d.line("", {dim(pairs.letters)});
  for (const PairTerm& term : pairs.terms) {
    d.is(term.symbols, fmt::format("{} = {}", term.numbers, grouped(term.value)));
  }
  d.picked(w("pairs"), grouped(pattern_pairs(p.pattern, p.n, p.r)));
  d.say(w(
      "Each pair takes d_k multiply-adds for its score in each of h heads, d in all: pairs·h·d_k. "
      "Its value takes as many again, which the table does not count either."));
  for (const Kernel kernel : kKernels) {
    d.line("", {dim(scene.kernel_name(kernel))});
    d.is("", fmt::format("{}·{}·{}", grouped(kernel_pairs(kernel, sizes, p.n)), sizes.heads,
                         sizes.d_head()));
    d.result(whole(kernel_operations(kernel, sizes, p.n)));
  }
  const double ratio =
      kernel_operations(Kernel::dense, sizes, p.n) / kernel_operations(Kernel::sparse, sizes, p.n);
  d.say(w("Dense over sparse")).line("", {accented(equals(ratio, significant(ratio, 4)))});
  return {w.format("Attention over {} tokens, counted", grouped(p.n)), d.take()};
}

Explanation explain_time(const Scene& scene) {
  const auto& w = scene.w;
  const Index n = scene.timed_length();
  Derivation d(w);
  if (n == 0) {
    d.say(
        w("Raise \"Measurement\" to 1: the kernels are timed on this machine, and again for "
          "every other number."));
    return {w("Nothing measured yet"), d.take()};
  }
  d.say(w("Scores and values together: 2·pairs·d multiply-adds."));
  for (const Kernel kernel : kKernels) add_timing(scene, kernel, n, d);
  d.say(w("Exponents: the slope of y = ln t over x = ln n, by least squares"));
  for (const Kernel kernel : kKernels) add_fit(scene, kernel, d);
  return {w.format("Attention over {} tokens, measured", grouped(n)), d.take()};
}

}  // namespace lab::cost
