// Logits asked for in any order: those of the whole pass, and the same bits whatever was asked
// before.
#include "core/checkpoint/cached_logits.h"

#include <atomic>

#include "checkpoint/variant.h"

namespace cached_logits_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::Matrix, core::VectorD;

namespace {

using Ids = std::vector<std::int32_t>;

const Ids kPrompt = {5, 34, 15, 38, 3, 16, 17, 1, 9, 40};

Ids with(Ids written) {
  Ids all = kPrompt;
  all.insert(all.end(), written.begin(), written.end());
  return all;
}

const char* const kDecoders[] = {"gpt2",       "pythia",    "llama-gqa-sharded", "llama-dynamic",
                                 "llama-yarn", "mistral",   "qwen2-window",      "qwen3",
                                 "bloom",      "bloom-post"};

}  // namespace

TEST_SUITE_BEGIN("cached logits of published models");

TEST_CASE("in any order they are the logits of the whole pass, to the same bits") {
  for (const std::string name : kDecoders) {
    CAPTURE(name);
    const auto model = opened(name);
    // Once in order, and once forth and back, with room for one text alone.
    CachedLogits kept(model, kPrompt);
    CachedLogits poor(model, kPrompt, {.most_bytes = 1, .threads = 1});
    const std::vector<Ids> asked = {{}, {2}, {2, 33}, {2, 33, 12}, {7}, {7, 8}, {2, 33, 8}};
    std::vector<VectorD> first;
    for (const Ids& written : asked) {
      const Matrix whole = model->forward<float>({.tokens = with(written)}).logits;
      first.push_back(kept(with(written)));
      const core::Vector last = whole.row(whole.rows() - 1).transpose();
      CHECK((first.back().cast<float>() - last).cwiseAbs().maxCoeff() < 3e-5F);
    }
    for (std::size_t k = asked.size(); k-- > 0;) {
      CAPTURE(k);
      CHECK(poor(with(asked[k])) == first[k]);
      CHECK(kept(with(asked[k])) == first[k]);
    }
    const Index one = model->facts().vocabulary * Index(sizeof(float));
    CHECK(poor.bytes_kept() == one);
    CHECK(kept.bytes_kept() == Index(asked.size()) * one);
  }
}

TEST_CASE("cancelled, it can be asked again; other texts and other models are refused") {
  const auto model = opened("gpt2");
  CachedLogits next(model, kPrompt);
  std::atomic<std::int64_t> questions = 3;
  CHECK_THROWS_AS(next(with({2}), core::Cancel(questions)), core::Cancelled);
  CHECK(next(with({2})) == CachedLogits(model, kPrompt)(with({2})));
  CHECK_THROWS(next({5, 34}));
  CHECK_THROWS_AS(next(with({-1})), core::InputError);
  CHECK(next(with({3})) == CachedLogits(model, kPrompt)(with({3})));
  CHECK_THROWS_AS(CachedLogits(model, {}), core::InputError);
  CHECK_THROWS_AS(CachedLogits(opened("bert"), kPrompt), core::InputError);
}

TEST_CASE("the token that ends texts is the config's, of several the first") {
  const auto end_with = [](const std::string& value) {
    Variant variant("gpt2");
    variant.config("\"eos_token_id\": 47", value);
    return open_model(variant.path())->facts().end;
  };
  CHECK(opened("gpt2")->facts().end == 47);
  CHECK(end_with("\"eos_token_id\": [9, 47]") == 9);
  for (const char* none : {"null", "-3", "[]", "\"47\"", "4.5", "1000000"}) {
    CAPTURE(none);
    CHECK(end_with(std::string("\"eos_token_id\": ") + none) == -1);
  }
  CHECK(end_with("\"of_its_own\": 47") == -1);
}

TEST_SUITE_END();

}  // namespace cached_logits_test
