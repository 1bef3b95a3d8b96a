#include "core/heads/axes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace core::heads {
namespace {

constexpr std::array<std::pair<Axis, char>, 7> kLetters{{{Axis::layer, 'l'},
                                                         {Axis::batch, 'b'},
                                                         {Axis::head, 'h'},
                                                         {Axis::query, 'q'},
                                                         {Axis::key, 'k'},
                                                         {Axis::token, 't'},
                                                         {Axis::width, 'd'}}};

char letter_of(Axis axis) {
  const auto found = std::find_if(kLetters.begin(), kLetters.end(),
                                  [axis](const auto& one) { return one.first == axis; });
  return found->second;
}

std::optional<Axis> axis_of(char letter) {
  const auto found = std::find_if(kLetters.begin(), kLetters.end(),
                                  [letter](const auto& one) { return one.second == letter; });
  return found == kLetters.end() ? std::nullopt : std::optional(found->first);
}

bool belongs(Axis axis, Kind kind) {
  const bool pair = axis == Axis::query || axis == Axis::key;
  const bool vector = axis == Axis::token || axis == Axis::width;
  return kind == Kind::pairs ? !vector : !pair;
}

// "layer_3.attn", "h.11", "attentions.0": the name of one layer's array.
bool has_layer_number(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

// The first of the two axes that are queries and keys.
std::size_t pair_begin(const std::vector<Index>& shape) {
  const Index largest = *std::max_element(shape.begin(), shape.end());
  for (std::size_t k = shape.size() - 1; k-- > 0;) {
    if (shape[k] == shape[k + 1] && shape[k] == largest) return k;
  }
  return shape.size() - 2;
}

// What axes of these sizes are, other than the two.
Axes outer_axes(const std::vector<Index>& sizes, std::string_view name) {
  switch (sizes.size()) {
    case 0: return {};
    case 1: return {Axis::head};
    case 2: return {has_layer_number(name) ? Axis::batch : Axis::layer, Axis::head};
    default: break;
  }
  if (sizes[0] == 1 && sizes[1] != 1) return {Axis::batch, Axis::layer, Axis::head};
  return {Axis::layer, Axis::batch, Axis::head};
}

}  // namespace

Axes guessed_axes(const std::vector<Index>& shape, std::string_view name, Kind kind,
                  const Message& where) {
  if (shape.size() < 2 || shape.size() > kMostAxes) {
    throw InputError(Message(N_("{}: expected an array of two to five axes, got the shape {}"),
                             where, tensor_shape_text(shape)));
  }
  if (std::any_of(shape.begin(), shape.end(), [](Index size) { return size < 1; })) {
    throw InputError(Message(N_("{}: expected at least one number, got the shape {}"), where,
                             tensor_shape_text(shape)));
  }
  const std::size_t first = kind == Kind::pairs ? pair_begin(shape) : shape.size() - 2;
  std::vector<Index> sizes(shape);
  sizes.erase(sizes.begin() + static_cast<Index>(first),
              sizes.begin() + static_cast<Index>(first) + 2);
  Axes axes = outer_axes(sizes, name);
  const Axes two =
      kind == Kind::pairs ? Axes{Axis::query, Axis::key} : Axes{Axis::token, Axis::width};
  axes.insert(axes.begin() + static_cast<Index>(first), two.begin(), two.end());
  return axes;
}

std::optional<Axes> axes_of(std::string_view letters, std::size_t count, Kind kind) {
  Axes axes;
  for (const char c : letters) {
    if (c == ' ') continue;
    const auto axis = axis_of(c);
    if (!axis || !belongs(*axis, kind) || dimension_of(axes, *axis)) return std::nullopt;
    axes.push_back(*axis);
  }
  const bool pairs = kind == Kind::pairs;
  const bool whole = dimension_of(axes, pairs ? Axis::query : Axis::token) &&
                     dimension_of(axes, pairs ? Axis::key : Axis::width);
  return whole && axes.size() == count ? std::optional(axes) : std::nullopt;
}

std::string letters_of(const Axes& axes) {
  std::string letters;
  for (const Axis axis : axes) letters += letter_of(axis);
  return letters;
}

std::optional<std::size_t> dimension_of(const Axes& axes, Axis wanted) {
  const auto found = std::find(axes.begin(), axes.end(), wanted);
  if (found == axes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - axes.begin());
}

Index size_of(const Tensor& tensor, const Axes& axes, Axis wanted) {
  const auto dimension = dimension_of(axes, wanted);
  return dimension ? tensor.shape[*dimension] : 1;
}

TensorView view_of(const Tensor& tensor, const Axes& axes, const HeadAt& at) {
  ViewAxes shown;
  shown.row = dimension_of(axes, Axis::query);
  shown.col = dimension_of(axes, Axis::key);
  if (!shown.row) shown.row = dimension_of(axes, Axis::token);
  if (!shown.col) shown.col = dimension_of(axes, Axis::width);
  shown.at.assign(axes.size(), 0);
  const auto put = [&](Axis axis, Index index) {
    if (const auto dimension = dimension_of(axes, axis)) shown.at[*dimension] = index;
  };
  put(Axis::layer, at.layer);
  put(Axis::batch, at.batch);
  put(Axis::head, at.head);
  return TensorView(tensor, shown);
}

}  // namespace core::heads
