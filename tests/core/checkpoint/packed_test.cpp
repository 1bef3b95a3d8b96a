// A published decoder read with core/decode's cache, against its own pass over all of the text.
#include "core/checkpoint/inside/packed.h"

#include "checkpoint/variant.h"
#include "core/decode/cached_reading.h"

namespace packed_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::Matrix;
using core::decode::CachedReading, core::decode::CacheForm, core::decode::PackedDecoder;

namespace {

// Logits are up to 15; rounding of a few layers.
constexpr float kRounding = 3e-5F;
const std::vector<std::int32_t> kText = {5, 34, 15, 38, 3, 16, 17, 1, 9, 40, 2, 33, 12, 8, 20, 21};
constexpr Index kLength = 16;

CachedReading read(const Model& model, const CacheForm& cache = {},
                   const core::Format& weights = core::kFloat32, int threads = 1) {
  const auto made = std::make_shared<const PackedDecoder>(packed(model, weights, kLength));
  return core::decode::read_with_cache(made, cache, kText, {}, threads);
}

float apart(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_SUITE_BEGIN("published models with core's cache");

TEST_CASE("logits, weights, keys and values are those of the model's own pass") {
  for (const std::string name : {"gpt2", "gpt2-prefixed", "llama", "llama-gqa-sharded", "llama3",
                                 "llama-linear", "llama-yarn", "qwen2"}) {
    CAPTURE(name);
    const auto model = opened(name);
    REQUIRE(why_not_packed(*model).empty());
    const CachedReading reading = read(*model);
    const Trace<float> whole = model->forward<float>({.tokens = kText}, {.keep_heads = true});
    CHECK(apart(reading.logits, whole.logits) < kRounding);
    const ModelFacts& facts = model->facts();
    for (Index l = 0; l < facts.layers; ++l) {
      const auto& self = whole.decoder.layers[static_cast<std::size_t>(l)]->self;
      for (Index h = 0; h < facts.heads; ++h) {
        Matrix weights = reading.weights[static_cast<std::size_t>(l * facts.heads + h)];
        for (Index i = 0; i < kLength; ++i) weights.row(i).tail(kLength - 1 - i).setZero();
        CHECK(apart(weights, self.weights[static_cast<std::size_t>(h)].matrix()) < 1e-5F);
      }
      for (Index h = 0; h < facts.key_heads; ++h) {
        const auto at = static_cast<std::size_t>(l * facts.key_heads + h);
        const Index width = facts.head_width;
        CHECK(apart(reading.keys[at], self.keys.middleCols(h * width, width)) < kRounding);
        CHECK(apart(reading.values[at], self.values.middleCols(h * width, width)) < kRounding);
      }
    }
    CHECK(read(*model, {}, core::kFloat32, 2).logits == reading.logits);
  }
}

TEST_CASE("a window with first tokens is the pass that sees those alone") {
  for (const std::string name : {"gpt2", "llama3"}) {
    const auto model = opened(name);
    ForwardOptions<float> options;
    options.sees = [](Index query, Index key) { return key < 2 || query - key < 5; };
    const Trace<float> whole = model->forward<float>({.tokens = kText}, options);
    CHECK(apart(read(*model, {.window = 5, .sinks = 2}).logits, whole.logits) < kRounding);
  }
}

TEST_CASE("within the cache, what is far away is as near as it lies there") {
  // With one layer nothing but places differs: the last token sees the first two and the last three
  // as it does in a text of those five.
  const auto model = opened("llama3");
  const CachedReading all =
      read(*model, {.window = 3, .sinks = 2, .positions = core::decode::CachePositions::in_cache});
  const std::vector<std::int32_t> short_text = {kText[0], kText[1], kText[13], kText[14],
                                                kText[15]};
  const Trace<float> whole = model->forward<float>({.tokens = short_text});
  const auto& wanted = whole.decoder.layers[0]->self.weights[0];
  for (Index j = 0; j < 5; ++j) {
    CHECK(all.weights[0](15, j < 2 ? j : j + 11) == doctest::Approx(wanted(4, j)).epsilon(1e-4));
  }
  // Places beyond the tables are turned by the formula.
  const auto few = std::make_shared<const PackedDecoder>(packed(*model, core::kFloat32, 8));
  const auto beyond = core::decode::read_with_cache(
      few, {.window = 3, .sinks = 2, .positions = core::decode::CachePositions::in_cache}, kText);
  CHECK(apart(beyond.logits, all.logits) < kRounding);
}

TEST_CASE("weights in another format are read in it") {
  const auto model = opened("llama");
  const CachedReading exact = read(*model), rounded = read(*model, {}, core::kFp8E4m3);
  CHECK(apart(exact.logits, rounded.logits) > 0.01F);
  CHECK(read(*model, {.stored = core::kBFloat16}).bytes.front() * 2 == exact.bytes.front());
}

TEST_CASE("what cannot be laid out so is refused in one sentence") {
  for (const std::string name :
       {"mistral", "mistral-headdim", "qwen3", "bloom", "pythia", "t5", "llama-dynamic"}) {
    CAPTURE(name);
    const auto model = opened(name);
    CHECK_FALSE(why_not_packed(*model).empty());
    CHECK_THROWS_AS(packed(*model, core::kFloat32, kLength), core::InputError);
    CHECK_THROWS_AS(decoder_form(*model, kLength), core::InputError);
  }
}

TEST_SUITE_END();

}  // namespace packed_test
