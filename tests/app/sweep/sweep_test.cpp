#include "app/sweep/sweep.h"

#include <doctest/doctest.h>

#include <charconv>

#include "small_lab.h"

namespace sweep_test {

using small_lab::value;
using sweep::Ease;
using sweep::Loop;
using sweep::Sweep;

Sweep swept(const std::vector<std::string>& tracks, const std::string& settings = "") {
  Sweep sweep;
  sweep.base = small_lab::values(settings);
  for (const std::string& track : tracks) sweep.tracks.push_back(sweep::parse_track(track));
  return sweep;
}

std::string at(const Sweep& sweep, double place, std::string_view id) {
  return value(sweep::values_at(sweep, small_lab::lab(), place), id);
}

double number_at(const Sweep& sweep, double place, std::string_view id) {
  return std::stod(at(sweep, place, id));
}

std::string refusal(const Sweep& sweep) {
  try {
    sweep::check(sweep, small_lab::lab());
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "taken";
}

template <class Do>
std::string said(const Do& act) {
  try {
    act();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST_CASE("the ends are exact, with any ease") {
  for (const Ease ease : {Ease::linear, Ease::in_out}) {
    Sweep sweep = swept({"t=0.0123456789:98.7654321", "n=3:61", "x=0.2:0.9", "kind=third:first"});
    sweep.ease = ease;
    CHECK(at(sweep, 0, "t") == "0.0123456789");
    CHECK(at(sweep, 1, "t") == "98.7654321");
    CHECK(at(sweep, 0, "n") == "3");
    CHECK(at(sweep, 1, "n") == "61");
    CHECK(at(sweep, 0, "x") == "0.2");
    CHECK(at(sweep, 1, "x") == "0.9");
    CHECK(at(sweep, 0, "kind") == "third");
    CHECK(at(sweep, 1, "kind") == "first");
  }
}

TEST_CASE("a knob never turns back on its way, and stays on its step") {
  for (const Ease ease : {Ease::linear, Ease::in_out}) {
    Sweep sweep = swept({"t=0.01:100", "n=64:1", "x=0:1"});
    sweep.ease = ease;
    double t = 0, n = 65, x = -1;
    for (int k = 0; k <= 200; ++k) {
      const double place = k / 200.0;
      const double t_now = number_at(sweep, place, "t"), n_now = number_at(sweep, place, "n");
      const double x_now = number_at(sweep, place, "x");
      CHECK(t_now >= t);
      CHECK(n_now <= n);
      CHECK(x_now >= x);
      CHECK(n_now == std::floor(n_now));
      CHECK(std::abs(x_now * 10 - std::round(x_now * 10)) < 1e-9);
      t = t_now, n = n_now, x = x_now;
    }
  }
}

// Half of the way is the geometric mean, to the four digits that a value on the way has.
TEST_CASE("a logarithmic knob goes by the ratio, a linear one by the difference") {
  Sweep sweep = swept({"t=0.01:100", "n=10:30"});
  sweep.ease = Ease::linear;
  CHECK(number_at(sweep, 0.5, "t") == doctest::Approx(1).epsilon(5e-4));
  CHECK(number_at(sweep, 0.25, "t") == doctest::Approx(0.1).epsilon(5e-4));
  CHECK(number_at(sweep, 0.5, "n") == 20);
  const double a = number_at(sweep, 0.2, "t"), b = number_at(sweep, 0.4, "t");
  const double c = number_at(sweep, 0.6, "t");
  CHECK(b / a == doctest::Approx(c / b).epsilon(2e-3));
}

TEST_CASE("in-out leaves and comes to rest, and is half way in the middle") {
  const Sweep sweep = swept({"n=0:64", "x=0:1"}, "n=8");
  Sweep even = swept({"t=0.01:100"});
  CHECK(number_at(even, 0.5, "t") == doctest::Approx(1).epsilon(5e-4));
  CHECK(number_at(even, 0.05, "t") < 0.02);  // smoothstep(0.05) = 0.00725
  CHECK(number_at(even, 0.95, "t") > 90);
  CHECK(refusal(sweep).find("n: expected an integer from 1 to 64, got 0") != std::string::npos);
}

TEST_CASE("options are gone through one by one, each as long as the others") {
  Sweep sweep = swept({"kind=first:third", "on=false:true"});
  sweep.ease = Ease::linear;
  CHECK(at(sweep, 0.32, "kind") == "first");
  CHECK(at(sweep, 0.34, "kind") == "second");
  CHECK(at(sweep, 0.66, "kind") == "second");
  CHECK(at(sweep, 0.67, "kind") == "third");
  CHECK(at(sweep, 0.49, "on") == "false");
  CHECK(at(sweep, 0.51, "on") == "true");
}

TEST_CASE("several values are key frames, evenly in time") {
  Sweep sweep = swept({"n=4:16:8"});
  CHECK(at(sweep, 0.5, "n") == "16");
  CHECK(at(sweep, 0.25, "n") == "10");
  CHECK(at(sweep, 0.75, "n") == "12");
}

TEST_CASE("there and back is the same from both sides, over and over begins anew") {
  Sweep sweep = swept({"t=0.01:100"});
  sweep.seconds = 4;
  sweep.loop = Loop::back;
  for (const double s : {0.0, 0.3, 1.7, 3.9}) {
    CHECK(sweep::position(sweep, 4 - s) == doctest::Approx(sweep::position(sweep, 4 + s)));
    CHECK(sweep::position(sweep, s) == doctest::Approx(sweep::position(sweep, 8 + s)));
  }
  sweep.loop = Loop::loop;
  CHECK(sweep::position(sweep, 5) == doctest::Approx(0.25));
  sweep.loop = Loop::once;
  CHECK(sweep::position(sweep, 5) == 1);
  CHECK(sweep::position(sweep, -1) == 0);
  CHECK(sweep::end_of(sweep) == 4);
}

TEST_CASE("a film's frames: both ends, and the way back without them") {
  CHECK(sweep::frame_positions(Loop::once, 3) == std::vector<double>{0, 0.5, 1});
  CHECK(sweep::frame_positions(Loop::back, 3) == std::vector<double>{0, 0.5, 1, 0.5});
  CHECK(sweep::frame_positions(Loop::back, 5).size() == 8);
}

TEST_CASE("a range that moves with another knob holds back, and lets go again") {
  Sweep sweep = swept({"n=4:32"}, "n=32 | k=20");
  CHECK(at(sweep, 0, "k") == "3");
  CHECK(at(sweep, 1, "k") == "20");
  // One that moves itself goes as far as it may.
  sweep = swept({"k=0:31", "n=4:32"});
  sweep.ease = Ease::linear;
  CHECK(refusal(sweep) == "taken");
  CHECK(at(sweep, 1, "k") == "31");
  CHECK(number_at(sweep, 0.5, "k") <= number_at(sweep, 0.5, "n") - 1);
}

TEST_CASE("through whole settings: what differs moves, and what cannot is there at once") {
  const Sweep sweep = sweep::through(
      small_lab::lab(), {small_lab::values("t=1 | text=one"), small_lab::values("t=100 | text=two"),
                         small_lab::values("t=1 | kind=third | text=two")});
  REQUIRE(sweep.tracks.size() == 3);
  CHECK(refusal(sweep) == "taken");
  CHECK(at(sweep, 0, "text") == "one");
  CHECK(at(sweep, 0.1, "text") == "two");
  CHECK(at(sweep, 0.25, "t") == "10");
  CHECK(at(sweep, 0.5, "t") == "100");
  CHECK(at(sweep, 0.5, "kind") == "first");
  CHECK(at(sweep, 0.6, "kind") == "third");
  CHECK(at(sweep, 1, "t") == "1");
  // A knob that has an effect in none of them is left out.
  CHECK(sweep::through(small_lab::lab(), {small_lab::values("depth=2"), small_lab::values("t=2")})
            .tracks.size() == 1);
}

TEST_CASE("what cannot be swept is refused in one sentence") {
  CHECK(refusal(swept({"text=a:b"})) ==
        "text: expected a number, a switch or a choice to sweep, got a text");
  CHECK(refusal(swept({"nn=1:2"})) ==
        "expected a knob to sweep, one of n, t, x, k, on, kind, deep, depth, got nn");
  CHECK(refusal(swept({"n=1:2", "n=3:4"})) == "n: expected each knob once, got it twice");
  CHECK(refusal(swept({"n=1:65"})) == "n: expected an integer from 1 to 64, got 65");
  CHECK(refusal(swept({"kind=first:fourth"})) ==
        "kind: expected one of first, second, third, got fourth");
  CHECK(refusal(swept({})) == "expected a knob to sweep, got none");
  CHECK(refusal(swept({"depth=1:9"})).starts_with("depth: expected a knob that has an effect"));
  CHECK(refusal(swept({"depth=1:9"}, "deep=true")) == "taken");
  CHECK(refusal(swept({"depth=1:9", "deep=false:true"})) == "taken");
  Sweep sweep = swept({"n=1:2"});
  sweep.seconds = 0;
  CHECK(refusal(sweep) == "expected a duration above 0 and of at most 600 seconds, got 0");
  for (const char* text : {"n", "n=1", "=1:2", ""}) {
    CHECK(said([&] {
            sweep::parse_track(text);
          }).starts_with("--param: expected id=from:to such as d_k=16:256, got "));
  }
  CHECK(said([] { sweep::parse_ease("fast"); }) == "--ease: expected linear or in-out, got fast");
  CHECK(said([] { sweep::parse_loop("twice"); }) ==
        "--loop: expected once, loop or back, got twice");
}

TEST_CASE("the knobs that move are told as the reader calls them") {
  const Sweep sweep = swept({"kind=first:third", "t=0.01:100"});
  const words::Words w;
  CHECK(sweep::caption(sweep, small_lab::lab(), sweep::values_at(sweep, small_lab::lab(), 0.5),
                       w) == "Temperature = 1 · Kind = Second");
}

}  // namespace sweep_test
