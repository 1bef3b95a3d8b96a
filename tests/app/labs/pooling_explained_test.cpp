// What the page says of its numbers.
#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "pooling_rig.h"

namespace pooling_explained_test {

using namespace pooling_rig;  // NOLINT: the box under test

TEST_CASE("explanations end in what the page shows elsewhere") {
  for (const char* id :
       {"gaussian", "boxcar", "epanechnikov", "triangular", "trained", "average"}) {
    CAPTURE(id);
    Made m = preset(id);
    m.set({{"key", "24"}, {"explain", "prediction"}});
    const Model model = m.model();
    const lab::Page page = m.page();
    const auto& row = model.pooled->row(25);
    const double weight = row.weight(model.data->x(24));
    REQUIRE_FALSE(said(page, "α").empty());
    CHECK(std::stod(said(page, "α").back()) == doctest::Approx(weight).epsilon(1e-5));
    CHECK(std::stod(said(page, "f(q)").back()) ==
          doctest::Approx(readout(page, "prediction")).epsilon(1e-3));
    CHECK(std::stod(said(page, "x_j").back()) == doctest::Approx(model.data->x(24)).epsilon(1e-5));
  }
  Made m = preset("trained");
  for (const int step : {0, 3, 5}) {
    m.set({{"step", std::to_string(step)}, {"explain", "training"}});
    const lab::Page page = m.page();
    const auto states = m.model().training->states;
    const auto k = static_cast<std::size_t>(step);
    CHECK(std::stod(said(page, "Σ").back()) == doctest::Approx(states[k].loss).epsilon(1e-3));
    CHECK(std::stod(said(page, "L(w)").back()) == doctest::Approx(states[k].loss).epsilon(1e-5));
    if (step == 5) continue;
    CHECK(std::stod(said(page, "w′").back()) == doctest::Approx(states[k + 1].w).epsilon(1e-5));
  }
}

TEST_CASE("weights are said to sum to 1 only where there are any") {
  Made m = preset("empty");
  const auto caption = [&](int query) {
    m.p.query = query;
    return m.page().figures.at(1).caption;
  };
  const auto rows = m.model().pooled->rows;
  int none = 0;
  for (int query = 0; query < 50; ++query) {
    double sum = 0;
    for (const double x : m.model().data->x)
      sum += (*rows)[static_cast<std::size_t>(query)].weight(x);
    const bool whole = caption(query).find("they add up to 1.") != std::string::npos;
    CHECK(whole == (std::abs(sum - 1) < 1e-12));
    CHECK(whole != (caption(query).find("no key is within reach") != std::string::npos));
    none += !whole;
  }
  CHECK(none == static_cast<int>(readout(m.page(), "empty")));
}

namespace {

// The numbers of a line such as "≈ 0.5·(-1.25) / 3": what stands between signs.
std::vector<double> numbers(const std::string& text) {
  std::vector<double> all;
  for (const char* at = text.c_str(); *at != 0;) {
    const bool begins = std::isdigit(static_cast<unsigned char>(*at)) ||
                        (*at == '-' && std::isdigit(static_cast<unsigned char>(at[1])));
    char* end = nullptr;
    if (begins) all.push_back(std::strtod(at, &end));
    at = begins ? end : at + 1;
  }
  return all;
}

// One unit of the last of six significant digits.
double last_of_six(double value) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) - 5);
}

}  // namespace

TEST_CASE("every line of a weight can be worked out again from the line before, as printed") {
  for (const char* kernel : {"gaussian", "epanechnikov", "triangular", "boxcar"}) {
    for (const char* h : {"0.05", "0.4", "1", "30"}) {
      CAPTURE(kernel);
      CAPTURE(h);
      Made m = made({{"kernel", kernel}, {"bandwidth", h}, {"key", "25"}});
      const lab::Page page = m.page();
      const bool gaussian = std::string(kernel) == "gaussian";
      const std::vector<std::string> u = said(page, gaussian ? "s_j" : "u");
      REQUIRE(u.size() == 3);
      const std::vector<double> of = numbers(u[1]);
      REQUIRE(of.size() >= 3);
      const double again = (of[0] - of[1]) / of[2];
      CHECK(numbers(u[2])[0] ==
            doctest::Approx(gaussian ? -again * again / 2 : again).epsilon(1e-7).scale(1e-1));
      const std::vector<std::string> alpha = said(page, "α");
      if (alpha.back() == "0") continue;
      const std::vector<double> quotient = numbers(alpha[alpha.size() - 2]);
      REQUIRE(quotient.size() == 2);
      const double weight = std::stod(alpha.back());
      CHECK(std::abs(quotient[0] / quotient[1] - weight) < 1.001 * last_of_six(weight));
      if (!gaussian) continue;
      const std::vector<double> power = numbers(alpha[1]);
      CHECK(std::exp(power.at(0)) == doctest::Approx(quotient[0]).epsilon(1e-7));
    }
  }
}

TEST_CASE("the explained step of the training can be worked out again from its line") {
  Made m = preset("runaway");
  for (const char* step : {"0", "1", "5"}) {
    m.set({{"step", step}});
    const std::vector<std::string> next = said(m.page(), "w′");
    REQUIRE(next.size() == 3);
    const std::vector<double> of = numbers(next[1]);
    REQUIRE(of.size() == 3);
    const double w = std::stod(next[2]);
    CHECK(std::abs(of[0] - of[1] * of[2] - w) < 1.001 * last_of_six(w));
  }
}

}  // namespace pooling_explained_test
