#include "core/cost/transformer_cost.h"

#include <algorithm>

#include "core/cost/attention_cost.h"
#include "core/cost/parameter_count.h"
#include "core/refuse.h"

namespace core {
namespace {

// In both stacks: an attention in each encoder layer, two in each decoder layer, and norms as many
// as parts.
Index attentions(const TransformerSize& s) { return 3 * s.layers; }
Index norms(const TransformerSize& s) { return 5 * s.layers; }
Index feed_forwards(const TransformerSize& s) { return 2 * s.layers; }

void require_sizes(const TransformerSize& s) {
  const Index least = std::min({s.d, s.d_ff, s.layers, s.vocabulary, s.n});
  if (least < 1) refuse("transformer_cost", "sizes of at least 1", std::to_string(least));
}

template <class Of>
Index sum_of(Of of) {
  Index sum = 0;
  for (const TransformerPart part : kTransformerParts) sum += of(part);
  return sum;
}

}  // namespace

Index transformer_parameters(TransformerPart part, const TransformerSize& s) {
  require_sizes(s);
  switch (part) {
    case TransformerPart::embedding: return s.vocabulary * s.d;
    case TransformerPart::projections: return attentions(s) * multi_head_parameters(s.d);
    case TransformerPart::feed_forward:
      return feed_forwards(s) * feed_forward_parameters(s.d, s.d_ff);
    case TransformerPart::norms: return norms(s) * layer_norm_parameters(s.d);
    case TransformerPart::scores:
    case TransformerPart::output: break;
  }
  return 0;
}

Index transformer_macs(TransformerPart part, const TransformerSize& s) {
  require_sizes(s);
  const auto one = [&] { return attention_cost({.n = s.n, .d = s.d}); };
  switch (part) {
    case TransformerPart::projections: return attentions(s) * one().projection_macs;
    case TransformerPart::scores:
      return attentions(s) * (one().score_macs + one().weighted_sum_macs);
    case TransformerPart::feed_forward: return feed_forwards(s) * 2 * s.n * s.d * s.d_ff;
    case TransformerPart::output: return s.n * s.d * s.vocabulary;
    case TransformerPart::embedding:
    case TransformerPart::norms: break;
  }
  return 0;
}

Index transformer_parameters(const TransformerSize& size) {
  return sum_of([&](TransformerPart part) { return transformer_parameters(part, size); });
}

Index transformer_macs(const TransformerSize& size) {
  return sum_of([&](TransformerPart part) { return transformer_macs(part, size); });
}

}  // namespace core
