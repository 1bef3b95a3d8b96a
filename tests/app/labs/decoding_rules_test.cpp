// Rules that are typed by hand: how they are read, what is refused, and bars that write them.
#include <doctest/doctest.h>

#include "decoding_rig.h"

namespace decoding_rules_test {

using namespace decoding_rig;

namespace {

std::string refused(const std::string& rules) {
  try {
    read_rules(rules);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "taken";
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
        "rules: expected one without a context, such as A:0.4 B:0.6, for texts that match no other "
        "rule; got none");
  CHECK(refused("A > B:1").starts_with("rules: expected one without a context"));
  CHECK(refused("A:0.5 B:-0.1") == "rule 1: expected a probability of at least 0 for B, got -0.1");
  CHECK(refused("A:1; A > B:nan").starts_with("rule 2: expected a probability of at least 0"));
  CHECK(refused("A:inf").starts_with("rule 1: expected a probability"));
  CHECK(refused("A:").find("got nothing") != std::string::npos);
  CHECK(refused("A:0.5 B:0.2 A:0.3") == "rule 1: expected each token once, got A twice");
  CHECK(refused("A:0 B:0") ==
        "rule 1: expected a probability above 0 for at least one token, got none");
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

TEST_CASE("numbers that do not sum to one are divided, said, and can be written as shares") {
  Made m = preset("one_third");
  const lab::Page page = m.page();
  CHECK(notes(
      page, "Rule 1: expected probabilities that sum to 1, got 6; each was divided by this sum."));
  CHECK(m.model().distribution(0).probabilities(0) == 0.5);
  CHECK(says(page, "3 / 6"));
  REQUIRE(page.offer.sets.size() == 1);
  m.set(page.offer.sets);
  CHECK(m.p.rules == "A:0.5 B:0.333333 C:0.166667");
  CHECK(m.page().offer.sets.empty());
  CHECK(m.page().notes.empty());
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

}  // namespace decoding_rules_test
