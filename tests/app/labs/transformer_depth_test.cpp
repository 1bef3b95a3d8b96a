// What norms, residual connections and warm-up do to sizes, gradients and training along the depth.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/task/depth/letter_model.h"
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

TEST_CASE("without residual connections all tokens are alike after a few layers") {
  Made m = preset("no_residual");
  const MatrixD out = shown(m.page());
  for (Index i = 1; i < out.rows(); ++i) CHECK(difference(out.row(i), out.row(0)) < 0.01);
  Made whole = m;
  whole.p.residual = true;
  const MatrixD kept = shown(whole.page());
  // Their cosine is 0.95 with residual connections: a number of some 0.3 apart, not 0.01.
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
  const core::task::WarmUpFit fit(m.p.variant(), 0.01, 0, std::uint64_t(m.p.seed));
  const double entropy = core::task::letter_entropy(fit.text());
  const double cold = readout(page, "loss_cold"), warm = readout(page, "loss_warm");
  CHECK(std::abs(cold - entropy) < 0.15);
  CHECK(warm < 2);
  m.p.norm = NormPlace::before;
  const double before = readout(m.page(), "loss_cold");
  MESSAGE("letters alone " << entropy << ", after: " << cold << " and with warm-up " << warm
                           << ", before: " << before);
  CHECK(before < 1.7);
}

}  // namespace transformer_depth_test
