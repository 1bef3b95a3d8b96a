#include "core/checkpoint/inside/head_arrays.h"

#include <cmath>

namespace core::checkpoint {
namespace {

bool products_alone(const ModelFacts& facts, const Attending<float>& attending) {
  const auto& positions = facts.positions;
  const auto width = static_cast<double>(facts.head_width);
  return positions.slopes.size() == 0 && positions.buckets.empty() &&
         std::abs(attending.scale * std::sqrt(width) - 1) < 1e-6;
}

}  // namespace

std::vector<heads::NumberArray> head_arrays(const ModelFacts& facts, const Stack<float>& stack,
                                            bool cross, const std::vector<Index>& layers) {
  const auto attending = [&](Index layer) -> const Attending<float>& {
    const Layer<float>& of = *stack.layers[static_cast<std::size_t>(layer)];
    return cross ? of.cross : of.self;
  };
  const auto count = static_cast<Index>(layers.size());
  const Attending<float>& first = attending(layers.front());
  const Index n = first.queries.rows(), m = first.keys.rows();
  heads::NumberArray attention{"attention", {count, facts.heads, n, m}};
  heads::NumberArray q{"q", {count, facts.heads, n, facts.head_width}};
  heads::NumberArray k{"k", {count, facts.key_heads, m, facts.head_width}};
  attention.values.reserve(static_cast<std::size_t>(count * facts.heads * n * m));
  for (const Index layer : layers) {
    for (const auto& head : attending(layer).weights) attention.add(head.data(), n * m);
    q.add_heads(attending(layer).queries, facts.heads);
    k.add_heads(attending(layer).keys, facts.key_heads);
  }
  std::vector<heads::NumberArray> arrays{std::move(attention)};
  if (products_alone(facts, first)) arrays.insert(arrays.end(), {std::move(q), std::move(k)});
  return arrays;
}

}  // namespace core::checkpoint
