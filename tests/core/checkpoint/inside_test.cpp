// What parts of published decoders add, what the lens shows, and what is changed on purpose.
#include "core/checkpoint/inside/inside.h"

#include <cmath>

#include "checkpoint/variant.h"

namespace checkpoint_inside_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::Matrix, core::MatrixD, core::VectorD;
using core::model::StreamPart;

namespace {

const std::vector<std::int32_t> kText = {5, 34, 15, 38, 3, 16, 17, 1, 9, 40, 5, 34};
const Index kTokens = static_cast<Index>(kText.size());

struct Named {
  std::string name;
  std::shared_ptr<const Model> model;
};

// Every decoder of the reference, and those that travel with the program.
std::vector<Named> decoders() {
  std::vector<Named> all;
  const auto root = std::filesystem::path(ATTNSCOPE_SOURCE_DIR);
  for (const char* folder : {"tests/reference/checkpoints", "assets/checkpoints"}) {
    for (const auto& one : std::filesystem::directory_iterator(root / folder)) {
      if (!one.is_directory()) continue;
      auto model = open_model(one.path());
      if (model->facts().kind == Kind::decoder) all.push_back({one.path().string(), model});
    }
  }
  return all;
}

template <class S>
Trace<S> kept(const Model& model, ForwardOptions<S> options = {}) {
  options.keep_heads = options.keep_parts = true;
  return model.forward<S>({.tokens = kText}, options);
}

double largest(const VectorD& x) { return x.cwiseAbs().maxCoeff(); }

}  // namespace

TEST_SUITE_BEGIN("inside of published models");

TEST_CASE("contributions and biases add up to the residual, and to every logit") {
  const auto all = decoders();
  CHECK(all.size() >= 18);
  std::size_t told = 0;
  for (const auto& [called, model] : all) {
    const std::string& name = called;
    CAPTURE(name);
    const auto trace = kept<double>(*model);
    if (!why_no_parts(*model).empty()) {
      CHECK(name.ends_with("bloom-post"));
      CHECK_THROWS_AS(stream_parts(*model, kText, trace, 3), core::InputError);
      ++told;
      continue;
    }
    const auto rough = kept<float>(*model);
    for (const Index token : {Index{0}, Index{4}, kTokens - 1}) {
      CAPTURE(token);
      const auto parts = stream_parts(*model, kText, trace, token);
      const VectorD sum = parts.vectors.colwise().sum().transpose();
      const double size = largest(parts.residual);
      CHECK(largest(sum - parts.residual) < 1e-11 * (1 + size));
      const auto of_float = stream_parts(*model, kText, rough, token);
      const VectorD float_sum = of_float.vectors.colwise().sum().transpose();
      CHECK(largest(float_sum - of_float.residual) < 1e-4 * (1 + size));
      for (const std::int32_t id : {0, 7, 33}) {
        const auto to = logit_direction(*model, parts.residual, id);
        CHECK((parts.vectors * to.direction).sum() + to.constant ==
              doctest::Approx(trace.logits(token, id)).epsilon(1e-9));
        const auto less = logit_direction(*model, parts.residual, id, 11);
        CHECK(parts.residual.dot(less.direction) + less.constant ==
              doctest::Approx(trace.logits(token, id) - trace.logits(token, 11)).epsilon(1e-9));
      }
    }
  }
  CHECK(told == 1);
}

TEST_CASE("a head's share is made of the tokens that it looked at") {
  for (const auto& [called, model] : decoders()) {
    const std::string& name = called;
    if (!why_no_parts(*model).empty()) continue;
    CAPTURE(name);
    const auto trace = kept<double>(*model);
    const Index token = 7;
    const auto parts = stream_parts(*model, kText, trace, token);
    const auto to = logit_direction(*model, parts.residual, 3);
    for (std::size_t k = 0; k < parts.parts.size(); ++k) {
      const StreamPart& part = parts.parts[k];
      if (part.kind != StreamPart::Kind::head) continue;
      const HeadIndex place{.layer = part.layer, .head = part.head};
      const auto shares = head_shares(*model, trace, place, token, to.direction);
      CHECK(shares.weights.sum() == doctest::Approx(1));
      const VectorD given = shares.weights.cwiseProduct(shares.values * shares.read);
      CHECK(given.sum() ==
            doctest::Approx(parts.vectors.row(static_cast<Index>(k)).dot(to.direction))
                .epsilon(1e-9));
      CHECK(output_row(*model, place, 1).dot(to.direction) == doctest::Approx(shares.read(1)));
    }
  }
}

TEST_CASE("the lens's last row is the logits, to the last bit") {
  for (const auto& [called, model] : decoders()) {
    const std::string& name = called;
    CAPTURE(name);
    const auto trace = kept<float>(*model, {.logits = Logits::last});
    const Matrix& last = trace.decoder.layers.back()->hidden;
    CHECK(model->read_out<float>(last.bottomRows(1)) == trace.logits);
    // A few rows at once are the same bits.
    const Matrix few = model->read_out<float>(last.bottomRows(8));
    CHECK(few.row(7) == trace.logits.row(0));
  }
}

TEST_CASE("knocking out nothing changes no bit, a head what it says, and keeping nothing either") {
  for (const auto& [called, model] : decoders()) {
    const std::string& name = called;
    CAPTURE(name);
    const Matrix plain = model->forward<float>({.tokens = kText}).logits;
    CHECK(kept<float>(*model).logits == plain);
    CHECK(kept<float>(*model, {.ablated = [](const HeadIndex&) { return false; }}).logits == plain);
    CHECK(kept<float>(*model, {.masked = {}}).logits == plain);
    const auto ablated = [](const HeadIndex& at) { return at.layer == 0 && at.head == 1; };
    const auto trace = kept<double>(*model, {.ablated = ablated});
    CHECK((trace.logits.cast<float>() - plain).cwiseAbs().maxCoeff() > 1e-4F);
    if (!why_no_parts(*model).empty()) continue;
    const auto parts = stream_parts(*model, kText, trace, 5, ablated);
    CHECK(largest(parts.vectors.colwise().sum().transpose() - parts.residual) <
          1e-11 * (1 + largest(parts.residual)));
    for (std::size_t k = 0; k < parts.parts.size(); ++k) {
      if (parts.parts[k] != StreamPart{StreamPart::Kind::head, 0, 1}) continue;
      CHECK(largest(parts.vectors.row(static_cast<Index>(k)).transpose()) == 0);
    }
  }
}

TEST_CASE("a hidden token weighs nothing; what stands before it is as it was") {
  for (const auto& [called, model] : decoders()) {
    const std::string& name = called;
    CAPTURE(name);
    const auto plain = kept<float>(*model);
    const auto hidden = kept<float>(*model, {.masked = {4}});
    const auto exact = kept<double>(*model, {.masked = {4}});
    for (std::size_t l = 0; l < hidden.decoder.layers.size(); ++l) {
      const auto& before = plain.decoder.layers[l]->self.weights;
      const auto& heads = hidden.decoder.layers[l]->self.weights;
      for (std::size_t h = 0; h < heads.size(); ++h) {
        for (Index i = 0; i < kTokens; ++i) {
          CHECK(heads[h](i, 4) == 0);
          float sum = 0;
          for (Index j = 0; j < kTokens; ++j) {
            sum += heads[h](i, j);
            CHECK(std::abs(static_cast<double>(heads[h](i, j)) -
                           exact.decoder.layers[l]->self.weights[h](i, j)) < 1e-4);
            if (i < 4) CHECK(std::abs(heads[h](i, j) - before[h](i, j)) < 1e-6F);
          }
          CHECK(std::abs(sum - 1) < 1e-5F);
        }
      }
    }
    // Of the next one at least, which no window keeps from it.
    CHECK((hidden.logits.row(5) - plain.logits.row(5)).cwiseAbs().maxCoeff() > 1e-4F);
    CHECK(hidden.logits.allFinite());
    // The first token, which then has nothing to look at.
    CHECK(kept<float>(*model, {.masked = {0}}).logits.allFinite());
  }
}

TEST_CASE("what is no decoder alone, or was not kept, is refused") {
  const auto bert = opened("bert");
  CHECK_THROWS_AS(static_cast<void>(why_no_parts(*bert)), core::InputError);
  ForwardOptions<float> options;
  options.masked = {0};
  CHECK_THROWS_AS(bert->forward<float>({.tokens = {5}}, options), core::InputError);
  const auto gpt2 = opened("gpt2");
  options.masked = {kTokens};
  CHECK_THROWS_AS(gpt2->forward<float>({.tokens = kText}, options), core::InputError);
  const auto bare = gpt2->forward<float>({.tokens = kText});
  CHECK_THROWS(stream_parts(*gpt2, kText, bare, 2));
  CHECK_THROWS(stream_parts(*gpt2, kText, kept<float>(*gpt2), kTokens));
}

TEST_CASE("how a token looks gives the weights of the pass, whatever positions add") {
  for (const char* name : {"gpt2", "bloom", "llama-gqa-sharded", "qwen2-window", "bert", "t5"}) {
    CAPTURE(name);
    const auto model = opened(name);
    const bool encoder = model->facts().kind == Kind::encoder;
    const bool two = model->facts().kind == Kind::encoder_decoder;
    Input input{.tokens = kText};
    if (two) input.decoder_tokens = {0, 7, 9, 3};
    const auto trace = model->forward<float>(input, {.keep_heads = true});
    std::vector<HeadIndex> places{{.encoder = encoder, .layer = 1, .head = 1}};
    if (two) places = {{.layer = 1}, {.encoder = true, .head = 1}, {.cross = true, .layer = 1}};
    for (const HeadIndex& place : places) {
      const auto& layer =
          *(place.encoder ? trace.encoder : trace.decoder).layers[std::size_t(place.layer)];
      const auto& weights =
          (place.cross ? layer.cross : layer.self).weights[std::size_t(place.head)];
      const Index token = weights.rows() - 1;
      const core::model::HeadAttention look = head_attention(*model, trace, place, token);
      const std::vector<double> scores = look.scores();
      double sum = 0;
      const auto e = [&](std::size_t j) { return look.allowed[j] ? std::exp(scores[j]) : 0; };
      for (std::size_t j = 0; j < scores.size(); ++j) sum += e(j);
      REQUIRE(std::ssize(scores) == weights.cols());
      for (std::size_t j = 0; j < scores.size(); ++j) {
        CHECK(e(j) / sum == doctest::Approx(double(weights(token, Index(j)))).epsilon(1e-4));
      }
    }
  }
  const auto model = opened("gpt2");
  const auto trace = model->forward<float>({.tokens = kText}, {.keep_heads = true});
  CHECK_THROWS_AS(head_attention(*model, trace, {}, kTokens), core::InputError);
  CHECK_THROWS_AS(head_attention(*model, trace, {.layer = 99}, 0), core::InputError);
}

TEST_SUITE_END();

}  // namespace checkpoint_inside_test
