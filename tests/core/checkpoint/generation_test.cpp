// Token by token with a cache, against the whole pass over all of the text.
#include "core/checkpoint/generation.h"

#include <atomic>

#include "checkpoint/variant.h"

namespace generation_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::Matrix, core::Vector;

namespace {

// Logits are up to 15; rounding of a few layers.
constexpr float kRounding = 3e-5F;

const std::vector<std::int32_t> kText = {5, 34, 15, 38, 3, 16, 17, 1, 9, 40, 2, 33, 12, 8, 20, 21};

std::vector<std::int32_t> first(std::size_t count) {
  return {kText.begin(), kText.begin() + static_cast<Index>(count)};
}

Vector whole(const Model& model, const std::vector<std::int32_t>& text) {
  const Matrix logits = model.forward<float>({.tokens = text}).logits;
  return logits.row(logits.rows() - 1).transpose();
}

float apart(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_SUITE_BEGIN("generation by published models");

TEST_CASE("token by token, and in pieces, the logits are those of the whole text") {
  for (const std::string name :
       {"gpt2", "pythia", "llama-gqa-sharded", "llama3", "llama-linear", "llama-yarn",
        "llama-dynamic", "mistral", "qwen2-window", "qwen3", "bloom", "bloom-post"}) {
    CAPTURE(name);
    const auto model = opened(name);
    Generation one(model);
    for (std::size_t i = 0; i < kText.size(); ++i) {
      CAPTURE(i);
      CHECK(apart(one.read({kText[i]}), whole(*model, first(i + 1))) < kRounding);
    }
    // A long piece behind a short one, and a short one behind that.
    Generation pieces(model);
    pieces.read(first(3));
    CHECK(apart(pieces.read({kText.begin() + 3, kText.begin() + 14}), whole(*model, first(14))) <
          kRounding);
    CHECK(apart(pieces.read({kText.begin() + 14, kText.end()}), whole(*model, kText)) < kRounding);
    CHECK(pieces.ids() == kText);
  }
}

TEST_CASE("weights of the newest tokens are the last rows of the whole pass") {
  for (const std::string name : {"mistral", "bloom", "gpt2"}) {
    CAPTURE(name);
    const auto model = opened(name);
    Generation generation(model, {.keep_weights = true});
    generation.read(first(9));
    generation.read({kText[9], kText[10]});
    const Trace<float> all = model->forward<float>({.tokens = first(11)});
    for (std::size_t l = 0; l < 2; ++l) {
      const auto& newest = generation.newest().decoder.layers[l]->self.weights;
      REQUIRE(newest.size() == static_cast<std::size_t>(model->facts().heads));
      for (std::size_t h = 0; h < newest.size(); ++h) {
        REQUIRE(newest[h].rows() == 2);
        REQUIRE(newest[h].cols() == 11);
        const Matrix last = all.decoder.layers[l]->self.weights[h].matrix().bottomRows(2);
        CHECK((newest[h].matrix() - last).cwiseAbs().maxCoeff() < 1e-5F);
      }
    }
  }
}

TEST_CASE("the encoder runs once, and its decoder says token by token what the whole pass says") {
  for (const std::string name : {"t5", "mt5"}) {
    CAPTURE(name);
    const auto model = opened(name);
    const std::vector<std::int32_t> encoded = {7, 30, 2, 19, 41, 5, 5, 23, 1};
    const auto whole_of = [&](std::size_t count) {
      const Matrix logits =
          model->forward<float>({.tokens = encoded, .decoder_tokens = first(count)}).logits;
      return Vector(logits.row(logits.rows() - 1).transpose());
    };
    Generation one = Generation::across(model, encoded);
    Index bytes = 0;
    for (std::size_t i = 0; i < kText.size(); ++i) {
      CAPTURE(i);
      CHECK(apart(one.read({kText[i]}), whole_of(i + 1)) < kRounding);
      // So many layers were computed, and no more is kept for the encoder's text than at first.
      CHECK(one.newest().encoder.layers.size() ==
            (i == 0 ? static_cast<std::size_t>(model->facts().layers) : 0));
      CHECK(one.newest().decoder.layers.size() ==
            static_cast<std::size_t>(model->facts().decoder_layers));
      if (i == 0) bytes = one.bytes();
    }
    CHECK(one.bytes() == bytes);  // kept for 64 tokens from the first one on
    CHECK(bytes == 4 * 64 * 4 * model->facts().decoder_layers * model->facts().heads *
                       model->facts().head_width);
    Generation pieces = Generation::across(model, encoded);
    pieces.read(first(3));
    CHECK(apart(pieces.read({kText.begin() + 3, kText.begin() + 14}), whole_of(14)) < kRounding);
    CHECK(apart(pieces.read({kText.begin() + 14, kText.end()}), whole_of(kText.size())) <
          kRounding);
    pieces.back_to(2);
    CHECK(apart(pieces.read({kText.begin() + 2, kText.begin() + 5}), whole_of(5)) < kRounding);
    pieces.back_to(0);
    CHECK(apart(pieces.read(first(1)), whole_of(1)) < kRounding);
  }
}

TEST_CASE("weights of an encoder's text and of the decoder's own are the whole pass's last rows") {
  const auto model = opened("t5");
  const std::vector<std::int32_t> encoded = {7, 30, 2, 19, 41, 5};
  Generation generation = Generation::across(model, encoded, {.keep_weights = true});
  generation.read(first(9));
  generation.read({kText[9], kText[10]});
  const Trace<float> all = model->forward<float>({.tokens = encoded, .decoder_tokens = first(11)});
  for (std::size_t l = 0; l < all.decoder.layers.size(); ++l) {
    for (const bool cross : {false, true}) {
      CAPTURE(cross);
      const auto& now = *generation.newest().decoder.layers[l];
      const auto& then = *all.decoder.layers[l];
      for (std::size_t h = 0; h < static_cast<std::size_t>(model->facts().heads); ++h) {
        const Matrix few = (cross ? now.cross : now.self).weights.at(h).matrix();
        const Matrix last = (cross ? then.cross : then.self).weights.at(h).matrix().bottomRows(2);
        REQUIRE(few.cols() == (cross ? 6 : 11));
        CHECK((few - last).cwiseAbs().maxCoeff() < 1e-5F);
      }
    }
  }
}

TEST_CASE("an encoder's pass that was cancelled or refused is made anew") {
  const auto model = opened("t5");
  const std::vector<std::int32_t> encoded = {7, 30, 2};
  Generation generation = Generation::across(model, encoded);
  for (std::int64_t after = 1; after < 30; after += 4) {
    std::atomic<std::int64_t> questions = after;
    try {
      generation.read(first(2), core::Cancel(questions));
      generation = Generation::across(model, encoded);
    } catch (const core::Cancelled&) {
    }
    CHECK(generation.tokens() == 0);
  }
  CHECK_THROWS_AS(generation.read({-1}), core::InputError);
  const Matrix whole_text =
      model->forward<float>({.tokens = encoded, .decoder_tokens = first(2)}).logits;
  CHECK(apart(generation.read(first(2)), whole_text.row(1).transpose()) < kRounding);
  CHECK_THROWS_AS(Generation::across(model, {-1}).read(first(1)), core::InputError);
  CHECK_THROWS_WITH_AS(Generation::across(opened("gpt2"), encoded),
                       "generation: expected an encoder and a decoder, got GPT-2",
                       core::InputError);
}

TEST_CASE("back to an earlier token, and on with another") {
  for (const std::string name : {"llama3", "llama-dynamic"}) {
    CAPTURE(name);
    const auto model = opened(name);
    Generation generation(model);
    generation.read(kText);
    generation.back_to(6);
    CHECK(generation.tokens() == 6);
    std::vector<std::int32_t> other = first(6);
    other.push_back(30);
    CHECK(apart(generation.read({30}), whole(*model, other)) < kRounding);
    CHECK_THROWS_AS(generation.back_to(8), core::InputError);
    generation.back_to(0);
    CHECK(apart(generation.read(first(2)), whole(*model, first(2))) < kRounding);
  }
}

TEST_CASE("what was cancelled or refused was not read") {
  const auto model = opened("llama-dynamic");
  Generation generation(model);
  generation.read(first(8));  // its context: the next token turns all anew
  for (std::int64_t after = 1; after < 40; after += 4) {
    std::atomic<std::int64_t> questions = after;
    try {
      generation.read({kText[8]}, core::Cancel(questions));
      generation.back_to(8);
    } catch (const core::Cancelled&) {
    }
    CHECK(generation.tokens() == 8);
  }
  CHECK_THROWS_AS(generation.read({48}), core::InputError);
  CHECK_THROWS_AS(generation.read({}), core::InputError);
  CHECK(apart(generation.read({kText[8]}), whole(*model, first(9))) < kRounding);
  Generation gpt2(opened("gpt2"));
  gpt2.read(kText);
  CHECK_THROWS_WITH_AS(gpt2.read({1}),
                       "text: expected at most 16 tokens, as many as the model has positions, got "
                       "17",
                       core::InputError);
  CHECK(gpt2.tokens() == 16);
  CHECK_THROWS_WITH_AS(Generation(opened("bert")),
                       "generation: expected a decoder that reads one text, got BERT",
                       core::InputError);
  CHECK_THROWS_AS(Generation(opened("t5")), core::InputError);
}

TEST_SUITE_END();

}  // namespace generation_test
