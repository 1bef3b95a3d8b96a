#include "core/model/learning/optimizer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"

namespace optimiser_test {

using core::Index;
using namespace core::model;

namespace {

// One matrix that decays and one bias that does not.
struct Two {
  Layout layout;
  Slot weight = layout.declare("weight", 1, 2, Start::normal(1), true);
  Slot bias = layout.declare("bias", 1, 1, Start::zeros(), false);
  std::vector<double> values = std::vector<double>(static_cast<std::size_t>(layout.size()));
  std::vector<double> gradients = values;

  double& at(std::vector<double>& numbers, const Slot& slot, Index i) const {
    return numbers[static_cast<std::size_t>(slot.offset + i)];
  }
};

}  // namespace

TEST_CASE("parameters begin by their own names, whatever others there are") {
  Layout one, two;
  const Slot a = one.declare("a", 3, 5, Start::normal(0.5), true);
  two.declare("before", 7, 7, Start::uniform(2), true);
  const Slot b = two.declare("a", 3, 5, Start::normal(0.5), true);
  const std::vector<double> x = one.start<double>(4), y = two.start<double>(4);
  for (Index i = 0; i < a.size(); ++i) {
    CHECK(x[static_cast<std::size_t>(a.offset + i)] == y[static_cast<std::size_t>(b.offset + i)]);
  }
  CHECK(x != one.start<double>(5));
  for (Index i = 0; i < 49; ++i) CHECK(std::abs(y[static_cast<std::size_t>(i)]) <= 2);
  CHECK_THROWS_AS(one.declare("a", 1, 1, Start::zeros(), true), core::InputError);
  CHECK_THROWS_AS(one.declare("b", 0, 1, Start::zeros(), true), core::InputError);
}

TEST_CASE("momentum by hand") {
  Two t;
  Optimizer<double> sgd(t.layout, {.method = Method::sgd, .momentum = 0.5});
  t.at(t.values, t.weight, 0) = 1;
  t.at(t.gradients, t.weight, 0) = 2;
  CHECK(sgd.step(t.layout, t.values.data(), t.gradients.data(), 0.1) == 2);
  CHECK(t.at(t.values, t.weight, 0) == doctest::Approx(0.8));  // 1 - 0.1 * 2
  sgd.step(t.layout, t.values.data(), t.gradients.data(), 0.1);
  CHECK(t.at(t.values, t.weight, 0) == doctest::Approx(0.5));  // 0.8 - 0.1 * (0.5 * 2 + 2)
}

TEST_CASE("the first step of Adam is the rate, whatever the gradient's size; AdamW decays apart") {
  for (const double size : {1e-3, 1.0, 1e3}) {
    Two t;
    Optimizer<double> adam(t.layout, {.method = Method::adam});
    t.at(t.gradients, t.weight, 0) = size;
    t.at(t.gradients, t.weight, 1) = -size;
    adam.step(t.layout, t.values.data(), t.gradients.data(), 0.01);
    CHECK(t.at(t.values, t.weight, 0) == doctest::Approx(-0.01).epsilon(1e-4));
    CHECK(t.at(t.values, t.weight, 1) == doctest::Approx(0.01).epsilon(1e-4));
  }
  Two t;
  Optimizer<double> adamw(t.layout, {.method = Method::adamw, .decay = 0.5});
  t.at(t.values, t.weight, 0) = t.at(t.values, t.bias, 0) = 1;
  adamw.step(t.layout, t.values.data(), t.gradients.data(), 0.1);
  CHECK(t.at(t.values, t.weight, 0) == doctest::Approx(0.95));  // 1 - 0.1 * 0.5
  CHECK(t.at(t.values, t.bias, 0) == 1);                        // does not decay
}

TEST_CASE("a gradient longer than the clip is brought to its length") {
  Two t;
  Optimizer<double> sgd(t.layout, {.method = Method::sgd, .momentum = 0, .clip = 1});
  t.at(t.gradients, t.weight, 0) = 3;
  t.at(t.gradients, t.bias, 0) = 4;
  CHECK(sgd.step(t.layout, t.values.data(), t.gradients.data(), 1) == 5);
  CHECK(t.at(t.values, t.weight, 0) == doctest::Approx(-0.6));
  CHECK(t.at(t.values, t.bias, 0) == doctest::Approx(-0.8));
}

TEST_CASE("the fast step gives what the plain one does") {
  Layout layout;
  layout.declare("weight", 7, 9, Start::normal(1), true);
  const OptimizerOptions options{.decay = 0.1, .clip = 2};
  std::vector<double> plain = layout.start<double>(1);
  std::vector<float> fast(plain.begin(), plain.end());
  Optimizer<double> slow(layout, options);
  Optimizer<float> quick(layout, options);
  core::Random random(3);
  for (int step = 0; step < 20; ++step) {
    std::vector<double> g(plain.size());
    for (double& x : g) x = random.gaussian();
    const std::vector<float> f(g.begin(), g.end());
    slow.step(layout, plain.data(), g.data(), 0.01);
    quick.step(layout, fast.data(), f.data(), 0.01);
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    CHECK(static_cast<double>(fast[i]) == doctest::Approx(plain[i]).epsilon(1e-4));
  }
}

TEST_CASE("one thread or two: the same step, to the bit") {
  Layout layout;  // several pieces for each thread
  layout.declare("weight", 300, 301, Start::normal(1), true);
  layout.declare("bias", 1, 301, Start::zeros(), false);
  for (const Method method : {Method::sgd, Method::adam, Method::adamw}) {
    const OptimizerOptions options{.method = method, .decay = 0.1, .clip = 2};
    Optimizer<float> one(layout, options), two(layout, options);
    std::vector<float> a = layout.start<float>(1), b = a;
    const std::vector<float> g = layout.start<float>(2);
    for (int k = 0; k < 3; ++k) {
      CHECK(one.step(layout, a.data(), g.data(), 0.01, 1) ==
            two.step(layout, b.data(), g.data(), 0.01, 2));
    }
    CHECK(a == b);
    CHECK(norm(layout, g.data(), 1) == norm(layout, g.data(), 2));
  }
  const std::vector<double> plain = layout.start<double>(2);
  const std::vector<float> fast(plain.begin(), plain.end());
  CHECK(norm(layout, fast.data()) == doctest::Approx(norm(layout, plain.data())).epsilon(1e-7));
}

TEST_CASE("an optimizer goes on from the moments of another, and from no others") {
  const Layout layout = [] {
    Layout made;
    made.declare("a", 4, 8, Start::normal(1), true);
    return made;
  }();
  const auto count = static_cast<std::size_t>(layout.size());
  for (const Method method : {Method::adamw, Method::sgd}) {
    const OptimizerOptions options{.method = method, .decay = 0.1, .clip = 1};
    std::vector<float> whole = layout.start<float>(1), parted = whole;
    const std::vector<float> gradient = layout.start<float>(2);
    Optimizer<float> one(layout, options);
    for (int k = 0; k < 3; ++k) one.step(layout, whole.data(), gradient.data(), 0.1);
    Optimizer<float> before(layout, options);
    before.step(layout, parted.data(), gradient.data(), 0.1);
    Optimizer<float> after(layout, options, before.steps(), before.first(), before.second());
    for (int k = 0; k < 2; ++k) after.step(layout, parted.data(), gradient.data(), 0.1);
    CHECK(after.steps() == 3);
    CHECK(parted == whole);
    const std::vector<float> all(count), none;
    CHECK_THROWS_AS(Optimizer<float>(layout, options, 1, none, all), core::InputError);
    const auto& second = method == Method::sgd ? all : none;
    CHECK_THROWS_AS(Optimizer<float>(layout, options, 1, all, second), core::InputError);
  }
}

TEST_CASE("schedules rise, fall and end where they should") {
  const Schedule constant{.rate = 2, .warmup = 4};
  CHECK(constant.at(1) == 0.5);
  CHECK(constant.at(4) == 2);
  CHECK(constant.at(1000) == 2);
  const Schedule cosine{
      .kind = Schedule::Kind::cosine, .rate = 2, .warmup = 10, .steps = 110, .last = 0.1};
  CHECK(cosine.at(10) == 2);
  CHECK(cosine.at(60) == doctest::Approx(1.1));  // halfway between 2 and 0.2
  CHECK(cosine.at(110) == doctest::Approx(0.2));
  CHECK(cosine.at(5000) == doctest::Approx(0.2));
  const Schedule steady{
      .kind = Schedule::Kind::steady, .rate = 2, .warmup = 10, .steps = 100, .last = 0.1};
  CHECK(steady.last_steady() == 80);
  CHECK(steady.at(5) == 1);
  CHECK(steady.at(10) == 2);
  CHECK(steady.at(80) == 2);
  CHECK(steady.at(85) == doctest::Approx(1.1));  // half of the root of a quarter
  CHECK(steady.at(100) == doctest::Approx(0.2));
  CHECK(steady.at(5000) == doctest::Approx(0.2));
  const Schedule paper{.kind = Schedule::Kind::paper, .rate = 1, .warmup = 4000, .d_model = 512};
  // Largest at the end of the warm-up: 512^-1/2 4000^-1/2.
  CHECK(paper.at(4000) == doctest::Approx(1 / std::sqrt(512.0 * 4000)));
  CHECK(paper.at(3999) < paper.at(4000));
  CHECK(paper.at(4001) < paper.at(4000));
}

TEST_CASE("the first parameter that is not finite is found") {
  Two t;
  CHECK(first_not_finite(t.layout, t.values.data()) == nullptr);
  t.at(t.values, t.bias, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(first_not_finite(t.layout, t.values.data())->name == "bias");
  t.at(t.values, t.weight, 1) = std::numeric_limits<double>::infinity();
  CHECK(first_not_finite(t.layout, t.values.data())->name == "weight");
}

}  // namespace optimiser_test
