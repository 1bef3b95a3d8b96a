// Models that have read: opened from beside the program, what they learned, what their heads do on
// texts that they did not learn from.
#include <doctest/doctest.h>

#include <cmath>

#include "app/labs/gpt_inside/page.h"
#include "core/decode/sampling.h"
#include "trying.h"

namespace language_models_test {

using namespace lab;
using core::Index, core::Matrix;

namespace {

PublishedModel opened(ShippedModel shipped) {
  return open_published(PublishedSource::of("", shipped), {.cancel = {}, .threads = 2});
}

// Bits a byte of texts, each read by itself, up to 64 tokens.
double bits_per_byte(const PublishedModel& model, std::size_t texts) {
  double bits = 0;
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < texts; ++k) {
    auto ids = published_text(model, model.held_out.at(k), true, {}).ids;
    ids.resize(std::min<std::size_t>(ids.size(), 64));
    const auto trace = model.model->forward<float>({.tokens = ids}, {.threads = 2}, {});
    for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
      const core::VectorD row = trace.logits.row(to_index(t)).transpose().cast<double>();
      const core::VectorD p = core::decode::Distribution::of_logits(row).probabilities;
      bits -= std::log2(p(ids[t + 1]));
      bytes += model.tokenizer->bytes(ids[t + 1]).size();
    }
  }
  return bits / static_cast<double>(bytes);
}

}  // namespace

TEST_CASE("both are opened from beside the program, each with texts that it did not learn from") {
  for (const ShippedModel shipped : {ShippedModel::english, ShippedModel::chinese}) {
    CAPTURE(shipped_folder(shipped));
    const PublishedModel model = opened(shipped);
    CHECK(model.facts().kind == core::checkpoint::Kind::decoder);
    CHECK(model.tokenizer);
    CHECK(model.held_out.size() >= 24);
    CHECK(model.facts().unread_settings.empty());
    CHECK(model.facts().left_over.empty());
    CHECK(made_up_weights(shipped).empty());
    // A text is read behind the token that stood between texts.
    const PublishedText text = published_text(model, "", true, {});
    CHECK(model.tokenizer->is_special(text.ids.front()));
    CHECK(text.ids.size() > 5);
  }
  CHECK_FALSE(made_up_weights(ShippedModel::gpt2).empty());
}

TEST_CASE("the English model guesses held-out definitions better than PPMd of order 6 would") {
  const double bits = bits_per_byte(opened(ShippedModel::english), 24);
  CHECK(bits < 1.8);
  CHECK(bits > 1);
}

TEST_CASE("the Chinese model has learned") {
  // A uniform choice of its tokens would be log2(3072) bits for each three bytes and more.
  CHECK(bits_per_byte(opened(ShippedModel::chinese), 24) < 3.2);
}

TEST_CASE("a text goes on with a token, where both are text") {
  const PublishedModel model = opened(ShippedModel::english);
  const auto ids = published_text(model, "The dog", true, {}).ids;
  const std::int32_t cat = model.find("␣cat", {}).value();
  CHECK(model.continued(ids, cat) == "The dog cat");
  CHECK_FALSE(model.continued(ids, ids.front()));  // the token between texts
  // A byte that begins a character is none yet.
  CHECK_FALSE(model.continued(ids, model.tokenizer->find("å").value()));
  CHECK_FALSE(model.continued(ids, model.tokenizer->end()));
}

}  // namespace language_models_test
