#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "app/labs/low_precision_math/model.h"
#include "app/labs/low_precision_math/page.h"
#include "trying.h"

namespace low_precision_math_test {

using namespace lab::low_precision_math;  // NOLINT: the box under test
using namespace lab::trying;

namespace {

constexpr std::size_t kInFormat = 0, kPairwise = 1, kInFloat = 2;

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) {
  return lab::trying::preset<Parameters>("low_precision_math", id);
}

// The printed terms of the explanation's sum, and the sum itself.
struct Printed {
  double terms = 0, sum = 0, room = 0;
  int count = 0;
};
Printed printed(const lab::Page& page) {
  Printed out;
  for (const auto& line : page.explanation.lines) {
    if (line.right.size() == 3 &&
        line.right[1].text.find_first_not_of("-0123456789.") == std::string::npos) {
      out.terms += std::stod(line.right[1].text);
      ++out.count;
    } else if (out.count > 0 && line.right.size() == 1 && out.sum == 0) {
      const std::string& text = line.right[0].text;
      const std::size_t digit = text.find_first_of("-0123456789");
      const auto last = text.find('.');
      if (digit == std::string::npos) continue;
      out.sum = std::stod(text.substr(digit));
      // Each of the terms and the sum itself is rounded by up to half a unit of its last digit.
      const auto decimals = last == std::string::npos ? 0 : text.size() - last - 1;
      out.room = 0.5 * (out.count + 1) * std::pow(10, -static_cast<double>(decimals));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("what is rounded as it is printed stands behind \"≈\", what is not behind \"=\"") {
  Made m = preset("halves");
  m.set({{"explain", "dot"}});
  const lab::Page page = m.page();
  for (const char* text : {"≈ 2586.4939", "≈ 2586.3035", "≈ 0.003984", "≈ 0.0535"}) {
    CAPTURE(text);
    CHECK(says(page, text));
  }
  CHECK_FALSE(says(page, "= 2586.4939"));
  CHECK(says(page, "= 2^-"));
}

TEST_CASE("ones stop at 256 in bfloat16, and nowhere else") {
  Made m;
  const Model model = m.model();
  CHECK(model.run->in_format.sums(255) == 256);
  CHECK(model.run->in_format.sums(511) == 256);
  CHECK(*model.run->stalls == 256);
  CHECK(model.run->stored[kInFormat] == 256);
  CHECK(model.run->stored[kPairwise] == 512);
  CHECK(model.run->stored[kInFloat] == 512);
  CHECK(readout(m.page(), "share") == 0.5);
}

TEST_CASE("the run is the core's dot product") {
  for (const char* vectors : {"random", "positive"}) {
    for (const char* method : {"in_format", "pairwise", "in_float"}) {
      Made m = made({{"vectors", vectors}, {"method", method}, {"d", "300"}, {"scale", "0.7"}});
      const Run& run = *m.model().run;
      const core::LowDot dot = core::low_dot(run.q, run.k, arithmetic_of(m.p, m.p.method));
      const auto at = static_cast<std::size_t>(m.p.method);
      CHECK(run.before_store[at] == dot.before_store);
      CHECK(run.stored[at] == dot.result);
      CHECK(run.exact(299) == doctest::Approx(dot.of_rounded).epsilon(1e-12));
    }
  }
}

TEST_CASE("every step is the one before and its term, rounded") {
  Made m = made({{"vectors", "random"}, {"d", "200"}});
  const Run& run = *m.model().run;
  for (const auto* steps : {&run.in_format, &run.in_float}) {
    const core::Format& f = steps == &run.in_float ? core::kFloat32 : core::kBFloat16;
    for (core::Index i = 1; i < 200; ++i) {
      CHECK(steps->sums(i) == core::round_to(f, steps->sums(i - 1) + steps->terms(i)));
    }
  }
}

TEST_CASE("errors keep below their bounds, and halves and float32 below the plain sum") {
  Made m = made({{"vectors", "positive"}, {"longest", "4096"}});
  const DotErrors& errors = *m.model().dot_errors;
  REQUIRE(errors.lengths.size() == 13);
  for (std::size_t k = 0; k < kMethods; ++k) {
    for (std::size_t l = 0; l < errors.lengths.size(); ++l) {
      CHECK(errors.of[k].high[l] <= errors.bounds[k][l]);
      CHECK(errors.of[k].low[l] <= errors.of[k].mean[l]);
    }
  }
  CHECK(errors.of[kPairwise].mean.back() < 0.1 * errors.of[kInFormat].mean.back());
  CHECK(errors.of[kInFloat].mean.back() < 1e-3 * errors.of[kPairwise].mean.back());
}

TEST_CASE("the presets show what they say") {
  CHECK(preset("float_inside").model().run->stored[kInFloat] == 512);
  const Model halves = preset("halves").model();
  const Run& long_run = *halves.run;
  const auto lost = [](const Run& run, std::size_t k) {
    return std::abs(run.before_store[k] - run.exact(run.exact.size() - 1)) / run.absolute_sum;
  };
  CHECK(lost(long_run, kPairwise) < 0.02);
  CHECK(lost(long_run, kInFormat) > 0.3);
  Made positive = preset("signs");
  const double random = positive.model().dot_errors->of[kInFormat].mean[9];
  positive.set({{"vectors", "positive"}});
  CHECK(random < 0.2 * positive.model().dot_errors->of[kInFormat].mean[9]);
  // The mean of the repetitions comes near 512, and none stops at 256.
  Made chance = preset("chance");
  double mean = 0;
  for (int repetition = 1; repetition <= 16; ++repetition) {
    chance.p.repetition = repetition;
    mean += chance.model().run->before_store[kInFormat] / 16;
    CHECK_FALSE(chance.model().run->stalls);
  }
  CHECK(std::abs(mean - 512) < 5 * 22.0 / 4);  // 256 steps of +-1
  const lab::Page four = preset("four_times").page();
  CHECK(readout(four, "total") > 3.7);
  CHECK(readout(four, "total") < 4.05);
  const lab::Page nothing = preset("nothing").page();
  CHECK(readout(nothing, "total") == 0);
  CHECK(readout(nothing, "zeros") == 4096);
  Made own = preset("own");
  CHECK(core::max_finite(own.model().format) == 240);
  CHECK(std::isinf(own.model().run->stored[kInFloat]));
  for (const int t : {1, 3, 5}) {
    own.p.format.mantissa_bits = t;
    CHECK(own.model().run->in_format.sums(511) == std::ldexp(1, t + 1));
    CHECK(*own.model().run->stalls == 2 << t);
  }
  const Model overflow = preset("overflow").model();
  CHECK(overflow.run->true_product == 131072);
  CHECK(std::isinf(overflow.run->stored[kInFormat]));
  CHECK(std::isinf(overflow.run->stored[kInFloat]));
  Made wide = preset("overflow");
  wide.set({{"format", "bfloat16"}, {"method", "in_float"}});
  CHECK(wide.model().run->stored[kInFloat] == 131072);
}

TEST_CASE("the explained sums add up as printed") {
  for (const char* vectors : {"random", "positive", "ones"}) {
    for (const char* scale : {"0.001", "1", "30"}) {
      Made m = made({{"vectors", vectors}, {"scale", scale}, {"explain", "dot"}});
      const Printed sum = printed(m.page());
      CHECK(sum.count == 3);
      CHECK(std::abs(sum.terms - sum.sum) <= sum.room * (1 + 1e-9));
      const Run& run = *m.model().run;
      CHECK(sum.sum ==
            doctest::Approx(run.stored[kInFormat] - run.true_product).epsilon(1e-4).scale(1e-6));
    }
  }
  for (const char* n : {"1", "9", "500"}) {
    Made m = made({{"n", n}, {"explain", "total"}});
    const Printed sum = printed(m.page());
    CHECK(std::abs(sum.terms - sum.sum) <= sum.room * (1 + 1e-9));
    CHECK(sum.sum == doctest::Approx(m.model().softmax(m.p)->total).epsilon(1e-4));
  }
}

TEST_CASE("a format too small for the scores has no softmax, and says so") {
  Made m = made({{"format", "custom"},
                 {"exponent_bits", "2"},
                 {"mantissa_bits", "2"},
                 {"bias", "20"},
                 {"explain", "weight"}});
  CHECK_FALSE(m.model().softmax(m.p));
  CHECK(m.model().softmax_errors->largest[kInFormat].lost > 0);
  CHECK_FALSE(m.page().notes.empty());
}

TEST_CASE("moving a pick computes nothing again") {
  Made m;
  m.model();
  m.set({{"step", "3"}, {"key", "5"}, {"explain", "weight"}, {"method", "pairwise"}});
  m.model();
  for (const char* stage : {"run", "scores", "row", "dot errors", "softmax errors"}) {
    CHECK(m.memo.runs(stage) == 1);
  }
}

TEST_CASE("only adding in order stalls, and only it says so") {
  CHECK(has_readout(Made().page(), "stalls"));
  for (const char* id : {"float_inside", "halves"}) {
    CAPTURE(id);
    CHECK_FALSE(has_readout(preset(id).page(), "stalls"));
  }
}

TEST_CASE("a caption names the band and the bound where they can be seen, and no others") {
  const auto caption = [](const param::Values& values) {
    const lab::Page page = made(values).page();
    const auto is_it = [](const figure::Figure& one) { return one.id == "dot_errors"; };
    return std::ranges::find_if(page.figures, is_it)->caption;
  };
  const auto names = [](const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
  };
  // Sums by halves of ones have no error: no band, and a bound below the axis.
  const std::string exact = caption({{"vectors", "ones"}, {"method", "pairwise"}});
  CHECK_FALSE(names(exact, "Band"));
  CHECK_FALSE(names(exact, "Dashed"));
  const std::string random = caption({{"vectors", "random"}});
  CHECK(names(random, "Band"));
  CHECK(names(random, "Dashed"));
}

TEST_CASE("where the sum is kept in float32, its curve is the strong one, and nothing stalls") {
  const auto widths = [](const char* method) {
    const lab::Page page = made({{"vectors", "ones"}, {"method", method}}).page();
    const figure::Plot& plot = plot_of(page, "run");
    const auto lines = marks_of<figure::Line>(plot);
    return std::tuple(lines.at(1).width > lines.at(2).width,
                      marks_of<figure::Rule>(plot).front().label.starts_with("stalls"));
  };
  CHECK(widths("in_format") == std::tuple(false, true));
  CHECK(widths("in_float") == std::tuple(true, false));
}

}  // namespace low_precision_math_test
