#include "app/labs/cost/layers.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/labs/page.h"
#include "app/labs/shared/derivation/number_text.h"

namespace lab::cost {

const LayerFacts& facts(LayerKind kind) {
  static constexpr LayerFacts kFacts[] = {
      {"self_attention",
       N_("self-attention"),
       {"n²·d", "n^2 d", "{n}²·{d}"},
       {"h·n²", "h n^2", "{h}·{n}²"},
       "n",
       N_("Each of n queries meets each of n keys, d products per pair."),
       0},
      {"recurrent",
       N_("recurrent"),
       {"n·d²", "n d^2", "{n}·{d}²"},
       {"d", "d", "{d}"},
       "d",
       N_("In each of n steps a d × d matrix is applied to the state."),
       1},
      {"convolution",
       N_("convolution"),
       {"k·n·d²", "k n d^2", "{k}·{n}·{d}²"},
       {"", "0", ""},
       "k·d",
       N_("At each of n positions k matrices of d × d are applied, one per neighbour."),
       4},
      {"separable",
       N_("separable convolution"),
       {"k·n·d + n·d²", "k n d + n d^2", "{k}·{n}·{d} + {n}·{d}²"},
       {"", "0", ""},
       "k + d",
       N_("Each of d channels is convolved on its own, k products, then one d × d matrix mixes the "
          "channels, at each of n positions."),
       10},
      {"restricted",
       N_("restricted attention"),
       {"r·n·d", "r n d", "{r}·{n}·{d}"},
       {"h·n·r", "h n r", "{h}·{n}·{r}"},
       "r",
       N_("Each of n queries meets r keys, d products per pair."),
       9},
  };
  return kFacts[to_int(kind)];
}

bool is_convolution(LayerKind kind) {
  return kind == LayerKind::convolution || kind == LayerKind::separable_convolution;
}

const PathFacts& path_facts(LayerKind kind, Dilation dilation) {
  static constexpr PathFacts kOne{
      {"1", "1", "1"}, "O(1)", N_("One layer connects every pair of positions.")};
  static constexpr PathFacts kSteps{{"n", "n", "{n}"},
                                    "O(n)",
                                    N_("A signal passes from state to state, one position per "
                                       "step: only the last of n states has seen both ends.")};
  static constexpr PathFacts kWindows{
      {"⌈(n-1) / (r-1)⌉", "\\lceil (n - 1) / (r - 1) \\rceil", "⌈{n1} / {r1}⌉"},
      "O(n / r)",
      N_("L layers with neighbourhoods of r see 1 + L (r - 1) positions; both ends meet when this "
         "reaches n.")};
  static constexpr PathFacts kStacked{
      {"⌈(n-1) / (k-1)⌉", "\\lceil (n - 1) / (k - 1) \\rceil", "⌈{n1} / {k1}⌉"},
      "O(n / k)",
      N_("L layers of width k see 1 + L (k - 1) positions; both ends meet when this reaches n.")};
  static constexpr PathFacts kDilated{
      {"⌈log_k n⌉", "\\lceil \\log_k n \\rceil", "⌈ln {n} / ln {k}⌉"},
      "O(log_k n)",
      N_("With layer l dilated by k^l, L layers see k^L positions; both ends meet when this "
         "reaches n.")};
  if (is_convolution(kind)) return dilation == Dilation::contiguous ? kStacked : kDilated;
  if (kind == LayerKind::self_attention) return kOne;
  return kind == LayerKind::recurrent ? kSteps : kWindows;
}

std::string filled(std::string_view numbers, const Parameters& p) {
  const int r = std::min(p.r, p.n);
  fmt::dynamic_format_arg_store<fmt::format_context> letters;
  for (const auto& [letter, value] :
       {std::pair{"n", p.n}, {"d", p.d}, {"h", p.heads}, {"k", p.k}, {"r", r}}) {
    letters.push_back(fmt::arg(letter, grouped(value)));
  }
  letters.push_back(fmt::arg("n1", grouped(p.n - 1)));
  letters.push_back(fmt::arg("k1", grouped(p.k - 1)));
  letters.push_back(fmt::arg("r1", grouped(p.r - 1)));
  return fmt::vformat(numbers, letters);
}

std::string crossover_formula(LayerKind a, LayerKind b, const Parameters& p, Against against) {
  if (!crossover_at(a, b, p, against)) return {};
  // One of the two costs per n·d holds the moving letter; kinds in the order of the table.
  if (to_int(a) > to_int(b)) std::swap(a, b);
  if (against == Against::length) {
    // Where a window still holds all positions, restricted attention costs what attention does.
    return std::string(facts(a == LayerKind::self_attention ? b : a).each);
  }
  if (a == LayerKind::convolution && b == LayerKind::separable_convolution) return "k / (k - 1)";
  const bool by_n = a == LayerKind::self_attention;
  const LayerKind with_d = by_n ? b : a;
  const std::string fixed = by_n || p.r > p.n ? "n" : "r";
  if (with_d == LayerKind::recurrent) return fixed;
  return fixed + (with_d == LayerKind::convolution ? " / k" : " - k");
}

std::optional<core::Crossover> crossover_at(LayerKind a, LayerKind b, const Parameters& p,
                                            Against against) {
  return against == Against::length ? core::crossover_length(a, b, p.size())
                                    : core::crossover_width(a, b, p.size());
}

}  // namespace lab::cost
