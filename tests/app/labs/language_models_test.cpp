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

TEST_CASE("the last step of a kept training is the model: its scores are those computed here") {
  for (const ShippedModel shipped : {ShippedModel::english, ShippedModel::chinese}) {
    CAPTURE(shipped_folder(shipped));
    const auto model = std::make_shared<const PublishedModel>(opened(shipped));
    REQUIRE(model->history);
    const auto& history = *model->history;
    CHECK(history.texts == to_index(model->held_out.size()));
    CHECK(history.text_tokens == gpt_inside::kMostHeldOut);
    REQUIRE(history.steps.size() >= 8);
    const auto& last = history.steps.back();
    const auto live = gpt_inside::held_out_scores({model, {}}, {.cancel = {}, .threads = 2});
    double most = 0;
    for (std::size_t l = 0; l < live.means.size(); ++l) {
      for (std::size_t h = 0; h < live.means[l].size(); ++h) {
        const auto &told = last.heads.at(l).at(h), &now = live.means[l][h];
        for (const auto& one : core::task::named_scores()) {
          most = std::max(most, std::abs((told.*one.score).mean - (now.*one.score).mean));
          CHECK((told.*one.score).positions == (now.*one.score).positions);
        }
        CHECK(core::task::called(told) == core::task::called(now));
      }
    }
    // Kernels of other processors add in another order.
    CHECK(most < 1e-3);
    const auto texts = core::checkpoint::token_texts(*model->tokenizer, model->held_out, 48);
    const auto loss = core::checkpoint::text_loss(*model->model, texts, {}, 2);
    CHECK(last.bits ==
          doctest::Approx(core::checkpoint::bits_per_byte(loss, texts, *model->tokenizer))
              .epsilon(1e-3));
    // It learned: fewer bits a byte from step to step, but for the last ones.
    CHECK(history.steps.front().step == 0);
    CHECK(history.steps.front().bits > 1.3 * last.bits);
    for (std::size_t k = 1; k < history.steps.size(); ++k) {
      CHECK(history.steps[k].step > history.steps[k - 1].step);
      CHECK(history.steps[k].tokens == 2048 * history.steps[k].step);
      CHECK(history.steps[k].bits < 1.02 * history.steps[k - 1].bits);
    }
  }
}

TEST_CASE("a head's name has with it on how many texts it holds") {
  auto trial = trying::made<gpt_inside::Parameters>({{"from", "published"}});
  const Page page = trial.page();
  const auto& table = trying::mark_of<figure::Table>(trying::plot_of(page, "scores"));
  const auto model = trial.model();
  const auto& held = *model.before.held_out;
  const auto places = model.places();
  std::size_t named = 0, holding = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto layer = to_size(places[k].layer), head = to_size(places[k].head);
    const auto which = core::task::called(held.means[layer][head]);
    const auto& cell = table.rows[k][1];
    CHECK(cell.size() == (which ? 2U : 1U));
    if (!which) continue;
    ++named;
    const auto& count = held.counts[layer][head][*which];
    CHECK(count.of <= to_index(model.opened->held_out.size()));
    CHECK(cell[1].text == fmt::format("{} of {} texts", count.texts, count.of));
    CHECK(count.texts > 0);
    holding += 2 * count.texts > count.of;
  }
  CHECK(named > 8);
  // Most names come from most of the texts, not from one.
  CHECK(2 * holding > named);
}

}  // namespace language_models_test
