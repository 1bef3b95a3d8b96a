#include "core/decode/generation_cost.h"

namespace core::decode {
namespace {

constexpr Index kFloat = sizeof(float);

// Numbers of a layer.
struct LayerNumbers {
  Index matrices = 0, vectors = 0;
};

Index width_of(const model::DecoderForm& form) { return form.layer.d_model / form.layer.heads; }

LayerNumbers layer_numbers(const model::DecoderForm& form) {
  const model::TransformerForm& layer = form.layer;
  const Index d = layer.d_model, shared = layer.key_heads * width_of(form);
  const Index inner = layer.feed_forward.width;
  const Index wide = layer.feed_forward.gated ? 2 * inner : inner;
  LayerNumbers n;
  n.matrices = d * (d + 2 * shared) + d * d + d * (wide + inner);
  if (layer.bias) n.vectors += d + 2 * shared + d;
  if (layer.feed_forward.bias && inner > 0) n.vectors += wide + d;
  if (layer.normed) n.vectors += (inner > 0 ? 4 : 2) * d;
  return n;
}

model::ReadSizes sizes_of(const model::DecoderForm& form, const CacheForm& cache, Index tokens) {
  const Index held = CacheSlots(cache, tokens).held(tokens);
  const bool far =
      cache.positions == CachePositions::original && (cache.window == 0 || cache.sinks > 0);
  return {form.layers, form.layer.heads, width_of(form), held, far ? tokens : held};
}

Index vectors_outside_layers(const model::DecoderForm& form) {
  const Index d = form.layer.d_model;
  Index numbers = form.output_bias ? form.vocabulary : 0;
  if (form.layer.norm_first && form.layer.normed) numbers += 2 * d;
  return numbers;
}

}  // namespace

Index cached_numbers(const model::DecoderForm& form) {
  return 2 * form.layers * form.layer.key_heads * width_of(form);
}

Index cache_bytes(const model::DecoderForm& form, const CacheForm& cache, Index tokens) {
  return packed_bytes(CacheSlots(cache, tokens).held(tokens) * cached_numbers(form), cache.stored);
}

TokenBytes generation_bytes(const model::DecoderForm& form, const Format& weights,
                            const CacheForm& cache, Index tokens) {
  const Index d = form.layer.d_model;
  const LayerNumbers layer = layer_numbers(form);
  const model::SchemeEntry& scheme = model::entry(form.positions.scheme);
  const model::ReadSizes sizes = sizes_of(form, cache, tokens);
  const auto of_positions = scheme.read_numbers ? scheme.read_numbers(sizes) : model::ReadNumbers{};
  TokenBytes bytes;
  bytes.weights =
      packed_bytes(form.layers * layer.matrices + d * form.vocabulary + d + of_positions.stored,
                   weights) +
      (form.layers * layer.vectors + vectors_outside_layers(form) + of_positions.floats) * kFloat;
  if (scheme.table_numbers) {
    bytes.tables = scheme.table_numbers(form.positions, sizes) * kFloat * form.layers;
  }
  bytes.cached = cache_bytes(form, cache, tokens);
  bytes.written = packed_bytes(cached_numbers(form), cache.stored);
  return bytes;
}

GenerationMacs generation_macs(const model::DecoderForm& form, const CacheForm& cache,
                               Index tokens) {
  const Index d = form.layer.d_model;
  return {form.layers * layer_numbers(form).matrices,
          2 * form.layers * d * CacheSlots(cache, tokens).held(tokens), d * form.vocabulary};
}

Index macs_without_cache(const model::DecoderForm& form, const CacheForm& cache, Index tokens) {
  const GenerationMacs now = generation_macs(form, cache, tokens);
  const Index held = CacheSlots(cache, tokens).held(tokens);
  // Token t sees t + 1 keys until the window is full.
  const Index pairs = held * (held + 1) / 2 + (tokens - held) * held;
  return tokens * now.projections + 2 * form.layers * form.layer.d_model * pairs + now.logits;
}

}  // namespace core::decode
