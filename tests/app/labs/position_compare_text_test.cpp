// What the page of schemes side by side says: presets, costs, explanations.
#include "position_compare_rig.h"

namespace position_compare_text_test {

using namespace position_compare_rig;  // NOLINT: the box under test

TEST_CASE("Formulas of costs multiply out to what is counted") {
  for (const bool causal : {false, true}) {
    for (const core::ModelSize model :
         {core::ModelSize{7, 12, 3, 2}, core::ModelSize{2048, 512, 8, 6}}) {
      const core::model::SchemeSize size{model, causal, 9, 6, 4};
      for (const Scheme scheme : kAll) {
        CAPTURE(int(scheme));
        const core::model::SchemeCost cost = core::model::scheme_cost(scheme, size);
        for (const core::model::StepCost& step : cost.steps) {
          CHECK(value(core::model::cost_terms(step.step->operations, size)) ==
                step.additions + step.multiplications);
          CHECK_FALSE(step.step->words.empty());
        }
        CHECK(value(parameter_terms(scheme, size)) == cost.parameters);
        CHECK(value(held_terms(scheme, size)) == cost.held);
      }
    }
  }
  CHECK(operations_formula(Scheme::rotary, {{10, 8, 2, 3}}) == "6·n·d·L");
  CHECK(operations_formula(Scheme::sinusoidal, {{10, 8, 2, 3}}) == "n·d");
  CHECK(operations_formula(Scheme::none, {{10, 8, 2, 3}}) == "0");
}

TEST_CASE("The second document's questions: 36 times the operations, an eighth of the table") {
  const lab::Page page = preset("cheaper").page();
  CHECK(readout(page, "rope_over_adding") == 36);
  CHECK(readout(page, "operations_2") == 36 * readout(page, "operations_1"));
  CHECK(readout(page, "operations_1") == 2048.0 * 512);
  CHECK(readout(page, "rope_share") == doctest::Approx(3.0 / (4 * 512)).epsilon(1e-12));
  CHECK(lab::percent_text(readout(page, "rope_share")) == "0.15");
  CHECK(readout(page, "rope_table") == 1.0 / 8);
}

TEST_CASE("Preset position_alone: bands of width 0 for the relative ones only") {
  const Model model = preset("position_alone").model();
  for (std::size_t k = 0; k < 4; ++k) {
    double widest = 0;
    for (const double deviation : model.schemes[k]->curve.deviation) {
      widest = std::max(widest, deviation);
    }
    if (k == 0) CHECK(widest > 0.3);
    if (k > 0) CHECK(widest < 1e-6);
  }
}

TEST_CASE("Preset table: learned rows times d, all found by training") {
  const Made made = preset("table");
  const auto size = made.p.size(14);
  CHECK(core::model::scheme_cost(Scheme::learned, size).parameters == 2048 * 512);
  CHECK(core::model::scheme_cost(Scheme::sinusoidal, size).held ==
        8 * core::model::scheme_cost(Scheme::rotary, size).held);
  CHECK(core::model::scheme_cost(Scheme::rotary, size).parameters == 0);
}

TEST_CASE("Preset four_terms: four parts, two, four, three") {
  Made made = preset("four_terms");
  const Model model = made.model();
  const std::vector<std::size_t> expected{4, 2, 4, 3};
  for (std::size_t k = 0; k < 4; ++k) {
    const Scored& scored = *model.schemes[k]->scored;
    CHECK(break_down(made.p, *model.content, scored, 12, 2, made.words).parts.size() ==
          expected[k]);
  }
}

TEST_CASE("Preset too_long: the learned table ends, the others do not") {
  Made made = preset("too_long");
  const Model model = made.model();
  CHECK(model.schemes[0]->scored->missing == 64 * 65 / 2 - 24 * 25 / 2);
  CHECK(core::is_masked(model.schemes[0]->source->value(40, 30)));
  CHECK_FALSE(core::is_masked(model.schemes[0]->source->value(23, 23)));
  for (std::size_t k = 1; k < 4; ++k) {
    CHECK(model.schemes[k]->scored->missing == 0);
    CHECK(rows_sum_error(weights(model, k)) < 1e-12);
  }
  const auto text = lines(made.page());
  CHECK(text.at(1) == "learned has no row for position 40: it was trained for 24");
}

TEST_CASE("Preset decay: RoPE rises again, xPos ends below it on average, ALiBi is a line") {
  const Model model = preset("decay").model();
  const auto at = [&](std::size_t k, Index t) {
    return model.schemes[k]->curve.mean[std::size_t(model.n() - 1 - t)];  // t tokens back
  };
  bool rises = false;
  double rope = 0, xpos = 0;
  for (Index t = 256; t < 511; ++t) {
    rises |= at(0, t + 1) > at(0, t) + 0.5;
    rope += std::abs(at(0, t));
    xpos += std::abs(at(1, t));
    CHECK(at(2, t + 1) - at(2, t) == doctest::Approx(-1.0 / 256).epsilon(1e-6));  // head 8 of 8
    CHECK(std::abs(at(1, t + 1) - at(1, t)) < 0.05);
  }
  CHECK(rises);
  CHECK(xpos < rope);
}

TEST_CASE("Preset beyond_softmax: rows sum to 1, but for URPE's") {
  const Model model = preset("beyond_softmax").model();
  CHECK(rows_sum_error(weights(model, 0)) < 1e-12);
  CHECK(rows_sum_error(weights(model, 1)) < 1e-12);
  const VectorD sums = weights(model, 2).rowwise().sum();
  for (Index i = 0; i + 1 < model.n(); ++i) CHECK(std::abs(sums(i + 1) - sums(i)) > 1e-6);
  const VectorD& c = model.schemes[2]->scored->inside->c;
  CHECK(weights(model, 2)(20, 12) ==
        doctest::Approx(weights(model, 0)(20, 12) * c(8 + 31)).epsilon(1e-12));
}

TEST_CASE("Preset pairs_cost: n squared overtakes n, and products of pairs the projections") {
  const Made made = preset("pairs_cost");
  const auto count = [&](Scheme scheme, Index n) {
    core::model::SchemeSize size = made.p.size(14);
    size.model.n = n;
    return core::model::scheme_cost(scheme, size).operations();
  };
  CHECK(count(Scheme::alibi, 131072) > 100 * count(Scheme::rotary, 131072));
  CHECK(count(Scheme::alibi, 512) < count(Scheme::rotary, 512));
  const core::ModelSize at_8192{8192, 512, 8, 6};
  CHECK(count(Scheme::transformer_xl, 8192) > core::position_cost(at_8192).projection_flops);
}

TEST_CASE("Costs are counted for the tokens shown, until another length is asked for") {
  Made made;
  CHECK(made.model().n() == 14);
  lab::Page page = made.page();
  CHECK(readout(page, "operations_2") == 14 * 512);
  made.p.length = 9;
  CHECK(readout(made.page(), "operations_2") == 9 * 512);
  // A place on the axis of lengths asks for another one.
  const figure::Plot& plot = plot_of(page, "operations_n");
  CHECK(plot.click == figure::Assignments{{"explain", "cost"}, {"counted", "length"}});
  made.set(plot.click);
  CHECK(readout(made.page(), "operations_2") == 2048 * 512);
}

TEST_CASE("Schemes that cost the same share a line") {
  Made made;
  made.p.scheme_1 = Scheme::learned;
  const auto lines_of = marks_of<figure::Line>(plot_of(made.page(), "operations_n"));
  REQUIRE(lines_of.size() == 4);  // learned and sinusoidal, RoPE, ALiBi, projections
  CHECK(lines_of[0].label == "learned, sinusoidal");
}

TEST_CASE("Explained scores can be worked out again from the printed lines") {
  const std::string number = "\\(?(-?[0-9]+\\.[0-9]+)\\)?";
  const std::regex product("[ +] " + number + number + " ≈ " + number);
  const std::regex part("[^≈=]+ ≈ " + number), first("s\\[12,2\\]≈ " + number);
  const std::regex summed("≈ " + number + " / √([0-9]+)(?: \\+ " + number + ")?");
  for (const Scheme scheme : kAll) {
    CAPTURE(int(scheme));
    Made made;
    made.p.d_model = 64;  // 8 numbers a head: all products are written out
    made.p.scheme_3 = scheme;
    double score = 0, sum = 0, parts = 0, bias = 0, products = 0, root = 8;
    int count = 0, factors = 0;
    const auto close_part = [&] {
      if (factors == 0) return;
      CHECK(factors == 8);
      CHECK(std::abs(products) <= 8 * 0.5001e-4);  // the part less its products, each rounded
      products = factors = 0;
    };
    for (const std::string& text : lines(made.page())) {
      CAPTURE(text);
      std::smatch found;
      if (std::regex_match(text, found, first)) {
        score = std::stod(found[1]);
      } else if (std::regex_match(text, found, product)) {
        CHECK(std::abs(std::stod(found[1]) * std::stod(found[2]) - std::stod(found[3])) <= 1e-4);
        products -= std::stod(found[3]);
        ++factors;
      } else if (std::regex_match(text, found, summed)) {
        sum = std::stod(found[1]);
        root = std::stod(found[2]);
        if (found[3].matched) bias = std::stod(found[3]);
      } else if (std::regex_match(text, found, part)) {
        close_part();
        const bool looked_up = text.starts_with("-m") || text.starts_with("b ");
        products = looked_up ? 0 : std::stod(found[1]);
        if (!looked_up) parts += std::stod(found[1]);
        if (looked_up) CHECK(std::stod(found[1]) == doctest::Approx(bias).epsilon(1e-12));
        ++count;
      }
    }
    close_part();
    REQUIRE(count > 0);
    if (count == 1) sum = parts;
    CHECK(std::abs(sum - parts) <= count * 1.001e-4);
    CHECK(std::abs(sum / std::sqrt(root) + bias - score) <= 1.001e-4);
  }
}

TEST_CASE("Explained means: each printed score is its own, and they add up") {
  Made made;
  made.p.explain = Explained::distance;
  made.p.distance = -5;
  made.p.scheme = 4;
  const Model model = made.model();
  const auto text = lines(made.page());
  const std::regex score("[ +] (-?[0-9.]+)  s\\[([0-9]+),([0-9]+)\\]"), sum("≈ (-?[0-9.]+) / 9");
  double total = 0, printed = 0;
  int count = 0;
  std::smatch found;
  for (const std::string& line : text) {
    if (std::regex_match(line, found, score)) {
      const double shown = std::stod(found[1]);
      CHECK(std::abs(shown - scores(model, 3)(std::stoi(found[2]), std::stoi(found[3]))) <=
            0.5001e-4);
      total += shown;
      ++count;
    }
    if (std::regex_match(line, found, sum)) printed = std::stod(found[1]);
  }
  CHECK(count == 9);
  CHECK(printed != 0);
  CHECK(std::abs(total - printed) <= 10 * 0.5001e-4);
}

TEST_CASE("Explained costs end in the number of the table") {
  Made made;
  made.p.explain = Explained::cost;
  made.p.scheme = 3;
  made.p.counted = Counted::length;
  const auto text = lines(made.page());
  CHECK(text.at(0) == "ops= 37,748,736");
  CHECK(text.at(1) == "= 6·n·d·L");
  CHECK(text.at(4) == "= 6·2,048·512·6");
  CHECK(text.at(5) == "= 37,748,736");
}

TEST_CASE("Explained weights of URPE have their factor; a masked pair says why") {
  Made made = preset("beyond_softmax");
  const auto text = lines(made.page());
  CHECK(text.at(1) == "= c · p");
  made.p.key = 25;
  CHECK(lines(made.page()).at(1) == "masked: key 25 comes after query 20");
}

}  // namespace position_compare_text_test
