// The kinds of layer of the table, their formulas and what they cost.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "app/figure/theme.h"
#include "app/param/param.h"
#include "core/cost/layer_cost.h"

namespace lab::cost {

using core::Dilation, core::Index, core::LayerKind;

// --- what the lab of costs can be set to

// Sparsity patterns; r is the size of a window about the query, a reach, a stride or a block.
enum class Pattern { local, atrous, local_and_atrous, strided, fixed, streaming, longformer };
std::string_view pattern_name(Pattern pattern);
// Which figure's picked value is explained.
enum class Explained { operations, steps, path, memory, crossover, kernel, time };
// Along which axis two kinds of layer are compared.
enum class Against { length, width };

// What stands at the top of the page.
enum class Lead { table, crossings, kernels, memory, paths };

inline constexpr int kLongestSequence = 1 << 20;
inline constexpr int kWidest = 8192;
inline constexpr int kShortestMeasured = 128;
inline constexpr int kLongestMeasured = 32768;
// `streaming`: keys at the beginning that every query sees (Xiao et al. 2023, section 3.1).
inline constexpr Index kSinks = 4;

// What the kernels are run on.
struct KernelSizes {
  Pattern pattern = Pattern::local;
  int longest = 0, d = 0, heads = 1, r = 1;
  bool operator==(const KernelSizes&) const = default;

  Index d_head() const { return d / heads; }
};

struct Parameters {
  int n = 1024;
  int d = 512;
  int heads = 8;
  int k = 3;
  int r = 64;
  Dilation dilation = Dilation::dilated;
  int bytes = 4;

  Pattern pattern = Pattern::local;
  int longest = 2048;
  int measurement = 0;  // 0: none; each other number is a measurement of its own

  Lead lead = Lead::table;
  Explained explain = Explained::operations;
  LayerKind layer = LayerKind::self_attention;
  LayerKind other = LayerKind::recurrent;
  Against against = Against::length;

  KernelSizes kernels() const { return {pattern, longest, d, heads, r}; }
  core::LayerSize size() const { return {n, d, k, r}; }
  core::LayerSize size_at(Index length) const { return {length, d, k, r}; }
};
void describe(Parameters& p, param::List& list);

inline constexpr std::array kLayers = {LayerKind::self_attention, LayerKind::recurrent,
                                       LayerKind::convolution, LayerKind::separable_convolution,
                                       LayerKind::restricted};

// A count as a formula, for figure/formula.h, and with places for its numbers (see `filled`).
struct Formula {
  std::string_view text, tex, numbers;
};

// The facts of one kind of layer: English messages, and formulas in the letters of core/README.md.
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
