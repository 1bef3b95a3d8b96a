#include "core/decode/generation_cost.h"

#include <doctest/doctest.h>

namespace generation_cost_test {

using namespace core::decode;
using namespace core::model;
using core::Index;

namespace {

bool same(const TokenBytes& a, const TokenBytes& b) {
  return a.weights == b.weights && a.tables == b.tables && a.cached == b.cached &&
         a.written == b.written;
}

DecoderForm gpt2_small() {
  return {.vocabulary = 50257,
          .layer = {.d_model = 768,
                    .heads = 12,
                    .key_heads = 12,
                    .feed_forward = {.width = 3072, .function = Activation::gelu_tanh},
                    .norm_first = true},
          .layers = 12,
          .positions = {.scheme = Scheme::learned, .longest = 1024},
          .tied = true,
          .output_bias = false};
}

}  // namespace

TEST_SUITE_BEGIN("generation cost");

TEST_CASE("from the form alone as from the decoder itself, whatever it is made of") {
  std::vector<DecoderForm> forms;
  for (const Scheme scheme : kAllSchemes) {
    forms.push_back({.vocabulary = 7,
                     .layer = {.d_model = 8, .heads = 4, .key_heads = 2, .norm_first = true},
                     .layers = 3,
                     .positions = {.scheme = scheme, .longest = 12, .clip = 2}});
  }
  forms.push_back(forms[3]);
  forms.back().layer.feed_forward = {.width = 6, .gated = true};
  forms.push_back(forms[3]);
  forms.back().layer.feed_forward.width = 0;
  forms.push_back(forms[3]);
  forms.back().layer.bias = false, forms.back().tied = true, forms.back().output_bias = false;
  forms.push_back(forms[3]);
  forms.back().layer.norm_first = false, forms.back().layer.feed_forward.bias = false;
  forms.push_back(forms[3]);
  forms.back().layer.normed = false;
  for (std::size_t k = 0; k < forms.size(); ++k) {
    CAPTURE(k);
    Layout layout;
    const Decoder model = Decoder::declare(Scope(layout), forms[k]);
    const std::vector<float> values = layout.start<float>(1);
    for (const CacheForm& cache :
         {CacheForm{}, CacheForm{.stored = core::kFp8E5m2, .window = 4, .sinks = 1}}) {
      const auto packed =
          std::make_shared<const PackedDecoder>(model, values.data(), core::kBFloat16);
      const CachedDecoder decoder(packed, {.cache = cache});
      for (const Index tokens : {1, 4, 9}) {
        CHECK(same(decoder.bytes_of_token(tokens),
                   generation_bytes(forms[k], core::kBFloat16, cache, tokens)));
      }
    }
  }
}

TEST_CASE("GPT-2 small: 36,864 bytes a token in float16, and what a token reads") {
  // 2 * 12 layers * 12 heads * 64 numbers * 2 bytes.
  CHECK(cache_bytes(gpt2_small(), {.stored = core::kFloat16}, 1) == 36864);
  CHECK(cache_bytes(gpt2_small(), {.stored = core::kFloat16}, 1024) == 37748736);
  // 124,439,808 parameters; of 1024 rows of places a token reads one, of the tied embedding all.
  const TokenBytes bytes = generation_bytes(gpt2_small(), core::kFloat32, {}, 1024);
  CHECK(bytes.weights == 4 * (124439808 - 1023 * 768 + 768));
  CHECK(bytes.cached == 75497472);
}

TEST_CASE("a number takes the bits of its format: four bits are half a byte") {
  const core::Format four{
      .exponent_bits = 2, .mantissa_bits = 1, .bias = 1, .specials = core::Specials::none};
  CHECK(stored_bits(four) == 4);
  CHECK(stored_bits(core::kFp8E4m3) == 8);
  CHECK(stored_bits(core::kBFloat16) == 16);
  CHECK(stored_bits(core::kTf32) == 32);  // a float32 number that was rounded
  CHECK(packed_bytes(3, four) == 2);
  CHECK(cached_numbers(gpt2_small()) == 18432);
  CHECK(cache_bytes(gpt2_small(), {.stored = four}, 1024) == 1024 * 18432 / 2);
  CHECK(generation_bytes(gpt2_small(), core::kFloat32, {.stored = four}, 10).written == 9216);
}

TEST_CASE("products with a cache and without, by hand") {
  // One layer of width 2, one head, no feed-forward network: 16 numbers in four matrices.
  const DecoderForm tiny{
      .vocabulary = 3, .layer = {.d_model = 2, .feed_forward = {.width = 0}}, .layers = 1};
  const GenerationMacs third = generation_macs(tiny, {}, 3);
  CHECK(third.projections == 16);
  CHECK(third.attention == 12);  // 3 scores and 3 values of width 2
  CHECK(third.logits == 6);
  // All three tokens anew: 48, and 1 + 2 + 3 pairs of 4.
  CHECK(macs_without_cache(tiny, {}, 3) == 48 + 24 + 6);
  // A window of 2: the third sees two keys.
  CHECK(generation_macs(tiny, {.window = 2}, 3).attention == 8);
  CHECK(macs_without_cache(tiny, {.window = 2}, 3) == 48 + 20 + 6);
}

TEST_SUITE_END();

}  // namespace generation_cost_test
