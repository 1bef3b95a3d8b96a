// Settings beyond what was opened: the window brings them into range and says so.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/labs/labs.h"
#include "app/state/program.h"

namespace program_found_test {

namespace {

// `set` stands in what is opened first, but not in what `opens` opens.
struct Beyond {
  std::string lab;
  param::Values first;
  std::pair<std::string, std::string> set, opens;
  std::string value, said;  // of the knob then
};

const std::vector<Beyond>& all() {
  static const std::vector<Beyond> kAll = {
      {"checkpoint",
       {{"model", "gpt2"}},
       {"token", "20"},
       {"text", "a cat"},
       "2",
       "Token: 2 now, the most in this text; it was 20."},
      {"gpt_inside",
       {},
       {"knocked", "1.1 2.1"},
       {"model", "sort"},
       "1.1",
       "Heads knocked out: there is no 2.1 in this model; it is 1.1 now."},
      {"gpt_inside",
       {},
       {"knocked", "2.1"},
       {"model", "sort"},
       "",
       "Heads knocked out: there is no 2.1 in this model; it is nothing now."},
      {"cache",
       {{"from", "trained"}},
       {"token", "40"},
       {"model", "addition"},
       "12",
       "Token: 12 now, the most in this text; it was 40."},
      {"gpt_training",
       {},
       {"place", "40"},
       {"task", "addition"},
       "12",
       "Position: 12 now, the most in this text; it was 40."},
      {"translation",
       {},
       {"row", "8"},
       {"task", "numbers"},
       "3",
       "Row: 3 now, the most in this text; it was 8."},
      {"alignment",
       {},
       {"row", "8"},
       {"task", "numbers"},
       "3",
       "Row: 3 now, the most in this text; it was 8."},
      {"documents",
       {},
       {"at_sentence", "3"},
       {"text", "The food was good."},
       "1",
       "Sentence: 1 now, the most in this text; it was 3."},
      {"decoding",
       {{"from", "model"}, {"model", "addition"}, {"prompt", "123+456="}},
       {"steps", "5"},
       {"prompt", "123+456=57"},
       "3",
       "Steps: 3 now, the most in the room after the prompt; it was 5."},
  };
  return kAll;
}

}  // namespace

TEST_CASE("a setting beyond what was opened is brought into range and said, in every lab" *
          doctest::test_suite("long")) {
  for (const Beyond& one : all()) {
    CAPTURE(one.lab);
    CAPTURE(one.set.first);
    state::Program program(lab::all());
    program.desk.show_lab(one.lab);
    for (const auto& [id, value] : one.first) REQUIRE(program.knobs.set(id, value));
    REQUIRE(program.knobs.set(one.set.first, one.set.second));
    program.wait();
    CHECK(program.knobs.value(one.set.first) == one.set.second);
    CHECK(program.messages.last().text.find("; it is ") == std::string::npos);
    REQUIRE(program.knobs.set(one.opens.first, one.opens.second));
    program.wait();
    CHECK(program.knobs.value(one.set.first) == one.value);
    CHECK(program.messages.last().text.find(one.said) != std::string::npos);
    CHECK_FALSE(program.pages.stale());
    // One step back brings both again.
    program.desk.undo();
    program.wait();
    CHECK(program.knobs.value(one.set.first) == one.set.second);
  }
}

TEST_CASE("what is beyond half of a text is left alone until the text is typed") {
  state::Program program(lab::all());
  program.desk.show_lab("checkpoint");
  REQUIRE(program.knobs.set("token", "4"));
  const auto type = [&](const char* text) {
    REQUIRE(program.knobs.set("text", text, "type.text"));
    program.wait();
    CHECK(program.knobs.value("token") == "4");
    CHECK(program.messages.last().text.empty());
  };
  for (const char* text : {"a", "a cat", "a cat sat by the dog"}) type(text);
  program.desk.end_gesture();
  program.wait();
  CHECK(program.knobs.value("token") == "4");
  CHECK(program.messages.last().text.empty());
  type("a cat");
  program.desk.end_gesture();
  program.wait();
  CHECK(program.knobs.value("token") == "2");
  CHECK(program.messages.last().text == "Token: 2 now, the most in this text; it was 4.");
}

TEST_CASE("a default that nobody asked for is brought into range in silence") {
  state::Program program(lab::all());
  program.desk.show_lab("gpt_inside");
  REQUIRE(program.knobs.set("model", "sort"));
  program.wait();
  CHECK(program.knobs.value("layer") == "1");  // of a default of 2
  CHECK(program.messages.last().text.empty());
}

}  // namespace program_found_test
