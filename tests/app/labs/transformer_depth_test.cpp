// What norms, residual lines and warm-up do to sizes, gradients and training along the depth.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>

#include "transformer_rig.h"

namespace transformer_depth_test {

using namespace transformer_rig;

TEST_CASE("without norms sizes explode: the losses of the recipes") {
  // Decoder of width 32, 2 heads, feed-forward 64, 8 windows of 48 letters: 21 at 6 layers and 1019
  // at 12 were measured elsewhere on one seed; ours lie in the same decades for every seed.
  for (const char* seed : {"0", "1", "2"}) {
    Made m = made({{"norm", "none"}, {"heads", "2"}, {"seed", seed}, {"depth", "6"}});
    const double six = readout(m.page(), "loss_none");
    m.p.depth = 12;
    const double twelve = readout(m.page(), "loss_none");
    MESSAGE("seed " << std::string(seed) << ": " << six << " and " << twelve);
    CHECK(six > 7);
    CHECK(six < 65);
    CHECK(twelve > 300);
    CHECK(twelve < 3000);
    // With norms it begins near a guess whatever the depth.
    CHECK(readout(m.page(), "loss_after") < 4.5);
    CHECK(readout(m.page(), "loss_before") < 4.5);
  }
}

TEST_CASE("without norms, with seeds 0 to 9: 14 to 37 at six layers, 840 to 2,150 at twelve") {
  Made m = preset("no_norm");
  for (int seed = 0; seed < 10; ++seed) {
    m.set({{"seed", std::to_string(seed)}, {"depth", "6"}});
    const double six = readout(m.page(), "loss_none");
    CHECK(six > 13.5);
    CHECK(six < 37.5);
    m.set({{"depth", "12"}});
    const lab::Page page = m.page();
    CHECK(readout(page, "loss_none") > 840);
    CHECK(readout(page, "loss_none") < 2150);
    CHECK(readout(page, "loss_after") < 4);
    CHECK(readout(page, "loss_before") < 4);
  }
}

TEST_CASE("sizes along the depth") {
  const auto depths = [](const param::Values& values) {
    Made m = made(values);
    core::model::TransformerForm form = form_of(m.p, 1).layer;
    return depths_of(form, m.p.depth, m.p.seed, {}).all;
  };
  const auto all = depths({{"depth", "24"}});
  // In the order of kVariants: after, before, none; then without residual lines.
  for (const double size : all[0].forward) CHECK(size < 1.5);
  CHECK(all[0].forward.back() == doctest::Approx(1).epsilon(1e-3));
  CHECK(all[1].forward.back() > 2 * all[1].forward[1]);
  CHECK(all[2].forward.back() > 1000 * all[2].forward.front());
  for (const Depth& d : all) {
    CHECK(d.forward.size() == 25);
    CHECK(d.backward.size() == 25);
  }
  // Without norms the gradient of the first layer is the largest.
  CHECK(all[2].first > 3 * all[2].last);
  // Without residual lines nothing tells tokens apart; with them, and norms before,
  // it stays.
  for (const int alone : {3, 4}) CHECK(all[std::size_t(alone)].apart.back() < 0.05);
  CHECK(all[1].apart.back() > 0.3);
}

TEST_CASE("a gradient along the depth is that of the loss: differences agree") {
  // One number of the first layer's query matrix, moved to both sides.
  core::model::TransformerForm form;
  form.d_model = 16, form.heads = form.key_heads = 2, form.feed_forward.width = 16;
  const LetterModel model(form, 2);
  auto values = model.layout().start<float>(3);
  const Windows windows = draw_windows(letter_text(2000, 3), 3);
  std::vector<float> gradients(values.size(), 0.0F);
  core::model::Tape<float> tape;
  const auto loss = [&](bool walk) {
    tape.begin(values.data(), walk ? gradients.data() : nullptr, {.differentiates = walk});
    const auto l =
        model.loss(tape, windows.ids.data(), windows.next.data(), kBatch, double(kBatch * kWindow));
    if (walk) tape.backward(l);
    return double(*l.value);
  };
  loss(true);
  const auto at = std::size_t(model.layout().find("0.feed_forward.down.weight")->slot.offset + 5);
  const float kept = values[at];
  values[at] = kept + 0.05F;
  const double up = loss(false);
  values[at] = kept - 0.05F;
  const double down = loss(false);
  CHECK((up - down) / 0.1 == doctest::Approx(double(gradients[at])).epsilon(0.02));
}

TEST_CASE("the letters' text has only letters of the model") {
  const std::string text = letter_text(5000, 7);
  for (const char letter : text) CHECK(kLetters.find(letter) != std::string_view::npos);
  const std::set<char> unique(kLetters.begin(), kLetters.end());
  CHECK(unique.size() == kLetters.size());
  CHECK(text.find("She") != std::string::npos);
}

TEST_CASE("without residual lines all tokens are alike after a few layers") {
  Made m = preset("no_residual");
  const MatrixD out = shown(m.page());
  for (Index i = 1; i < out.rows(); ++i) CHECK(difference(out.row(i), out.row(0)) < 0.01);
  Made whole = m;
  whole.p.residual = true;
  const MatrixD kept = shown(whole.page());
  // Their cosine is 0.95 with residual lines: a number of some 0.3 apart, not 0.01.
  CHECK(difference(kept.row(1), kept.row(0)) > 0.2);
}

TEST_CASE("forty-eight layers before norms: the line grows") {
  Made m = preset("deep");
  const Pass& pass = *m.model().pass;
  double before = 0;
  for (const int layer : {0, 11, 23, 35, 47}) {
    const double size = pass.tokens(fmt::format("encoder.{}.out", layer)).norm();
    CHECK(size > before);
    before = size;
  }
  CHECK(pass.tokens("encoder.out").squaredNorm() / (6 * 32) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("six layers with norms after learn nothing without warm-up, and learn with it") {
  // Recipes: 2.92 and 1.65 at this depth and rate, 1.09 with norms before and no warm-up.
  Made m = preset("warmup");
  const lab::Page page = m.page();
  const double entropy = letter_entropy(m.p.seed);
  const double cold = readout(page, "loss_cold"), warm = readout(page, "loss_warm");
  CHECK(std::abs(cold - entropy) < 0.15);
  CHECK(warm < 2);
  m.p.norm = NormPlace::before;
  const double before = readout(m.page(), "loss_cold");
  MESSAGE("letters alone " << entropy << ", after: " << cold << " and with warm-up " << warm
                           << ", before: " << before);
  CHECK(before < 1.7);
}

TEST_CASE("a training is the same to the last bit on one thread and on two") {
  const WarmUp run({NormPlace::before, true}, 0.01, 5, 2);
  WarmUp::State one = run.begin({{}, 1}), two = run.begin({{}, 2});
  for (int k = 0; k < 4; ++k) {
    run.step(one, {{}, 1});
    run.step(two, {{}, 2});
    CHECK(one.loss == two.loss);
  }
  CHECK(one.values == two.values);
  CHECK(run == WarmUp({NormPlace::before, true}, 0.01, 5, 2));
  CHECK_FALSE(run == WarmUp({NormPlace::before, true}, 0.01, 0, 2));
}

}  // namespace transformer_depth_test
