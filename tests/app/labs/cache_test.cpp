#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/labs/cache/page.h"
#include "core/tile.h"
#include "trying.h"

namespace cache_test {

using namespace lab::cache;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
using core::Matrix;
using core::MatrixD;

namespace {

using Made = Trial<Parameters>;
// By a published model, which the lab begins with; by the small one that was trained here.
Made read(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made made(const param::Values& values) {
  Made m = read({{"from", "trained"}});
  m.set(values);
  return m;
}
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("cache", id); }

}  // namespace

TEST_SUITE_BEGIN("lab cache");

TEST_CASE("cache: what it reads is what the whole pass computes") {
  for (const char* recipe : {"induction", "copy", "addition", "text_chinese"}) {
    CAPTURE(recipe);
    Made m = made({{"model", recipe}});
    const Model model = m.model();
    const auto& trace = model.looked->trace;
    const core::model::DecoderForm& form = model.story->form();
    const Index n = model.story->n();
    for (Index l = 0; l < form.layers; ++l) {
      const auto& whole = trace.at(fmt::format("decoder.{}.self.weights", l)).values;
      float worst = 0;
      for (Index h = 0; h < form.layer.heads; ++h) {
        const Matrix& cached =
            model.exact->weights[static_cast<std::size_t>(l * form.layer.heads + h)];
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j <= i; ++j) {
            const float wanted = whole[static_cast<std::size_t>((h * n + i) * n + j)];
            worst = std::max(worst, std::abs(cached(i, j) - wanted));
          }
          if (i + 1 < n) CHECK(core::is_masked(cached(i, i + 1)));
        }
      }
      CHECK(worst < 1e-4F);
    }
    const Matrix p = model.exact->log_p.array().exp().matrix().cast<float>();
    CHECK((p - model.looked->probabilities).cwiseAbs().maxCoeff() < 1e-4F);
  }
}

TEST_CASE("cache: what a published model reads is what its own pass computes") {
  for (const char* published : {"english", "chinese", "gpt2"}) {
    CAPTURE(published);
    Made m = read({{"published", published}});
    const Model model = m.model();
    const Story& story = *model.story;
    const auto whole = story.opened->model->forward<float>({.tokens = story.ids()});
    CHECK((model.exact->logits - whole.logits).cwiseAbs().maxCoeff() < 2e-4F);
    const core::model::DecoderForm& form = story.form();
    for (Index l = 0; l < form.layers; ++l) {
      for (Index h = 0; h < form.layer.heads; ++h) {
        Matrix cached = model.exact->weights[static_cast<std::size_t>(l * form.layer.heads + h)];
        for (Index i = 0; i + 1 < story.n(); ++i) {
          CHECK(core::is_masked(cached(i, i + 1)));
          cached.row(i).tail(story.n() - 1 - i).setZero();
        }
        const auto& wanted = whole.decoder.layers[static_cast<std::size_t>(l)]
                                 ->self.weights[static_cast<std::size_t>(h)];
        CHECK((cached - wanted.matrix()).cwiseAbs().maxCoeff() < 1e-4F);
      }
    }
    // Every token but the last is judged.
    double sum = 0;
    for (Index t = 0; t + 1 < story.n(); ++t) {
      sum +=
          core::task::surprise(whole.logits.row(t), story.ids()[static_cast<std::size_t>(t + 1)]);
    }
    CHECK(model.exact->evaluated == story.n() - 1);
    CHECK(model.exact->mean_loss ==
          doctest::Approx(sum / static_cast<double>(story.n() - 1)).epsilon(1e-4));
    CHECK(std::isnan(model.exact->loss.back()));
    CHECK(m.page().made_up.empty() ==
          (story.opened->name == "english" || story.opened->name == "chinese"));
  }
}

TEST_CASE("cache: a text of one's own by a model that has read") {
  Made m = read({{"text", "In the beginning was the cat."}, {"explain", "weight"}, {"key", "2"}});
  const Model model = m.model();
  CHECK(model.token == model.story->n() - 1);
  // Four layers of eight heads of 32, keys and values in float16.
  const lab::Page page = m.page();
  CHECK(readout(page, "written_bytes") == 2 * 4 * 8 * 32 * 2);
  const float weight = model.exact->weights[0](model.token, 2);
  CHECK(says(page, lab::weight_text(static_cast<double>(weight))));
  std::string many;
  for (int k = 0; k < 200; ++k) many += "cat ";
  m.set({{"text", many}});
  CHECK(m.model().story->n() == kMostTokens);
  CHECK(m.page().notes.size() == 1);
  // It reads another text when it is typed, and is opened and laid out once.
  CHECK(m.memo.runs("opened") == 1);
  CHECK(m.memo.runs("packed") == 1);
}

TEST_CASE("cache: rounding and forgetting by a model that has read") {
  Made exact = read({{"view", "rounding"}, {"format", "float32"}, {"rounded", "both"}});
  const Model same = exact.model();
  CHECK(apart(*same.exact, *same.other).mean_divergence == 0);
  exact.set({{"format", "e5m2"}});
  const Model rounded = exact.model();
  CHECK(apart(*rounded.exact, *rounded.other).mean_divergence > 1e-3);
  CHECK(says(exact.page(), "p"));
  Made few = read({{"view", "eviction"}, {"window", "4"}, {"sinks", "1"}});
  const lab::Page page = few.page();
  CHECK(readout(page, "loss_window") > readout(page, "loss_whole"));
  CHECK(readout(page, "bytes") == 5 * 2 * 4 * 8 * 32 * 2);
  few.set({{"window", "128"}, {"format", "float32"}});
  CHECK(few.model().listed[1]->logits == few.model().exact->logits);
}

TEST_CASE("cache: models that cannot be laid out are refused in one sentence") {
  const std::string folders = std::string(ATTNSCOPE_SOURCE_DIR) + "/tests/reference/checkpoints/";
  for (const char* name : {"bloom", "mistral", "bert", "t5"}) {
    CAPTURE(name);
    Made m = read({{"folder", folders + name}});
    CHECK_THROWS_AS(m.model(), core::InputError);
  }
  Made llama = read({{"folder", folders + "llama3"}, {"text", "1 2 3 4 5"}});
  CHECK(llama.model().story->n() == 5);
}

TEST_CASE("cache: costs of the first page by hand") {
  // Two layers, one head of 32, width 32, attention alone; 35 tokens in the vocabulary.
  Made m = made({});
  const lab::Page page = m.page();
  CHECK(readout(page, "written_bytes") == 2 * 2 * 32 * 2);
  CHECK(readout(page, "cache_bytes") == 21 * 256);
  CHECK(readout(page, "macs") == 2 * 4 * 32 * 32 + 2 * 2 * 32 * 21 + 32 * 35);
  CHECK(says(page, "= 5,376"));
  m.set({{"format", "e5m2"}});
  CHECK(readout(m.page(), "cache_bytes") == 21 * 128);
  // A token beyond the text is its last.
  m.set({{"token", "127"}});
  CHECK(m.model().token == 47);
  CHECK(preset("first_look").model().token == 20);
}

TEST_CASE("cache: 35 times fewer multiply-adds at the last token") {
  const double fewer = readout(preset("without").page(), "fewer");
  CHECK(std::floor(fewer) == 35);
  // 48 tokens' projections, 48 * 49 / 2 pairs, and logits once.
  CHECK(fewer == doctest::Approx((48.0 * 8192 + 128 * 1176 + 1120) / (8192 + 128 * 48 + 1120)));
}

TEST_CASE("cache: the weight of a cached key is explained from its numbers") {
  Made m = preset("from_cache");
  const Model model = m.model();
  CHECK(model.key == 17);
  const lab::Page page = m.page();
  const float weight = model.exact->weights[1](40, 17);
  CHECK(says(page, lab::weight_text(static_cast<double>(weight))));
}

TEST_CASE("cache: large models, as the presets say") {
  const lab::Page gpt2 = preset("gpt2").page();
  CHECK(readout(gpt2, "token") == 36864);
  CHECK(readout(gpt2, "cache") == 37748736);
  CHECK(readout(gpt2, "weights") == doctest::Approx(495e6).epsilon(0.001));
  CHECK(std::ceil(readout(gpt2, "even")) == 13418);
  // The smallest model, read by as many texts as there may be: a token each is as much.
  const lab::Page small = made({{"view", "memory"},
                                {"layers", "1"},
                                {"heads", "1"},
                                {"key_heads", "1"},
                                {"width", "2"},
                                {"inner", "0"},
                                {"vocabulary", "2"},
                                {"sequences", "1024"}})
                              .page();
  const auto even = std::find_if(small.readouts.begin(), small.readouts.end(),
                                 [](const lab::Readout& one) { return one.id == "even"; });
  REQUIRE(even != small.readouts.end());
  CHECK(even->text == "1 token");
  Made grouped = preset("grouped");
  CHECK(readout(grouped.page(), "token") == 327680);
  CHECK(readout(grouped.page(), "smaller") == 8);
  const KindCost all = kind_cost(grouped.p, Kind::multi_head, 4096);
  CHECK(all.written == 2621440);
  CHECK(all.cache == doctest::Approx(10.7e9).epsilon(0.01));
  const lab::Page many = preset("many_texts").page();
  CHECK(readout(many, "cache") == doctest::Approx(137e9).epsilon(0.005));
  CHECK(readout(many, "cache") / readout(many, "weights") == doctest::Approx(10).epsilon(0.1));
  Made sliding = preset("sliding");
  CHECK(kind_cost(sliding.p, Kind::sliding, 131072).cache ==
        kind_cost(sliding.p, Kind::sliding, 4096).cache);
  CHECK(kind_cost(sliding.p, Kind::grouped, 131072).cache ==
        32 * kind_cost(sliding.p, Kind::sliding, 131072).cache);
}

TEST_CASE("cache: kinds by hand, and heads that cannot share evenly") {
  Made m = made({{"view", "memory"},
                 {"layers", "2"},
                 {"heads", "6"},
                 {"key_heads", "4"},
                 {"width", "8"},
                 {"inner", "0"},
                 {"vocabulary", "10"},
                 {"tokens", "100"},
                 {"sequences", "3"},
                 {"sliding", "20"},
                 {"format", "e4m3fn"},
                 {"bandwidth", "2"}});
  CHECK(fitting_key_heads(6, 4) == 3);
  CHECK(kind_cost(m.p, Kind::grouped, 100).cache == 3 * 100 * 2 * 2 * 3 * 8);
  CHECK(kind_cost(m.p, Kind::multi_head, 100).written == 2 * 2 * 6 * 8);
  CHECK(kind_cost(m.p, Kind::multi_query, 100).cache == 3 * 100 * 2 * 2 * 8);
  CHECK(kind_cost(m.p, Kind::sliding, 100).cache == 3 * 20 * 2 * 2 * 3 * 8);
  const KindCost own = kind_cost(m.p, Kind::grouped, 100);
  CHECK(own.seconds == doctest::Approx(own.read / 2e9));
  CHECK(m.page().notes.size() == 2);
}

TEST_CASE("cache: measuring generates here, and refuses what is too large") {
  Made m = made({{"view", "memory"},
                 {"layers", "2"},
                 {"heads", "2"},
                 {"key_heads", "1"},
                 {"width", "16"},
                 {"inner", "64"},
                 {"vocabulary", "50"},
                 {"tokens", "40"},
                 {"measurement", "1"}});
  const auto measured = m.model().measured;
  REQUIRE(measured->times.size() == 2);
  CHECK(measured->times[0].n == 16);
  CHECK(measured->times[1].n == 40);
  CHECK(measured->bandwidth > 0);
  CHECK(measured->times[1].seconds > 0);
  // 2 layers, a key head of 16, keys and values, float16: 24 tokens more.
  CHECK(measured->times[1].bytes - measured->times[0].bytes == 24 * 2 * 2 * 16 * 2);
  CHECK(has_figure(m.page(), "measured"));
  m.set({{"layers", "128"}, {"width", "256"}, {"heads", "64"}, {"key_heads", "64"}});
  CHECK(m.model().measured->too_large);
  CHECK_FALSE(has_figure(m.page(), "measured"));
}

TEST_CASE("cache: rounding, as the presets say") {
  const auto mean = [](Made m) {
    const Model model = m.model();
    return apart(*model.exact, *model.other).mean_divergence;
  };
  CHECK(readout(preset("half").page(), "changed") == 0);
  CHECK(readout(preset("half").page(), "bytes") == 256);
  CHECK(readout(preset("eight_bits").page(), "changed") == 3);
  CHECK(mean(preset("eight_bits")) > 1000 * mean(preset("half")));
  CHECK(mean(preset("weights_too")) > 0);
  const lab::Page four = preset("four_bits").page();
  CHECK(readout(four, "loss_exact") == doctest::Approx(0.12).epsilon(0.05));
  CHECK(readout(four, "loss") == doctest::Approx(0.14).epsilon(0.03));
  CHECK(readout(four, "bytes") == 64);  // 128 numbers of 4 bits
  // float32 changes nothing at all.
  Made exact = made({{"view", "rounding"}, {"format", "float32"}, {"rounded", "both"}});
  CHECK(mean(exact) == 0);
  // A format without room: no number is left, and the page says so.
  Made narrow = made({{"view", "rounding"},
                      {"format", "custom"},
                      {"exponent_bits", "2"},
                      {"mantissa_bits", "1"},
                      {"bias", "3"}});
  CHECK_FALSE(narrow.model().other->finite);
  CHECK_FALSE(narrow.page().notes.empty());
}

TEST_CASE("cache: rounding over seeds 0 to 9, as the presets say") {
  Index most = 0, least = 100;
  for (int seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const param::Values set{{"seed", std::to_string(seed)}};
    Made half = preset("half"), eight = preset("eight_bits"), four = preset("four_bits");
    half.set(set), eight.set(set), four.set(set);
    const Model a = half.model(), b = eight.model();
    CHECK(apart(*a.exact, *a.other).changed == 0);
    const Apart off = apart(*b.exact, *b.other);
    CHECK(off.mean_divergence > 10'000 * apart(*a.exact, *a.other).mean_divergence);
    most = std::max(most, off.changed), least = std::min(least, off.changed);
    const lab::Page page = four.page();
    CHECK(std::abs(readout(page, "loss") - readout(page, "loss_exact")) < 0.03);
  }
  CHECK(least == 0);
  CHECK(most == 6);
}

TEST_CASE("cache: four bits are four bits, in the text that is read and in a large model") {
  const param::Values bits{{"format", "custom"},
                           {"specials", "none"},
                           {"exponent_bits", "2"},
                           {"mantissa_bits", "1"},
                           {"bias", "1"}};
  Made large = preset("gpt2");
  large.set(bits);
  // 1,024 tokens of 18,432 numbers.
  CHECK(readout(large.page(), "cache") == 1024 * 18432 / 2);
  CHECK(says(large.page(), "1,024·73,728 / 8"));
  Made story = made(bits);
  CHECK(readout(story.page(), "cache_bytes") == 21 * 64);
  CHECK(readout(story.page(), "written_bytes") == 64);
  // Five bits do not fill whole bytes: 3 tokens of 4 numbers are 60 bits.
  Made odd = made({{"view", "memory"},
                   {"layers", "1"},
                   {"heads", "1"},
                   {"key_heads", "1"},
                   {"width", "2"},
                   {"tokens", "3"},
                   {"format", "custom"},
                   {"specials", "none"},
                   {"exponent_bits", "2"},
                   {"mantissa_bits", "2"},
                   {"bias", "1"}});
  CHECK(readout(odd.page(), "cache") == 8);
  CHECK(says(odd.page(), "⌈3·20 / 8⌉"));
}

TEST_CASE("cache: divergence by hand") {
  Reading p, q;
  p.log_p = MatrixD{{std::log(0.5), std::log(0.5)}};
  q.log_p = MatrixD{{std::log(0.25), std::log(0.75)}};
  p.logits = Matrix{{1, 3}};
  q.logits = Matrix{{1.5, 1}};
  const Apart off = apart(p, q);
  CHECK(off.logit[0] == 2);
  CHECK(off.divergence[0] == doctest::Approx(0.5 * std::log(2) + 0.5 * std::log(2.0 / 3)));
  CHECK(off.changed == 1);
}

TEST_CASE("cache: eviction, as the presets say") {
  const lab::Page forgets = preset("forgets").page();
  CHECK(readout(forgets, "loss_whole") == doctest::Approx(0.12).epsilon(0.05));
  CHECK(readout(forgets, "loss") == doctest::Approx(3.8).epsilon(0.01));
  const lab::Page enough = preset("window_enough").page();
  CHECK(readout(enough, "loss") <= readout(enough, "loss_whole"));
  const lab::Page sinks = preset("sinks").page();
  CHECK(readout(sinks, "loss_window") == doctest::Approx(0.14).epsilon(0.02));
  CHECK(readout(sinks, "loss") == doctest::Approx(0.22).epsilon(0.02));
  CHECK(readout(sinks, "bytes") == 20 * 256);
  // Nothing is gone from a window that holds everything.
  Made all = made({{"view", "eviction"}, {"window", "128"}, {"format", "float32"}});
  CHECK(readout(all.page(), "gone") == 0);
  CHECK(all.model().other->logits == all.model().exact->logits);
  // The last 8 of 21: weights on them alone, summing to one.
  Made eight = made({{"view", "eviction"}, {"window", "8"}});
  const Model model = eight.model();
  const Matrix& weights = model.other->weights[0];
  CHECK(core::is_masked(weights(20, 12)));
  CHECK(weights.row(20).segment(13, 8).sum() == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("cache: eviction over seeds 0 to 9, as the presets say") {
  int rises = 0, fails = 0;
  for (int seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const param::Values set{{"seed", std::to_string(seed)}};
    Made enough = preset("window_enough"), sinks = preset("sinks");
    enough.set(set), sinks.set(set);
    const lab::Page wide = enough.page(), kept = sinks.page();
    CHECK(std::abs(readout(wide, "loss") - readout(wide, "loss_whole")) < 0.02);
    // The text's period is the shortest shift that leaves it as it is.
    const Model model = sinks.model();
    const auto& ids = model.story->ids();
    std::size_t period = 1;
    while (!std::equal(ids.begin() + static_cast<std::ptrdiff_t>(period), ids.end(), ids.begin()))
      ++period;
    CHECK(period <= 24);
    if (seed == 1) CHECK(period == 16);
    rises += readout(kept, "loss") > readout(kept, "loss_window");
    CHECK((readout(kept, "loss") > 3) == (period > 16));
    fails += period > 16;
  }
  CHECK(rises == 4);
  CHECK(fails == 5);
}

TEST_CASE("cache: a model with learned places keeps those of the text, and the page says so") {
  Made m = made({{"view", "eviction"},
                 {"model", "addition"},
                 {"window", "6"},
                 {"sinks", "2"},
                 {"places", "in_cache"}});
  CHECK(evicting_ways(m.p, m.model().story->form()).back().positions == CachePositions::original);
  CHECK(m.page().notes.size() == 1);
}

TEST_CASE("cache: the row in one pass, as the presets say") {
  Made m = preset("online");
  const Model model = m.model();
  REQUIRE(model.online->steps.size() == 8);
  int rises = 0;
  for (const auto& step : model.online->steps) rises += step.factor > 0 && step.factor < 1;
  CHECK(rises >= 3);
  CHECK(readout(m.page(), "error") < 1e-15);
  Made blocks = preset("blocks");
  CHECK(blocks.model().online->steps.size() == 2);
  CHECK(readout(blocks.page(), "error") < 1e-15);
  CHECK(readout(blocks.page(), "max") == model.online->scores.maxCoeff());
  // The last step of all: the end is the softmax of the whole row.
  m.set({{"step", "8"}});
  const auto& bars = mark_of<figure::Bars>(plot_of(m.page(), "so_far")).values;
  for (Index j = 0; j < 8; ++j) {
    CHECK(bars[static_cast<std::size_t>(j)] == doctest::Approx(model.online->weights(j)));
  }
}

TEST_CASE("cache: what moves again for every block is counted, and at least a tile fits") {
  Made m = preset("tiles");
  const auto caption = [&m](std::string_view id) {
    for (const auto& figure : m.page().figures) {
      if (figure.id == id) return figure.caption;
    }
    return std::string();
  };
  // 8 blocks of keys by 3 times 64 rows of 16, and what the captions say of a row.
  CHECK(caption("memory").find("about 12·n²·d²/M") != std::string::npos);
  CHECK(caption("memory").ends_with("Here that is 24,576 of 29,824."));
  CHECK(readout(m.page(), "moved") == 29824);
  CHECK(caption("walk").find("two numbers per row") != std::string::npos);
  m.set({{"order", "queries"}});
  CHECK(caption("memory").find("memory beyond 4·d² = 1,024 numbers") != std::string::npos);
  CHECK(caption("memory").ends_with("Here that is 16,384 of 18,496."));
  CHECK(caption("walk").find("one number per row") != std::string::npos);
  m.set({{"memory", "1024"}});
  const double moved = readout(m.page(), "moved");
  m.set({{"memory", "65536"}});
  CHECK(readout(m.page(), "moved") == moved);
  CHECK_THROWS(m.set({{"memory", "63"}}));
  m.set({{"memory", "64"}});
  CHECK(m.model().tiles->attention.steps.front().cols == 1);
}

TEST_CASE("cache: tiles, as the presets say") {
  const auto share = [](std::string_view id) { return readout(preset(id).page(), "share"); };
  CHECK(share("tiles") == doctest::Approx(1.46).epsilon(0.005));
  CHECK(share("tiles_queries") == doctest::Approx(0.90).epsilon(0.005));
  CHECK(share("tiles_large") == doctest::Approx(0.32).epsilon(0.01));
  const auto small = preset("tiles").model().tiles->attention.steps;
  CHECK(small.front().rows == 8);
  CHECK(small.front().cols == 8);
  Made m = preset("tiles_large");
  CHECK(m.model().tiles->attention.steps.front().rows == 16);
  CHECK(m.model().tiles->attention.steps.front().cols == 64);
  CHECK(m.model().tiles->error < 1e-14);
  // By hand: 3 n d + 2 n^2 read and n d + 2 n^2 written.
  CHECK(readout(m.page(), "plain") == 4 * 64 * 16 + 4 * 64 * 64);
  // Causal: 64 tiles of 8 by 8, 28 above the diagonal.
  Made causal = made({{"view", "tiles"}, {"causal", "true"}});
  CHECK(readout(causal.page(), "tiles") == 36);
  CHECK(causal.model().tiles->error < 1e-14);
}

TEST_SUITE_END();

}  // namespace cache_test
