#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "app/labs/softmax/model.h"
#include "app/labs/softmax/page.h"
#include "core/attention/softmax.h"
#include "trying.h"

namespace softmax_test {

using namespace lab::softmax;  // NOLINT: the box under test
using core::Index;
using core::MatrixD;
using core::VectorD;
using namespace lab::trying;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("softmax", id); }

std::vector<double> bars_of(const lab::Page& page, std::string_view id) {
  return mark_of<figure::Bars>(plot_of(page, id)).values;
}

// The terms "  0.3679 ..." and "+ 0.2231 ..." that a sum is written out in.
std::vector<double> terms_of(const lab::Page& page) {
  std::vector<double> terms;
  for (const auto& line : page.explanation.lines) {
    if (line.right.size() < 3 || !line.left.empty()) continue;
    const std::string& sign = line.right[0].text;
    if (sign == "  " || sign == "+ ") terms.push_back(std::stod(line.right[1].text));
  }
  return terms;
}

const MaskedRow& hidden(const Fills& fills, Arithmetic arithmetic, Way way) {
  return fills.formats[static_cast<std::size_t>(arithmetic)][static_cast<std::size_t>(way)];
}

}  // namespace

TEST_CASE("a row of softmax, by hand") {
  Made m = made({{"count", "3"}, {"logit_1", "0"}, {"logit_2", "2"}, {"logit_3", "0"}});
  // exp(2) = 7.389056: 1, 7.389056, 1 of 9.389056.
  const Model model = m.model();
  CHECK(model.row.p(1) == doctest::Approx(7.38905609893065 / 9.38905609893065).epsilon(1e-14));
  CHECK(model.row.p(0) == model.row.p(2));
  CHECK(model.row.log_p(0) == doctest::Approx(-std::log(9.38905609893065)).epsilon(1e-14));
  CHECK(model.row.hardmax == VectorD{{0, 1, 0}});
  const lab::Page page = m.page();
  CHECK(bars_of(page, "weights")[1] == model.row.p(1));
  CHECK(readout(page, "log_sum_exp") == doctest::Approx(std::log(9.38905609893065)).epsilon(1e-14));
}

TEST_CASE("the bars of logits can be dragged, each its own") {
  Made m;
  const auto handles = handles_of(m.page(), "logits");
  REQUIRE(handles.size() == 5);
  for (std::size_t k = 0; k < handles.size(); ++k) {
    CHECK(handles[k].y_param == "logit_" + std::to_string(k + 1));
    CHECK(handles[k].x_param.empty());
    CHECK(handles[k].y == m.p.logits[k]);
  }
  m.set({{"logit_3", "4.5"}, {"count", "12"}});
  CHECK(handles_of(m.page(), "logits")[2].y == 4.5);
  CHECK(handles_of(m.page(), "logits").size() == 12);
}

TEST_CASE("what the presets of a row say is so") {
  const Row first = preset("first_look").model().row;
  CHECK(first.p(0) / first.p(1) == doctest::Approx(std::exp(1.0)).epsilon(1e-13));
  const Row cold = preset("hardmax").model().row;
  CHECK(1 - cold.p(0) < 0.00005);
  CHECK(1 - cold.p(0) > 0.00004);
  CHECK(cold.entropy < 1e-3);
  Made tie = preset("tie");
  CHECK(tie.model().row.p(1) == tie.model().row.p(2));
  CHECK(tie.model().row.entropy == doctest::Approx(std::log(2.0)).epsilon(1e-6));
  CHECK(tie.model().row.hardmax == VectorD{{0, 1, 0, 0}});
  CHECK(tie.model().sweep->tie_entropy == doctest::Approx(std::log(2.0)));
  tie.set({{"ties", "shared"}});
  CHECK(tie.model().row.hardmax == VectorD{{0, 0.5, 0.5, 0}});
  Made shifted = preset("only_differences");
  CHECK((shifted.model().row.p - first.p).cwiseAbs().maxCoeff() < 1e-14);
  CHECK(shifted.model().row.naive.array().isNaN().all());
  CHECK(first.naive.array().isNaN().any() == false);
  CHECK((first.naive - first.p).cwiseAbs().maxCoeff() < 1e-6);
  CHECK_FALSE(shifted.page().notes.empty());
  const Row many = preset("many").model().row;
  CHECK(many.p(10) == doctest::Approx(0.37).epsilon(0.01));
  CHECK(says(preset("many").page(), "≈ 0.6225"));
  const Row melted = preset("melted").model().row;
  CHECK(melted.p.minCoeff() > 0.19);
  CHECK(melted.p.maxCoeff() < 0.21);
  CHECK(std::abs(melted.entropy - std::log(5.0)) < 1e-3);
}

TEST_CASE("float32 ends where the explanation says: at exp(88.7228), and near -104") {
  const auto naive = [](double largest) {  // logits 0 to 4 below it
    return made({{"shift", fmt::format("{}", largest - 2)}}).model().row.naive;
  };
  CHECK_FALSE(naive(88.7228).array().isNaN().any());
  CHECK(naive(88.7229).array().isNaN().any());
  CHECK_FALSE(naive(-103).array().isNaN().any());
  CHECK(naive(-105).array().isNaN().all());
  CHECK(says(made({{"explain", "naive"}}).page(), "exp(88.7228)"));
}

TEST_CASE("the sum overflows before a logit does, and the explanation says so") {
  Made m = made({{"count", "3"},
                 {"logit_1", "0"},
                 {"logit_2", "0"},
                 {"logit_3", "0"},
                 {"shift", "88.5"},
                 {"explain", "naive"}});
  CHECK((m.model().row.naive.array() == 0).all());
  CHECK(says(m.page(), "every weight is a number over ∞: 0"));
}

TEST_CASE("two logits are never compared with themselves") {
  for (int weight = 1; weight <= 5; ++weight) {
    for (int logit = 1; logit <= 5; ++logit) {
      CAPTURE(weight);
      CAPTURE(logit);
      Made m = made({{"weight", fmt::format("{}", weight)},
                     {"logit", fmt::format("{}", logit)},
                     {"explain", "pair"}});
      const int other = logit != weight ? logit : weight > 1 ? weight - 1 : 2;
      const lab::Page page = m.page();
      const auto& plot = plot_of(page, "pair");
      CHECK(plot.x.label == fmt::format("difference x{} - x{}", weight, other));
      CHECK(plot.y.label == fmt::format("p{0} / (p{0} + p{1})", weight, other));
      const VectorD p = m.model().row.p;
      CHECK(mark_of<figure::Points>(plot).y.at(0) ==
            doctest::Approx(p(weight - 1) / (p(weight - 1) + p(other - 1))).epsilon(1e-12));
      CHECK(lines(page).at(0).starts_with(fmt::format("p{} / p{}= ", weight, other)));
    }
  }
}

TEST_CASE("a query mask times an infinite fill is said to give NaN, not a uniform row") {
  Made m = preset("query_before");
  CHECK(m.page().notes.size() == 1);
  CHECK(says(m.page(), "softmax makes it uniform"));
  m = preset("infinite_fill");
  REQUIRE(m.page().notes.size() == 1);
  CHECK(m.page().notes.at(0).find("NaN") != std::string::npos);
  CHECK(says(m.page(), "0 times -∞ is NaN"));
  CHECK_FALSE(says(m.page(), "softmax makes it uniform"));
}

TEST_CASE("each form is explained down to its terms, each rounded by itself") {
  for (const double T : {0.3, 1.0, 17.0}) {
    Made m = made({{"temperature", fmt::format("{}", T)}, {"weight", "3"}});
    const Row row = m.model().row;
    // Exponentials with four significant digits or more, and their sum.
    const std::vector<double> exps = terms_of(m.page());
    REQUIRE(exps.size() == 5);
    double sum = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(exps[k] == doctest::Approx(std::exp(m.p.logits[k] / T)).epsilon(5e-4));
      sum += exps[k];
    }
    CHECK(sum == doctest::Approx(row.sum * std::exp(row.max / T)).epsilon(5e-5));
    CHECK(says(m.page(), "p3≈ " + lab::weight_text(row.p(2))));
    m.set({{"explain", "entropy"}});
    const std::vector<double> parts = terms_of(m.page());
    REQUIRE(parts.size() == 5);
    for (std::size_t k = 0; k < 5; ++k) {
      const double p = row.p(static_cast<Index>(k));
      CHECK(std::abs(parts[k] + p * std::log(p)) <= 0.5001e-4);
    }
    CHECK(says(m.page(), fmt::format("≈ {:.4f} nats", row.entropy)));
  }
  Made log = made({{"explain", "log_weight"}, {"weight", "4"}});
  CHECK(says(log.page(), "≈ " + lab::fixed(log.model().row.log_p(3), 4)));
  Made pair = made({{"explain", "pair"}});
  CHECK(says(pair.page(), "≈ 2.7183"));
  CHECK(says(pair.page(), "≈ 0.7311"));  // 1 / (1 + exp(-1))
  const lab::Page naive = made({{"explain", "naive"}, {"shift", "100"}}).page();
  CHECK(says(naive, "≈ exp(102.000000)"));
  CHECK(lines(naive).at(1) == "= ∞");
  CHECK(lines(naive).at(3) == "p1= NaN");
  CHECK(lines(made({{"explain", "hardmax"}, {"weight", "2"}}).page()).at(2) == "p2= 0");
}

TEST_CASE("the Jacobian is that of differences, and its columns add up to zero") {
  for (const char* T : {"0.5", "1", "3"}) {
    Made m = made({{"view", "jacobian"}, {"temperature", T}});
    const MatrixD jacobian = m.model().jacobian;
    const VectorD x = m.model().row.x;
    const double h = 1e-6, t = std::stod(T);
    for (Index j = 0; j < x.size(); ++j) {
      VectorD up = x, down = x;
      up(j) += h, down(j) -= h;
      const VectorD slope = (core::softmax(up, t) - core::softmax(down, t)) / (2 * h);
      CHECK((jacobian.col(j) - slope).cwiseAbs().maxCoeff() < 1e-8);
      CHECK(std::abs(jacobian.col(j).sum()) < 1e-15);
    }
  }
  CHECK(preset("jacobian").model().jacobian(0, 0) > 0);
  const Model saturated = preset("saturated").model();
  CHECK(saturated.row.p(0) == doctest::Approx(0.9995).epsilon(1e-4));
  CHECK(saturated.jacobian.cwiseAbs().maxCoeff() < 0.0005);
  Made m = made({{"view", "jacobian"}, {"weight", "2"}, {"logit", "1"}});
  const lab::Page page = m.page();
  CHECK(readout(page, "entry") == m.model().jacobian(1, 0));
  const std::vector<double> terms = terms_of(page);
  REQUIRE(terms.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::abs(terms[i] - m.model().jacobian(static_cast<Index>(i), 0)) <= 0.5001e-4);
  }
  CHECK(says(page, "Σ_i ≈ 0"));
  // A click on the matrix sets both, counted from 1.
  CHECK(plot_of(page, "jacobian").y.lo == 1);
  CHECK(plot_of(page, "jacobian").y_param == "weight");
}

TEST_CASE("the gradient is p minus one-hot, and differences agree at a good step") {
  Made m = preset("gradient");
  const Model model = m.model();
  const Loss& loss = *model.loss;
  CHECK(loss.value == doctest::Approx(-std::log(model.row.p(1))).epsilon(1e-14));
  for (Index j = 0; j < 5; ++j) {
    CHECK(loss.gradient(j) == doctest::Approx(model.row.p(j) - (j == 1)).epsilon(1e-14));
  }
  CHECK(loss.central_error < 1e-10);
  CHECK(std::abs(loss.gradient.sum()) < 1e-15);
  m.set({{"temperature", "2"}});
  CHECK(m.model().loss->central_error < 1e-10);
  CHECK(m.model().loss->gradient(1) ==
        doctest::Approx((m.model().row.p(1) - 1) / 2).epsilon(1e-14));
  const Loss bad = *preset("step").model().loss;
  CHECK(bad.central_error > 1e-4);
  CHECK(bad.central_error < 1e-2);
  // The V of the errors: best in the middle.
  const auto at = [&](double h) {
    return loss.central_errors[static_cast<std::size_t>(std::lround(4 * (std::log10(h) + 14)))];
  };
  CHECK(at(1e-5) < at(1e-1));
  CHECK(at(1e-5) < at(1e-12));
  CHECK(at(1e-1) / at(1e-2) == doctest::Approx(100).epsilon(0.05));
  CHECK(says(preset("step").page(), "h≈ 1e-13"));
}

TEST_CASE("valid lengths, one a sequence and one a query") {
  Made m = preset("lengths_1d");
  Model model = m.model();
  for (Index b = 0; b < 2; ++b) {
    const Sequence& one = model.batch[static_cast<std::size_t>(b)];
    for (Index i = 0; i < 2; ++i) {
      for (Index j = 0; j < 6; ++j) {
        CHECK(one.mask.allowed(i, j) == (j < (b == 0 ? 2 : 4)));
        if (!one.mask.allowed(i, j)) CHECK(one.right(i, j) == 0.0);
      }
      CHECK(one.right.row(i).sum() == doctest::Approx(1).epsilon(1e-14));
      CHECK((one.of_fill - one.right).cwiseAbs().maxCoeff() < 1e-15);
    }
  }
  // One edge a sequence, or one a query; each drags its own length.
  CHECK(handles_of(m.page(), "scores_2").at(0).x_param == "length_2");
  model = preset("lengths_2d").model();
  const std::array<Index, 8> lengths{1, 3, 2, 5, 2, 4, 6, 6};
  for (std::size_t k = 0; k < 8; ++k) {
    CHECK(model.batch[k / 4].mask.range(static_cast<Index>(k % 4)).size() == lengths[k]);
  }
  CHECK(handles_of(preset("lengths_2d").page(), "scores_2").at(3).x_param == "length_8");
  Made empty = preset("empty_row");
  CHECK((empty.model().batch[0].of_fill.array() == 1.0 / 6).all());
  CHECK((empty.model().batch[0].right.array() == 0).all());
  CHECK(readout(empty.page(), "leaked") == doctest::Approx(2));
  CHECK(readout(empty.page(), "empty_rows") == 2);
  empty.set({{"fill", "minus_infinity"}});
  CHECK(empty.model().batch[0].of_fill.array().isNaN().all());
  CHECK(says(empty.page(), "-∞ - (-∞) = NaN"));
}

TEST_CASE("more queries or keys leave the scores that were there") {
  Made m = preset("lengths_1d");
  const MatrixD before = m.model().batch[1].scores;
  m.set({{"queries", "4"}, {"keys", "10"}});
  CHECK(m.model().batch[1].scores.topLeftCorner(2, 6) == before);
  m.set({{"spread", "3"}});
  CHECK((m.model().batch[1].scores.topLeftCorner(2, 6) - 2 * before).norm() < 1e-12);
}

TEST_CASE("key, future and query mask one after the other") {
  Made m = preset("masks");
  const Steps right = *m.model().steps;
  CHECK((right.weights - right.right).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(readout(m.page(), "wrong_rows") == 0);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = 0; j < 7; ++j) {
      const bool allowed = i < 5 && j < 5 && j <= i;
      CHECK(right.mask.allowed(i, j) == allowed);
      const bool kept = j < 5 && j <= i;
      CHECK(right.after_future(i, j) == (kept ? right.scores(i, j) : -4294967295.0));
    }
  }
  Made wrong = preset("query_before");
  const Steps document = *wrong.model().steps;
  CHECK((document.weights.bottomRows(2).array() == 1.0 / 7).all());
  CHECK(document.weights.topRows(5) == right.weights.topRows(5));
  CHECK(readout(wrong.page(), "wrong_rows") == 2);
  CHECK(readout(wrong.page(), "leaked") == doctest::Approx(2));
  const Steps infinite = *preset("infinite_fill").model().steps;
  CHECK(infinite.weights.bottomRows(2).array().isNaN().all());
  CHECK_FALSE(infinite.weights.topRows(5).array().isNaN().any());
  CHECK(readout(preset("infinite_fill").page(), "wrong_rows") == 2);
  // No mask at all is softmax.
  const Steps none = *made({{"view", "masks"},
                            {"key_mask", "false"},
                            {"future_mask", "false"},
                            {"query_mask", "false"}})
                          .model()
                          .steps;
  CHECK(none.weights == core::softmax_rows(none.scores));
}

TEST_CASE("ways to hide a key: right ones, and how the others are wrong") {
  const Fills fills = *preset("hidden").model().fills;
  const double e1 = std::exp(1.0), e2 = std::exp(2.0), e05 = std::exp(0.5);
  const double visible = e2 + e1 + e05, all = visible + std::exp(-0.5) + std::exp(-2.0);
  const Arithmetic f64 = Arithmetic::float64;
  for (const Way way :
       {Way::left_out, Way::million, Way::two_to_32, Way::infinity, Way::renormalized}) {
    CHECK(hidden(fills, f64, way).error < 1e-15);
    CHECK(hidden(fills, f64, way).weights(0) == doctest::Approx(e2 / visible).epsilon(1e-14));
  }
  // A score of 0 stays: the visible ones were lowered by 1, so the hidden ones weigh e each.
  CHECK(hidden(fills, f64, Way::scores_times_mask).leaked ==
        doctest::Approx(2 * e1 / (visible + 2 * e1)).epsilon(1e-13));
  CHECK(hidden(fills, f64, Way::weights_times_mask).leaked == 0);
  CHECK(hidden(fills, f64, Way::weights_times_mask).sum ==
        doctest::Approx(visible / all).epsilon(1e-13));
}

TEST_CASE("below the fill hidden keys take everything") {
  Made m = preset("below_fill");
  const Fills fills = *m.model().fills;
  CHECK(hidden(fills, Arithmetic::float64, Way::million).leaked == 1.0);
  CHECK(hidden(fills, Arithmetic::float64, Way::two_to_32).leaked == 0.0);
  CHECK(hidden(fills, Arithmetic::float64, Way::infinity).leaked == 0.0);
  CHECK(readout(m.page(), "leaked") == 1.0);
  // The curve of the leak steps from 0 to 1 where the logits pass the fill.
  const auto& leak = fills.leaks[static_cast<std::size_t>(Way::million)];
  for (std::size_t k = 0; k < leak.size(); ++k) {
    if (fills.lowered[k] < 0.99e6) CHECK(leak[k] == 0.0);
    if (fills.lowered[k] > 1.01e6) CHECK(leak[k] == 1.0);
  }
}

TEST_CASE("the formats of the fill: float32 rounds it, float16 makes it infinite") {
  const Fills fills = *made({{"view", "fills"}, {"visible", "0"}}).model().fills;
  CHECK(hidden(fills, Arithmetic::float64, Way::two_to_32).scores(0) == -4294967295.0);
  CHECK(hidden(fills, Arithmetic::float32, Way::two_to_32).scores(0) == -4294967296.0);
  CHECK(hidden(fills, Arithmetic::float16, Way::million).scores(0) == -kInfinity);
  for (const Arithmetic each : {Arithmetic::float64, Arithmetic::float32}) {
    CHECK((hidden(fills, each, Way::million).weights.array() - 0.2).abs().maxCoeff() < 1e-7);
    CHECK(hidden(fills, each, Way::infinity).broken());
    CHECK(hidden(fills, each, Way::left_out).leaked == 0.0);
  }
  const Fills half = *preset("float16").model().fills;
  for (const Way way : {Way::million, Way::two_to_32, Way::infinity, Way::renormalized}) {
    CHECK(hidden(half, Arithmetic::float16, way).broken());
  }
  CHECK((hidden(half, Arithmetic::float16, Way::left_out).weights.array() == 0).all());
  const Fills low = *preset("float32").model().fills;
  const VectorD& stored = hidden(low, Arithmetic::float32, Way::left_out).scores;
  CHECK(stored(0) + 3e6 == 2);
  CHECK(stored(1) + 3e6 == 1.25);
  CHECK(stored(2) + 3e6 == 0.5);
  CHECK(hidden(low, Arithmetic::float32, Way::left_out).error > 0.005);
  CHECK(hidden(low, Arithmetic::float64, Way::left_out).error < 1e-9);
}

TEST_CASE("every picked weight of every way ends with what its bar shows") {
  for (const char* way : {"left_out", "minus_million", "minus_two_to_32", "minus_infinity",
                          "scores_times_mask", "weights_times_mask", "renormalised"}) {
    for (const char* arithmetic : {"float64", "float32", "float16"}) {
      for (const char* weight : {"1", "5"}) {
        CAPTURE(way);
        CAPTURE(arithmetic);
        Made m =
            made({{"view", "fills"}, {"way", way}, {"arithmetic", arithmetic}, {"weight", weight}});
        const lab::Page page = m.page();
        const std::string id = std::string(way) == "left_out" ? "" : "way_" + std::string(way);
        const double value = readout(page, "weight");
        const bool none = value == 0 && says(page, "p= 0");
        CHECK((none || says(page, "≈ " + lab::weight_text(value))));
        if (!id.empty()) CHECK(bars_of(page, id)[std::stoul(weight) - 1] == value);
      }
    }
  }
}

TEST_CASE("softmax: at another temperature the words and the plot say x/T") {
  Made m = made({{"temperature", "2"}, {"explain", "naive"}});
  const lab::Page page = m.page();
  CHECK(page.figures.front().caption.find("exp(x/T)") != std::string::npos);
  CHECK(plot_of(page, "naive").title == "exp(x/T) / Σ exp(x/T) in float32");
  CHECK(says(page, "Σ exp(x/T)"));
  const auto& bars = mark_of<figure::Bars>(plot_of(page, "naive")).values;
  const Model model = m.model();
  for (std::size_t k = 0; k < bars.size(); ++k) {
    CHECK(bars[k] == doctest::Approx(model.row.p(static_cast<core::Index>(k))));
  }
}

}  // namespace softmax_test
