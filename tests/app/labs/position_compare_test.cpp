#include "position_compare_rig.h"

namespace position_compare_test {

using namespace position_compare_rig;  // NOLINT: the box under test

TEST_CASE("Every score is the sum of the parts that explain it") {
  for (const MaskKind mask : {MaskKind::causal, MaskKind::full}) {
    for (const Scheme scheme : kAll) {
      CAPTURE(int(scheme));
      Made made;
      made.p.scheme_2 = scheme;
      made.p.mask = mask;
      made.p.clip = 3;  // less than the distances here
      const Model model = made.model();
      const Scored& scored = *model.schemes[1]->scored;
      for (Index i = 0; i < model.n(); ++i) {
        for (Index j = 0; j < model.n(); ++j) {
          if (!scored.mask->allowed(i, j)) continue;
          const Breakdown parts = break_down(made.p, *model.content, scored, i, j, made.words);
          CHECK(parts.score == doctest::Approx(scored.scores(i, j)).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("RoPE on equal tokens is its curve over distance, ALiBi a line with its slope") {
  Made made = equal_tokens(Scheme::rotary, Scheme::alibi, 40);
  made.p.head = 5;
  const Model model = made.model();
  const Content& content = *model.content;
  const VectorD q = content.Q.row(0).transpose(), k = content.K.row(0).transpose();
  const VectorD curve =
      core::rotary_score_curve(q, k, core::frequencies(content.d_k(), made.p.base), 39) / 8;
  const double slope = core::alibi_slopes(8)(4);
  CHECK(slope == 1.0 / 32);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j <= i; ++j) {
      CHECK(scores(model, 0)(i, j) == doctest::Approx(curve(i - j)).epsilon(1e-11));
      CHECK(scores(model, 1)(i, j) ==
            doctest::Approx(q.dot(k) / 8 - slope * double(i - j)).epsilon(1e-12));
    }
  }
}

TEST_CASE("Added positions are added before the projections") {
  Made made;
  const Model model = made.model();
  const Content& c = *model.content;
  const MatrixD X = c.X + core::sinusoidal_table(c.n(), made.p.d_model);
  const MatrixD expected = (X * c.W_q) * (X * c.W_k).transpose() / 8;  // √64
  CHECK((scores(model, 1) - expected).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("Relative schemes do not see a move of both positions; absolute ones do") {
  for (const MaskKind mask : {MaskKind::causal, MaskKind::full}) {
    for (const Scheme scheme : kAll) {
      CAPTURE(int(scheme));
      Made made;
      made.p.scheme_2 = scheme;
      made.p.mask = mask;
      const double error = made.model().shift_error[1];
      const bool absolute = scheme == Scheme::sinusoidal || scheme == Scheme::learned;
      if (absolute) CHECK(error > 0.1);
      if (!absolute) CHECK(error < 1e-11);  // scores of size 10, rounded once for each of 64 terms
    }
  }
}

TEST_CASE("Curves: mean, deviation and count at each distance, by hand") {
  Made made;
  const Model model = made.model();
  const Index n = model.n();
  for (const auto& shown : model.schemes) {
    double sum = 0, squares = 0;
    for (Index i = 10; i < n; ++i) sum += shown->scored->scores(i, i - 10);
    const double mean = sum / 4;  // 14 tokens, distance 10
    for (Index i = 10; i < n; ++i) squares += std::pow(shown->scored->scores(i, i - 10) - mean, 2);
    const auto at = std::size_t(-10 + n - 1);  // key minus query
    CHECK(shown->curve.pairs[at] == 4);
    CHECK(shown->curve.mean[at] == doctest::Approx(mean).epsilon(1e-12));
    CHECK(shown->curve.deviation[at] == doctest::Approx(std::sqrt(squares / 4)).epsilon(1e-12));
    CHECK(shown->curve.pairs[std::size_t(n)] == 0);  // keys ahead are masked
    CHECK(std::isnan(shown->curve.mean[std::size_t(n)]));
  }
}

TEST_CASE("Differences are to the first scheme, masked where either is") {
  Made made = preset("too_long");
  made.p.quantity = Quantity::scores;
  const Model model = made.model();
  for (std::size_t k = 0; k < 4; ++k) {
    const auto& source = *model.schemes[k]->difference;
    CHECK(core::is_masked(source.value(40, 30)));  // the learned table ends at 24
    CHECK(core::is_masked(source.value(3, 5)));
    CHECK(source.value(20, 7) ==
          doctest::Approx(scores(model, k)(20, 7) - scores(model, 0)(20, 7)).epsilon(1e-6));
  }
  CHECK(model.schemes[0]->largest_difference == 0);
}

TEST_CASE("Each picture has a colour scale of its own, said beside it, or all have one") {
  Made made;
  const auto map = [](const lab::Page& page, const std::string& id) {
    return mark_of<figure::Heatmap>(plot_of(page, id)).scale;
  };
  const Model model = made.model();
  lab::Page page = made.page();
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string id = "map_" + std::to_string(k + 1);
    const auto scale = map(page, id);
    const float largest = model.schemes[k]->largest;
    // Its own largest score reaches the end of its colours, with a margin.
    CHECK(scale.hi >= largest);
    CHECK(scale.hi <= 1.1f * largest);
    CHECK(plot_of(page, id).note == fmt::format("colours ±{:.3g}", scale.hi));
  }
  for (std::size_t k = 1; k < 4; ++k) {
    const auto scale = map(page, "difference_" + std::to_string(k + 1));
    CHECK(scale.hi >= model.schemes[k]->largest_difference);
    CHECK(scale.hi <= 1.1f * model.schemes[k]->largest_difference);
  }
  made.p.quantity = Quantity::weights;
  const lab::Page of_weights = made.page();
  CHECK(map(of_weights, "map_2").lo == 0);
  CHECK(plot_of(of_weights, "map_2").note ==
        fmt::format("colours 0 to {:.3g}", map(of_weights, "map_2").hi));
  made.p.quantity = Quantity::scores;
  made.p.colors = Colors::common;
  page = made.page();
  for (int k = 2; k <= 4; ++k) {
    CHECK(map(page, "map_" + std::to_string(k)).hi == map(page, "map_1").hi);
    CHECK(map(page, "difference_" + std::to_string(k)).hi == map(page, "difference_2").hi);
  }
}

TEST_CASE("Picks set the pair, the scheme, the distance and what is explained") {
  const lab::Page page = Made().page();
  const auto map = marks_of<figure::Heatmap>(plot_of(page, "map_4")).at(0);
  CHECK(map.row_param == "query");
  CHECK(map.col_param == "key");
  CHECK(map.also == figure::Assignments{{"explain", "value"}, {"scheme", "4"}});
  CHECK(map.pinned == std::pair<Index, Index>{12, 2});
  const auto difference = marks_of<figure::Heatmap>(plot_of(page, "difference_3")).at(0);
  CHECK(difference.also == figure::Assignments{{"explain", "difference"}, {"scheme", "3"}});
  const auto& curves = plot_of(page, "curves");
  CHECK(curves.x_param == "distance");
  CHECK(curves.click == figure::Assignments{{"explain", "distance"}});
  const auto points = marks_of<figure::Points>(curves);
  REQUIRE(points.size() == 4);
  CHECK(points[1].picks.at(0) == figure::Assignments{{"explain", "distance"}, {"scheme", "2"}});
  const auto table = marks_of<figure::Table>(plot_of(page, "table")).at(0);
  CHECK(table.picks.at(3) == figure::Assignments{{"explain", "cost"}, {"scheme", "4"}});
  CHECK(plot_of(page, "operations_n").x_param == "counted_length");
  CHECK(plot_of(page, "operations_d").x_param == "d_model");
  // "none" adds nothing and has no point.
  CHECK(marks_of<figure::Points>(plot_of(page, "operations_n")).size() == 3);
}

TEST_CASE("A distance is key minus query, everywhere") {
  Made made;
  made.p.mask = MaskKind::full;
  made.p.scheme_3 = Scheme::t5;
  made.p.query = 12;
  made.p.key = 2;
  CHECK(says(made.page(), "distance -10 is in bucket"));
  made.p.key = 13;
  CHECK(says(made.page(), "distance 1 is in bucket"));
  made.p.scheme_3 = Scheme::urpe;
  made.p.quantity = Quantity::weights;
  CHECK(says(made.page(), "number of relative position 1;"));
  made.p.explain = Explained::distance;
  made.p.distance = 3;
  const auto text = lines(made.page());
  CHECK(std::any_of(text.begin(), text.end(),
                    [](const std::string& line) { return line.ends_with("  w[0,3]"); }));
  // Under a causal mask no key comes later.
  made.p.mask = MaskKind::causal;
  const lab::Page page = made.page();
  CHECK(plot_of(page, "curves").x.lo == -13);
  CHECK(plot_of(page, "curves").x.hi == 0);
}

TEST_CASE("ALiBi only takes away, in every head") {
  for (int head = 1; head <= 8; ++head) {
    Made made = preset("first_look");
    made.p.head = head;
    const Model model = made.model();
    for (Index i = 0; i < model.n(); ++i) {
      for (Index j = 0; j <= i; ++j) CHECK(scores(model, 3)(i, j) <= scores(model, 0)(i, j));
    }
  }
}

TEST_CASE("Switched off, the measurement is forgotten; no other number differs") {
  Made made;
  const lab::Page before = made.page();
  made.p.measure = true;
  made.page();
  made.p.measure = false;
  const lab::Page after = made.page();
  CHECK_FALSE(has_readout(after, "time_add"));
  CHECK(after.figures.size() == before.figures.size());
}

TEST_CASE("Nothing is timed until it is asked for; then every number is positive") {
  Made made;
  CHECK_FALSE(has_readout(made.page(), "time_add"));
  made.p.measure = true;
  made.p.explain = Explained::time;
  made.p.d_model = 64;
  const lab::Page page = made.page();
  for (const std::string id : {"time_add", "time_rotate", "time_on_the_fly", "time_projections"}) {
    REQUIRE(has_readout(page, id));
    CHECK(readout(page, id) > 0);
    CHECK(readout(page, id) < 1e9);
  }
  CHECK(marks_of<figure::Bars>(plot_of(page, "time")).at(0).values.at(0) ==
        readout(page, "time_add"));
  // Other knobs do not time anew; switching off and on does.
  made.p.query = 3;
  CHECK(readout(made.page(), "time_add") == readout(page, "time_add"));
  CHECK(made.memo.runs("measured") == 2);  // once forgotten, once measured
  made.p.measure = false;
  made.page();
  made.p.measure = true;
  made.page();
  CHECK(made.memo.runs("measured") == 4);
}

TEST_CASE("Timing can be cancelled") {
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(time_positions(512, 8, 10000, core::Cancel(stop.get_token())), core::Cancelled);
}

TEST_CASE("The longest and the widest answer") {
  Made made;
  made.p.scheme_1 = Scheme::transformer_xl;
  made.p.scheme_2 = Scheme::deberta;
  made.p.scheme_3 = Scheme::relative;
  made.p.scheme_4 = Scheme::urpe;
  made.p.quantity = Quantity::weights;
  made.p.input = lab::Input::smooth;
  made.p.length = kMostTokens;
  made.p.heads = 16;
  made.p.d_model = kMostWidth;
  made.p.clip = 512;
  made.p.counted = Counted::length;
  made.p.counted_length = 1048576;
  made.p.layers = 96;
  const lab::Page page = made.page();
  for (int k = 1; k <= 4; ++k) CHECK(readout(page, "operations_" + std::to_string(k)) > 1e9);
}

TEST_CASE("Random tables: longer ones begin like shorter ones, heads differ") {
  const MatrixD table = random_table(TableKind::learned, 8, 4, 0.5, 1);
  CHECK(random_table(TableKind::learned, 3, 4, 0.5, 1) == table.topRows(3));
  CHECK(random_table(TableKind::learned, 8, 4, 0.5, 1, 1) != table);
  CHECK(random_table(TableKind::shaw, 8, 4, 0.5, 1) != table);
  CHECK(random_table(TableKind::learned, 8, 4, 0, 1).isZero(0));
}

}  // namespace position_compare_test
