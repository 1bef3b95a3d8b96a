// Decoding: the tree of greedy, beam and samples, draws, and what clicks do.
#include <doctest/doctest.h>

#include "decoding_rig.h"

namespace decoding_test {

using namespace decoding_rig;

namespace {

const Node& node_of(const Model& model, const std::string& name) {
  for (const Node& node : model.tree.nodes) {
    if (model.source->name(node.path) == name) return node;
  }
  FAIL("no node " << name);
  std::abort();
}

const BeamBranch& branch_of(const Model& model, const std::string& name) {
  const Node& node = node_of(model, name);
  REQUIRE(node.branch >= 0);
  return model.beam->branches[static_cast<std::size_t>(node.branch)];
}

}  // namespace

TEST_CASE("the five letters: greedy and the beam agree, B's second place is a tie, E never comes") {
  Made m = preset("letters");
  const Model model = m.model();
  CHECK(text_of(model, Way::greedy) == "A B");
  CHECK(text_of(model, Way::beam) == "A B");
  CHECK(text_of(model, Way::exact) == "A B");
  CHECK(p_of(model, Way::exact) == doctest::Approx(0.16).epsilon(1e-12));
  // The second of the beam: B A, 0.3 · 0.5.
  CHECK(model.source->name(model.beam->tokens(model.beam->ranked[1])) == "B A");
  CHECK(branch_of(model, "B A").sum == doctest::Approx(std::log(0.15)));
  CHECK(branch_of(model, "C").outcome == BeamBranch::Outcome::outscored);
  CHECK(branch_of(model, "C").decided == 1);
  CHECK(branch_of(model, "A C").decided == 2);
  m.set({{"shown", "5"}});
  const Model wide = m.model();
  CHECK(branch_of(wide, "B B").sum == branch_of(wide, "B D").sum);
  // Nothing that has probability 0 is a branch, or can be taken.
  for (const Node& node : wide.tree.nodes)
    CHECK(wide.source->tokens[std::size_t(node.token)] != "E");
  m.set({{"taken", "A E"}});
  CHECK(m.model().taken == Ids{0});
  CHECK(notes(m.page(), "The branch ends before E"));
}

TEST_CASE("what greedy misses, and what a beam of two does") {
  const Model missed = preset("greedy").model();
  CHECK(text_of(missed, Way::greedy) == "A A");
  CHECK(p_of(missed, Way::greedy) == doctest::Approx(0.175));
  CHECK(text_of(missed, Way::beam) == "B A");
  CHECK(p_of(missed, Way::beam) == doctest::Approx(0.36));
  CHECK(text_of(missed, Way::exact) == "B A");

  Made m = preset("pruned");
  const Model two = m.model();
  CHECK(text_of(two, Way::beam) == "A B");
  CHECK(text_of(two, Way::exact) == "C A");
  CHECK(p_of(two, Way::exact) == doctest::Approx(0.19));
  CHECK(branch_of(two, "C").decided == 1);
  CHECK(node_of(two, "C A").branch == -1);  // the search never looked there; the taken branch does
  m.set({{"width", "3"}});
  CHECK(text_of(m.model(), Way::beam) == "C A");
}

TEST_CASE("sums favour the short, a length penalty the long") {
  Made m = preset("short");
  const Model sums = m.model();
  CHECK(text_of(sums, Way::beam) == ".");
  CHECK(p_of(sums, Way::beam) == doctest::Approx(0.3));
  double longest = 0;
  for (const Text& text : sums.texts) {
    if (text.way == Way::beam && text.ids.size() == 4)
      longest = std::max(longest, std::exp(text.sum));
  }
  CHECK(longest == doctest::Approx(0.7 * 0.6 * 0.6 * 0.5));
  const Model scores = preset("length").model();
  CHECK(text_of(scores, Way::beam).starts_with("the "));
  CHECK(scores.text_of(Way::beam)->score > std::log(0.3));
  m.set({{"penalty", "power"}});
  CHECK(text_of(m.model(), Way::beam).starts_with("the "));
}

TEST_CASE("a wider beam writes less") {
  Made m = preset("wide");
  for (const char* width : {"3", "4", "8"}) {
    m.set({{"width", width}});
    CHECK(text_of(m.model(), Way::beam) == ".");
    CHECK(p_of(m.model(), Way::beam) == doctest::Approx(0.25));
  }
  for (const char* width : {"1", "2"}) {
    m.set({{"width", width}});
    CHECK(text_of(m.model(), Way::beam) == "we go home .");
    CHECK(p_of(m.model(), Way::beam) == doctest::Approx(0.75 * 0.5 * 0.6));
  }
}

TEST_CASE("greedy goes round in circles until what was written is penalised") {
  Made m = preset("circle");
  CHECK(text_of(m.model(), Way::greedy) == "the way of the way of the way of");
  CHECK_FALSE(m.model().text_of(Way::greedy)->ended);
  m.set({{"filters", "repetition penalty=2"}});
  CHECK(text_of(m.model(), Way::greedy) == "the way of a end .");
  CHECK(m.model().text_of(Way::greedy)->ended);
}

TEST_CASE("many draws come nearer to what they are drawn from") {
  Made m = preset("draws");
  const auto mean_distance = [&](const char* draws) {
    double sum = 0;
    for (int seed = 0; seed < 20; ++seed) {
      m.set({{"samples", draws}, {"seed", std::to_string(seed)}});
      sum += m.model().samples->from_filtered / 20;
    }
    return sum;
  };
  const double few = mean_distance("100"), many = mean_distance("10000");
  CHECK(few > 0.02);
  CHECK(few < 0.08);
  CHECK(few / many > 7);
  CHECK(few / many < 14);
  // With seeds 0 to 9, as the preset has it.
  for (const auto& [draws, least, most] :
       {std::tuple{"100", 0.02, 0.11}, std::tuple{"10000", 0.004, 0.013}}) {
    double sum = 0;
    for (int seed = 0; seed < 10; ++seed) {
      m.set({{"samples", draws}, {"seed", std::to_string(seed)}});
      const double distance = m.model().samples->from_filtered;
      CHECK(distance > least - 0.0005);
      CHECK(distance < most + 0.0005);
      sum += distance;
    }
    if (most > 0.1) {
      CHECK(sum / 10 == doctest::Approx(0.063).epsilon(0.01));
    } else {
      CHECK(sum / 10 == doctest::Approx(0.063 / 8).epsilon(0.03));
    }
  }
  m.set({{"seed", "1"}});
  // The distances are those of the shares that are shown.
  m.set({{"samples", "3"}, {"filters", "top_k k=1"}});
  const Model one = m.model();
  CHECK(one.samples->share == std::vector<double>{1, 0, 0, 0, 0});
  CHECK(one.samples->from_filtered == 0);
  CHECK(one.samples->from_model == doctest::Approx(0.6));  // 1 - 0.4
  CHECK(readout(m.page(), "distance") == 0);
}

TEST_CASE("the same seed writes the same text, and its first draw is the one in the figure") {
  Made m = preset("same_seed");
  const auto samples = [&] {
    std::vector<std::string> all;
    const Model model = m.model();
    for (const Text& text : model.texts) {
      if (text.way == Way::sample) all.push_back(model.source->name(text.ids));
    }
    return all;
  };
  const auto before = samples();
  CHECK(before.size() == 4);
  m.set({{"seed", "8"}});
  CHECK(samples() != before);
  m.set({{"seed", "7"}});
  CHECK(samples() == before);
  Made anew = preset("same_seed");
  CHECK(anew.model().source->name(anew.model().text_of(Way::sample)->ids) == before[0]);
  // Draw k is the first token of sample k.
  for (int k = 0; k < 4; ++k) {
    m.set({{"draw", std::to_string(k)}});
    const std::string first = before[static_cast<std::size_t>(k)].substr(
        0, before[static_cast<std::size_t>(k)].find(' '));
    CHECK(m.page().explanation.title == fmt::format("Draw {}: {}", k + 1, first));
  }
}

TEST_CASE("clicks in the tree take branches, in its head steps, on bars tokens") {
  Made m = made({});
  const auto click = [&m](const char* plot, std::string_view title) {
    for (const auto& node : mark_of<figure::Diagram>(plot_of(m.page(), plot)).nodes) {
      if (node.title.starts_with(title)) return m.set(node.pick);
    }
    FAIL("no node " << title);
  };
  click("tree", "C");
  CHECK(m.p.taken == "C");
  CHECK(m.model().at == Ids{2});
  // What follows C is drawn although the search never looked there.
  CHECK(node_of(m.model(), "C A").branch == -1);
  click("tree", "one more step");
  CHECK(m.p.steps == 3);
  click("tree", "step 1");
  CHECK(m.p.steps == 1);
  click("tree", "start");
  CHECK(m.p.taken.empty());
  const auto& bars = mark_of<figure::Bars>(plot_of(m.page(), "stage_0"));
  m.set(bars.picks[1]);
  CHECK(m.model().token == 1);
  CHECK(m.p.explained == Explained::probability);
  CHECK(m.model().stage == 0);
}

TEST_CASE("what the beam kept has thick lines, what it dropped thin ones, the rest dashes") {
  for (const auto& one : lab::find("decoding").presets) {
    CAPTURE(one.id);
    Made m = made(one.values);
    const Model model = m.model();
    const auto& wires = mark_of<figure::Diagram>(plot_of(m.page(), "tree")).wires;
    std::size_t wire = 0;
    for (const Node& node : model.tree.nodes) {
      const auto ways = static_cast<std::size_t>(std::count(node.on.begin(), node.on.end(), true));
      const bool searched = node.branch >= 0;
      const bool kept =
          searched && model.beam->branches[static_cast<std::size_t>(node.branch)].outcome !=
                          BeamBranch::Outcome::outscored;
      for (std::size_t k = 0; k < std::max<std::size_t>(1, ways); ++k, ++wire) {
        REQUIRE(wire < wires.size());
        CHECK((wires[wire].width >= 2) == kept);
        CHECK(wires[wire].width <= (kept ? 3 : 1.3f));
        CHECK(wires[wire].dashed == (!searched && ways == 0));
      }
    }
    CHECK(wire == wires.size());
  }
}

TEST_CASE("a beam's score unfolds to its sum, length and penalty") {
  Made m = made({{"penalty", "gnmt"}, {"alpha", "0.6"}, {"taken", "A B"}});
  const lab::Page page = m.page();
  const double penalty = std::pow(7.0 / 6, 0.6);
  CHECK(says(page, "((5 + 2) / 6)^0.6"));
  CHECK(says(page, fmt::format("{:.6g}", penalty)));
  CHECK(says(page, fmt::format("{:.4f}", std::log(0.16) / penalty)));
  CHECK(says(page, "ln 0.4"));
  CHECK(says(page, "It is in the last beam"));
  m.set({{"taken", "A C"}});
  CHECK(says(m.page(), "It was dropped at step 2. Others with better scores: 2, the last of them"));
  m.set({{"penalty", "none"}, {"taken", "C A"}});
  CHECK(says(m.page(), "The search never reached it"));
}

TEST_CASE("prompts: unknown tokens are said, an end that no rule writes too") {
  Made m = made({{"prompt", "A otter"}, {"end", "stop"}});
  CHECK(m.model().source->prompt == Ids{0});
  CHECK(m.model().distribution(0).probabilities(1) == 0.4);  // after A
  const lab::Page page = m.page();
  CHECK(notes(page, "otter is left out of the prompt"));
  CHECK(notes(page, "The vocabulary has no stop"));
}

TEST_CASE("a branch that ends shows what its end was chosen from") {
  Made m = preset("short");
  m.set({{"taken", "the cat ran ."}});
  const Model model = m.model();
  CHECK(model.taken.size() == 4);
  CHECK(model.at.size() == 3);
  CHECK(model.refused.empty());
  m.set({{"taken", "the . cat"}});
  CHECK(m.model().refused == ".");  // the rule after "the" does not write it
}

TEST_CASE("the tree and the texts agree with one another, in every preset") {
  for (const auto& one : lab::find("decoding").presets) {
    CAPTURE(one.id);
    const Model model = made(one.values).model();
    for (const Node& node : model.tree.nodes) {
      const double before =
          node.parent < 0 ? 0 : model.tree.nodes[static_cast<std::size_t>(node.parent)].sum;
      CHECK(node.sum == doctest::Approx(before + node.log_probability));
      CHECK(std::isfinite(node.sum));
    }
    for (const Text& text : model.texts) {
      if (text.number > 0 && text.way == Way::sample) continue;
      const Index at = model.tree.find(text.ids);
      if (text.number == 0) REQUIRE(at >= 0);
      if (at >= 0) {
        CHECK(model.tree.nodes[static_cast<std::size_t>(at)].sum == doctest::Approx(text.sum));
      }
    }
    // Nothing is likelier than the best of all, and the beam's texts stand by score.
    const Text* best = model.text_of(Way::exact);
    double last = std::numeric_limits<double>::infinity();
    for (const Text& text : model.texts) {
      if (best && text.way != Way::own) CHECK(text.score <= best->score + 1e-12);
      if (text.way != Way::beam) continue;
      CHECK(text.score <= last);
      last = text.score;
    }
    std::size_t drawn = 0;
    for (const auto& column : model.tree.columns) drawn += column.size();
    CHECK(drawn == model.tree.nodes.size());
  }
}

}  // namespace decoding_test
