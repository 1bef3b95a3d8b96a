// The training of w.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "pooling_rig.h"

namespace pooling_training_test {

using namespace pooling_rig;  // NOLINT: the box under test

TEST_CASE("training reproduces the reference's two runs of gradient descent") {
  int runs = 0;
  for (const auto& c : reference().cases) {
    if (!c.name.starts_with("nadaraya_watson_parametric_sgd")) continue;
    CAPTURE(c.name);
    ++runs;
    const TempFile file("sgd.csv", csv(c));
    Made m = made({{"method", "parametric"}, {"rate", "0.5"}, {"epochs", "5"}});
    m.p.file = file.path();
    m.p.w0 = c.params.at("w0").as_real();
    const Model model = m.model();
    REQUIRE(model.data->size() == 50);
    const core::VectorD loss = c.expected.at("loss_before_step").as_vector();
    const core::VectorD gradient = c.expected.at("gradient").as_vector();
    const core::VectorD after = c.expected.at("w_after_step").as_vector();
    REQUIRE(model.training->states.size() == 6);
    for (Index k = 0; k < 5; ++k) {
      const auto& state = model.training->states[static_cast<std::size_t>(k)];
      CHECK(state.loss == doctest::Approx(loss(k)).epsilon(1e-9));
      CHECK(state.gradient == doctest::Approx(gradient(k)).epsilon(1e-9));
      CHECK(model.training->states[static_cast<std::size_t>(k) + 1].w ==
            doctest::Approx(after(k)).epsilon(1e-9));
    }
    // After the last step the curve sees every point.
    const core::VectorD queries = column(c, "x_query");
    const core::VectorD wanted = c.expected.at("prediction_after_training_all_keys").as_vector();
    for (Index i = 0; i < queries.size(); ++i) {
      const core::PoolingRow row(queries(i), model.data->x, model.data->y, model.weighing.kernel,
                                 model.weighing.bandwidth);
      CHECK(row.prediction() == doctest::Approx(wanted(i)).epsilon(1e-9));
    }
  }
  CHECK(runs == 2);
}

TEST_CASE(
    "a rate that changes leaves the steps before as they were, and the ones behind converge") {
  Made m = preset("lowered");
  const auto lowered = m.model().training->states;
  m.set({{"change_at", "0"}});
  const auto leaping = m.model().training->states;
  for (std::size_t k = 0; k <= 14; ++k) CHECK(lowered[k].w == leaping[k].w);
  CHECK(leaping[1].w > 20);  // thrown past its best
  const double best = lowered[24].w;
  CHECK(std::abs(best - lowered[23].w) < 0.01);
  for (std::size_t k = 13; k < 24; ++k) {
    CHECK((leaping[k].w - best) * (leaping[k + 1].w - best) < 0);
  }
  // A step is what the rate of its own makes of it.
  m = preset("lowered");
  const auto at = [&](std::size_t k, double rate) {
    return lowered[k].w - rate * lowered[k].gradient;
  };
  CHECK(lowered[14].w == at(13, 5));
  CHECK(lowered[15].w == at(14, 0.5));
}

TEST_CASE("a training that stopped goes on from its last good step with another rate") {
  Made m = made({{"method", "parametric"},
                 {"rate", "0.5"},
                 {"change_at", "5"},
                 {"rate_after", "1e9"},
                 {"epochs", "12"},
                 {"step", "12"}});
  const auto stopped = m.model();
  REQUIRE_FALSE(stopped.training->fault.empty());
  REQUIRE(stopped.training->states.size() == 6);
  CHECK(m.page().notes.back().ends_with(
      "It can go on from step 5 with another learning rate: let the rate change there."));
  // The button beside that word sets what the sentence says.
  using figure::Assignments;
  CHECK(m.page().offer.sets == Assignments{{"change_at", "5"}, {"rate_after", "1e+08"}});
  CHECK(
      m.page().figures.back().caption ==
      "w over gradient descent (steps: 5) from 0.3 with learning rate 0.5, from step 5 on 1e+09.");
  m.set({{"rate_after", "0.25"}});
  const auto on = m.model();
  CHECK(on.training->fault.empty());
  CHECK(m.page().offer.sets.empty());
  REQUIRE(on.training->states.size() == 13);
  for (std::size_t k = 0; k <= 5; ++k) {
    CHECK(on.training->states[k].w == stopped.training->states[k].w);
  }
  CHECK(on.training->states[12].loss < on.training->states[5].loss);
}

TEST_CASE("a rate that throws out the first step is offered smaller itself") {
  Made m = made({{"method", "parametric"}, {"rate", "1e9"}});
  REQUIRE(m.model().training->made() == 0);
  CHECK(m.page().offer.sets == figure::Assignments{{"rate", "1e+08"}});
  CHECK(m.page().offer.label == "Rate 1e+08 from step 0 on");
}

TEST_CASE("where the rate changes stands a line, unless no step has the other rate") {
  const auto lines = [](Made& m) {
    const auto& marks = plot_of(m.page(), "w").marks;
    std::vector<std::string> labels;
    for (const auto& mark : marks) {
      const auto* rule = std::get_if<figure::Rule>(&mark);
      if (rule && !rule->label.empty()) labels.push_back(rule->label);
    }
    return labels;
  };
  Made m = preset("lowered");
  CHECK(lines(m) == std::vector<std::string>{"rate 0.5"});
  CHECK(m.page().figures.back().caption.ends_with("with learning rate 5, from step 14 on 0.5."));
  m.set({{"change_at", "24"}});
  CHECK(lines(m).empty());
  CHECK(m.page().figures.back().caption.ends_with("with learning rate 5."));
}

}  // namespace pooling_training_test
