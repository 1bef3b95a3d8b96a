#include <cstdio>

#include "absolute_rig.h"
#include "app/labs/shared/position_cells.h"

namespace absolute_test {

using namespace absolute_rig;  // NOLINT: the box under test
using core::VectorD;

namespace {

std::string text(const lab::Explanation& explanation) {
  std::string all = explanation.title + "\n";
  for (const auto& line : explanation.lines) {
    all += line.left + " ";
    for (const auto& span : line.right) all += span.text;
    all += "\n";
  }
  return all;
}

// The last digit that a number is printed with.
double last_digit(const std::string& number) {
  const std::size_t point = number.find('.');
  return point == number.npos ? 1
                              : std::pow(10.0, 1.0 - static_cast<double>(number.size() - point));
}

// A term as its remark says it can be worked out: "0.123456·-0.5 …", "cos(1.234567) …",
// "4sin²(0.1) …", "(0.123)² …", "0.5/12 …". NaN: it says no such thing.
double worked_out(const std::string& remark) {
  double a = 0, b = 0;
  if (std::sscanf(remark.c_str(), "cos(%lf)", &a) == 1) return std::cos(a);
  if (std::sscanf(remark.c_str(), "4sin²(%lf)", &a) == 1) return 4 * std::sin(a) * std::sin(a);
  if (std::sscanf(remark.c_str(), "(%lf)²", &a) == 1) return a * a;
  if (std::sscanf(remark.c_str(), "%lf·%lf", &a, &b) == 2) return a * b;
  if (std::sscanf(remark.c_str(), "%lf/%lf", &a, &b) == 2) return a / b;
  return std::nan("");
}

// Every sum ("  0.123  what", "+ 0.123  what", then "≈ 0.246") can be done again with the printed
// digits: each term from its remark and the sum from its terms, to the last digit.
void check_sums(const lab::Explanation& explanation) {
  double sum = 0;
  int terms = 0;
  for (const auto& line : explanation.lines) {
    if (line.right.size() == 3 && (line.right[0].text == "  " || line.right[0].text == "+ ")) {
      const std::string& number = line.right[1].text;
      CAPTURE(number);
      CAPTURE(line.right[2].text);
      const double again = worked_out(line.right[2].text.substr(2));
      if (!std::isnan(again))
        CHECK(std::abs(std::stod(number) - again) < 1.001 * last_digit(number));
      sum += std::stod(number);
      ++terms;
    } else if (terms > 0) {
      const std::string sign = "≈ ", printed = line.right[0].text;
      REQUIRE(printed.substr(0, sign.size()) == sign);
      const std::string number = printed.substr(sign.size());
      CAPTURE(number);
      CHECK(std::abs(std::stod(number) - sum) < 1.001 * last_digit(number));
      sum = 0;
      terms = 0;
    }
  }
}

}  // namespace

TEST_CASE("Cells by hand: sin 37/10 and its neighbours, in both layouts") {
  Made made;
  made.set({{"width", "4"}, {"base", "100"}, {"position", "37"}, {"column", "2"}});
  CHECK(readout(made.page(), "cell") == doctest::Approx(std::sin(3.7)).epsilon(1e-12));
  made.set({{"column", "1"}});
  CHECK(readout(made.page(), "cell") == doctest::Approx(std::cos(37.0)).epsilon(1e-12));
  made.set({{"layout", "concatenated"}});
  CHECK(readout(made.page(), "cell") == doctest::Approx(std::sin(3.7)).epsilon(1e-12));
  made.set({{"rule", "tensor2tensor"}});
  CHECK(readout(made.page(), "cell") == doctest::Approx(std::sin(0.37)).epsilon(1e-12));
}

TEST_CASE("The explained cell is its formula with its numbers") {
  Made made;
  made.set({{"width", "4"}, {"base", "100"}, {"position", "37"}, {"column", "2"}});
  const std::string said = text(made.page().explanation);
  CHECK(said.find("= 100^(-2/4)") != std::string::npos);
  CHECK(said.find("≈ 37 · 0.1\n ≈ 3.700000") != std::string::npos);
  CHECK(said.find("≈ -0.529836") != std::string::npos);  // sin 3.7
  made.set({{"position", "99"}, {"column", "0"}});
  // 99 - 15 turns = 4.752220
  CHECK(text(made.page().explanation).find("≈ 4.752220") != std::string::npos);
}

TEST_CASE("A table of a million rows is never kept, answers at once and pools its rows alone") {
  Made made = preset("million");
  const Model model = made.model();
  CHECK(model.table->P.rows() <= kMostRows);
  const figure::TileSource& source = *model.table->source;
  CHECK(source.rows() == 1000000);
  CHECK(source.cols() == 128);
  const double angle = 999999 * std::pow(10000.0, -60.0 / 128);
  // A float's rounding.
  CHECK(std::abs(static_cast<double>(source.value(999999, 60)) - std::sin(angle)) < 1e-7);
  const auto longer = source.repeated(0, 12);
  REQUIRE(longer != nullptr);
  CHECK(longer == source.repeated(0, 12));
  CHECK(longer->cols() == 128 << 12);
  CHECK(longer->value(5, 60 << 12) == source.value(5, 60));
  std::vector<float> cells(2);
  longer->pooled(12, {3, 60, 1, 2}, figure::Pool::mean, cells.data(), {});
  double mean = 0;
  for (Index p = 3 << 12; p < 4 << 12; ++p) mean += static_cast<double>(source.value(p, 60));
  CHECK(std::abs(static_cast<double>(cells[0]) - mean / 4096) < 1e-6);
  // Below its own level several cells of the repetition are one.
  longer->pooled(11, {0, 121, 1, 2}, figure::Pool::max, cells.data(), {});
  std::vector<float> other(2);
  longer->pooled(11, {0, 120, 1, 2}, figure::Pool::max, other.data(), {});
  CHECK(cells[0] == other[1]);
  CHECK(other[0] == other[1]);
}

TEST_CASE("Kept tables pool like formulas, and absent rows do not count") {
  const core::SinusoidalOptions options{.base = 50};
  const MatrixD table = core::sinusoidal_table(40, 6, options);
  const auto kept = lab::kept_cells(table.cast<float>(), 40),
             formula = lab::formula_cells(40, 6, options);
  const auto a = kept->repeated(0, 2), b = formula->repeated(0, 2);
  for (const auto pool : {figure::Pool::max, figure::Pool::mean}) {
    std::vector<float> x(60), y(60);
    a->pooled(2, {0, 0, 10, 6}, pool, x.data(), {});
    b->pooled(2, {0, 0, 10, 6}, pool, y.data(), {});
    for (std::size_t k = 0; k < 60; ++k) CHECK(std::abs(x[k] - y[k]) < 2e-7f);
  }
  const auto cut = lab::kept_cells(core::Matrix::Ones(8, 2), 3);
  std::vector<float> cells(4);
  cut->pooled(1, {0, 0, 4, 1}, figure::Pool::mean, cells.data(), {});
  CHECK(cells[0] == 1);
  CHECK(cells[1] == 1);
  CHECK(core::is_masked(cells[2]));
  CHECK(core::is_masked(cut->value(3, 0)));
}

TEST_CASE("The layout changes no product; the rule's slowest wave is exactly base times 2 pi") {
  Made plain = preset("first_look"), reordered = preset("concatenated_layout");
  const MatrixD a = plain.model().table->P, b = reordered.model().table->P;
  CHECK((a * a.transpose() - b * b.transpose()).cwiseAbs().maxCoeff() < 1e-13);
  plain.set({{"rule", "tensor2tensor"}});
  CHECK(readout(plain.page(), "longest_wave") ==
        doctest::Approx(2 * std::numbers::pi * 10000).epsilon(1e-12));
}

TEST_CASE("M_k moves every position and its explained entry is a sine") {
  Made made = preset("shift");
  CHECK(readout(made.page(), "shift_error") < 1e-13);
  const std::string said = text(made.page().explanation);
  CHECK(said.find("M[0,1] ≈ " + lab::fixed(std::sin(5.0), 6)) != std::string::npos);
  check_sums(made.page().explanation);
  for (const char* scheme : {"sinusoidal", "grid"}) {
    for (const char* order : {"height_first", "width_first"}) {
      for (const char* exponent : {"half_width", "whole_width"}) {
        made.set({{"scheme", scheme}, {"axis_order", order}, {"exponent", exponent}});
        CHECK(readout(made.page(), "shift_error") < 1e-13);
      }
    }
  }
}

TEST_CASE("A half-trained learned table has no such map") {
  Made made = preset("learned_shift");
  CHECK(readout(made.page(), "shift_error") > 0.1);
  CHECK(made.model().shift->fit->rms > 0.05);
  CHECK_FALSE(made.model().shift->fit->exact);
  check_sums(made.page().explanation);
}

TEST_CASE("The product of d = 8 rises first at distance 4, under its envelope") {
  Made made = preset("oscillates");
  const lab::Page page = made.page();
  CHECK(readout(page, "first_rise") == 4);
  CHECK(readout(page, "rebound") > 0.5);
  const core::ProductDecay& decay = *made.model().decay;
  for (Index t = 0; t < decay.mean.size(); ++t) {
    CHECK(decay.envelope(t) >= decay.mean(t));
    if (t > 0) CHECK(decay.envelope(t) <= decay.envelope(t - 1));
  }
  check_sums(page.explanation);
  made.set({{"explain", "similarity"}, {"position", "10"}, {"other", "14"}});
  const std::string said = text(made.page().explanation);
  CHECK(said.find("s[10,14] ≈ " + lab::fixed(decay.mean(4), 4)) != std::string::npos);
  check_sums(made.page().explanation);
}

TEST_CASE("Two dimensions nearly repeat after 44 and 710 positions") {
  Made made = preset("repeats");
  const lab::Page page = made.page();
  CHECK(readout(page, "separation") ==
        doctest::Approx(2 * std::abs(std::sin(355.0))).epsilon(1e-9));
  CHECK(readout(page, "told_apart") == 333);
  made.set({{"threshold", "0.02"}});
  CHECK(readout(made.page(), "told_apart") == 44);
  check_sums(page.explanation);
  // More frequencies, or base 1 as one frequency many times.
  made.set({{"width", "8"}});
  CHECK(readout(made.page(), "told_apart") == 720);
  made.set({{"base", "1"}, {"threshold", "0.01"}});
  CHECK(readout(made.page(), "separation") ==
        doctest::Approx(2 * 2 * std::abs(std::sin(355.0))).epsilon(1e-9));
}

TEST_CASE("Both axis orders of the grid, and likeness as a cross") {
  Made made = preset("grid");
  MatrixD P = made.model().table->P;  // width first
  const Index w = made.p.grid_width, half = made.p.width / 2;
  CHECK(P.row(3 * w + 5).head(half) == P.row(6 * w + 5).head(half));
  CHECK(P.row(3 * w + 5).tail(half) == P.row(3 * w + 9).tail(half));
  const MatrixD product = P * P.transpose();
  // The sum of the axes: s(y, x) + s(y', x') = s(y, x') + s(y', x).
  const auto s = [&](Index y, Index x) { return product(3 * w + 5, y * w + x); };
  CHECK(s(3, 5) + s(6, 8) == doctest::Approx(s(3, 8) + s(6, 5)).epsilon(1e-12));
  CHECK(s(3, 8) > s(6, 8));
  made.set({{"axis_order", "height_first"}});
  P = made.model().table->P;
  CHECK(P.row(3 * w + 5).head(half) == P.row(3 * w + 9).head(half));
  const lab::Page page = made.page();
  CHECK(readout(page, "cell") == doctest::Approx(std::sin(3 * std::pow(10000.0, -4.0 / 32))));
  check_sums(page.explanation);
}

TEST_CASE("A learned table knows what it was trained on, and no more") {
  Made made = preset("learned");
  const Model model = made.model();
  const Learned& learned = *model.table->learned;
  CHECK(learned.fit.loss.back() < 0.05 * learned.fit.loss.front());
  CHECK(MatrixD(learned.fit.table.bottomRows(16)) == MatrixD(learned.initial.bottomRows(16)));
  CHECK(model.table->filled == 64);
  CHECK(core::is_masked(model.table->source->value(64, 0)));
  const lab::Page page = made.page();
  CHECK(text(page.explanation).find("does not exist") != std::string::npos);
  CHECK(readout(page, "without_row") == 36);
  // Neighbours: near what is wanted where trained, chance after.
  const auto& line = mark_of<figure::Line>(plot_of(page, "neighbour_curve"));
  double trained = 0, chance = 0;
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    const double miss = std::abs(line.y[k] - std::exp(-0.25));
    if (line.x[k] < 48) trained = std::max(trained, miss);
    if (line.x[k] > 48) chance = std::max(chance, miss);
  }
  CHECK(trained < 0.2);
  CHECK(chance > 0.6);
  made.set({{"beyond", "wrap"}});
  CHECK(made.model().table->row(64) == made.model().table->row(0));
  made.set({{"beyond", "last"}});
  CHECK(made.model().table->row(80) == made.model().table->row(63));
  made.set({{"beyond", "zeros"}});
  CHECK(made.model().table->row(64) == VectorD::Zero(32));
}

TEST_CASE("FLOATER's sinusoidal course is the table; Euler and a misprint are not") {
  Made made;
  made.set({{"scheme", "floater"}, {"substeps", "8"}});
  // RK4 with a step of 1/8 over a hundred positions.
  CHECK(readout(made.page(), "sinusoidal_error") < 1e-5);
  Made euler = preset("euler");
  // The left sums of cos and -sin: a circle of radius 1 / (2 sin(1/2)) about (1/2, ...).
  const MatrixD course = euler.model().table->P.leftCols(2);
  const VectorD x = course.col(0).array() - 0.5;
  CHECK(x.maxCoeff() == doctest::Approx(1 / (2 * std::sin(0.5))).epsilon(1e-2));
  CHECK(x.minCoeff() == doctest::Approx(-1 / (2 * std::sin(0.5))).epsilon(1e-2));
  CHECK(readout(euler.page(), "course_error") > 0.4);
  euler.set({{"integrator", "rk4"}});
  // Simpson's rule with a step of 1.
  CHECK(readout(euler.page(), "course_error") < 2e-3);
  Made misprint = preset("misprint");
  CHECK(readout(misprint.page(), "sinusoidal_error") > 1000);
}

TEST_CASE("The explained step of a course is the integrator's, term by term") {
  Made made;
  made.set({{"scheme", "floater"},
            {"substeps", "1"},
            {"position", "1"},
            {"column", "0"},
            {"width", "4"}});
  const std::string said = text(made.page().explanation);
  // k1 = cos 0, k2 = k3 = cos 1/2, k4 = cos 1; their mean is (1 + 4 cos(1/2) + cos 1) / 6.
  CHECK(said.find("k2 = h(τ, p) ≈ 0.877583") != std::string::npos);
  const double step = (1 + 4 * std::cos(0.5) + std::cos(1.0)) / 6;
  CHECK(said.find("≈ " + lab::fixed(step, 6)) != std::string::npos);
  for (const char* integrator : {"euler", "midpoint", "rk4"}) {
    for (const char* dynamics : {"sinusoidal", "network"}) {
      made.set({{"integrator", integrator},
                {"dynamics", dynamics},
                {"substeps", "3"},
                {"position", "9"}});
      check_sums(made.page().explanation);
    }
  }
}

TEST_CASE("The network's course keeps its energy, so it neither dies nor runs away") {
  Made made = preset("flow");
  const MatrixD& rows = made.model().table->flow->rows;
  CHECK(readout(made.page(), "course_error") < 1e-2);
  for (Index k = 50; k < 100; ++k) {
    CHECK(rows.row(k).norm() > 0.2);
    CHECK(rows.row(k).norm() < 20);
  }
}

TEST_CASE("Complex order: amplitudes do not move, plain words give the sinusoidal table") {
  Made plain = preset("turning_alike");
  CHECK(readout(plain.page(), "sinusoidal_error") < 1e-14);
  CHECK(plain.model().table->theta.size() == 32);
  Made made = preset("turning_words");
  const Model model = made.model();
  const WordWaves& words = *model.table->words;
  CHECK(words.ids[2] == words.ids[12]);  // bank
  for (Index i = 0; i < 8; ++i) {
    const double r = words.table.amplitude(words.ids[2], i);
    CHECK(model.table->P.row(2).segment(2 * i, 2).norm() == doctest::Approx(r).epsilon(1e-12));
    CHECK(model.table->P.row(12).segment(2 * i, 2).norm() == doctest::Approx(r).epsilon(1e-12));
  }
  CHECK(words.again);
  CHECK(text(made.page().explanation).find("\"bank\"") != std::string::npos);
}

TEST_CASE("The four terms add up to the score, added and concatenated") {
  for (const char* combine : {"added", "concatenated"}) {
    for (const char* projection : {"identity", "tied", "random"}) {
      Made made = preset("four_terms");
      made.set({{"combine", combine}, {"projection", projection}});
      const Pairs& pairs = *made.model().pairs;
      const MatrixD input = core::join_positions(pairs.X, pairs.P, pairs.joining);
      const MatrixD scores = (input * pairs.W_q) * (input * pairs.W_k).transpose() /
                             std::sqrt(static_cast<double>(pairs.d_k()));
      CHECK((scores - pairs.scores).cwiseAbs().maxCoeff() < 1e-11);
      CHECK((pairs.weights.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
      for (const char* term :
           {"content_content", "content_position", "position_content", "position_position"}) {
        made.set({{"term", term}});
        check_sums(made.page().explanation);
      }
    }
  }
}

TEST_CASE("Side by side nothing mixes: the mixed terms are exactly 0") {
  Made made = preset("side_by_side");
  CHECK(readout(made.page(), "size_cross") == 0);
  const Pairs& pairs = *made.model().pairs;
  CHECK(pairs.d_k() == 2 * made.p.width);
  CHECK(pairs.terms.position_position(3, 7) ==
        doctest::Approx(pairs.terms.position_position(8, 12)).epsilon(1e-12));
  CHECK(readout(preset("four_terms").page(), "size_cross") > 0.1);
}

TEST_CASE("Without positions attention is equivariant, not invariant; with them neither") {
  for (const char* permutation : {"reverse", "swap", "rotate", "shuffle"}) {
    Made made = preset("without_positions");
    made.set({{"permutation", permutation}, {"key", "4"}});
    const lab::Page page = made.page();
    CHECK(readout(page, "weight_change") < 1e-12);
    CHECK(readout(page, "output_change") < 1e-10);
    CHECK(readout(page, "pooled_change") < 1e-10);
    CHECK(readout(page, "not_invariant") > 0.01);
    CHECK(page.formula == "f(ΠX) = Π f(X)");
    check_sums(page.explanation);
    made.set({{"with_position", "true"}});
    CHECK(readout(made.page(), "weight_change") > 0.01);
    CHECK(readout(made.page(), "output_change") > 0.01);
    CHECK(made.page().formula == "f(ΠX) ≠ Π f(X)");
  }
}

TEST_CASE("Refusals in a sentence: odd widths, bases that are no base") {
  Made made;
  CHECK_THROWS_WITH_AS(made.set({{"width", "7"}}),
                       "width: expected an integer from 2 to 1024 in steps of 2, got 7",
                       core::InputError);
  CHECK_THROWS_AS(made.set({{"base", "0"}}), core::InputError);
  CHECK_THROWS_AS(made.set({{"base", "-3"}}), core::InputError);
  CHECK_THROWS_AS(made.set({{"scheme", "grid"}, {"width", "6"}}), core::InputError);
}

TEST_CASE("Picks say what they set") {
  Made made = preset("four_terms");
  const lab::Page page = made.page();
  const auto& map = mark_of<figure::Heatmap>(plot_of(page, "content_position"));
  CHECK(map.row_param == "query");
  CHECK(map.col_param == "key");
  CHECK(map.also == figure::Assignments{{"explain", "score"}, {"term", "content_position"}});
  const auto& table = mark_of<figure::Heatmap>(plot_of(page, "table_cells"));
  CHECK(table.row_param == "position");
  CHECK(table.col_param == "column");
  const auto& waves = mark_of<figure::Points>(plot_of(page, "wavelength_curve"));
  CHECK(waves.picks.at(3) == figure::Assignments{{"column", "6"}, {"explain", "cell"}});
}

TEST_CASE("Words may be missing, tables may be tiny") {
  for (const char* show : {"curves", "shift", "similarity", "collisions", "scores", "order"}) {
    for (const char* scheme : {"sinusoidal", "grid", "learned", "floater", "complex"}) {
      CAPTURE(std::string(show));
      CAPTURE(std::string(scheme));
      Made made;
      made.set({{"show", show}, {"scheme", scheme}, {"text", ""}});
      CHECK_FALSE(made.page().figures.empty());
      made.set({{"text", "one"},
                {"length", "2"},
                {"rows", "1"},
                {"grid_height", "2"},
                {"grid_width", "2"},
                {"width", "4"}});
      const lab::Page page = made.page();
      CHECK_FALSE(page.figures.empty());
      for (const auto& r : page.readouts) CHECK(std::isfinite(double{r.value}));
    }
  }
}

}  // namespace absolute_test
