#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/labs/scoring/model.h"
#include "app/labs/scoring/page.h"
#include "core/attention/softmax.h"
#include "trying.h"

namespace scoring_test {

using namespace lab::scoring;  // NOLINT: the box under test
using core::Index;
using core::Matrix;
using core::MatrixD;
using namespace lab::trying;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("scoring", id); }

const Answer& answer(const Model& model, Scoring scoring) {
  return model.plane->answers[static_cast<std::size_t>(scoring)];
}

const Guess& guess(const Model& model, Method method) {
  return model.heights->guesses[static_cast<std::size_t>(method)];
}

// An independent softmax over few scores.
std::vector<double> softmax(const std::vector<double>& scores) {
  double sum = 0;
  std::vector<double> weights;
  for (const double score : scores) sum += std::exp(score);
  for (const double score : scores) weights.push_back(std::exp(score) / sum);
  return weights;
}

}  // namespace

TEST_CASE("five scores of one query and key, by hand") {
  Made m = made({{"q_x", "1"},
                 {"q_y", "2"},
                 {"keys", "3,-1"},
                 {"w", "0.5"},
                 {"w_q_12", "0.5"},
                 {"w_k_21", "-1"},
                 {"w_v_2", "-1.5"},
                 {"w_11", "2"},
                 {"w_21", "0.5"}});
  const Model model = m.model();
  CHECK(answer(model, Scoring::dot).scores(0) == 1.0);  // 1 3 - 2 1
  CHECK(answer(model, Scoring::scaled).scores(0) ==
        doctest::Approx(1 / std::sqrt(2)).epsilon(1e-15));
  // q W_q = (1, 1 0.5 + 2), k W_k = (3 + 1, -1): tanh of 5 and 1.5.
  CHECK(answer(model, Scoring::additive).scores(0) ==
        doctest::Approx(2 * std::tanh(5.0) - 1.5 * std::tanh(1.5)).epsilon(1e-14));
  // q W = (1 2 + 2 0.5, 1 1 + 2 0) = (3, 1): 9 - 1.
  CHECK(answer(model, Scoring::bilinear).scores(0) == 8.0);
  // |q - k|^2 = 4 + 9; -(13 / 4) / 2.
  CHECK(answer(model, Scoring::gaussian).scores(0) == doctest::Approx(-13.0 / 8).epsilon(1e-14));
  for (const Answer& each : model.plane->answers) CHECK(each.weights(0) == 1.0);
}

TEST_CASE("weights and outputs of four keys against an independent softmax") {
  Made m = made({{"q_x", "0.7"}, {"q_y", "-1.1"}});
  const Model model = m.model();
  const Parameters& p = m.p;
  std::vector<double> scores;
  for (const auto& [x, y] : p.keys) scores.push_back((0.7 * x - 1.1 * y) / std::sqrt(2.0));
  const std::vector<double> weights = softmax(scores);
  double out_x = 0, out_y = 0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    CHECK(answer(model, Scoring::scaled).weights(static_cast<Index>(j)) ==
          doctest::Approx(weights[j]).epsilon(1e-14));
    out_x += weights[j] * p.values[j][0];
    out_y += weights[j] * p.values[j][1];
  }
  CHECK(answer(model, Scoring::scaled).output[0] == doctest::Approx(out_x).epsilon(1e-14));
  CHECK(answer(model, Scoring::scaled).output[1] == doctest::Approx(out_y).epsilon(1e-14));
  CHECK(readout(m.page(), "output_x") == answer(model, Scoring::scaled).output[0]);
}

TEST_CASE("a key beyond the last value has itself as its value") {
  Made m = made({{"keys", "1,0 0,1 -1,0"}, {"values", "3,3"}});
  const MatrixD values = m.model().plane->values;
  CHECK(values == MatrixD{{3, 3}, {0, 1}, {-1, 0}});
  // Only a value that was given can be dragged.
  const auto handles = handles_of(m.page(), "values");  // the five outputs, then the values
  REQUIRE(handles.size() == kScorings.size() + 3);
  for (std::size_t k = 0; k < handles.size(); ++k) {
    const bool given = k == kScorings.size();
    CHECK(handles[k].points_param == (given ? "values" : ""));
    CHECK(handles[k].x_param.empty());
  }
  CHECK(handles[0].label == "scaled dot");
  m.set({{"values", "3,3 2,2 1,1 0,0"}});
  CHECK(m.model().plane->values.rows() == 3);
  CHECK(m.page().notes.size() == 1);
}

TEST_CASE("no key, and one") {
  Made m = made({{"keys", ""}});
  CHECK(m.model().plane->answers[0].weights.size() == 0);
  CHECK(m.model().plane->answers[0].output[0] == 0.0);
  CHECK(m.page().readouts.empty());
  CHECK_FALSE(m.page().notes.empty());
  m.set({{"keys", "1,1"}});
  CHECK(readout(m.page(), "weight") == 1.0);
}

TEST_CASE("the fields are the scores and weights of a query in each place") {
  Made m = made({{"key", "2"}});
  const Model model = m.model();
  for (std::size_t at = 0; at < kScorings.size(); ++at) {
    const Matrix& scores = model.plane->fields->scores[at];
    const Matrix& weights = model.plane->fields->weights[at];
    REQUIRE(scores.rows() == kGrid);
    for (const Index row : {Index{0}, Index{17}, kGrid - 1}) {
      for (const Index col : {Index{3}, Index{40}}) {
        // Row 0 is the top of the plane.
        const double x = kEdge * ((2.0 * static_cast<double>(col) + 1) / kGrid - 1);
        const double y = -kEdge * ((2.0 * static_cast<double>(row) + 1) / kGrid - 1);
        Made there = m;
        there.p.q_x = x;
        there.p.q_y = y;
        const Model moved = there.model();
        const Answer& here = moved.plane->answers[at];
        CHECK(static_cast<double>(scores(row, col)) ==
              doctest::Approx(here.scores(2)).epsilon(1e-6));
        CHECK(static_cast<double>(weights(row, col)) ==
              doctest::Approx(here.weights(2)).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("moving the query leaves the fields alone") {
  Made m;
  m.model();
  m.set({{"q_x", "-2"}, {"score", "dot"}});
  m.model();
  CHECK(m.memo.runs("fields") == 1);
  m.set({{"keys", "1,1 2,2"}});
  m.model();
  CHECK(m.memo.runs("fields") == 2);
}

TEST_CASE("scores, weights and outputs are explained down to the entries") {
  for (const char* score : {"dot", "scaled", "additive", "bilinear", "gaussian"}) {
    CAPTURE(score);
    for (const char* explained : {"score", "weight", "output"}) {
      Made m = made({{"score", score}, {"explain", explained}, {"key", "1"}});
      const lab::Page page = m.page();
      const Model model = m.model();
      const Answer& a = answer(model, m.p.scoring);
      if (std::string(explained) != "output") CHECK(says(page, "≈ " + lab::fixed(a.scores(1), 4)));
      if (std::string(explained) == "weight") {
        CHECK(says(page, "p1≈ " + lab::weight_text(a.weights(1))));
      }
    }
  }
  CHECK(says(preset("mean").page(), "≈ (0.0000, 0.1250)"));
  // 1.5 2.5 + 1 1.5 = 3.75 + 1.5.
  Made m = made({{"score", "dot"}, {"explain", "score"}});
  CHECK(says(m.page(), "(1.50000)(2.50000) ≈ 3.7500"));
  CHECK(says(m.page(), "≈ 5.2500"));
}

TEST_CASE("heights and weights: what each way predicts for 179 cm") {
  const Model model = preset("heights").model();
  CHECK(guess(model, Method::document).value == doctest::Approx(437.0 / 6).epsilon(1e-14));
  CHECK(guess(model, Method::document).weights(0) == doctest::Approx(4.0 / 6).epsilon(1e-15));
  CHECK(guess(model, Method::first).value == 76.0);
  CHECK(guess(model, Method::shared).value == 78.5);
  CHECK(std::isnan(guess(model, Method::first).slope));
  // exp(-8), exp(-1/2), exp(-1/2).
  const double far = std::exp(-8.0), near = std::exp(-0.5);
  CHECK(guess(model, Method::gaussian).value ==
        doctest::Approx((70 * far + 157 * near) / (far + 2 * near)).epsilon(1e-14));
  CHECK(guess(model, Method::gaussian).value == doctest::Approx(78.49765).epsilon(1e-7));
  CHECK(guess(model, Method::gaussian).weights(1) == doctest::Approx(0.49986).epsilon(1e-5));
  CHECK(guess(model, Method::inverse).value ==
        doctest::Approx((70 / 4. + 157) / 2.25).epsilon(1e-14));
  CHECK(readout(preset("heights").page(), "prediction_document") ==
        doctest::Approx(72.8333333).epsilon(1e-8));
  CHECK(says(preset("distance_share").page(), "≈ 0.6667"));
  CHECK(says(preset("heights").page(), "≈ 78.4977 kg"));
  CHECK(guess(model, Method::gaussian).weights(0) == doctest::Approx(0.0003).epsilon(0.1));
  const Model hard = preset("hardmax").model();
  CHECK(guess(hard, Method::first).weights(1) == 1.0);
  CHECK(guess(hard, Method::first).slope == 0.0);
  CHECK(guess(hard, Method::gaussian).slope > 0.1);
}

TEST_CASE("the formula shown is that of the way that is picked, at first softmax") {
  CHECK(Made().p.method == Method::gaussian);
  Made m = made({{"view", "heights"}});
  CHECK(m.page().formula.find("softmax_{i}") != std::string::npos);
  m.set({{"method", "document"}});
  CHECK(m.page().formula.find("\\frac{|\\Q{q} - \\K{k_{i}}|}{\\sum_{j}") != std::string::npos);
  for (const char* one_hot : {"first", "shared"}) {
    m.set({{"method", one_hot}});
    CHECK(m.page().formula.find("hardmax") != std::string::npos);
  }
  m.set({{"method", "inverse"}});
  CHECK(m.page().formula.find("\\frac{1 / |") != std::string::npos);
}

TEST_CASE("the Gaussian score gives the nearest key most weight, wherever the query stands") {
  Made m = preset("gaussian");
  for (const char* w : {"0.5", "2", "5"}) {
    m.set({{"w", w}});
    for (double x = -4; x <= 4; x += 0.8) {
      for (double y = -4; y <= 4; y += 0.8) {
        m.p.q_x = x;
        m.p.q_y = y;
        const Model model = m.model();
        Index nearest = 0, heaviest = 0;
        (model.plane->keys.rowwise() - model.plane->query.row(0))
            .rowwise()
            .squaredNorm()
            .minCoeff(&nearest);
        answer(model, Scoring::gaussian).weights.maxCoeff(&heaviest);
        CHECK(nearest == heaviest);
      }
    }
  }
}

TEST_CASE("the slope of softmax is that of its own curve") {
  Made m = made({{"view", "heights"}, {"height", "178.7"}, {"bandwidth", "2"}});
  const auto value = [&](double height) {
    Made there = m;
    there.p.height = height;
    return guess(there.model(), Method::gaussian).value;
  };
  const double h = 1e-3;
  CHECK(guess(m.model(), Method::gaussian).slope ==
        doctest::Approx((value(178.7 + h) - value(178.7 - h)) / (2 * h)).epsilon(1e-5));
}

TEST_CASE("nobody, one person, and everyone as tall as asked for") {
  Made m = made({{"view", "heights"}, {"people", ""}, {"method", "document"}});
  CHECK(m.page().figures.empty());
  CHECK_FALSE(m.page().notes.empty());
  m.set({{"people", "179,80"}});
  CHECK(std::isnan(guess(m.model(), Method::document).value));
  CHECK(guess(m.model(), Method::inverse).value == 80.0);
  CHECK_FALSE(m.page().notes.empty());
  m.set({{"people", "170,60"}});
  const Model model = m.model();
  for (const Guess& each : model.heights->guesses) CHECK(each.value == 60.0);
}

TEST_CASE("the variance of q.k is d, and 1 after division, at every width") {
  Made m = made({{"view", "width"}, {"rows", "512"}});
  const Model model = m.model();
  REQUIRE(model.widths->points.size() == 10);
  for (const WidthPoint& point : model.widths->points) {
    CAPTURE(point.d);
    const double d = static_cast<double>(point.d);
    // Keys of one query are not independent: about rows / 2 (1 + d / 2) count.
    CHECK(point.variance / d == doctest::Approx(1).epsilon(0.2));
    CHECK(point.plain.largest >= point.divided.largest - 1e-12);
  }
  const auto& points = model.widths->points;
  CHECK(points.back().plain.largest > 0.9);
  CHECK(points.back().plain.gradient < 0.25 * points.back().divided.gradient);
  // Divided, the width leaves no trace.
  CHECK(points.back().divided.largest == doctest::Approx(points[5].divided.largest).epsilon(0.1));
  CHECK(readout(m.page(), "scaled_variance") == model.width->point.variance / 64);
}

TEST_CASE("the histogram is a density, and the exact curve passes through it") {
  Made m = preset("narrow");
  const OneWidth width = *m.model().width;
  for (const OneWidth::Histogram* each : {&width.plain, &width.divided}) {
    double sum = 0;
    for (const double density : each->density) sum += density * each->step;
    CHECK(sum <= 1 + 1e-12);
    CHECK(sum > 0.99);
  }
  // exp(-|z|)/2 has its peak of 1/2 at 0.
  CHECK(width.plain.exact[90] == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(width.plain.normal[90] ==
        doctest::Approx(1 / std::sqrt(4 * std::acos(-1.0))).epsilon(1e-12));
  CHECK(width.plain.density[22] == doctest::Approx(0.43).epsilon(0.1));
}

TEST_CASE("divided by d, every weight is near 1/n") {
  for (int seed = 0; seed < 10; ++seed) {
    Made m = preset("why_sqrt");
    m.p.seed = seed;
    const Model model = m.model();
    const core::MatrixD scores = model.width->scores / m.p.d;
    CAPTURE(seed);
    const core::MatrixD weights = core::softmax_rows(scores);
    const double n = static_cast<double>(weights.cols());
    CHECK(std::sqrt((weights.array() - 1 / n).square().mean()) < 0.2 / n);
    CHECK(model.width->divided_weights.maxCoeff() > 1.5 / n);
  }
}

TEST_CASE("what is said of the saturated softmax follows the division") {
  Made m = preset("saturated");
  CHECK(says(m.page(), "The wider the vectors, the further apart the scores"));
  m.set({{"divided", "true"}});
  CHECK_FALSE(says(m.page(), "The wider the vectors, the further apart the scores"));
  CHECK(says(m.page(), "scores do not spread further as vectors get wider"));
}

TEST_CASE("most goes to the farthest only where one is farther than another") {
  Made m = made({{"view", "heights"}, {"people", "178,76 180,81"}, {"height", "179"}});
  CHECK(plot_of(m.page(), "share_document").note.empty());
  CHECK(plot_of(m.page(), "share_shared").note.empty());
  m.set({{"height", "179.5"}});
  CHECK(plot_of(m.page(), "share_document").note == "most to the farthest");
  CHECK(plot_of(m.page(), "share_first").note.empty());
}

TEST_CASE("the histograms' axes are the same for every width, and theory lies over the sample") {
  Made m = preset("why_sqrt");
  const lab::Page first = m.page();
  for (const int d : {2, 16, 64, 100, 1024}) {
    CAPTURE(d);
    m.p.d = d;
    const lab::Page page = m.page();
    for (const std::string id : {"plain", "divided"}) {
      const figure::Plot& plot = plot_of(page, id);
      CHECK(plot.x.lo == plot_of(first, id).x.lo);
      CHECK(plot.x.hi == plot_of(first, id).x.hi);
      CHECK(plot.y.hi == plot_of(first, id).y.hi);
      // The dashed line is the normal density of variance d, or 1.
      const auto drawn = marks_of<figure::Line>(plot);
      const figure::Line& normal = drawn.at(drawn.size() - 2);
      REQUIRE(normal.dashed);
      const double variance = id == "plain" ? d : 1;
      for (std::size_t k = 0; k < normal.x.size(); k += 20) {
        CHECK(normal.y[k] == doctest::Approx(std::exp(-normal.x[k] * normal.x[k] / (2 * variance)) /
                                             std::sqrt(2 * std::acos(-1.0) * variance)));
      }
    }
    // The sample's own spread on those axes grows as √d; divided it does not.
    const auto spread = [&page](std::string_view id) {
      const auto& band = mark_of<figure::Band>(plot_of(page, id));
      double sum = 0, squares = 0;
      for (std::size_t k = 0; k + 1 < band.x.size(); k += 2) {
        const double middle = (band.x[k] + band.x[k + 1]) / 2;
        const double mass = band.hi[k] * (band.x[k + 1] - band.x[k]);
        sum += mass, squares += mass * middle * middle;
      }
      return std::sqrt(squares / sum);
    };
    CHECK(spread("plain") == doctest::Approx(std::sqrt(d)).epsilon(0.1));
    CHECK(spread("divided") == doctest::Approx(1).epsilon(0.1));
  }
}

TEST_CASE("the axis of the divided scores is shown on that of the others, and the width is named") {
  Made m = preset("why_sqrt");
  const lab::Page page = m.page();
  const auto bands = marks_of<figure::Band>(plot_of(page, "plain"));
  REQUIRE(bands.size() == 2);
  const figure::Axis& near = plot_of(page, "divided").x;
  CHECK(bands[1].x == std::vector<double>{near.lo, near.hi});
  CHECK(marks_of<figure::Rule>(plot_of(page, "variance")).front().label ==
        fmt::format("d = {}", m.p.d));
}

TEST_CASE("a row of softmax saturates as the width grows, and divided it does not") {
  Made m = preset("why_sqrt");
  const auto row = [&m](int d, bool divided) {
    m.p.d = d;
    m.p.divided = divided;
    return mark_of<figure::Bars>(plot_of(m.page(), "row"));
  };
  const auto largest = [](const figure::Bars& bars) {
    return *std::max_element(bars.values.begin(), bars.values.end());
  };
  for (const int d : {64, 1024}) {
    CAPTURE(d);
    const figure::Bars plain = row(d, false), divided = row(d, true);
    const lab::Page page = m.page();
    REQUIRE(plain.values.size() == 16);
    // The weights are those of the first query's scores.
    std::vector<double> scores, scaled;
    for (Index j = 0; j < 16; ++j) scores.push_back(m.model().width->scores(0, j));
    for (const double score : scores) scaled.push_back(score / std::sqrt(d));
    for (std::size_t j = 0; j < 16; ++j) {
      CHECK(plain.values[j] == doctest::Approx(softmax(scores)[j]).epsilon(1e-9));
      CHECK(divided.values[j] == doctest::Approx(softmax(scaled)[j]).epsilon(1e-9));
    }
    CHECK(plain.values.at(static_cast<std::size_t>(plain.marked)) == largest(plain));
    CHECK(largest(plain) > 0.8);
    CHECK(largest(divided) < 0.5);
    // What goes into the softmax is framed, and a click on the other one takes it.
    CHECK(plot_of(page, "divided").selected);
    CHECK_FALSE(plot_of(page, "plain").selected);
    CHECK(plot_of(page, "plain").click == figure::Assignments{{"divided", "false"}});
  }
  CHECK(largest(row(2, false)) < largest(row(1024, false)));
}

TEST_CASE("the peak of narrow vectors is too high for the axes until it is divided") {
  Made m = preset("narrow");
  const lab::Page page = m.page();
  const OneWidth width = *m.model().width;
  const auto peak = [](const OneWidth::Histogram& one) {
    return *std::max_element(one.exact.begin(), one.exact.end());
  };
  CHECK(peak(width.plain) > plot_of(page, "plain").y.hi);
  CHECK(plot_of(page, "plain").note == "the peak, 0.50, lies above");
  CHECK(peak(width.divided) < plot_of(page, "divided").y.hi);
}

TEST_CASE("what was sampled stands under its theory: a variance under a variance") {
  Made m = preset("why_sqrt");
  const double variance = m.model().width->point.variance;
  const auto text = lines(m.page());
  CHECK(text.at(2) == "Var(q·k)= 1 + … + 1 = d = 64");
  CHECK(text.at(3) == fmt::format("sampled: {:.4g}", variance));
  CHECK(text.at(4) == "deviation= √64 ≈ 8");
  CHECK(text.at(5) == fmt::format("sampled: {:.4g}", std::sqrt(variance)));
  CHECK(text.at(7) == fmt::format("sampled: {:.4g}", variance / 64));
}

}  // namespace scoring_test
