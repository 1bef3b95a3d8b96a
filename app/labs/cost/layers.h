// The kinds of layer of the table, their formulas and what they cost.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "app/figure/theme.h"
#include "app/labs/cost/parameters.h"

namespace lab::cost {

inline constexpr std::array kLayers = {LayerKind::self_attention, LayerKind::recurrent,
                                       LayerKind::convolution, LayerKind::separable_convolution,
                                       LayerKind::restricted};

// A count as a formula, for figure/formula.h, and with places for its numbers (see `filled`).
struct Formula {
  std::string_view text, tex, numbers;
};

// Of one kind: English messages and formulas in the letters of core/README.md.
struct LayerFacts {
  std::string_view id, name;
  Formula operations;     // "n²·d"
  Formula memory;         // held besides input and output; empty for convolutions
  std::string_view each;  // operations divided by n·d: what crossovers compare
  std::string_view why;   // in a sentence, where the operations come from
  int color;              // of the palette of heads
};
const LayerFacts& facts(LayerKind kind);
inline figure::Color layer_color(LayerKind kind) {
  return figure::Color::of_head(facts(kind).color);
}

bool is_convolution(LayerKind kind);

// Layers until the two ends meet, the order that the paper's table gives, and a sentence.
struct PathFacts {
  Formula layers;
  std::string_view order, why;
};
const PathFacts& path_facts(LayerKind kind, Dilation dilation);

// "1,024²·512" for "{n}²·{d}": n, d, h, k, r and n1, k1, r1, one less than these. r is at most n.
std::string filled(std::string_view numbers, const Parameters& p);

// Where two kinds cost the same along an axis, as a formula for n or d; empty when nowhere.
std::string crossover_formula(LayerKind a, LayerKind b, const Parameters& p, Against against);
std::optional<core::Crossover> crossover_at(LayerKind a, LayerKind b, const Parameters& p,
                                            Against against);

}  // namespace lab::cost
