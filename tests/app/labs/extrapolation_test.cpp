#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <regex>
#include <string>

#include "app/labs/extrapolation/model.h"
#include "app/labs/extrapolation/page.h"
#include "core/position/frequency.h"
#include "core/position/rotary/rotary.h"
#include "trying.h"

namespace extrapolation_test {

using namespace lab::extrapolation;  // NOLINT: the box under test
using namespace lab::trying;
using core::AngleQuantity;
using core::Index;
using core::VectorD;

namespace {

using Made = Trial<Parameters>;

constexpr Method kAll[] = {Method::none,    Method::interpolation, Method::ntk,
                           Method::dynamic, Method::yarn,          Method::alibi};

}  // namespace

TEST_CASE("By hand: four pairs, trained on 100 positions, read at 400") {
  Made made;
  made.p.d = 8;
  made.p.trained = 100;
  made.p.length = 400;
  made.p.dynamic = core::DynamicNtk::ratio;
  const Model model = made.model();
  CHECK(model.s == 4);
  // theta = 1, 0.1, 0.01, 0.001; 100 theta / 2 pi: 15.9, 1.59, 0.159, 0.0159 turns.
  const double turn = 2 * std::numbers::pi;
  for (Index i = 0; i < 4; ++i) {
    const double theta = std::pow(10.0, -static_cast<double>(i));
    CHECK(model.trained_turns(i) == doctest::Approx(100 * theta / turn));
    CHECK(model.rotation(Method::none).turns(i) == doctest::Approx(400 * theta / turn));
    CHECK(model.rotation(Method::interpolation).theta(i) == doctest::Approx(theta / 4));
    // (b 4^(8/6))^(-2i/8) = theta 4^(-i/3)
    const double ntk = theta * std::pow(4.0, -static_cast<double>(i) / 3);
    CHECK(model.rotation(Method::ntk).theta(i) == doctest::Approx(ntk));
    CHECK(model.rotation(Method::dynamic).theta(i) == doctest::Approx(ntk));
  }
  CHECK(model.rotation(Method::none).unseen == 2);
  CHECK(model.rotation(Method::interpolation).unseen == 0);
  CHECK(model.rotation(Method::ntk).unseen == 1);
  // YaRN with alpha 1, beta 32: r = 15.9, 1.59, then below 1.
  for (Index i = 0; i < 2; ++i) {
    CHECK(model.ramp(i) == doctest::Approx((model.trained_turns(i) - 1) / 31));
  }
  CHECK(model.ramp(2) == 0);
  CHECK(model.attention_factor == doctest::Approx(0.1 * std::log(4.0) + 1));
}

TEST_CASE("Logits are those of turned vectors, of every method") {
  Made made;
  made.p.d = 16;
  made.p.vectors = Vectors::random;
  made.p.trained = 64;
  made.p.length = 256;
  const Model model = made.model();
  for (const Method method : kAll) {
    if (method == Method::alibi) continue;
    for (const double t : {0.0, 1.0, 37.0, 255.0}) {
      const core::RotaryTableD table =
          core::rotary_angles(VectorD{{t, 0.0}}, model.rotation(method).theta);
      core::MatrixD both(2, 16);
      both << model.q.transpose(), model.k.transpose();
      if (method == Method::yarn) both *= model.attention_factor;
      const core::MatrixD rotated = core::rotated(both, table);
      const double want = rotated.row(0).dot(rotated.row(1)) / 4;
      CHECK(model.logit(made.p, method, t) == doctest::Approx(want).epsilon(1e-10));
    }
  }
  CHECK(model.logit(made.p, Method::alibi, 10) ==
        doctest::Approx(model.q.dot(model.k) / 4 - 10 * model.slope(made.p)));
}

TEST_CASE("Curves hold the true extremes of every distance, once, on both axes") {
  for (const DistanceAxis axis : {DistanceAxis::log, DistanceAxis::linear}) {
    Made made;
    made.p.length = 5000;
    made.p.trained = 600;
    made.p.d = 32;
    made.p.vectors = Vectors::random;
    made.p.distance_axis = axis;
    const Model model = made.model();
    for (const Method method : kAll) {
      const Curve& curve = *model.curves[static_cast<std::size_t>(method)];
      const Index first = axis == DistanceAxis::log ? 1 : 0;
      double lo = 1e300, hi = -1e300;
      for (Index t = first; t < 5000; ++t) {
        const double value = model.logit(made.p, method, double(t));
        lo = std::min(lo, value), hi = std::max(hi, value);
      }
      CHECK(*std::min_element(curve.lo.begin(), curve.lo.end()) == doctest::Approx(lo));
      CHECK(*std::max_element(curve.hi.begin(), curve.hi.end()) == doctest::Approx(hi));
      for (std::size_t k = 0; k < curve.x.size(); ++k) {
        CHECK(std::isfinite(curve.lo[k]));
        CHECK(curve.lo[k] <= curve.hi[k]);
        if (k > 0) CHECK(curve.x[k] > curve.x[k - 1]);
      }
      CHECK(curve.x.size() <= 360);
      CHECK(curve.longest >= 5000 / 360);
    }
  }
}

TEST_CASE("Cells of the map are those of positions and pairs, in every way they are shown") {
  for (const AngleQuantity cells :
       {AngleQuantity::cosine, AngleQuantity::turns, AngleQuantity::unseen}) {
    for (const Method method : {Method::none, Method::yarn}) {
      Made made;
      made.p.method = method;
      made.p.cells = cells;
      const Model model = made.model();
      CHECK(model.cells->rows() == 32768);
      CHECK(model.cells->cols() == 64);
      for (const auto& [p, i] : {std::pair<Index, Index>{0, 0}, {9000, 47}, {32767, 63}}) {
        const double turns =
            static_cast<double>(p) * model.rotation(method).theta(i) / (2 * std::numbers::pi);
        const double part = turns - std::floor(turns);
        const double unseen = model.trained_turns(i) < 1 && part > model.trained_turns(i);
        const double want = cells == AngleQuantity::cosine  ? std::cos(turns * 2 * std::numbers::pi)
                            : cells == AngleQuantity::turns ? part
                                                            : unseen;
        CHECK(double(model.cells->value(p, i)) == doctest::Approx(want).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("The long table, repeated so that rows pool and columns do not") {
  Made made;
  made.p.method = Method::none;
  made.p.length = 4000;
  made.p.cells = AngleQuantity::cosine;
  const Model model = made.model();
  const auto long_cells = model.cells->repeated(0, 6);
  REQUIRE(long_cells != nullptr);
  CHECK(model.cells->repeated(0, 6) == long_cells);
  CHECK(long_cells->cols() == 64 * 64);
  // 64 x 64 of the repetition are 64 positions of one pair.
  float cell = 0;
  long_cells->pooled(6, {3, 50, 1, 1}, core::Pool::mean, &cell, {});
  double sum = 0;
  for (Index p = 192; p < 256; ++p) sum += double(model.cells->value(p, 50));
  CHECK(double(cell) == doctest::Approx(sum / 64).epsilon(1e-6));
  float two[2] = {};
  long_cells->pooled(5, {6, 100, 1, 2}, core::Pool::max, two, {});  // both halves of pair 50
  CHECK(two[0] == two[1]);
}

TEST_CASE("ALiBi's cells multiply weights by exp(-slope t)") {
  Made made;
  made.p.method = Method::alibi;
  const Model model = made.model();
  CHECK(model.cells->cols() == 8);
  CHECK(double(model.cells->value(3, 0)) == doctest::Approx(std::exp(-1.5)));
  CHECK(double(model.cells->value(256, 7)) == doctest::Approx(std::exp(-1.0)));
}

TEST_CASE("Every pick sets what it says and has its value explained") {
  Made made;
  const lab::Page page = made.page();
  const auto set = [&](const figure::Assignments& picks, const std::string& id) -> std::string {
    for (const auto& [name, value] : picks) {
      if (name == id) return value;
    }
    return {};
  };
  for (const auto& [id, param, explained] :
       {std::tuple<const char*, const char*, const char*>{"turns", "pair", "angle"},
        {"waves", "pair", "wavelength"},
        {"slowed", "pair", "wavelength"},
        {"ramp", "pair", "ramp"},
        {"score_ntk", "distance", "score"},
        {"bias", "distance", "bias"}}) {
    CHECK(plot_of(page, id).x_param == param);
    CHECK(set(plot_of(page, id).click, "explain") == explained);
  }
  CHECK(set(plot_of(page, "score_ntk").click, "method") == "ntk");
  const auto discs = marks_of<figure::Points>(plot_of(page, "turns")).at(0);
  REQUIRE(discs.picks.size() == 64);
  CHECK(set(discs.picks[12], "pair") == "12");
  CHECK(set(marks_of<figure::Heatmap>(plot_of(page, "cells")).at(0).also, "explain") == "cell");
}

TEST_CASE("The out-of-range band begins where training ended") {
  Made made;
  const lab::Page page = made.page();
  const Model model = made.model();
  const auto bands = marks_of<figure::Band>(plot_of(page, "turns"));
  REQUIRE(bands.size() == 2);
  CHECK(bands[0].lo[1] == model.trained_turns(0));  // after the cell's left edge
  CHECK(bands[0].hi[1] == plot_of(page, "turns").y.hi);
  CHECK(bands[1].x.front() == 46);  // the first pair without a whole turn
  CHECK(bands[1].lo[1] == model.trained_turns(46));
  CHECK(bands[1].hi[1] == 1);
  made.p.trained = kLongest;  // every pair finished a turn
  made.p.base = 100;
  CHECK(marks_of<figure::Band>(plot_of(made.page(), "turns")).size() == 1);
}

TEST_CASE("What is printed gives the sums that are printed, of scores and of YaRN's frequency") {
  static const std::regex term(R"(([-\d.]+) cos\(([-\d.]+)\) ≈ ([-\d.]+))");
  for (const int d : {4, 64, 256}) {
    for (const Method method : kAll) {
      if (method == Method::alibi) continue;
      Made made;
      made.p.d = d;
      made.p.pair = d / 4;
      made.p.method = method;
      made.p.explained = Explained::score;
      made.p.vectors = Vectors::random;
      const auto text = lines(made.page());
      const double total = std::stod(text.at(1).substr(4));
      double sum = 0;
      int terms = 0;
      for (const std::string& line : text) {
        std::smatch found;
        if (std::regex_search(line, found, term)) {
          CAPTURE(line);
          CHECK(std::abs(std::stod(found[1]) * std::cos(std::stod(found[2])) -
                         std::stod(found[3])) < 1e-4);
        }
        if (!line.starts_with("  ") && !line.starts_with("+ ")) continue;
        sum += std::stod(line.substr(line.rfind("≈ ") + 4));
        ++terms;
      }
      CHECK(terms > 1);
      CHECK(std::abs(sum - total) < 5e-4 + 5e-5 * terms);
      CHECK(std::abs(total - made.model().logit(made.p, method, made.p.distance)) < 0.0006);
    }
  }
  Made made;
  made.p.pair = 30;
  made.p.explained = Explained::ramp;
  const auto text = lines(made.page());
  bool found = false;
  for (std::size_t k = 0; k + 1 < text.size(); ++k) {
    const auto plus = text[k].find(" + 0.0");
    if (text[k].rfind("≈ 0.0", 0) != 0 || plus == std::string::npos) continue;
    const double a = std::stod(text[k].substr(4)), b = std::stod(text[k].substr(plus + 3));
    const double sum = std::stod(text[k + 1].substr(4));
    CHECK(a + b == doctest::Approx(sum).epsilon(2e-6));
    CHECK(sum == doctest::Approx(made.model().rotation(Method::yarn).theta(30)).epsilon(2e-6));
    found = true;
  }
  CHECK(found);
}

TEST_CASE("The code's ramp ends where the paper's does, unless the first pair turns too little") {
  for (const double alpha : {0.2, 1.0, 5.0}) {
    for (const double beta : {8.0, 32.0, 600.0, 1000.0}) {
      Made made;
      made.p.alpha = alpha;
      made.p.beta = beta;
      const Model model = made.model();
      const bool within = model.trained_turns(0) >= beta;
      CHECK(within == (beta < 652));  // 4096 / 2 pi turns
      for (Index i = 0; i < 64; ++i) {
        CHECK((model.other_ramp(i) == 0) == (model.ramp(i) == 0));
        if (within) CHECK((model.other_ramp(i) == 1) == (model.ramp(i) == 1));
      }
      if (!within) CHECK((model.other_ramp(0) == 1 && model.ramp(0) < 1));
    }
  }
  // What is said of the first pair then: the code keeps it, although it turned less than β times.
  Made made;
  made.p.yarn = YarnForm::code;
  made.p.beta = 1000;
  made.p.pair = 0;
  made.p.explained = Explained::ramp;
  CHECK_FALSE(says(made.page(), "It turned at least β times"));
  made.p.beta = 32;
  CHECK(says(made.page(), "It turned at least β times"));
}

TEST_CASE("Weights below 1 % begin above the dashed line of the penalties") {
  Made made;
  made.p.method = Method::alibi;
  for (const int length : {64, 32768}) {
    made.p.length = length;
    std::vector<double> levels;
    for (const auto& rule : marks_of<figure::Rule>(plot_of(made.page(), "turns"))) {
      if (!rule.vertical) levels.push_back(rule.at);
    }
    REQUIRE(levels.size() == 1);
    CHECK(std::exp(-levels[0]) == doctest::Approx(0.01));
  }
}

TEST_CASE("Every explanation speaks of every method without a gap") {
  for (const Method method : kAll) {
    for (int k = 0; k < 6; ++k) {
      for (const auto yarn : {YarnForm::paper, YarnForm::code}) {
        Made made;
        made.p.method = method;
        made.p.explained = static_cast<Explained>(k);
        made.p.yarn = yarn;
        const lab::Page page = made.page();
        CHECK_FALSE(page.explanation.title.empty());
        CHECK(page.explanation.lines.size() >= 4);
        for (const std::string& line : lines(page)) {
          CHECK(line.find("nan") == std::string::npos);
          CHECK(line.find("inf ") == std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("The smallest and largest of everything together") {
  for (const int trained : {kShortest, kLongest}) {
    for (const int length : {kShortest, kLongest}) {
      for (const int d : {4, 256}) {
        if (length == kLongest && d == 256 && trained == kLongest) continue;  // as the one before
        for (const double base : {100.0, 1e8}) {
          Made made;
          made.p.trained = trained;
          made.p.length = length;
          made.p.d = d;
          made.p.base = base;
          made.p.pair = d / 2 - 1;
          made.p.distance = length - 1;
          if (length == kLongest && d == 256 && base > 100) continue;
          const lab::Page page = made.page();
          for (const auto& r : page.readouts) CHECK(std::isfinite(double{r.value}));
          CHECK(readout(page, "s") == std::max(1.0, double(length) / trained));
        }
      }
    }
  }
}

TEST_CASE("A pick computes no curve anew, and one method's knob only its own") {
  Made made;
  made.page();
  made.p.pair = 3;
  made.p.distance = 77;
  made.p.explained = Explained::score;
  made.page();
  CHECK(made.memo.runs("yarn") == 1);
  CHECK(made.memo.runs("cells") == 1);
  made.p.alpha = 2;
  made.page();
  CHECK(made.memo.runs("yarn") == 2);
  CHECK(made.memo.runs("ntk") == 1);
  made.p.attention = Attention::off;
  made.page();
  CHECK(made.memo.runs("yarn") == 2);  // scaled, not computed
}

}  // namespace extrapolation_test
