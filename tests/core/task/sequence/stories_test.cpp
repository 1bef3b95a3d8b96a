#include "core/task/sequence/stories.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace stories_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index;
using core::Random;
using core::Unit;

namespace {

constexpr int kLines = 4000;
constexpr Language kBoth[] = {Language::english, Language::chinese};

bool begins(const std::vector<std::string>& characters, Index at, const std::string& with) {
  std::string text;
  for (std::size_t k = static_cast<std::size_t>(at); k < characters.size(); ++k)
    text += characters[k];
  return text.starts_with(with);
}

}  // namespace

TEST_CASE("Lines are what the seed says, end once, and keep to their characters") {
  for (const Language language : kBoth) {
    const auto known = story_characters(language);
    CHECK(known.size() < 70);
    Random a(3), b(3);
    for (int k = 0; k < kLines; ++k) {
      const StoryLine line = draw_line(language, a);
      CHECK(line.text == draw_line(language, b).text);
      CHECK(std::count(line.text.begin(), line.text.end(), '\n') == 1);
      CHECK(line.text.back() == '\n');
      for (const std::string& one : split(line.text, Unit::characters)) {
        CHECK(std::binary_search(known.begin(), known.end(), one));
      }
    }
  }
}

TEST_CASE("What a line says of its choices is its information") {
  // Lines of equal text have equal probability, exp(-nats), and these add up to 1 over all lines.
  for (const Language language : kBoth) {
    std::map<std::string, double> nats;
    Random random(5);
    for (int k = 0; k < 60'000; ++k) {
      const StoryLine line = draw_line(language, random);
      const auto [at, fresh] = nats.emplace(line.text, line.nats);
      CHECK(at->second == doctest::Approx(line.nats));
    }
    double sum = 0;
    for (const auto& [text, n] : nats) sum += std::exp(-n);
    CHECK(sum < 1 + 1e-9);
    CHECK(sum > 0.95);
  }
}

TEST_CASE("Pronouns, verbs, measure words and repeats agree, in every line") {
  const std::set<std::string> women{"Anna", "Mary", "Lucy"};
  std::map<Agreement::Kind, int> seen;
  for (const Language language : kBoth) {
    Random random(7);
    for (int k = 0; k < kLines; ++k) {
      const StoryLine line = draw_line(language, random);
      CAPTURE(line.text);
      const auto at = split(line.text, Unit::characters);
      for (const auto& [kind, decides, follows] : line.agreements) {
        ++seen[kind];
        REQUIRE(decides < follows);
        REQUIRE(follows < static_cast<Index>(at.size()));
        const auto character = [&](Index place) { return at[static_cast<std::size_t>(place)]; };
        if (kind == Agreement::Kind::verb) {
          CHECK((character(decides) == "s") != (character(follows) == "s"));
        } else if (kind == Agreement::Kind::measure_word) {
          const std::map<std::string, std::string> of{{"猫", "只"}, {"鸟", "只"}, {"书", "本"},
                                                      {"鱼", "条"}, {"蛇", "条"}, {"画", "张"},
                                                      {"纸", "张"}, {"伞", "把"}, {"刀", "把"}};
          CHECK(of.at(character(follows)) == character(decides));
        } else if (kind == Agreement::Kind::pronoun && language == Language::chinese) {
          const bool she = std::string("兰红丽").find(character(decides)) != std::string::npos;
          CHECK(character(follows) == (she ? "她" : "他"));
        } else if (kind == Agreement::Kind::pronoun) {
          const bool she = std::any_of(
              women.begin(), women.end(),
              [&, &word = decides](const std::string& name) { return begins(at, word, name); });
          CHECK((begins(at, follows, "She ") || begins(at, follows, "she ")) == she);
          CHECK((begins(at, follows, "He ") || begins(at, follows, "he ")) != she);
        } else if (language == Language::english) {
          CHECK(character(decides) == character(follows));
        }
      }
    }
  }
  CHECK(seen.size() == 4);
}

}  // namespace stories_test
