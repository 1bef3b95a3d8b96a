// What every lab says of itself.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "app/labs/shared/text/picture.h"
#include "app/labs/shared/text/places.h"
#include "settings.h"

namespace labs_test {

using namespace contract;

TEST_CASE("Every lab says what it asks, where it comes from, and what to open first") {
  std::set<std::string_view> ids;
  CHECK_FALSE(lab::all().empty());
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    const std::string file = lab::text::file_of(lab.id);
    CHECK(ids.insert(lab.id).second);
    CHECK_FALSE(lab.title.empty());
    CHECK_MESSAGE(!lab.about.empty(), file << ": expected \"## about\" with a sentence below, "
                                              "\"> …\", got nothing");
    CHECK_MESSAGE(
        lab.question.ends_with('?'),
        file << ": question: expected one that ends in \"?\", got \"" << lab.question << "\"");
    CHECK_MESSAGE(!lab.sources.empty(),
                  file << ": expected \"## sources\" with a paper below, \"- key: where\" "
                          "(app/labs/shared/papers.md has the keys), got nothing");
    for (const lab::Source& source : lab.sources) {
      CHECK_MESSAGE(!source.where.empty(), file << ": source " << source.citation
                                                << ": expected where in it, got nothing");
    }
    CHECK_MESSAGE(lab.presets.size() >= 6, file << ": expected at least 6 presets, "
                                                   "\"## preset:ID\", got "
                                                << lab.presets.size());
    CHECK_MESSAGE(!lab::picture_of(lab.id).figure.empty(),
                  file << ": expected what the start page shows, \"picture: PRESET, FIGURE\", got "
                          "nothing");
    CHECK_FALSE(lab::chapter_title(lab.chapter).empty());
    std::set<std::string_view> presets;
    std::string without;  // a sentence
    for (const auto& preset : lab.presets) {
      CHECK_MESSAGE(
          presets.insert(preset.id).second,
          file << ": preset " << preset.id << ": expected an id of its own, got it twice");
      CHECK_FALSE(preset.title.empty());
      if (preset.teaches.empty()) without += " " + std::string(preset.id);
    }
    CHECK_MESSAGE(without.empty(),
                  file << ": preset" << without << ": expected a sentence, \"> …\", got nothing");
    if (is_in_program(lab)) CHECK(&lab::find(lab.id) == &lab);
  }
  CHECK_THROWS_AS(lab::find("no such lab"), core::InputError);
}

// What a page shows of the list at first.
std::vector<std::string> essential(State& state) {
  std::vector<std::string> ids;
  const param::List list = state.list();
  for (const Parameter& p : list.items()) {
    if (p.info.essential) ids.emplace_back(p.info.id);
  }
  return ids;
}

TEST_CASE("A lab shows three to seven knobs at first, with every preset") {
  for (const Lab& lab : tried_labs()) {
    std::vector<std::pair<std::string, param::Values>> all{{"as it is at first", {}}};
    for (const auto& preset : lab.presets)
      all.emplace_back("with preset " + std::string(preset.id), preset.values);
    std::string wrong;
    for (const auto& [where, values] : all) {
      const auto state = lab.make();
      param::assign(state->describe(), values);
      const std::vector<std::string> ids = essential(*state);
      if (ids.size() >= 3 && ids.size() <= 7) continue;
      wrong += fmt::format("\n{}: {} ({})", where, ids.size(), fmt::join(ids, ", "));
    }
    CHECK_MESSAGE(wrong.empty(), named(lab)
                                     << ": describe: expected 3 to 7 knobs that have an effect in "
                                        "list.essential({…}), got"
                                     << wrong);
  }
}

TEST_CASE("A lab's introduction has at most three sentences in either language") {
  const words::Words english, chinese(words::Language::zh_CN);
  // What ends one: a stop before a space or at the end, and not the point of a number.
  const auto sentences = [](const std::string& text) {
    int count = text.ends_with('.') || text.ends_with('?') ? 1 : 0;
    for (const char* stop : {". ", "? ", "! ", "。", "？", "！"}) {
      for (auto at = text.find(stop); at != text.npos; at = text.find(stop, at + 1)) ++count;
    }
    return count;
  };
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    CHECK(sentences(english(lab.about)) >= 1);
    CHECK(sentences(english(lab.about)) <= 3);
    CHECK(sentences(chinese(lab.about)) >= 1);
    CHECK(sentences(chinese(lab.about)) <= 3);
    CHECK(english(lab.question).ends_with('?'));
    if (!is_in_program(lab)) continue;
    const bool translated = chinese(lab.question) != lab.question;
    CHECK_MESSAGE(translated,
                  "assets/translations/zh_CN.po lacks the question \""
                      << lab.question
                      << "\"; ctest -R translations prints every message that it lacks");
    if (translated) CHECK(chinese(lab.question).ends_with("？"));
  }
}

TEST_CASE("Chapters follow the order of the labs") {
  for (std::size_t k = 1; k < lab::all().size(); ++k) {
    const Lab &before = lab::all()[k - 1], &lab = lab::all()[k];
    CHECK_MESSAGE(before.chapter <= lab.chapter,
                  "app/labs/list.inc is sorted by chapter: expected "
                      << lab.id << " (" << lab::chapter_title(lab.chapter) << ") above "
                      << before.id << " (" << lab::chapter_title(before.chapter) << ")");
  }
}

TEST_CASE("A catalogue names each thing once, its numbers inside of their ranges") {
  for (const Lab& lab : tried_labs()) {
    const auto state = lab.make();
    const param::List list = state->list();
    for (const Parameter& p : list.items()) {
      const auto* stack = std::get_if<param::Stack>(&p.kind);
      if (!stack) continue;
      CAPTURE(named(lab));
      CHECK_FALSE(stack->value->empty());
      std::set<std::string_view> ids;
      for (const auto& operation : stack->catalogue->operations) {
        CHECK(ids.insert(operation.id).second);
      }
      for (const param::Entry& entry : stack->catalogue->entries) {
        CAPTURE(std::string(entry.id));
        CHECK(ids.insert(entry.id).second);
        CHECK_FALSE(entry.label.empty());
        CHECK_FALSE(entry.help.empty());
        CHECK(entry.arguments.size() <= param::Entry::kMostArguments);
        std::set<std::string_view> names;
        for (const param::Argument& a : entry.arguments) {
          CHECK(names.insert(a.id).second);
          CHECK_FALSE(a.help.empty());
          CHECK(a.min <= a.initial);
          CHECK(a.initial <= a.max);
        }
      }
    }
  }
}

}  // namespace labs_test
