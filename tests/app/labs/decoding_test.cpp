// Decoding: rules by hand, the tree of greedy, beam and samples, filters in their order, draws, and
// every claim of the presets.
#include <doctest/doctest.h>

#include "app/labs/decoding/page.h"
#include "trying.h"

namespace decoding_test {

using namespace lab::decoding;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index, core::VectorD;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("decoding", id); }

std::string text_of(const Model& model, Way way) {
  const Text* text = model.text_of(way);
  REQUIRE(text);
  return model.source->name(text->ids);
}

double p_of(const Model& model, Way way) { return std::exp(model.text_of(way)->sum); }

Index kept(const Model& model, Index stage) {
  return (model.distribution(stage).probabilities.array() > 0).count();
}

std::string refused(const std::string& rules) {
  try {
    read_rules(rules);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "taken";
}

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

TEST_CASE("rules are read: contexts, tokens, numbers, and which one holds where") {
  const Rules rules = read_rules("A:0.5 B:0.5; A > B:1; B A > A:0.25 C:0.75");
  CHECK(rules.tokens == std::vector<std::string>{"A", "B", "C"});
  REQUIRE(rules.rules.size() == 3);
  CHECK(&rules.after({}) == &rules.rules[0]);
  CHECK(&rules.after({1}) == &rules.rules[0]);
  CHECK(&rules.after({0}) == &rules.rules[1]);
  CHECK(&rules.after({2, 0}) == &rules.rules[1]);
  CHECK(&rules.after({1, 0}) == &rules.rules[2]);  // the longer context
  CHECK(&rules.after({1, 0, 1, 0}) == &rules.rules[2]);
  CHECK(rules.after({0}).distribution.probabilities == core::VectorD{{0, 1, 0}});
  CHECK(rules.after({1, 0}).distribution.probabilities == core::VectorD{{0.25, 0, 0.75}});
  // A token alone counts 1; numbers are divided by their sum.
  const Rules counts = read_rules("a b b2:2");
  CHECK(counts.rules[0].sum == 4);
  CHECK(counts.rules[0].distribution.probabilities == core::VectorD{{0.25, 0.25, 0.5}});
  // A colon in front, or an arrow inside of a word, is a token like others.
  CHECK(read_rules(":0.5 a>b:2").tokens == std::vector<std::string>{":0.5", "a>b"});
  // Of logits the softmax; -inf never comes.
  const Rules logits = read_rules("A=3 B=2 C=-inf D");
  const auto& p = logits.rules[0].distribution.probabilities;
  CHECK(p(0) / p(1) == doctest::Approx(std::exp(1.0)));
  CHECK(p(2) == 0);
  CHECK(p(1) / p(3) == doctest::Approx(std::exp(2.0)));  // alone: e^0
}

TEST_CASE("rules that are none are refused in one sentence") {
  CHECK(refused("") ==
        "rules: expected one without a context, such as A:0.4 B:0.6, for texts that no other rule "
        "is for; got none");
  CHECK(refused("A > B:1").starts_with("rules: expected one without a context"));
  CHECK(refused("A:0.5 B:-0.1") == "rule 1: expected a probability of at least 0 for B, got -0.1");
  CHECK(refused("A:1; A > B:nan").starts_with("rule 2: expected a probability of at least 0"));
  CHECK(refused("A:inf").starts_with("rule 1: expected a probability"));
  CHECK(refused("A:").find("got nothing") != std::string::npos);
  CHECK(refused("A:0.5 B:0.2 A:0.3") == "rule 1: expected each token once, got A twice");
  CHECK(refused("A:0 B:0") ==
        "rule 1: expected a probability above 0 for one token at least, got none");
  CHECK(refused("A=1 B=inf") == "rule 1: expected a finite logit or -inf for B, got inf");
  CHECK(refused("A=-inf").starts_with("rule 1: expected a probability above 0"));
  CHECK(refused("A:1; A > A:0.5 B=2") ==
        "rule 2: expected either probabilities, A:0.4, or logits, A=2, got both");
  std::string many;
  for (int k = 0; k < 65; ++k) many += "t" + std::to_string(k) + " ";
  CHECK(refused(many) == "rules: expected at most 64 tokens, got more");
  std::string rules = "A:1";
  for (int k = 0; k < 64; ++k) rules += "; A > A:1";
  CHECK(refused(rules) == "rules: expected at most 64, got more");
}

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
  CHECK(branch_of(model, "C").fate == BeamBranch::Fate::outscored);
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

TEST_CASE("the order of two filters decides how many tokens stay") {
  const Model first = preset("temperature_first").model(),
              last = preset("temperature_last").model();
  CHECK(kept(first, 0) == 3);
  CHECK(kept(first, 1) == 3);
  CHECK(kept(first, 2) == 1);
  CHECK(kept(last, 1) == 2);
  CHECK(kept(last, 2) == 2);
  CHECK(first.distribution(1).probabilities(0) == doctest::Approx(0.8668133).epsilon(1e-6));
  CHECK(last.distribution(0).probabilities(0) == doctest::Approx(0.6652410).epsilon(1e-6));
  CHECK(last.distribution(0).probabilities(1) == doctest::Approx(0.2447285).epsilon(1e-6));
}

TEST_CASE("a sum of exactly p: the paper keeps two, the library three") {
  Made m = preset("boundary");
  CHECK(kept(m.model(), 1) == 2);
  m.set({{"form", "library"}});
  CHECK(kept(m.model(), 1) == 3);
}

TEST_CASE("decimals that sum to p on paper complete the set, in what is typed by hand") {
  Made m = made({{"rules", "A:0.4 B:0.3 C:0.2 D:0.1"}, {"filters", "top_p p=0.9"}});
  CHECK(kept(m.model(), 1) == 3);
  m.set({{"rules", "A:0.7 B:0.1 C:0.1 D:0.1"}, {"filters", "top_p p=0.8"}});
  CHECK(kept(m.model(), 1) == 2);
  m.set({{"form", "library"}});
  CHECK(kept(m.model(), 1) == 3);
  m.set({{"rules", "A:0.8 B:0.12 C:0.08"},
         {"filters", "min_p p=0.1"},
         {"explain", "probability"},
         {"stage", "1"},
         {"token", "2"}});
  CHECK(kept(m.model(), 1) == 3);
  CHECK(says(m.page(), "0.08 is at least that."));
}

TEST_CASE("each filter works on what the last one left") {
  Made m = preset("shares");
  CHECK(kept(m.model(), 1) == 3);
  CHECK(kept(m.model(), 2) == 2);
  m.set({{"filters", "top_p p=0.75; top_k k=3"}});
  CHECK(kept(m.model(), 2) == 3);

  Made place = preset("open_or_sure");
  CHECK(kept(place.model(), 1) == 1);
  place.set({{"filters", "top_k k=3"}});
  CHECK(kept(place.model(), 1) == 3);
  place.set({{"prompt", "y"}});
  CHECK(kept(place.model(), 1) == 3);
  place.set({{"filters", "top_p p=0.9"}});
  CHECK(kept(place.model(), 1) == 5);

  Made hot = preset("hot");
  CHECK(kept(hot.model(), 2) == 3);
  hot.set({{"filters", "temperature t=3; min_p p=0.1"}});
  const Model asked_last = hot.model();
  CHECK(kept(asked_last, 2) == 7);
  CHECK(asked_last.distribution(1).probabilities(5) == doctest::Approx(0.0885).epsilon(0.001));
}

TEST_CASE("a penalty on a negative logit rewards as the paper writes it") {
  Made m = preset("rewarded");
  const Model paper = m.model();
  CHECK(paper.distribution(1).logits(1) == doctest::Approx(-1 / 1.5));
  CHECK(paper.distribution(1).probabilities(1) > paper.distribution(0).probabilities(1));
  CHECK(says(m.page(), "the penalty rewards"));
  m.set({{"form", "library"}});
  const Model library = m.model();
  CHECK(library.distribution(1).logits(1) == -1.5);
  CHECK(library.distribution(1).probabilities(1) < library.distribution(0).probabilities(1));
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

TEST_CASE("numbers that do not sum to one are divided, said, and can be written as shares") {
  Made m = preset("one_third");
  const lab::Page page = m.page();
  CHECK(
      notes(page, "Rule 1: expected probabilities that sum to 1, got 6; each was divided by it."));
  CHECK(m.model().distribution(0).probabilities(0) == 0.5);
  CHECK(says(page, "3 / 6"));
  REQUIRE(page.offer.sets.size() == 1);
  m.set(page.offer.sets);
  CHECK(m.p.rules == "A:0.5 B:0.333333 C:0.166667");
  CHECK(m.page().offer.sets.empty());
  CHECK(m.page().notes.empty());
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
  click("tree", "one step more");
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

TEST_CASE("a bar is dragged by the number that it is in the rules") {
  Made m = made({});
  const auto handles = handles_of(m.page(), "stage_0");
  REQUIRE(handles.size() == 5);
  const figure::Handle& b = handles[1];
  CHECK(b.y == 0.3);
  m.set({{b.text_param, b.before + "0.6" + b.after}});
  CHECK(m.p.rules.starts_with("A:0.4 B:0.6 C:0.2 D:0.1 E:0; A > A:0.1"));
  CHECK(m.model().distribution(0).probabilities(1) == doctest::Approx(0.6 / 1.3));
  // After A it is the rule of A whose numbers are dragged.
  m.set({{"taken", "A"}});
  const auto after = handles_of(m.page(), "stage_0");
  m.set({{"rules", after[0].before + "0.7" + after[0].after}});
  CHECK(m.p.rules.find("A > A:0.7 B:0.4") != std::string::npos);
}

TEST_CASE("what was cut stays in the figure, hollow and with a cross") {
  Made m = made({{"filters", "top_k k=2; temperature t=1"}});
  const lab::Page page = m.page();
  for (const char* id : {"stage_1", "stage_2"}) {
    const figure::Plot& plot = plot_of(page, id);
    const auto crosses = marks_of<figure::Note>(plot);
    REQUIRE(crosses.size() == 2);
    CHECK(crosses[0].x == 2.5);
    CHECK(crosses[1].x == 3.5);
    CHECK(mark_of<figure::Bars>(plot).values == std::vector<double>{0, 0, 0.2, 0.1, 0});
    const auto& kept_bars = mark_of<figure::Bars>(plot, 1).values;
    CHECK(kept_bars[0] == doctest::Approx(0.4 / 0.7));
    CHECK(kept_bars[2] == 0);
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
  CHECK(says(m.page(), "It fell out at step 2: 2 others had better scores"));
  m.set({{"penalty", "none"}, {"taken", "C A"}});
  CHECK(says(m.page(), "The search never looked at it"));
}

TEST_CASE("prompts: unknown tokens are said, an end that no rule writes too") {
  Made m = made({{"prompt", "A otter"}, {"end", "stop"}});
  CHECK(m.model().source->prompt == Ids{0});
  CHECK(m.model().distribution(0).probabilities(1) == 0.4);  // after A
  const lab::Page page = m.page();
  CHECK(notes(page, "The prompt's otter is left out"));
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

TEST_CASE("a trained model: greedy misses the word that shares no first letter") {
  Made m = preset("english");
  const Model model = m.model();
  CHECK(text_of(model, Way::greedy) == "␣ b a l l ?");
  CHECK(p_of(model, Way::greedy) == doctest::Approx(0.173).epsilon(0.01));
  CHECK(text_of(model, Way::beam) == "␣ c u p ? ␣");
  CHECK(p_of(model, Way::beam) == doctest::Approx(0.202).epsilon(0.01));
  CHECK(model.source->tokens[std::size_t(model.token)] == "b");
  // Two words share it.
  m.set({{"taken", "␣ b a"}});
  const Model shared = m.model();
  CHECK(kept(shared, 2) == 2);
  CHECK(shared.distribution(2).probabilities.maxCoeff() < 0.7);
  // The bars go from the likeliest on.
  const auto bars = mark_of<figure::Bars>(plot_of(m.page(), "stage_0")).values;
  CHECK(bars.size() == model.source->tokens.size());
  CHECK(std::is_sorted(bars.rbegin(), bars.rend()));
  CHECK(handles_of(m.page(), "stage_0").empty());
}

TEST_CASE("a trained model that knows the answer writes it whichever way, but not when it is hot") {
  const Model sum = preset("sum").model();
  for (const Text& text : sum.texts) {
    if (text.way != Way::beam || text.number == 0) CHECK(sum.source->name(text.ids) == "9 3 9 0 .");
  }
  CHECK(p_of(sum, Way::greedy) > 0.99);
  const Model hot = preset("hot_sum").model();
  CHECK(text_of(hot, Way::greedy) == "9 3 9 0 .");
  CHECK(text_of(hot, Way::beam) == "9 3 9 0 .");
  const double nine = hot.distribution(1).probabilities.maxCoeff();
  CHECK(nine > 0.5);
  CHECK(nine < 0.6);

  const Model brackets = preset("brackets").model();
  CHECK(text_of(brackets, Way::beam) == "] ) ) .");
  std::size_t go_on = 0, drawn = 0;
  for (int seed = 0; seed < 10; ++seed) {
    Made m = preset("brackets");
    m.set({{"seed", std::to_string(seed)}});
    const Model model = m.model();
    CHECK(text_of(model, Way::beam) == "] ) ) .");
    std::size_t longer = 0;
    for (const Text& text : model.texts) {
      if (text.way != Way::sample) continue;
      ++drawn;
      longer += text.ids.size() > 4;
    }
    CHECK(longer >= 2);
    go_on += longer;
  }
  CHECK(2 * go_on > drawn);
  CHECK(text_of(preset("chinese").model(), Way::beam) == "刀 是 小 兰 的 ，");
}

TEST_CASE("prompts of a model: none, unknown characters, too long a one, little room") {
  Made m = made({{"from", "model"}, {"model", "addition"}});
  CHECK(m.model().source->example);
  CHECK(notes(m.page(), "No prompt was given"));
  m.set({{"prompt", "1é2+34="}});
  CHECK(m.model().source->unknown == std::vector<std::string>{"é"});
  CHECK(m.model().source->prompt.size() == 7);  // the start, and what is known
  // Thirteen positions were learned: 3 · 3 + 4.
  m.set({{"prompt", "123+456=57"}, {"steps", "6"}});
  const Model little = m.model();
  CHECK(little.source->room == 3);
  CHECK(little.steps == 3);
  CHECK(notes(m.page(), "Only 3 tokens have room behind the prompt"));
  m.set({{"prompt", "123+456=579123"}});
  CHECK_THROWS_WITH(m.page(), "prompt: expected at most 13 tokens, got 15");
  m.set({{"prompt", "123+456=5790"}});
  CHECK(m.model().steps == 1);
  m.set({{"taken", "."}});
  CHECK(m.page().figures.size() == 4);
  // Of a model without a limit of its own.
  m.set({{"model", "text_english"}, {"prompt", std::string(300, 'a')}, {"taken", ""}});
  CHECK_THROWS_WITH(m.page(), "prompt: expected at most 256 tokens, got 300");
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

TEST_CASE("the search may go by what the filters leave") {
  Made m = made({{"filters", "top_k k=1"}, {"beam_filters", "true"}});
  const Model model = m.model();
  CHECK(model.beam->ranked.size() == 1);
  CHECK(text_of(model, Way::beam) == "A B");
  CHECK(p_of(model, Way::beam) == doctest::Approx(1));
  m.set({{"beam_filters", "false"}});
  CHECK(m.model().beam->ranked.size() == 2);
}

}  // namespace decoding_test
