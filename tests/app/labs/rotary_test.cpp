#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <regex>
#include <string>

#include "app/labs/rotary/model.h"
#include "app/labs/rotary/page.h"
#include "app/session/pick.h"
#include "core/position/rotary/rotary_decay.h"
#include "core/position/rotary/xpos.h"
#include "core/random.h"
#include "trying.h"

namespace rotary_test {

using namespace lab::rotary;  // NOLINT: the box under test
using core::Index;
using namespace lab::trying;
using core::RotaryPairing;

namespace {

using Made = Trial<Parameters>;
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("rotary", id); }

// Every run of terms "... ≈ x" is followed by "≈ their sum", as near as its digits allow, and each
// product follows from its factors as they are printed; how many sums.
int sums_that_add_up(const lab::Page& page) {
  const std::string about = "≈ ";
  static const std::regex cosine(R"(([-\d.]+)·([-\d.]+)·cos\(([-\d.]+)\) ≈ ([-\d.]+))");
  static const std::regex product(R"(\(([-\d.]+)\)\(([-\d.]+)\) ≈ ([-\d.]+))");
  static const std::regex shrunk(R"(([-\d.]+) · \(?([-\d.]+)\)? ≈ ([-\d.]+))");
  double sum = 0;
  int terms = 0, sums = 0;
  for (const std::string& line : lines(page)) {
    const auto at = line.rfind(about);
    if (at != std::string::npos && (line.starts_with("  ") || line.starts_with("+ "))) {
      const double printed = std::stod(line.substr(at + about.size()));
      CAPTURE(line);
      std::smatch found;
      const auto number = [&](std::size_t k) { return std::stod(found[k]); };
      if (std::regex_search(line, found, cosine)) {
        CHECK(std::abs(number(1) * number(2) * std::cos(number(3)) - printed) < 2e-4);
      } else if (std::regex_search(line, found, product) ||
                 std::regex_search(line, found, shrunk)) {
        CHECK(std::abs(number(1) * number(2) - printed) < 2e-4);
      }
      sum += printed;
      ++terms;
    } else if (terms > 0) {
      CAPTURE(line);
      const std::size_t start = line.find(about);
      REQUIRE(start != std::string::npos);
      // Each term is within half a unit of its fourth decimal, the sum of its third or fourth.
      const double printed = std::stod(line.substr(start + about.size()));
      CHECK(std::abs(printed - sum) < 5e-4 + 5e-5 * terms);
      terms = 0, sum = 0, ++sums;
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("Scores are those of turned vectors, whatever turns and however it is paired") {
  for (const auto pairing : {RotaryPairing::neighbors, RotaryPairing::halves}) {
    for (const bool partial : {false, true}) {
      for (const Vectors vectors : {Vectors::random, Vectors::equal, Vectors::text}) {
        Made made;
        made.p.pairing = pairing;
        made.p.partial = partial;
        made.p.vectors = vectors;
        const Model model = made.model();
        core::MatrixD R = core::MatrixD::Identity(16, 16);
        const Index r = made.p.rotated_width();
        R.topLeftCorner(r, r) = core::rotary_matrix(12, model.theta, pairing);
        // q^T R_{n-m} k = (R_{m-n} q)^T k, n - m = -12.
        CHECK(model.distance == -12);
        CHECK(std::abs((R * model.q).dot(model.k) - model.score) < 1e-12);
        double sum = 0;
        for (const Pair& pair : model.pairs) sum += pair.term(-12);
        CHECK(std::abs(sum - model.score) < 1e-12);
        CHECK(model.moved.deviation < 1e-8);
        CHECK(model.moved.own == doctest::Approx(model.score).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("A dial, by hand: pair 1 of base 100 and d = 4 turns by a tenth of a radian") {
  Made made;
  made.p.d = 4;
  made.p.base = 100;
  made.p.pair = 1;
  made.p.m = 5;
  made.p.n = 0;
  made.p.explained = Explained::dial;
  const Model model = made.model();
  const Pair& pair = model.pairs[1];
  CHECK(pair.theta == doctest::Approx(0.1).epsilon(1e-15));
  CHECK((pair.a == 2 && pair.b == 3));
  const double a = model.q(2) * std::cos(0.5) - model.q(3) * std::sin(0.5);
  const double b = model.q(2) * std::sin(0.5) + model.q(3) * std::cos(0.5);
  CHECK(pair.term(-5) == doctest::Approx(a * model.k(2) + b * model.k(3)).epsilon(1e-12));
  const auto page = made.page();
  const auto text = lines(page);
  CHECK(std::find(text.begin(), text.end(), "= 0.1 rad per position") != text.end());
  CHECK(std::find(text.begin(), text.end(), "= 0.5 rad") != text.end());
  CHECK(std::find(text.begin(), text.end(), "≈ 0.0795775 turns") != text.end());
  // The plane's strong arrow points there.
  const auto& rotated = mark_of<figure::Arrows>(plot_of(page, "plane"), 3).arrows.front();
  CHECK(rotated.x1 == doctest::Approx(a).epsilon(1e-12));
  CHECK(rotated.y1 == doctest::Approx(b).epsilon(1e-12));
  // Half-split pairs are other columns.
  made.p.pairing = RotaryPairing::halves;
  const Model halves = made.model();
  CHECK((halves.pairs[1].a == 1 && halves.pairs[1].b == 3));
}

TEST_CASE("In every dial the longer hand reaches the circle, and moving both keeps the angle") {
  Made changed;
  changed.p.m = 3, changed.p.n = 90, changed.p.moved_to = 777777;
  Made partial = preset("partial");
  for (Made& made : std::array{Made(), changed, partial, preset("equal"), preset("text")}) {
    if (made.p.moved_to == 0) {
      // At first there are the two hands alone.
      for (const figure::Figure& one : made.page().figures) {
        if (one.id != "dials") continue;
        CHECK(one.note.empty() == (one.plots.size() == made.model().pairs.size()));
        CHECK(marks_of<figure::Line>(one.plots.front()).size() == 5);
      }
      made.p.moved_to = 10000;
    }
    const lab::Page page = made.page();
    const auto dials = std::find_if(page.figures.begin(), page.figures.end(),
                                    [](const auto& one) { return one.id == "dials"; });
    REQUIRE(dials != page.figures.end());
    for (const figure::Plot& dial : dials->plots) {
      // The circle, its mark at 0, the arc, the faint hands of q and k, k's, q's.
      const auto hand = [&](std::size_t k) {
        const auto& line = mark_of<figure::Line>(dial, k);
        return std::complex<double>(line.x.back(), line.y.back());
      };
      CAPTURE(dial.id);
      CHECK(std::max(std::abs(hand(5)), std::abs(hand(6))) == doctest::Approx(1).epsilon(1e-12));
      CHECK(std::abs(hand(4) / hand(3) - hand(5) / hand(6)) < 1e-8 * std::abs(hand(5) / hand(6)));
    }
  }
}

TEST_CASE("The bound holds at every distance for the q and k at hand and for random ones") {
  for (const int d : {2, 16, 128}) {
    Made made;
    made.p.d = d;
    made.p.reach = 2000;
    const Model model = made.model();
    const double slack = 1 + 1e-12;
    CHECK((model.decay->own.array() <= slack * model.decay->bound.array()).all());
    CHECK((model.decay->largest.array() <= slack * model.decay->bound.array()).all());
    const core::VectorD bound =
        core::rotary_bound_curve(model.q, model.k, model.theta, 12, made.p.pairing);
    CHECK(readout(made.page(), "bound") == doctest::Approx(bound(12)).epsilon(1e-12));
  }
}

TEST_CASE("A long curve keeps its true extremes") {
  Made made;
  made.p.reach = 5000;
  const Model model = made.model();
  const Curve& curve = *model.curve;
  CHECK(curve.stretch == 10);
  double lowest = 1e9, highest = -1e9;
  for (int t = -5000; t <= 5000; ++t) {
    const double score = core::score_at(model.scores, -t);  // of m - n
    lowest = std::min(lowest, score), highest = std::max(highest, score);
    const auto at = static_cast<std::size_t>((t + 5000) / 10);
    CHECK(score >= curve.lo[at] - 1e-9);
    CHECK(score <= curve.hi[at] + 1e-9);
  }
  CHECK(curve.lowest == doctest::Approx(lowest).epsilon(1e-9));
  CHECK(curve.highest == doctest::Approx(highest).epsilon(1e-9));
}

TEST_CASE("The text's weights with RoPE are those of turned queries and keys") {
  Made made;
  made.p.head = 5;
  const Model model = made.model();
  const TextModel& text = *model.text;
  REQUIRE(text.n() == 14);
  core::AttentionOptionsD options;
  options.mask = core::Mask::causal(14, 14);
  const auto weights =
      core::attend<double>(text.rotated_Q, text.rotated_K, core::MatrixD(14, 0), options).weights;
  const auto page = made.page();
  const figure::TileSource& shown_weights =
      *mark_of<figure::Heatmap>(plot_of(page, "turned")).source;
  for (Index i = 0; i < 14; ++i) {
    for (Index j = 0; j < 14; ++j) {
      const core::RotaryScores pair = core::rotary_scores(
          text.Q.row(i).transpose(), text.K.row(j).transpose(), model.theta, made.p.pairing);
      CHECK(std::abs(core::score_at(pair, static_cast<double>(i - j)) - text.rotated.scores(i, j)) <
            1e-12);
      const float shown = shown_weights.value(i, j);
      CHECK(core::is_masked(shown) == (j > i));
      if (j <= i) CHECK(std::abs(static_cast<double>(shown) - weights(i, j)) < 1e-7);
    }
  }
}

TEST_CASE("Picks set what they say") {
  Made made;
  const auto page = made.page();
  CHECK(plot_of(page, "dial_5").click == figure::Assignments{{"pair", "5"}, {"explain", "dial"}});
  CHECK(mark_of<figure::Handle>(plot_of(page, "line"), 0).x_param == "n");
  CHECK(mark_of<figure::Handle>(plot_of(page, "line"), 1).x_param == "m");
  const auto& every = mark_of<figure::Heatmap>(plot_of(page, "every"));
  CHECK(every.row_param == "m");
  CHECK(every.col_param == "n");
  CHECK(mark_of<figure::Heatmap>(plot_of(page, "difference")).also ==
        figure::Assignments{{"explain", "weight"}});
  // Every pick along the curve puts the pair at its distance, with both positions in range.
  for (const auto& [id, explained] :
       {std::pair{"score", "score"}, std::pair{"decay", "bound"}, std::pair{"xpos", "xpos"}}) {
    const auto& points = mark_of<figure::Points>(plot_of(page, id));
    REQUIRE(points.picks.size() == points.x.size());
    for (std::size_t k = 0; k < points.x.size(); ++k) {
      Made picked;
      picked.set(points.picks[k]);
      const double r = picked.p.n - picked.p.m;
      CHECK((explained == std::string("score") ? r : -r) == points.x[k]);
      CHECK(param::serialize(*picked.list().find("explain")) == explained);
    }
  }
  const auto& bars = mark_of<figure::Bars>(plot_of(page, "terms"));
  CHECK(bars.picks[2] == figure::Assignments{{"pair", "2"}, {"explain", "dial"}});
}

namespace {

std::string label_of(const lab::Page& page) {
  return mark_of<figure::Interval>(plot_of(page, "line")).label;
}

}  // namespace

TEST_CASE("The bar moves both: distance and score stand still to the last digit, angles turn") {
  core::Random random(7);
  for (const auto& [m, n] : {std::pair{37, 25}, std::pair{3, 90}, std::pair{64, 64}}) {
    Made made;
    made.p.m = m, made.p.n = n;
    const std::string label = label_of(made.page());
    const auto stands = made.page().figures.at(0).footer;
    const double score = readout(made.page(), "score");
    CHECK(label.starts_with(fmt::format("n - m = {}   q·k ", n - m)));
    for (int drag = 0; drag < 60; ++drag) {
      const figure::Plot plot = plot_of(made.page(), "line");
      const auto bar = mark_of<figure::Interval>(plot);
      CHECK((bar.from == made.p.n && bar.to == made.p.m));
      // Mostly along the line, now and then to the far end of all positions.
      const double reach = drag % 10 == 9 ? 3e6 : 200;
      const figure::Pick pick{{},
                              {},
                              {},
                              figure::Shift{{{bar.from_param, bar.from}, {bar.to_param, bar.to}},
                                            reach * (2 * random.uniform() - 1)}};
      session::apply(made.describing(), pick);
      const lab::Page page = made.page();
      CAPTURE(made.p.m);
      CHECK(made.p.n - made.p.m == n - m);
      CHECK(label_of(page) == label);
      CHECK(readout(page, "score") == score);
      const auto& footer = page.figures.at(0).footer;
      REQUIRE(footer.size() == 4);
      CHECK(footer[3].text == stands[3].text);  // (n - m)θ
      if (made.p.m != m) CHECK(footer[1].text != stands[1].text);
      if (made.p.m != m) CHECK(footer[2].text != stands[2].text);
    }
  }
}

TEST_CASE("The score over the bar is that of the vectors as they are turned where they stand") {
  for (const int m : {0, 37, 999999}) {
    Made made;
    made.p.m = m, made.p.n = m + 1;
    const Model model = made.model();
    const core::VectorD at{{double(made.p.m), double(made.p.n)}};
    core::MatrixD both(2, made.p.d);
    both << model.q.transpose(), model.k.transpose();
    const core::MatrixD rotated =
        core::rotated(both, core::rotary_angles(at, model.theta), made.p.pairing);
    CHECK(model.rotated == rotated.row(0).dot(rotated.row(1)));
    CHECK(std::abs(model.rotated - model.score) < 1e-8);
  }
}

TEST_CASE("Distances are picked near both ends of the positions too") {
  for (const auto& [m, n] : {std::pair{0, 0}, std::pair{1000000, 1000000}, std::pair{0, 1000000}}) {
    Made made;
    made.p.m = m, made.p.n = n;
    const Model model = made.model();
    const Scene scene{made.p, model, made.words};
    for (const Index t : {-1000000, -999999, -1, 0, 1, 1000000}) {
      Made picked;
      picked.set(scene.at_distance(t, "score"));
      CHECK(picked.p.n - picked.p.m == t);
    }
  }
}

TEST_CASE("Explanations add up, whatever is explained") {
  for (const int d : {2, 16, 128}) {
    for (const Vectors vectors : {Vectors::random, Vectors::text}) {
      Made made;
      made.p.d = d;
      made.p.pair = 0;
      made.p.vectors = vectors;
      for (const Explained explained : {Explained::score, Explained::bound, Explained::xpos}) {
        made.p.explained = explained;
        CHECK(sums_that_add_up(made.page()) == 1);
      }
      made.p.explained = Explained::weight;
      CHECK(sums_that_add_up(made.page()) == 2);
    }
  }
}

TEST_CASE("A weight that the mask hides, and a page without any token, say so") {
  Made made;
  made.p.explained = Explained::weight;
  made.p.query = 2;
  made.p.key = 5;
  CHECK(lines(made.page()).at(1) == "masked: key 5 comes after query 2");
  made.p.text.clear();
  made.p.query = made.p.key = 0;
  made.p.vectors = Vectors::text;
  const auto page = made.page();
  CHECK(page.notes.size() == 1);
  CHECK(page.figures.back().id == "columns");
  CHECK(sums_that_add_up(page) == 1);  // the score instead
}

TEST_CASE("An odd width, or more columns than there are, is refused in a sentence") {
  Made made;
  const auto message = [&](const char* id, const char* value) -> std::string {
    try {
      made.set({{id, value}});
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "taken";
  };
  CHECK(message("rotated", "7") ==
        "rotated: expected an integer from 2 to 16 in steps of 2, got 7");
  CHECK(message("rotated", "18") ==
        "rotated: expected an integer from 2 to 16 in steps of 2, got 18");
  CHECK(message("d", "15") == "d: expected an integer from 2 to 128 in steps of 2, got 15");
  CHECK(message("m", "1000001") == "m: expected an integer from 0 to 1000000, got 1000001");
}

TEST_CASE("A million positions open, with the widest heads, too") {
  Made made = preset("far_end");
  const auto page = made.page();
  CHECK(readout(page, "deviation") < 1e-9);
  const auto& every = mark_of<figure::Heatmap>(plot_of(page, "every"));
  CHECK(every.source->rows() == 1000001);
  CHECK(every.source->value(1000000, 999990) ==
        doctest::Approx(static_cast<float>(readout(page, "score"))));
  Made widest = preset("far_end");
  widest.p.d = 128;
  widest.p.draws = 64;
  CHECK(readout(widest.page(), "deviation") < 1e-9);
}

TEST_CASE("One pair alone has a bound that never rises: it is constant") {
  Made made;
  made.p.d = 2;
  made.p.pair = 0;
  CHECK(readout(made.page(), "first_rise") == 0);
  made = {};
  made.p.partial = true;
  made.p.rotated = 2;
  CHECK(readout(made.page(), "first_rise") == 0);
}

TEST_CASE(
    "The score under xPos, and the score beside the bound, are those of the pair as it stands") {
  for (const auto& [m, n] : {std::pair{0, 37}, std::pair{37, 0}}) {
    Made made;
    made.p.m = m, made.p.n = n;
    const Model model = made.model();
    const core::VectorD zeta = core::xpos_decay(8, made.p.gamma);
    double want = 0, plain = 0;
    for (Index i = 0; i < 8; ++i) {
      const double term = model.pairs[std::size_t(i)].term(n - m);
      plain += term;
      want += std::pow(zeta(i), (m - n) / made.p.scale_base) * term;
    }
    CHECK(model.score == doctest::Approx(plain).epsilon(1e-12));
    CHECK(readout(made.page(), "xpos") == doctest::Approx(want).epsilon(1e-12));
    made.p.explained = Explained::xpos;
    const lab::Page page = made.page();
    CHECK(says(page, fmt::format("≈ {:.3f}", want)));
    CHECK(says(page, "exceed 1") == (n > m));
    made.p.explained = Explained::bound;
    CHECK(says(made.page(), fmt::format("|s|≈ {:.3f}", std::abs(plain))));
    // What the curve marks is what it draws.
    const auto own = marks_of<figure::Points>(plot_of(page, "xpos"));
    CHECK(own.size() == (n > m ? 1 : 2));
    const auto marked = marks_of<figure::Line>(plot_of(made.page(), "decay")).at(1);
    CHECK(marked.y.at(37) == doctest::Approx(std::abs(plain) / model.decay->factor).epsilon(1e-9));
  }
  // Where its factors leave the range of numbers, the page says so.
  Made far;
  far.p.m = 0, far.p.n = 1000000;
  CHECK(std::isfinite(readout(far.page(), "xpos")));
}

TEST_CASE("Distances are key minus query, in notes, curves and readouts") {
  Made made;  // the query at 37, the key at 25
  const lab::Page page = made.page();
  CHECK(mark_of<figure::Rule>(plot_of(page, "score")).at == -12);
  CHECK(says(page, "t= n - m = 25 - 37 = -12"));
  const auto& line = mark_of<figure::Line>(plot_of(page, "score"));
  CHECK(line.x.front() == -128);
  const Model model = made.model();
  CHECK(line.y.at(128 - 12) == doctest::Approx(model.score).epsilon(1e-12));
  double rotated = 0;  // 12 before the query, from turned vectors
  const auto table = core::rotary_angles(core::VectorD{{12.0, 0.0}}, model.theta);
  core::MatrixD both(2, 16);
  both << model.q.transpose(), model.k.transpose();
  const core::MatrixD rows = core::rotated(both, table);
  rotated = rows.row(0).dot(rows.row(1));
  CHECK(model.score == doctest::Approx(rotated).epsilon(1e-12));
}

}  // namespace rotary_test
