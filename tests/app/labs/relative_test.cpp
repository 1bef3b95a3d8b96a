// The lab of relative positions against the plain functions of core, and what its presets claim.
#include "relative_rig.h"

namespace relative_test {

using namespace relative_rig;  // NOLINT: the box under test

TEST_CASE("Shaw's scores, weights and outputs are core's") {
  for (const MaskKind mask : {MaskKind::full, MaskKind::causal}) {
    Made made;
    made.p.mask = mask;
    made.p.clip = 3;
    const Model model = made.model();
    const Content& c = *model.content;
    const auto expected = core::shaw_attention(
        c.Q, c.K, c.V, {*model.scores().keys, *model.scores().values}, mask_of(model));
    check_attention(model, expected.attention.scores, expected.attention.weights);
    const lab::Page page = made.page();
    const auto& content =
        std::get<figure::Bars>(plot_of(page, "output_content").marks.at(0)).values;
    const auto& place = std::get<figure::Bars>(plot_of(page, "output_position").marks.at(0)).values;
    for (std::size_t k = 0; k < content.size(); ++k) {
      CHECK(content[k] + place[k] ==
            doctest::Approx(expected.attention.output(model.query, Index(k))).epsilon(1e-9));
    }
  }
}

TEST_CASE("The four terms of Transformer-XL and XLNet are core's, in both forms") {
  for (const Variant name : {Variant::transformer_xl, Variant::xlnet}) {
    for (const PositionMatrix form : {PositionMatrix::published, PositionMatrix::one_matrix}) {
      Made made;
      made.p.variant = name;
      made.p.form = form;
      made.p.width = 6;
      const Model model = made.model();
      const Content& c = *model.content;
      const Sinusoids& s = *model.scores().sinusoids;
      const Index n = model.n();
      const core::MatrixD R = core::relative_sinusoids(
          n, 1 - n, s.width, {.base = made.p.base, .layout = core::SinusoidalLayout::concatenated});
      const auto terms = core::relative_terms(c.Q, c.K, R * s.W, s.u, s.v);
      const core::MatrixD scores = terms.sum() / std::sqrt(6.0);
      check_attention(model, scores, core::attend_scored(scores, c.V, mask_of(model)).weights);
      const core::MatrixD* each[] = {&terms.content, &terms.content_position, &terms.content_bias,
                                     &terms.position_bias};
      for (std::size_t t = 0; t < 4; ++t) {
        for (Index i = 0; i < n; ++i) {
          CHECK(double(model.sources->terms[t]->value(i, 3)) ==
                doctest::Approx((*each[t])(i, 3) / std::sqrt(6.0)).epsilon(1e-6).scale(1));
        }
      }
    }
  }
}

TEST_CASE("T5's scores are core's, divided or not, in both directions") {
  for (const bool folded : {true, false}) {
    for (const T5Direction direction : {T5Direction::bidirectional, T5Direction::causal}) {
      Made made;
      made.p.variant = Variant::t5;
      made.p.folded = folded;
      made.p.t5_direction = direction;
      made.p.buckets = 8;
      made.p.max_distance = 10;
      const Model model = made.model();
      const Content& c = *model.content;
      const core::T5Buckets buckets(
          {direction == T5Direction::bidirectional, made.p.buckets, made.p.max_distance});
      const core::MatrixD bias = core::t5_bias(core::MatrixD(model.scores().scalars), 0,
                                               buckets(core::relative_positions(14, 14)));
      const core::MatrixD Q = folded ? core::MatrixD(c.Q / 4) : c.Q;
      const auto expected = core::t5_attention(Q, c.K, c.V, bias);
      check_attention(model, expected.scores, expected.weights);
    }
  }
}

TEST_CASE("DeBERTa's scores are core's") {
  Made made;
  made.p.variant = Variant::deberta;
  made.p.span = 4;
  const Model model = made.model();
  const Content& c = *model.content;
  const auto terms = core::deberta_terms(c.Q, c.K, *model.scores().keys, *model.scores().queries);
  check_attention(model, terms.scores(), core::attend_scored(terms.scores(), c.V).weights);
}

TEST_CASE("ALiBi's and URPE's scores and weights are core's") {
  for (const AlibiBias form : {AlibiBias::distance, AlibiBias::key_only}) {
    Made made;
    made.p.variant = Variant::alibi;
    made.p.mask = MaskKind::causal;
    made.p.heads = 12;
    made.p.head = 10;
    made.p.alibi_bias = form;
    const Model model = made.model();
    const Content& c = *model.content;
    const double slope = core::alibi_slopes(12)(9);
    const auto kind =
        form == AlibiBias::distance ? core::AlibiForm::symmetric : core::AlibiForm::key_only;
    const core::MatrixD scores = c.Q * c.K.transpose() / 4 + core::alibi_bias(slope, 14, 14, kind);
    check_attention(model, scores, core::attend_scored(scores, c.V, mask_of(model)).weights);
  }
  Made made;
  made.p.variant = Variant::urpe;
  made.p.urpe_bias = UrpeBias::alibi;
  const Model model = made.model();
  const Content& c = *model.content;
  const core::MatrixD scores =
      c.Q * c.K.transpose() / 4 +
      core::alibi_bias(core::alibi_slopes(8)(0), 14, 14, core::AlibiForm::symmetric);
  // core counts i - j, the lab j - i.
  const core::VectorD factors = urpe_factors(made.p, 13).reverse();
  const auto expected = core::urpe_attention(scores, factors, c.V);
  check_attention(model, scores, expected.softmax);
  for (Index i = 0; i < 14; ++i) {
    CHECK(model.survey->row_sum(i) == doctest::Approx(expected.product.row(i).sum()));
    CHECK(double(model.sources->product->value(i, 5)) ==
          doctest::Approx(expected.product(i, 5)).epsilon(1e-6).scale(1));
    CHECK(double(model.sources->factors->value(i, 5)) ==
          doctest::Approx(expected.C(i, 5)).epsilon(1e-6));
  }
}

TEST_CASE("Curves over distance agree with the terms of the pairs") {
  for (const Variant name : kAllVariants) {
    Made made;
    made.p.variant = name;
    made.p.query = 6;
    made.p.key = 9;
    const Model model = made.model();
    for (const Curve& curve : model.far->curves) {
      if (curve.of != Curve::Of::term) continue;
      for (std::size_t t = 0; t < model.scores().terms.size(); ++t) {
        const Term& term = model.scores().terms[t];
        if (term.id != curve.id) continue;
        // What belongs to the query is compared along its row, what belongs to the key in its
        // column.
        for (Index r = -6; r <= 4; ++r) {
          const bool by_key = term.kind == Term::Kind::key_rows;
          const Index i = by_key ? 9 - r : 6, j = by_key ? 9 : 6 + r;
          if (i >= 14 || j >= 14) continue;
          // Sinusoids of the curve come from a table in float.
          CHECK(curve.at(r) ==
                doctest::Approx(term_value(*model.content, term, i, j)).epsilon(1e-5).scale(1));
        }
      }
    }
  }
}

TEST_CASE("The bucket of a distance, worked by hand") {
  // 16 buckets a side, 8 of them exact: 8 + floor(8 ln(40/8) / ln(128/8)) = 8 + floor(4.644) = 12.
  Made made = preset("t5_buckets");
  lab::Page page = made.page();
  CHECK(readout(page, "bucket") == 12);
  CHECK(says(page, "≈ 8 + ⌊8 × 1.60944 / 2.77259⌋"));
  CHECK(says(page, "≈ 8 + ⌊4.6439⌋"));
  CHECK(says(page, "bucket= 0 + 12 = 12"));
  made.p.distance = 40;
  CHECK(readout(made.page(), "bucket") == 28);
  made.p.distance = 5;
  page = made.page();
  CHECK(readout(page, "bucket") == 21);
  CHECK(says(page, "5 is below 8: a bucket of its own"));
  made = preset("t5_causal");
  page = made.page();
  CHECK(readout(page, "bucket") == 23);  // 16 + floor(16 ln(40/16) / ln(128/16)) = 16 + 7
  made.p.distance = 3;
  CHECK(readout(made.page(), "bucket") == 0);
}

TEST_CASE("Slopes and reach, worked by hand") {
  Made made = preset("alibi_twelve");
  lab::Page page = made.page();
  CHECK(readout(page, "slope") == doctest::Approx(std::sqrt(0.5)));
  CHECK(says(page, "m= 2^(-8·1/16)"));
  CHECK(says(page, "= 2^(-0.5)"));
  CHECK(says(page, "≈ 0.707107"));
  CHECK(readout(page, "reach") == doctest::Approx(std::log(100.0) / std::sqrt(0.5)));
  CHECK(readout(page, "reach_share") == 6);
  // No other head is steeper: what the preset says.
  CHECK(made.model().scores().slopes.maxCoeff() == doctest::Approx(std::sqrt(0.5)));
  made = preset("alibi_heads");
  page = made.page();
  CHECK(readout(page, "slope") == 0.5);
  CHECK(readout(page, "reach_share") == 9);
  made.p.head = 8;
  CHECK(readout(made.page(), "reach") == doctest::Approx(256 * std::log(100.0)));  // 1178.9
}

TEST_CASE("Clicks set the pair, the term, the head, the bucket") {
  Made made;
  made.p.variant = Variant::alibi;
  lab::Page page = made.page();
  const auto& map = std::get<figure::Heatmap>(plot_of(page, "term_2").marks.at(0));
  CHECK(map.row_param == "query");
  CHECK(map.col_param == "key");
  CHECK(map.also == figure::Assignments{{"explain", "score"}, {"term", "2"}});
  CHECK(plot_of(page, "bias_3").click == figure::Assignments{{"explain", "own"}, {"head", "3"}});
  CHECK(plot_of(page, "distance_curve").x_param == "distance");
  made.p.variant = Variant::t5;
  page = made.page();
  const auto& bars = std::get<figure::Bars>(plot_of(page, "bucket_bars").marks.at(0));
  CHECK(bars.picks.at(7) == figure::Assignments{{"explain", "own"}, {"entry", "7"}});
}

TEST_CASE(
    "Two names of rows never share a colour scale with amounts, and large tables are amounts") {
  Made made;
  made.p.variant = Variant::deberta;
  made.p.span = 128;
  const auto map = [&] {
    return std::get<figure::Heatmap>(plot_of(made.page(), "distance_matrix").marks.at(0));
  };
  CHECK(map().scale.map == figure::MapName::groups);
  made.p.span = 129;
  CHECK(map().scale.map == figure::MapName::viridis);
}

TEST_CASE("A stage runs again only when something it depends on changed") {
  Made made;
  made.page();
  made.p.query = 3;
  made.p.distance = 4;
  made.p.term = 1;
  made.page();
  CHECK(made.memo.runs("survey") == 1);
  CHECK(made.memo.runs("far") == 2);  // the curve is that of the query
  made.p.clip = 2;
  made.page();
  CHECK(made.memo.runs("content") == 1);
  CHECK(made.memo.runs("survey") == 2);
}

TEST_CASE("The smallest and the largest of everything make a page under every scheme") {
  for (const Variant name : kAllVariants) {
    for (const bool most : {false, true}) {
      Made made;
      made.p.variant = name;
      std::vector<std::string> ids;
      const param::List described = made.list();
      for (const auto& item : described.items()) {
        if (param::number(item)) ids.emplace_back(item.info.id);
      }
      for (const std::string& id : ids) {
        if (most && (id == "length" || id == "extent")) continue;  // each with the other's default
        const param::List now = made.list();
        for (const auto& item : now.items()) {
          if (item.info.id != id) continue;
          const double value = most ? item.info.max : item.info.min;
          param::parse(item, std::holds_alternative<param::Integer>(item.kind)
                                 ? fmt::format("{}", std::llround(value))
                                 : fmt::format("{}", value));
        }
        param::settle(made.describing());
      }
      for (const Explained what :
           {Explained::score, Explained::weight, Explained::distance, Explained::own}) {
        made.p.explain = what;
        const lab::Page page = made.page();
        CHECK_FALSE(page.figures.empty());
        CHECK_FALSE(page.explanation.lines.empty());
        for (const auto& r : page.readouts) CHECK(std::isfinite(double{r.value}));
      }
    }
  }
}

TEST_CASE("Without text there is a page that says so") {
  Made made;
  made.p.text = "  ";
  const lab::Page page = made.page();
  CHECK(page.figures.empty());
  CHECK(page.notes == std::vector<std::string>{"There is no token yet: type some text."});
  made.p.text = "one";
  CHECK_FALSE(made.page().figures.empty());
}

}  // namespace relative_test
