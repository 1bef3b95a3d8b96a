// What one layer over a sequence costs by its kind: Table 1 of the Transformer paper as numbers.
//
// Source: Vaswani et al., Attention Is All You Need (2017), section 4 and Table 1. The table gives
// orders of growth; here each is evaluated with constant 1, which is what crossovers of the orders
// mean, and what can be counted exactly is counted besides.
#pragma once

#include <optional>

#include "core/types.h"

namespace core {

enum class LayerKind {
  self_attention,
  recurrent,
  convolution,            // kernel of k, next to one another or dilated
  separable_convolution,  // depthwise, then pointwise
  restricted,             // self-attention to a neighbourhood
};

struct LayerSize {
  Index n = 1;  // length of the sequence
  Index d = 1;  // width of the representation
  Index k = 3;  // kernel of the convolution, at least 2
  // Neighbourhood of restricted attention: how many positions a query meets, as in the paper,
  // centred on its own: floor(r / 2) of them before it. More than n count as n.
  Index r = 1;
};

// Multiply-adds by the table's order: n^2 d, n d^2, k n d^2, k n d + n d^2, r n d. In double: the
// products pass 2^63. InputError when a size is below 1, or k below 2 (so for all that follow).
double layer_operations(LayerKind kind, const LayerSize& size);

// Steps that must follow one another: n when recurrent, else 1. A convolution or attention computes
// every position at once.
Index sequential_steps(LayerKind kind, const LayerSize& size);

// The longest path between two positions by the table's order: 1 for self-attention, n recurrent,
// n / r restricted, log_k n for convolutions (dilated), which the table's text has from ByteNet;
// n / k for kernels that lie next to one another (section 4).
enum class Dilation { contiguous, dilated };
double path_order(LayerKind kind, const LayerSize& size, Dilation dilation = Dilation::dilated);

// The layers it takes until the two ends of the sequence meet, counted: until one position has seen
// the first and the last, whether its windows look to one side or to both. Self-attention 1,
// recurrent n steps of one layer, restricted ceil((n - 1) / (r - 1)), stacked kernels
// ceil((n - 1) / (k - 1)), dilated by 1, k, k^2, ... the smallest L with k^L >= n. At least 1.
// Nothing when they never do: r = 1 sees nothing but itself. For a signal to go from one end to
// the other, centred windows of odd size need as many as the ends of 2 n - 1 positions to meet.
std::optional<Index> layers_to_meet(LayerKind kind, const LayerSize& size,
                                    Dilation dilation = Dilation::dilated);

// Positions that one output sees after `layers` centred convolutions: 1 + layers (k - 1), and
// k^layers when layer l is dilated by k^l. InputError when it passes 2^62.
Index convolution_field(Index k, Index layers, Dilation dilation);

// The numbers that one layer's mixing of positions holds per sequence besides inputs and outputs,
// by order: n^2 scores a head for self-attention, n r restricted; 1 x d of state recurrent; none
// for a convolution. `heads` heads.
double layer_memory(LayerKind kind, const LayerSize& size, Index heads);

// Crossover of two kinds: where they cost the same by `layer_operations`, as one size moves and the
// others stay; the size need not be whole. Nothing when they never do, or agree everywhere.
// Self-attention and recurrence cross at n = d; self-attention and restricted attention agree up to
// n = r, which is given.
struct Crossover {
  double at = 0, operations = 0;  // the length or width, and what both cost there
};
std::optional<Crossover> crossover_length(LayerKind a, LayerKind b, const LayerSize& size);
std::optional<Crossover> crossover_width(LayerKind a, LayerKind b, const LayerSize& size);

}  // namespace core
