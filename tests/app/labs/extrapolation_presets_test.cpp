// What the presets of the lab of longer texts claim.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "app/labs/extrapolation/model.h"
#include "app/labs/extrapolation/page.h"
#include "core/position/rotary/rotary.h"
#include "trying.h"

namespace extrapolation_presets_test {

using namespace lab::extrapolation;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
using core::VectorD;

namespace {

using Made = Trial<Parameters>;
lab::Page page_of(std::string_view preset) {
  return lab::trying::preset<Parameters>("extrapolation", preset).page();
}

}  // namespace

TEST_CASE("Preset: under plain RoPE every pair that did not finish a turn is out of range") {
  const lab::Page page = page_of("never_seen");
  CHECK(readout(page, "unseen") == 18);
  CHECK(says(page, "Out of range: it turns 8 times as far as in training"));
}

TEST_CASE("Preset: a short text changes nothing under dynamic NTK, and all others") {
  const lab::Page page = page_of("short_text");
  CHECK(readout(page, "base") == 10000);
  Made made;
  made.p.stretch = Stretch::fixed;
  made.p.trained = 65536;
  made.p.method = Method::dynamic;
  const Model model = made.model();
  CHECK(model.rotation(Method::dynamic).theta == model.theta);
  for (const Method method : {Method::interpolation, Method::ntk, Method::yarn}) {
    CHECK(model.rotation(method).theta(63) == doctest::Approx(model.theta(63) / 8));
  }
  REQUIRE(page.notes.size() == 1);
  CHECK(page.notes[0].find("nothing is out of range") != std::string::npos);
}

TEST_CASE("Preset: YaRN's regions are where its turns say; the code's ramp shares their ends") {
  Made made;
  const Model model = made.model();
  for (Index i = 0; i < 64; ++i) {
    const double r = model.trained_turns(i);
    CHECK((model.ramp(i) == 1) == (r >= 32));
    CHECK((model.ramp(i) == 0) == (r <= 1));
    CHECK((model.other_ramp(i) == 1) == (model.ramp(i) == 1));
    CHECK((model.other_ramp(i) == 0) == (model.ramp(i) == 0));
  }
  CHECK(std::abs(model.ramp(30) - model.other_ramp(30)) > 0.1);
  CHECK(says(page_of("three_regions"), "In between"));
  const auto handles = handles_of(page_of("three_regions"), "ramp_turns");
  REQUIRE(handles.size() == 2);
  CHECK((handles[0].x_param == "alpha" && handles[1].x_param == "beta"));
  CHECK((handles[0].x == 1 && handles[1].x == 32));
}

TEST_CASE("Preset: an attention factor of 1.3 multiplies every score by 1.69") {
  const lab::Page page = page_of("sharper");
  CHECK(readout(page, "attention_factor") == 1.3);
  Made made;
  made.p.vectors = Vectors::random;
  made.p.attention = Attention::off;
  const Model plain = made.model();
  made.p.attention = Attention::fixed;
  made.p.attention_factor = 1.3;
  const Model sharper = made.model();
  for (const double t : {0.0, 5.0, 6000.0, 32000.0}) {
    CHECK(sharper.logit(made.p, Method::yarn, t) ==
          doctest::Approx(1.69 * plain.logit(made.p, Method::yarn, t)).epsilon(1e-12));
  }
  const Curve& a = *plain.curves[4];
  const Curve& b = *sharper.curves[4];
  for (std::size_t k = 0; k < a.x.size(); ++k) CHECK(b.hi[k] == doctest::Approx(1.69 * a.hi[k]));
  CHECK(readout(page, "logit") ==
        doctest::Approx(sharper.logit(made.p, Method::yarn, 6000)).epsilon(1e-12));
}

TEST_CASE("Preset: of twelve heads the eighth is the flattest, and the last are between") {
  const lab::Page page = page_of("twelve_heads");
  const VectorD slopes = core::alibi_slopes(12);
  CHECK(readout(page, "slope") == slopes(11));
  CHECK(slopes.head(8) == core::alibi_slopes(8));
  for (Index h = 8; h < 12; ++h) {
    CHECK(slopes(h) > slopes(7));
    CHECK(slopes(h) == doctest::Approx(core::alibi_slopes(16)(2 * (h - 8))));
  }
  CHECK(says(page, "12 heads are not a power of two"));
}

TEST_CASE("Preset: llama3 keeps what turned 4 times, divides what turned less than once") {
  const lab::Page page = page_of("llama3");
  CHECK(readout(page, "unseen") == 0);
  auto m = lab::trying::preset<Parameters>("extrapolation", "llama3");
  const Model model = m.model();
  CHECK(model.attention_factor == 1);
  const VectorD& theta = model.rotation(Method::yarn).theta;
  for (Index i = 0; i < theta.size(); ++i) {
    const double turns = model.trained_turns(i);
    if (turns > 4) CHECK(theta(i) == model.theta(i));
    if (turns < 1) CHECK(theta(i) == doctest::Approx(model.theta(i) / 8).epsilon(1e-14));
  }
}

TEST_CASE("Preset: a million positions open without a table of them") {
  const lab::Page page = page_of("million");
  const auto map = marks_of<figure::Heatmap>(plot_of(page, "cells")).at(0);
  CHECK(map.source->rows() == 1048576);
  CHECK(map.row_param == "distance");
  CHECK(map.pinned == std::pair<Index, Index>{500000, 46});
  const auto rows = map.source->repeated(0, 12);
  core::Matrix top(256, 64);
  // 4096 positions a row; every column by itself.
  rows->pooled(12, {0, 0, 256, 64}, core::Pool::mean, top.data(), {});
  CHECK(top.row(0).maxCoeff() == 0);  // the first 4,096 positions are those of training
  double unseen = 0;
  for (Index p = 0; p < 4096; ++p) unseen += double(map.source->value(200 * 4096 + p, 63));
  CHECK(unseen > 0);
  CHECK(double(top(200, 63)) == doctest::Approx(unseen / 4096));
  CHECK(top(200, 0) == 0);
}

}  // namespace extrapolation_presets_test
