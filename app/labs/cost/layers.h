// The kinds of layer of the table, their formulas and what they cost.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "app/figure/theme.h"
#include "app/labs/cost/parameters.h"
#include "app/words/words.h"

namespace lab::cost {

inline constexpr std::array kLayers = {LayerKind::self_attention, LayerKind::recurrent,
                                       LayerKind::convolution, LayerKind::separable_convolution,
                                       LayerKind::restricted};

// Of one kind: English messages and formulas in the letters of core/README.md.
struct LayerFacts {
  std::string_view id, name;
  std::string_view operations;  // "n²·d"
  std::string_view tex;         // the same for figure/formula.h
  std::string_view each;        // operations divided by n·d: what crossovers compare
  int color;                    // of the palette of heads
};
const LayerFacts& facts(LayerKind kind);
figure::Color layer_color(LayerKind kind);

bool is_convolution(LayerKind kind);

// "1", "n", "⌈(n-1)/r⌉": layers until the two ends meet, as a formula and with its numbers.
std::string path_formula(LayerKind kind, Dilation dilation);
std::string path_tex(LayerKind kind, Dilation dilation);
std::string path_numbers(LayerKind kind, const Parameters& p);
// The order that the paper's table gives: "O(1)", "O(n)", "O(log_k n)", ...
std::string_view path_order_text(LayerKind kind, Dilation dilation);

// The formula with its numbers: "1,024²·512".
std::string operations_numbers(LayerKind kind, const core::LayerSize& size);

// What a layer holds for the whole sequence besides its input and output: "h·n²", and with its
// numbers; empty for convolutions.
std::string memory_formula(LayerKind kind);
std::string memory_tex(LayerKind kind);
std::string memory_numbers(LayerKind kind, const Parameters& p);

// Where two kinds cost the same along an axis, as a formula for n or d; empty when nowhere.
std::string crossover_formula(LayerKind a, LayerKind b, Against against);
std::optional<core::Crossover> crossover_at(LayerKind a, LayerKind b, const Parameters& p,
                                            Against against);

}  // namespace lab::cost
