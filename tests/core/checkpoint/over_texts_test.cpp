// Many texts, each read by itself: losses, scores of heads, their file, and what is changed.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/checkpoint/over_texts/changed.h"
#include "core/checkpoint/over_texts/precision.h"
#include "core/checkpoint/over_texts/score_history.h"
#include "core/checkpoint/over_texts/texts.h"
#include "core/decode/sampling.h"
#include "core/tokenizer/tokenizer_file.h"
#include "variant.h"

namespace over_texts_test {

using namespace core::checkpoint;  // NOLINT: the box under test
using checkpoint_test::opened;
using core::Index, core::Matrix, core::MatrixD;

namespace {

const std::vector<TokenText> kTexts = {
    {3, 9, 4, 4, 17, 3, 9, 21}, {5, 6, 7}, {8}, {2, 9, 2, 9, 2, 9, 2}};

double surprise(const Eigen::RowVectorXf& logits, std::int32_t next) {
  const auto p = core::decode::Distribution::of_logits(logits.cast<double>().transpose());
  return -std::log(p.probabilities(next));
}

bool same(const TextLoss& a, const TextLoss& b) { return a.nats == b.nats && a.said == b.said; }

// All matrices and rows as they are, and how often it was asked.
struct Nothing final : PassEdit {
  mutable std::atomic<int> matrices = 0, rows = 0, caches = 0;
  Weights::Stored matrix(const Parameter&, Weights::Stored stored) const override {
    ++matrices;
    return stored;
  }
  void given(Matrix&) const override { ++rows; }
  void kept(Matrix&, Matrix&) const override { ++caches; }
};

}  // namespace

TEST_CASE("the loss of texts is that of their tokens, whatever the threads") {
  const auto model = opened("llama-gqa-sharded");
  const TextLoss loss = text_loss(*model, kTexts, {}, 1);
  double sum = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < kTexts.size(); ++k) {
    const auto logits = model->forward<float>({.tokens = kTexts[k]}).logits;
    double of_text = 0;
    for (std::size_t t = 0; t + 1 < kTexts[k].size(); ++t) {
      of_text += surprise(logits.row(static_cast<Index>(t)), kTexts[k][t + 1]);
      Index said = 0;
      logits.row(static_cast<Index>(t)).maxCoeff(&said);
      CHECK(loss.said[at++] == said);
    }
    CHECK(loss.of_text[k] == doctest::Approx(of_text));
    sum += of_text;
  }
  CHECK(loss.tokens() == 7 + 2 + 0 + 6);
  CHECK(loss.nats == doctest::Approx(sum));
  CHECK(loss.mean() == doctest::Approx(sum / 15));
  CHECK(same(loss, text_loss(*model, kTexts, {}, 3)));
  TextLoss other = loss;
  other.said[0] += 1;
  other.said[14] += 1;
  CHECK(changed_share(loss, other) == doctest::Approx(2.0 / 15));
}

TEST_CASE("a window that reaches all keys changes nothing; one sees what a config's window sees") {
  const auto model = opened("llama-gqa-sharded");
  const WindowLosses losses = window_losses(*model, kTexts, {1, 4, 8}, 2);
  CHECK(losses.whole == text_loss(*model, kTexts).mean());
  CHECK(losses.windows[2].alone == doctest::Approx(losses.whole).epsilon(1e-6));
  CHECK(losses.windows[2].with_first == doctest::Approx(losses.whole).epsilon(1e-6));
  CHECK(std::abs(losses.windows[0].alone - losses.whole) > 1e-4);
  CHECK(std::abs(losses.windows[0].alone - losses.windows[0].with_first) > 1e-4);
  // Mistral's own window of keys, and the same by hand.
  const auto windowed = opened("mistral");
  const Index window = windowed->facts().positions.window(0);
  REQUIRE(window > 1);
  const TokenText text = {3, 9, 4, 4, 17, 3, 9, 21, 5, 6, 7, 8, 2, 9, 2, 9};
  ForwardOptions<float> options;
  options.sees = [&](Index query, Index key) { return query - key < window; };
  const Matrix by_hand = windowed->forward({.tokens = text}, options).logits;
  CHECK((by_hand - windowed->forward<float>({.tokens = text}).logits).cwiseAbs().maxCoeff() <
        1e-5F);
  // The first token seen as well is more than the window, where the text is longer.
  REQUIRE(static_cast<Index>(text.size()) > window);
  options.sees = [](Index query, Index key) { return query - key < 2 || key == 0; };
  const auto trace = opened("llama-gqa-sharded")->forward({.tokens = text}, options);
  const auto& weights = trace.decoder.layers[0]->self.weights[0];
  CHECK(weights(9, 0) > 0);
  CHECK(weights(9, 8) > 0);
  CHECK(weights(9, 4) == 0);
}

TEST_CASE("each head is knocked out by itself") {
  const auto model = opened("llama-gqa-sharded");
  const MatrixD rise = ablated_losses(*model, kTexts, 2);
  CHECK(rise.rows() == model->facts().layers);
  CHECK(rise.cols() == model->facts().heads);
  ForwardOptions<float> options;
  const double whole = text_loss(*model, kTexts).mean();
  for (Index l = 0; l < rise.rows(); ++l) {
    for (Index h = 0; h < rise.cols(); ++h) {
      options.ablated = [=](const HeadIndex& at) { return at.layer == l && at.head == h; };
      const double without = text_loss(*model, kTexts, options).mean();
      CHECK(rise(l, h) == doctest::Approx(without - whole).epsilon(1e-9));
    }
  }
  CHECK(rise(1, 2) != rise(0, 2));
}

TEST_CASE("a pass goes on from the layers of an earlier one, in every architecture that decodes") {
  for (const char* name : {"gpt2", "pythia", "bloom-post", "llama-gqa-sharded"}) {
    CAPTURE(std::string(name));
    const auto model = opened(name);
    const TokenText text = {3, 9, 4, 4, 17, 3, 9, 21, 5, 6, 7, 8};
    const auto whole = model->forward<float>({.tokens = text});
    const Index layers = model->facts().layers;
    for (Index first = 0; first <= layers; ++first) {
      ForwardOptions<float> options;
      options.begun = &whole;
      options.first_layer = first;
      const auto again = model->forward({.tokens = text}, options);
      CHECK(again.logits == whole.logits);
      REQUIRE(static_cast<Index>(again.decoder.layers.size()) == layers);
      for (Index l = 0; l < layers; ++l) {
        CHECK((again.decoder.layers[static_cast<std::size_t>(l)] != nullptr) == (l >= first));
      }
    }
    ForwardOptions<float> wrong;
    wrong.begun = &whole;
    for (const Index first : {Index{-1}, layers + 1}) {
      wrong.first_layer = first;
      CHECK_THROWS_AS(model->forward({.tokens = text}, wrong), core::InputError);
    }
    wrong.first_layer = 1;
    CHECK_THROWS_AS(model->forward({.tokens = {3, 9}}, wrong), core::InputError);
    const auto forgotten = model->forward<float>({.tokens = text}, {.keep_layers = false});
    wrong.begun = &forgotten;
    CHECK_THROWS_AS(model->forward({.tokens = text}, wrong), core::InputError);
  }
}

TEST_CASE("what is explained lies between -1 and 1, of texts that are long enough") {
  const auto model = opened("llama-gqa-sharded");
  const Explained one = attention_explains(*model, kTexts, 1);
  CHECK(one.texts == 2);
  CHECK(one.rho.cwiseAbs().maxCoeff() <= 1);
  CHECK(one.rho.cwiseAbs().maxCoeff() > 0);
  const Explained two = attention_explains(*model, kTexts, 2);
  CHECK(one.rho == two.rho);
  CHECK(one.mean_weights == two.mean_weights);
  // Of one text with three tokens between, the mean is its own.
  const Explained a = attention_explains(*model, {kTexts[0]}),
                  b = attention_explains(*model, {kTexts[3]});
  CHECK(one.mean_weights == doctest::Approx((a.mean_weights + b.mean_weights) / 2));
}

TEST_CASE("an edit that changes nothing changes no bit, and is asked of all") {
  const auto model = opened("llama-gqa-sharded");
  const Nothing edit;
  ForwardOptions<float> options;
  options.edit = &edit;
  const TokenText& text = kTexts[0];
  const Matrix plain = model->forward<float>({.tokens = text}).logits;
  CHECK(model->forward({.tokens = text}, options).logits == plain);
  const int layers = static_cast<int>(model->facts().layers);
  CHECK(edit.caches == layers);
  CHECK(edit.rows == 7 * layers + 1);      // q, k, v, o, gate, up, down; the head
  CHECK(edit.matrices == 7 * layers + 2);  // and the embedding
}

TEST_CASE("numbers are scaled by group, so that the largest becomes the format's largest") {
  // e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6.
  Matrix x(2, 4);
  x << 1, 2, 3, 4, 0.1F, 0.2F, 0.3F, 0.4F;
  Matrix tensor = x, row = x;
  round_scaled(tensor, core::kFp4E2m1, ScaleGroup::tensor);
  round_scaled(row, core::kFp4E2m1, ScaleGroup::row);
  // 1.5, 3, 4.5 (a tie, to 4) and 6, by 2/3.
  const float expected[] = {1, 2, 8 / 3.0F, 4};
  for (Index c = 0; c < 4; ++c) {
    CHECK(tensor(0, c) == doctest::Approx(expected[c]));
    CHECK(row(0, c) == doctest::Approx(expected[c]));
    CHECK(row(1, c) == doctest::Approx(0.1F * expected[c]));
  }
  // 0.15, 0.3, 0.45, 0.6 of the whole: to 0, 0.5, 0.5, 0.5.
  CHECK(tensor(1, 0) == 0);
  CHECK(tensor(1, 3) == doctest::Approx(1 / 3.0));
  Matrix wide = Matrix::Constant(1, 40, 0.25F);
  wide(0, 0) = 1000;
  round_scaled(wide, core::kFp4E2m1, ScaleGroup::block);
  CHECK(wide(0, 1) == 0);
  CHECK(wide(0, 32) == doctest::Approx(0.25F));  // of another block
  // Of more than 8 bits nothing is scaled.
  Matrix half = Matrix::Constant(1, 1, 1.00048828125F);
  round_scaled(half, core::kFloat16, ScaleGroup::tensor);
  CHECK(half(0, 0) == 1);
  Matrix zero = Matrix::Zero(2, 2);
  round_scaled(zero, core::kFp8E4m3, ScaleGroup::tensor);
  CHECK(zero.isZero(0));
}

TEST_CASE("each case of rounding changes what it says, the coarser the more") {
  const auto model = opened("llama-gqa-sharded");
  const RoundedLosses losses = rounded_losses(*model, kTexts, 1000, 2);
  const auto& cases = rounded_cases();
  const TextLoss plain = text_loss(*model, kTexts);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    CAPTURE(c);
    const RoundedPass pass(*model, cases[c], rounded_formats()[5].format, 1000);
    const TextLoss rounded = text_loss(*model, kTexts, pass.options());
    CHECK_FALSE(same(plain, rounded));
    CHECK(losses[c][5].rise == doctest::Approx(rounded.mean() - plain.mean()).epsilon(1e-3));
    if (cases[c].part == RoundedPart::ids) continue;
    CHECK(std::abs(losses[c][0].rise) < std::abs(losses[c][5].rise) + 1e-3);
    CHECK(std::abs(losses[c][0].rise) < 2e-3);
  }
  // bfloat16 holds no ids of four digits, float16 does up to 2,048.
  CHECK(std::abs(losses[0][0].rise) < 1e-6);
  CHECK(std::abs(losses[0][1].rise) > 1e-6);
  const RoundedNext next = rounded_next(*model, kTexts[0], 1000);
  Index said = 0;
  model->forward<float>({.tokens = kTexts[0]}).logits.row(7).maxCoeff(&said);
  CHECK(next.exact == said);
  CHECK(next.rounded[0][0] == said);
  // A model that rotates nothing has no ids and tables to round.
  const RoundedLosses gpt2 = rounded_losses(*opened("gpt2"), kTexts, 0);
  CHECK(gpt2[0][5].rise == 0);
  CHECK(gpt2[1][5].rise == 0);
  CHECK(gpt2[2][5].rise != 0);
}

TEST_CASE("what breaks first") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(breaks_at({{{0, 0}, {0.1, 0}, {0.2, 0}, {0, 0}, {3, 0}, {4, 0}}}, 0.1) == 2);
  CHECK(breaks_at({{{0, 0}, {nan, 0}, {0.2, 0}, {0, 0}, {3, 0}, {4, 0}}}, 0.1) == 1);
  CHECK(breaks_at({}, 0.1) == 6);
}

TEST_CASE("scores over texts are those of all tokens, counted text by text; the file keeps them") {
  const auto folder = std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "assets/checkpoints/llama";
  const auto model = open_model(folder);
  const auto tokenizer = core::subword::read_tokenizer(folder / "tokenizer.json", {}, {});
  const auto texts = token_texts(
      tokenizer, {"the cat sat on the mat, and the cat sat", "a dog: an animal (of a kind)", "cat"},
      9);
  REQUIRE(texts.size() == 3);
  CHECK(texts[0].size() == 9);
  const TextScores scores = text_scores(*model, tokenizer, texts, {}, 2);
  namespace task = core::task;
  for (Index l = 0; l < model->facts().layers; ++l) {
    for (Index h = 0; h < model->facts().heads; ++h) {
      task::HeadMeter all;
      TextCounts counts{};
      for (const TokenText& text : texts) {
        const auto meters =
            head_meters(model->forward<float>({.tokens = text}), text, &tokenizer, 1);
        const task::HeadMeter& one =
            meters[static_cast<std::size_t>(l)][static_cast<std::size_t>(h)];
        all.add(one);
        for (std::size_t k = 0; k < task::kNamedScores; ++k) {
          const task::HeadScores here = one.scores();
          if ((here.*task::named_scores()[k].score).positions == 0) continue;
          ++counts[k].of;
          counts[k].texts += task::stands_out(here, k);
        }
      }
      const auto& mine = scores.means[static_cast<std::size_t>(l)][static_cast<std::size_t>(h)];
      const auto& mine_counts =
          scores.counts[static_cast<std::size_t>(l)][static_cast<std::size_t>(h)];
      for (std::size_t k = 0; k < task::kNamedScores; ++k) {
        const auto score = task::named_scores()[k].score;
        CHECK((mine.*score).mean == (all.scores().*score).mean);
        CHECK(mine_counts[k].texts == counts[k].texts);
        CHECK(mine_counts[k].of == counts[k].of);
      }
      CHECK(mine_counts[0].of >= 2);  // a text of one token has no token before
    }
  }
  ScoreHistory history{3, 9, {}};
  history.steps.push_back({.step = 5,
                           .tokens = 40,
                           .bits = bits_per_byte(text_loss(*model, texts), texts, tokenizer),
                           .of_texts = {1.25, 2, 3},
                           .training = 2.5,
                           .heads = scores.means});
  history.steps.push_back(history.steps.front());
  history.steps.back().step = 6;
  history.steps.back().training.reset();
  const ScoreHistory read = read_history(history_json(history), "x");
  CHECK(read.texts == 3);
  CHECK(read.text_tokens == 9);
  REQUIRE(read.steps.size() == 2);
  CHECK(read.steps[0].step == 5);
  CHECK(read.steps[0].tokens == 40);
  CHECK(read.steps[0].bits == doctest::Approx(history.steps[0].bits).epsilon(1e-5));
  CHECK(read.steps[0].of_texts == history.steps[0].of_texts);
  CHECK(read.steps[0].training == 2.5);
  CHECK_FALSE(read.steps[1].training);
  for (const task::NamedScore& one : task::named_scores()) {
    const auto& a = read.steps[1].heads[0][1].*one.score;
    const auto& b = scores.means[0][1].*one.score;
    if (one.of == task::NamedScore::Of::task) continue;
    CHECK(a.mean == doctest::Approx(b.mean).epsilon(1e-4));
    CHECK(a.even == doctest::Approx(b.even).epsilon(1e-4));
    CHECK(a.positions == b.positions);
  }
  for (const char* bad : {"", "[]", "{\"texts\": 3}", "{"}) {
    CHECK_THROWS_WITH(read_history(bad, "history.json"),
                      "history.json: expected the scores of heads at steps of a training, got "
                      "something else");
  }
}

}  // namespace over_texts_test
