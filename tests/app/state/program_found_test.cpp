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
       "Token: expected an integer from -1 to 2 in this text, got 20; it is 2 now."},
      {"gpt_inside",
       {},
       {"knocked", "1.1 2.1"},
       {"model", "sort"},
       "1.1",
       "Heads knocked out: expected any of 1.1 in this model, got 2.1; it is 1.1 now."},
      {"gpt_inside",
       {},
       {"knocked", "2.1"},
       {"model", "sort"},
       "",
       "Heads knocked out: expected any of 1.1 in this model, got 2.1; it is nothing now."},
      {"cache",
       {},
       {"token", "40"},
       {"model", "addition"},
       "12",
       "Token: expected an integer from 0 to 12 in this text, got 40; it is 12 now."},
      {"gpt_training",
       {},
       {"place", "40"},
       {"task", "addition"},
       "12",
       "Position: expected an integer from -1 to 12 in this text, got 40; it is 12 now."},
      {"translation",
       {},
       {"row", "8"},
       {"task", "numbers"},
       "3",
       "Row: expected an integer from 0 to 3 in this text, got 8; it is 3 now."},
      {"alignment",
       {},
       {"row", "8"},
       {"task", "numbers"},
       "3",
       "Row: expected an integer from 0 to 3 in this text, got 8; it is 3 now."},
      {"documents",
       {},
       {"at_sentence", "3"},
       {"text", "The food was good."},
       "1",
       "Sentence: expected an integer from 0 to 1 in this text, got 3; it is 1 now."},
      {"decoding",
       {{"from", "model"}, {"model", "addition"}, {"prompt", "123+456="}},
       {"steps", "5"},
       {"prompt", "123+456=57"},
       "3",
       "Steps: expected an integer from 1 to 3 in the room after the prompt, got 5; it is 3 now."},
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
  CHECK(program.messages.last().text ==
        "Token: expected an integer from -1 to 2 in this text, got 4; it is 2 now.");
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
