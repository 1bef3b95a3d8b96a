#include "core/cost/parameter_count.h"

#include <string>

#include "core/refuse.h"

namespace core {
namespace {

// 2^20: squares and their sums stay far from overflow.
constexpr Index kMostWidth = Index{1} << 20;

void check(const char* name, Index value) {
  if (value < 1 || value > kMostWidth) {
    refuse("parameter count", name + std::string(" from 1 to ") + std::to_string(kMostWidth),
           std::to_string(value));
  }
}

Index linear(Index in, Index out) { return in * out + out; }

}  // namespace

Index multi_head_parameters(Index d) {
  check("d", d);
  return 4 * linear(d, d);
}

Index layer_norm_parameters(Index d) {
  check("d", d);
  return 2 * d;
}

Index feed_forward_parameters(Index d, Index d_ff) {
  check("d", d);
  check("d_ff", d_ff);
  return linear(d, d_ff) + linear(d_ff, d);
}

Index encoder_layer_parameters(Index d, Index d_ff) {
  return multi_head_parameters(d) + feed_forward_parameters(d, d_ff) + 2 * layer_norm_parameters(d);
}

Index decoder_layer_parameters(Index d, Index d_ff) {
  return encoder_layer_parameters(d, d_ff) + multi_head_parameters(d) + layer_norm_parameters(d);
}

Index gpt2_parameters(const GptSize& size) {
  check("vocabulary", size.vocabulary);
  check("context", size.context);
  check("layers", size.layers);
  check("4 d", 4 * size.d);
  return (size.vocabulary + size.context) * size.d +
         size.layers * encoder_layer_parameters(size.d, 4 * size.d) + layer_norm_parameters(size.d);
}

}  // namespace core
