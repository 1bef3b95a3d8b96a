// What the lab of costs can be set to.
#pragma once

#include <string_view>

#include "app/param/param.h"
#include "core/cost/layer_cost.h"

namespace lab::cost {

using core::Dilation;
using core::Index;
using core::LayerKind;

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
// Of `streaming`: keys at the beginning that everyone sees (Xiao et al. 2023, section 3.1).
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

}  // namespace lab::cost
