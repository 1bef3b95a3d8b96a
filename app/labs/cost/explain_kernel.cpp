// How a pattern's pairs were counted, and what its times come from.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/cost/page.h"

namespace lab::cost {
namespace {

using figure::Role;

// The pattern's sum: letters, numbers, values, one term a line.
void add_pairs(const Scene& scene, Index n, Lines& lines) {
  const auto& p = scene.p;
  lines.push_back(sentence_line(
      scene.w.format("Pairs that the pattern keeps: {}", scene.w(pattern_name(p.pattern)))));
  const bool residues = p.pattern != Pattern::local && p.pattern != Pattern::streaming &&
                        p.pattern != Pattern::longformer;
  if (residues) {
    lines.push_back({"",
                     {dim(fmt::format("n = q·r + s: {} = {}·{} + {}", grouped(n), grouped(n / p.r),
                                      grouped(p.r), grouped(n % p.r)))}});
  }
  if (p.pattern == Pattern::streaming) {
    lines.push_back({"", {dim(fmt::format("w = {} + r = {}", kSinks, grouped(kSinks + p.r)))}});
  }
  for (const PairTerm& term : pair_terms(p.pattern, n, p.r)) {
    lines.push_back(
        {term.symbols, {plain(fmt::format("{} = {}", term.numbers, grouped(term.value)))}});
  }
  lines.push_back({scene.w("pairs"), {accented("= " + grouped(pattern_pairs(p.pattern, n, p.r)))}});
}

void add_macs(const Scene& scene, Kernel kernel, Index n, Lines& lines) {
  const auto& p = scene.p;
  const core::MaskedCost cost = kernel_cost(kernel, p, n);
  const Index d_head = p.d / p.heads;
  lines.push_back({"", {dim(scene.kernel_name(kernel))}});
  lines.push_back({"",
                   {plain(fmt::format("{}·{}·({} + {})", grouped(kernel_pairs(kernel, p, n)),
                                      p.heads, d_head, d_head))}});
  lines.push_back({"", {accented("= " + grouped(static_cast<Index>(cost.macs)))}});
}

void add_timing(const Scene& scene, Kernel kernel, Index n, Lines& lines) {
  const Timing* timing = scene.measured->of(kernel).at(n);
  if (!timing) return;
  const double macs = kernel_cost(kernel, scene.p, n).macs;
  lines.push_back({"", {dim(scene.kernel_name(kernel))}});
  lines.push_back({"t", {accented("= " + time_text(timing->seconds))}});
  lines.push_back({"",
                   {dim(scene.w.format("the fastest of {}; median {}, slowest {}", timing->samples,
                                       time_text(timing->median), time_text(timing->slowest)))}});
  lines.push_back({"",
                   {plain(fmt::format("{} / {}", grouped(static_cast<Index>(macs)),
                                      time_text(timing->seconds)))}});
  lines.push_back({"",
                   {plain(scene.w.format("= {:.3g} G multiply-adds a second",
                                         macs / timing->seconds * 1e-9))}});
}

// The least squares behind an exponent.
void add_fit(const Scene& scene, Kernel kernel, Lines& lines) {
  const auto& fit = scene.measured->of(kernel).fit;
  if (!fit) return;
  lines.push_back(
      {"",
       {dim(scene.w.format("{}, the longest {} lengths", scene.kernel_name(kernel), fit->count))}});
  lines.push_back({"", {plain("Σ(x-x̄)(y-ȳ) / Σ(x-x̄)²")}});
  lines.push_back({"", {plain(fmt::format("= {:.4f} / {:.4f}", fit->sxy, fit->sxx))}});
  lines.push_back({"",
                   {accented(fmt::format("= {:.3f}", fit->exponent)),
                    dim(fmt::format(" ± {:.3f}", fit->error))}});
}

}  // namespace

Explanation explain_kernel(const Scene& scene) {
  const Index n = scene.p.n;
  Explanation e;
  e.title = scene.w.format("Attention over {} tokens, counted", grouped(n));
  add_pairs(scene, n, e.lines);
  e.lines.push_back(
      sentence_line(scene.w("Each pair takes d_k multiply-adds for its score and d_v for its "
                            "value, in each of h heads: pairs·h·(d_k + d_v)")));
  for (const Kernel kernel : kKernels) add_macs(scene, kernel, n, e.lines);
  const double dense = kernel_cost(Kernel::dense, scene.p, n).macs;
  const double sparse = kernel_cost(Kernel::sparse, scene.p, n).macs;
  e.lines.push_back(sentence_line(scene.w("Dense over sparse")));
  e.lines.push_back({"", {accented(fmt::format("= {:.4g}", dense / sparse))}});
  return e;
}

Explanation explain_time(const Scene& scene) {
  Explanation e;
  const Index n = scene.timed_length();
  if (n == 0) {
    e.title = scene.w("Nothing measured yet");
    e.lines.push_back(
        sentence_line(scene.w("Raise \"Measurement\" to 1: the kernels are timed on this machine, "
                              "and again for every other number.")));
    return e;
  }
  e.title = scene.w.format("Attention over {} tokens, measured", grouped(n));
  for (const Kernel kernel : kKernels) add_timing(scene, kernel, n, e.lines);
  e.lines.push_back(
      sentence_line(scene.w("Exponents: the slope of y = ln t over x = ln n, by least squares")));
  for (const Kernel kernel : kKernels) add_fit(scene, kernel, e.lines);
  return e;
}

}  // namespace lab::cost
