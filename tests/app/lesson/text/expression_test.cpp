// References, sums and conditions over a page.
#include <doctest/doctest.h>

#include "rig.h"

namespace expression_test {

using namespace lesson;

const Where kHere{"class.md", 7};

const rig::Seen& seen() {
  static rig::Pages pages;
  static const rig::Seen all(pages, rig::session("softmax",
                                                 "count=4 | logit_1=1 | logit_2=2 | "
                                                 "logit_3=2 | logit_4=-1"));
  return all;
}

double value(const std::string& text) {
  return number(read_expression(text, kHere), seen().sight());
}
bool truth(const std::string& text) { return holds(read_condition(text, kHere), seen().sight()); }

std::string refusal(const std::string& text) {
  try {
    truth(text);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("sums are worked out as in mathematics") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("2 ^ 3 ^ 2") == 512);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("8 - 4 - 2") == 2);
  CHECK(value("8 / 4 / 2") == 1);
  CHECK(value("1e-3 * 2e3") == doctest::Approx(2));
  CHECK(value("sqrt(16) + abs(-2) + round(2.6) + min(3, 1, 2) + max(4, 5)") == 15);
  CHECK(value("ln(exp(2))") == doctest::Approx(2));
  CHECK(value("cos(0) + sin(0)") == 1);
}

TEST_CASE("numbers of the page are the page's") {
  const double sum = std::exp(1) + 2 * std::exp(2) + std::exp(-1);
  CHECK(value("knob:logit_2") == 2);
  CHECK(value("bar:weights:1") == doctest::Approx(std::exp(1) / sum));
  CHECK(value("largest(bar:weights)") == doctest::Approx(std::exp(2) / sum));
  CHECK(value("smallest(bar:weights)") == doctest::Approx(std::exp(-1) / sum));
  CHECK(value("sum(bar:weights)") == doctest::Approx(1));
  CHECK(value("mean(bar:weights)") == doctest::Approx(0.25));
  CHECK(value("count(bar:weights)") == 4);
  CHECK(value("above(bar:weights, 0.3)") == 2);
  CHECK(value("which(bar:weights)") == 2);  // the first of two equal ones
  CHECK(value("apart(bar:weights, bar:weights)") == 0);
  CHECK(value("apart(bar:weights:1, bar:weights:2)") ==
        doctest::Approx((std::exp(2) - std::exp(1)) / sum));
  CHECK(value("dot(bar:weights:1, bar:weights:2)") == doctest::Approx(std::exp(3) / (sum * sum)));
  CHECK(refusal("apart(bar:weights, bar:weights:1) = 0").find("4 and 1") != std::string::npos);
  CHECK(value("beyond(bar:weights:1, bar:weights:2)") ==
        doctest::Approx((std::exp(1) - std::exp(2)) / sum));
  CHECK(value("largest(line:melting:2)") == value("at(line:melting:2, which(line:melting:2))"));
  CHECK(value("smallest(line:melting:2)") < value("mean(line:melting:2)"));
  CHECK(value("count(line:melting:2, 0, 1e9)") == value("count(line:melting:2)"));
  CHECK(value("count(line:melting:2, 1, 2)") < value("count(line:melting:2)"));
  CHECK(value("beyond(line:melting:3, line:melting:0)") <= 0);  // the smallest logit's weight
  CHECK(refusal("largest(bar:weights, 1, 2) = 0").find("line") != std::string::npos);
  CHECK(value("bar:weights:weight") ==
        value("bar:weights:" + *knob_text(seen().sight(), "weight")));
}

TEST_CASE("conditions hold where they do") {
  CHECK(truth("knob:count = 4"));
  CHECK(truth("knob:view = weights"));
  CHECK(truth("knob:view != masks"));
  CHECK(truth("knob:count > 3 and knob:count < 5"));
  CHECK_FALSE(truth("knob:count > 3 and knob:count < 4"));
  CHECK(truth("knob:count > 9 or knob:count <= 4"));
  CHECK(truth("not knob:count > 4"));
  CHECK(truth("not (knob:count > 4 or knob:count < 4)"));
  CHECK(truth("bar:weights:2 = bar:weights:3"));
  CHECK(truth("bar:weights:1 = 0.16 within 0.01"));
  CHECK(truth("bar:weights:1 = 0.16 within 5 %"));
  CHECK_FALSE(truth("bar:weights:1 = 0.16 within 0.0001"));
  CHECK(truth("0.1 + 0.2 = 0.3"));
  CHECK(truth("0.1 + 0.2 <= 0.3"));
}

TEST_CASE("decimals that are equal on paper are neither more nor less") {
  CHECK_FALSE(truth("0.1 + 0.2 > 0.3"));
  CHECK_FALSE(truth("0.3 - 0.2 < 0.1"));
  CHECK(truth("0.1 + 0.2 <= 0.3"));
  CHECK(truth("0.3 - 0.2 >= 0.1"));
  CHECK(truth("0.3001 > 0.3"));
  CHECK(truth("0.000000000000001 > 0"));
  CHECK(truth("1 / 0 > 10 ^ 300"));
  CHECK_FALSE(truth("1 / 0 = 10 ^ 300"));
  CHECK(truth("1 / 0 = 1 / 0"));
}

TEST_CASE("what the learner has done is known by the names of what it was done to") {
  rig::Seen now = seen();
  const auto is = [&](const char* text) { return holds(read_condition(text, kHere), now.sight()); };
  CHECK_FALSE(is("picked"));
  CHECK_FALSE(is("picked:weights"));
  now.picked = {"row", "weights"};
  now.moved = {"temperature"};
  CHECK(is("picked"));
  CHECK(is("picked:weights and moved:temperature"));
  CHECK_FALSE(is("picked:logits or moved:count"));
}

TEST_CASE("what cannot be read is refused with its line") {
  const std::string deep = std::string(100'000, '(') + "1" + std::string(100'000, ')') + " = 1";
  const struct {
    const char* text;
    const char* said;
  } all[] = {
      {"knob:count >",
       "class.md, line 7: expected a number, a name such as knob:n, or a "
       "parenthesis at the end of \"knob:count >\""},
      {"knob:count",
       "class.md, line 7: expected a condition such as knob:n > 3, got "
       "\"knob:count\""},
      {"nob:count > 1",
       "class.md, line 7: expected what a name begins with (such as knob, box, "
       "plot, bar), got \"nob\""},
      {"knob: > 1", "class.md, line 7: expected an id, got \" > 1\""},
      {"knob:count > 1 knob:count < 2",
       "class.md, line 7: expected nothing more, got "
       "\"knob:count < 2\""},
      {"knob:count = 1 within 0.5 * knob:count",
       "class.md, line 7: expected nothing behind the number after \"within\", where nothing is "
       "reckoned (as in abs(a - b) < c * d), got \"* knob:count\""},
      {"cell:a:1 > 0",
       "class.md, line 7: expected a row and a column, as in cell:weights:3,7, "
       "got \" > 0\""},
      {"bar:a:1b > 0", "class.md, line 7: expected an index, the id of a knob, or *, got \"1b\""},
      {"(knob:count > 1",
       "class.md, line 7: expected a closing parenthesis at the end of "
       "\"(knob:count > 1\""},
      {"sqt(4) > 1",
       "class.md, line 7: expected a function (such as sqrt, sin, sum, dot), got "
       "\"sqt\""},
      {"at(4) > 1", "class.md, line 7: arguments of at: expected 2, got 1"},
      {"1 and knob:count > 2",
       "class.md, line 7: expected a condition such as knob:n > 3, got "
       "\"and knob:count > 2\""},
      {"knob:count = 3 within x",
       "class.md, line 7: expected a number such as 0.01 or 5 %, got "
       "\"x\""},
      {deep.c_str(),
       "class.md, line 7: expected an expression of at most 1000 characters, got 200005"},
  };
  for (const auto& [given, said] : all) {
    const auto& text = given;
    CAPTURE(text);
    std::string came;
    try {
      read_condition(text, kHere);
    } catch (const Fault& error) {
      came = error.what();
    }
    CHECK(came == said);
  }
}

TEST_CASE("what the page does not have is refused with what it has") {
  CHECK(
      refusal("readout:entrpy > 1").starts_with("expected a number of the page (such as entropy"));
  CHECK(refusal("bar:wights:0 > 1").starts_with("expected a plot of the page (such as weights"));
  CHECK(refusal("knob:cont > 1").starts_with("expected a knob of the page (such as count"));
  CHECK(refusal("bar:weights:9 > 1") == "expected an index from 1 to 4, got bar:weights:9");
  CHECK(refusal("bar:weights > 1") ==
        "expected one value, got the 4 of bar:weights: largest(), sum() and others reduce them to "
        "one");
  CHECK(refusal("cell:weights:0,0 > 1") ==
        "expected a plot that has what cell:weights:0,0 names, got \"weights\"");
  CHECK(refusal("knob:view > 1") == "expected a number, got \"weights\"");
}

TEST_CASE("a reference is written as it is read") {
  for (const char* text : {"knob:n", "cell:a.b:3,*", "cell:w:query,key", "bar:weights:2", "picked",
                           "picked:weights", "line:score:0"}) {
    CHECK(to_text(read_reference(text, kHere)) == text);
  }
}

}  // namespace expression_test
