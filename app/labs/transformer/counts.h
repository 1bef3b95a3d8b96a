// How many numbers a Transformer learns and how many products it takes, part by part.
#pragma once

#include <array>

#include "core/types.h"

namespace lab::transformer {

// An encoder-decoder with as many layers in both stacks, tied embeddings, biases, norms after.
struct CountSize {
  core::Index d = 512, d_ff = 2048, layers = 6, vocabulary = 37000;
  core::Index n = 64;  // tokens on both sides
};
enum class CountPart { embedding, projections, scores, forward, norms, output };
inline constexpr std::array kCountParts = {CountPart::embedding, CountPart::projections,
                                           CountPart::scores,    CountPart::forward,
                                           CountPart::norms,     CountPart::output};

core::Index parameters(CountPart part, const CountSize& size);
core::Index parameters(const CountSize& size);
// Multiply-adds of one pass; norms and softmax are not counted.
core::Index products(CountPart part, const CountSize& size);
core::Index products(const CountSize& size);

}  // namespace lab::transformer
