// Axes of an array of attention: layers, batch, heads, queries and keys, or, of vectors, tokens and
// their width.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/tensor/tensor_view.h"

namespace core::heads {

enum class Axis { layer, batch, head, query, key, token, width };

// Kind of the numbers: weights or scores of pairs (axes query and key), or vectors q, k or v (axes
// token and width).
enum class Kind { pairs, vectors };

// One an axis of the array, each at most once.
using Axes = std::vector<Axis>;

inline constexpr std::size_t kMostAxes = 5;

// What an array of that shape and name most likely is. Pairs: neighbouring axes of the same size,
// larger than or as large as all others, are queries and keys, of several such the last; otherwise
// the last two axes are. Vectors: the last two are tokens and width. What is left is, in order,
// (head), (layer, head) or (layer, batch, head); (batch, head) where the name has the number of a
// layer, and (batch, layer, head) where only the first of three is 1. InputError, which begins with
// `where`, for less than two axes or more than five, or for an axis of none.
Axes guessed_axes(const std::vector<Index>& shape, std::string_view name, Kind kind,
                  const Message& where);

// "lbhqk" or "lbhtd": a letter an axis, spaces between them as one likes. None unless it names each
// of `count` axes once, the two that the kind needs among them.
std::optional<Axes> axes_of(std::string_view letters, std::size_t count, Kind kind);
std::string letters_of(const Axes& axes);

// Index of the axis; none: there is no such.
std::optional<std::size_t> dimension_of(const Axes& axes, Axis wanted);
// How many there are along it; 1 where there is no such axis.
Index size_of(const Tensor& tensor, const Axes& axes, Axis wanted);

// One head's matrix within an array: queries by keys, or tokens by width.
struct HeadAt {
  Index layer = 0, batch = 0, head = 0;
  bool operator==(const HeadAt&) const = default;
};
TensorView view_of(const Tensor& tensor, const Axes& axes, const HeadAt& at);

}  // namespace core::heads
