// What the lab of relative positions says: presets, cards, explanations.
#include "relative_rig.h"

namespace relative_text_test {

using namespace relative_rig;  // NOLINT: the box under test

TEST_CASE("Pairs that Shaw clips, counted by hand") {
  // Of 14 x 14 pairs those of distance 5 to 13 on either side: 2 (9 + 8 + ... + 1).
  CHECK(readout(preset("shaw_clip").page(), "beyond") == doctest::Approx(90.0 / 196));
}

TEST_CASE("Presets of numbers show what they say") {
  Made made = preset("t5_log");
  const Model t5 = made.model();
  for (std::size_t b = 1; b < 16; ++b) {
    CHECK(t5.scores().scalars(Index(b - 1)) - t5.scores().scalars(Index(b)) ==
          doctest::Approx(0.25));
  }
  const Curve& bias = t5.far->curves.back();
  const auto before = core::VectorD::NullaryExpr(512, [&](Index t) { return bias.at(-t); });
  CHECK(!core::curve_facts(before).first_rise);

  made = preset("t5_undivided");
  const double undivided = made.model().survey->largest_term[0];
  made.p.folded = true;
  CHECK(undivided == doctest::Approx(4 * made.model().survey->largest_term[0]));

  made = preset("alibi_million");
  const lab::Page page = made.page();
  const auto& map = std::get<figure::Heatmap>(plot_of(page, "distance_matrix").marks.at(0));
  CHECK(map.source->rows() == 1048576);
  CHECK(map.source->value(1000000, 0) == -1000000.0f / 256);
  CHECK(core::is_masked(map.source->value(0, 1)));
  core::Matrix whole(16, 16);
  map.source->pooled(16, {0, 0, 16, 16}, core::Pool::max, whole.data(), {});
  CHECK(whole(15, 0) == -1048575.0f / 256);
}

TEST_CASE("The terms of a score can be added, and its products worked out, from what is printed") {
  for (const Variant name : kAllVariants) {
    Made made;
    made.p.variant = name;
    made.p.urpe_bias = UrpeBias::t5;
    made.p.term = 1;
    const Model model = made.model();
    const auto text = lines(made.page());
    CHECK(text.at(0) == fmt::format("s[12,2]≈ {:.4f}", model.row.scores[2]));
    double sum = 0;
    std::size_t at = 2;
    for (std::size_t t = 0; t < model.scores().terms.size(); ++t) {
      sum += std::stod(text.at(at++).substr(2));
    }
    // Behind "≈ ", rounded to four decimals from terms of five.
    CHECK(std::abs(sum - std::stod(text.at(at).substr(4))) < 1e-4);
    if (name != Variant::t5 && name != Variant::alibi && name != Variant::urpe) {
      const auto& divided = text.at(at + 1);
      const double root = std::sqrt(std::stod(divided.substr(divided.find("√") + 3)));
      CHECK(std::abs(sum / root - std::stod(text.at(at + 2).substr(4))) < 1e-4);
    }
    // The products of the content, one by one, below.
    double products = 0;
    while (text.at(at).find("= Σ") == std::string::npos) ++at;
    for (++at; text.at(at).find(")(") != std::string::npos; ++at) {
      const std::string& line = text[at];
      const double left = std::stod(line.substr(line.find('(') + 1));
      const double right = std::stod(line.substr(line.find(")(") + 2));
      const double product = std::stod(line.substr(line.find("≈") + 4));
      CHECK(std::abs(left * right - product) < 1e-4);
      products += product;
    }
    // Sixteen of them, each within half a unit.
    CHECK(std::abs(products - std::stod(text.at(at).substr(4))) < 9e-4);
  }
}

TEST_CASE("Presets, cards and notes hold for what their sentences do not fix") {
  // No bucket is narrower than the one before, but the first two that are shared are as wide.
  for (const int most : {128, 1000, 100000}) {
    const core::T5Buckets buckets({true, 32, most});
    const auto& first = buckets.first_distances();
    for (std::size_t b = 2; b < first.size(); ++b) {
      CHECK(first[b] - first[b - 1] >= first[b - 1] - first[b - 2]);
    }
  }
  // DeBERTa's two lookups differ for every pair that is not on the diagonal.
  for (const Index k : {1, 2, 8, 512}) {
    for (Index r = 1; r < 600; ++r) CHECK(core::deberta_row(r, k) != core::deberta_row(-r, k));
  }
  // What DeBERTa learns: one table of 2k rows for all heads, and a head's two projections.
  Made made = preset("deberta");
  CHECK(readout(made.page(), "learned") == 2 * 8 * 64 + 2 * 64 * 16);
  made.p.position_to_content = false;
  CHECK(readout(made.page(), "learned") == 2 * 8 * 64 + 64 * 16);
  made.p.content_to_position = false;
  CHECK(readout(made.page(), "learned") == 0);
  // At size 0 nothing random is left, but T5's fall and URPE's are.
  for (const Variant name : kAllVariants) {
    made = {};
    made.p.variant = name;
    made.p.size = 0;
    const bool falls = name == Variant::t5 || name == Variant::urpe || name == Variant::alibi;
    // DeBERTa's content is divided by more than without it.
    if (name != Variant::deberta) CHECK((readout(made.page(), "moved") > 1e-9) == falls);
  }
  made = {};
  made.p.variant = Variant::urpe;
  made.p.size = 0;
  CHECK(made.model().scores().after_at(-7) == doctest::Approx(std::exp(-7 * 0.05)));
}

TEST_CASE("A weight is explained with its row, a masked one with its mask") {
  Made made;
  made.p.explain = Explained::weight;
  const Model model = made.model();
  auto text = lines(made.page());
  CHECK(text.at(0) == fmt::format("w[12,2]≈ {:.4f}", model.row.weights[2]));
  made.p.mask = MaskKind::causal;
  made.p.query = 3;
  made.p.key = 9;
  text = lines(made.page());
  CHECK(text.at(0) == "w[3,9]= 0");
  CHECK(text.at(1) == "key 9 comes after query 3: masked");
  made.p.explain = Explained::score;
  CHECK(lines(made.page()).at(0) == "s[3,9]= -∞");
}

// The singular where there is one.
TEST_CASE("One token and one pair are counted as one") {
  Made made;
  made.p.variant = Variant::alibi;
  made.p.head = 1;
  const auto held = [&](double epsilon) {
    made.p.epsilon = epsilon;
    for (const lab::Readout& one : made.page().readouts) {
      if (one.id == "reach_share") return one.text;
    }
    return std::string();
  };
  CHECK(held(0.5) == "1 token");
  CHECK(held(0.1) == "4 tokens");
  made = {};
  made.p.length = 1;
  made.p.explain = Explained::own;
  made.p.entry = made.p.clip;  // distance 0, that of the one pair
  CHECK(says(made.page(), "Pairs shown that read it: 1 of 1"));
  made.p.entry = 0;
  CHECK(says(made.page(), "Pairs shown that read it: 0 of 1"));
}

TEST_CASE("What is explained says the distance's numbers") {
  Made made;
  made.p.explain = Explained::distance;
  CHECK(says(made.page(), "clip= max(-4, min(4, -10)) = -4"));
  CHECK(says(made.page(), "row= -4 + 4 = 0"));
  made.p.variant = Variant::deberta;
  CHECK(says(made.page(), "δ(i,j)= clip(-(-10) + 8, 0, 15) = 15"));
  CHECK(says(made.page(), "δ(j,i)= clip(-10 + 8, 0, 15) = 0"));
  made.p.variant = Variant::alibi;
  CHECK(says(made.page(), "bias= 0.5 × (-10)"));
  CHECK(says(made.page(), "= -5.0000"));
  // The value that is explained is the one that the curve marks.
  for (const Variant name : {Variant::shaw, Variant::xlnet, Variant::deberta}) {
    made.p.variant = name;
    const double marked = made.model().far->curves.back().at(-10);
    CHECK(says(made.page(), fmt::format("≈ {:.4f}", marked)));
  }
}

}  // namespace relative_text_test
