// Models that are too large to be looked at: what they cost, and what a token takes here.
#include "app/labs/cache/model.h"

namespace lab::cache {

Index fitting_key_heads(Index heads, Index key_heads) {
  while (heads % key_heads != 0) --key_heads;
  return key_heads;
}

core::Format stored_format(Stored stored) {
  if (stored == Stored::float32) return core::kFloat32;
  return stored == Stored::bfloat16 ? core::kBFloat16 : core::kFp8E4m3;
}

core::model::DecoderForm large_form(const Parameters& p) {
  core::model::DecoderForm form;
  form.vocabulary = p.vocabulary;
  form.layers = p.layers;
  form.layer.d_model = Index{p.heads} * p.width;
  form.layer.heads = p.heads;
  form.layer.key_heads = fitting_key_heads(p.heads, p.key_heads);
  form.layer.norm_first = true;
  form.layer.feed_forward.width = p.inner;
  form.layer.feed_forward.function =
      p.gated ? core::model::Activation::silu : core::model::Activation::gelu_tanh;
  form.layer.feed_forward.gated = p.gated;
  form.positions = {.scheme = core::model::Scheme::rotary, .longest = p.length};
  form.tied = true;  // untied, the same bytes are read
  form.output_bias = false;
  return form;
}

KindCost kind_cost(const Parameters& p, Kind kind, Index length) {
  core::model::DecoderForm form = large_form(p);
  CacheForm cache{.stored = format_of(p.format)};
  if (kind == Kind::multi_head) form.layer.key_heads = form.layer.heads;
  if (kind == Kind::multi_query) form.layer.key_heads = 1;
  if (kind == Kind::sliding) cache.window = p.sliding;
  const auto bytes = core::decode::generation_bytes(form, stored_format(p.stored), cache, length);
  KindCost cost;
  cost.cache = to_double(bytes.cached) * p.sequences;
  cost.written = to_double(bytes.written);
  cost.read = to_double(bytes.weights) + to_double(bytes.tables) + cost.cache;
  cost.seconds = cost.read / (1e9 * p.bandwidth);
  return cost;
}

MeasureKey measure_key(const Parameters& p) {
  constexpr Index kLongest = 4096;
  MeasureKey key{{large_form(p), stored_format(p.stored), format_of(p.format),
                  std::min<Index>(p.length, kLongest)},
                 p.measurement};
  key.what.form.positions.longest = key.what.longest;
  return key;
}

Measured measure(const MeasureKey& key, const Run& run) {
  return core::time_generation(key.what, run.threads, run.cancel);
}

}  // namespace lab::cache
