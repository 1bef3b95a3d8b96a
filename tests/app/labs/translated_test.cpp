// Whatever a lab describes as data (titles, labels, help, presets, cards) stands in the Chinese
// catalogue: a message that was not marked for the translators would slip through otherwise.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/labs/labs.h"
#include "app/words/words.h"

namespace translated_test {

namespace {

void check_known(std::string_view message) {
  if (message.empty()) return;
  CAPTURE(message);
  CHECK(words::catalogue(words::Language::zh_CN).contains(message));
}

void check_catalogue(const param::Catalogue& catalogue) {
  for (const param::Option& operation : catalogue.operations) check_known(operation.label);
  for (const param::Entry& entry : catalogue.entries) {
    check_known(entry.label);
    check_known(entry.help);
    for (const param::Argument& argument : entry.arguments) {
      check_known(argument.label);
      check_known(argument.help);
    }
  }
}

void check_parameters(const param::List& list) {
  for (const param::Parameter& p : list.items()) {
    check_known(p.group);
    check_known(p.info.label);
    check_known(p.info.unit);
    check_known(p.info.help);
    if (const auto* choice = std::get_if<param::Choice>(&p.kind)) {
      for (const param::Option& option : choice->options) check_known(option.label);
    }
    if (const auto* stack = std::get_if<param::Stack>(&p.kind)) check_catalogue(*stack->catalogue);
  }
}

}  // namespace

TEST_CASE("everything that labs describe is translated") {
  for (const lab::Lab& lab : lab::all()) {
    check_known(lab.title);
    check_known(lab.question);
    check_known(lab.about);
    check_known(lab::chapter_title(lab.chapter));
    for (const lab::Source& source : lab.sources) check_known(source.where);
    for (const lab::Preset& preset : lab.presets) {
      check_known(preset.title);
      check_known(preset.teaches);
    }
    const auto state = lab.make();
    check_parameters(state->list());
  }
}

namespace {

// What stands in a message's places: "{}", "{1}", "{:.3f}".
std::vector<std::string> places(std::string_view message) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < message.size(); ++at) {
    if (message[at] != '{') continue;
    if (at + 1 < message.size() && message[at + 1] == '{') {
      ++at;
      continue;
    }
    const std::size_t end = message.find_first_of(":}", at);
    all.emplace_back(message.substr(at + 1, end - at - 1));
    at = message.find('}', at);
  }
  return all;
}

}  // namespace

TEST_CASE("the places of a translation are the message's, all numbered or none") {
  for (const auto& [english, chinese] : words::catalogue(words::Language::zh_CN)) {
    const auto& translation = chinese;
    const auto& message = english;
    CAPTURE(message);
    CAPTURE(translation);
    const std::size_t count = places(message).size();
    std::size_t plain = 0;
    const auto own = places(translation);
    for (const std::string& place : own) {
      plain += place.empty();
      const bool number = place.find_first_not_of("0123456789") == std::string::npos;
      if (number && !place.empty()) CHECK(static_cast<std::size_t>(std::stoi(place)) < count);
    }
    CHECK((plain == 0 || plain == own.size()));
    CHECK(plain <= count);
  }
}

// In Chinese a full stop has its room in itself.
TEST_CASE("sentences that are put together in Chinese have no blank between them") {
  struct Shown {
    std::string_view lab;
    param::Values values;
  };
  const std::vector<Shown> all = {
      {"absolute", {{"scheme", "learned"}, {"rows", "16"}, {"steps", "2"}}},
      {"checkpoint", {{"model", "llama"}, {"view", "positions"}}},
      {"extrapolation", {{"explain", "score"}, {"length", "65536"}}},
      {"rotary", {{"rotated", "4"}}},
  };
  const words::Words chinese(words::Language::zh_CN);
  for (const Shown& one : all) {
    CAPTURE(one.lab);
    const auto state = lab::find(one.lab).make();
    param::assign(state->describe(), one.values);
    lab::Memo memo;
    for (const figure::Figure& figure : state->compute({{}, chinese, memo, {}, 1}).figures) {
      CAPTURE(figure.id);
      CHECK(figure.caption.find("。 ") == std::string::npos);
    }
  }
}

}  // namespace translated_test
