#include "core/task/sequence/sequences.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/types.h"

namespace sequences_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index;

namespace {

SequenceTask task_of(Story story) {
  SequenceTask task;
  task.story = story;
  if (story != Story::induction) task.shortest = 1;
  if (story != Story::induction) task.longest = 10;
  return task;
}

constexpr Story kAll[] = {Story::induction, Story::copy,     Story::reverse, Story::sort,
                          Story::addition,  Story::brackets, Story::text};

std::string text_of(const SequenceTask& task, const Sequence& sequence) {
  const auto names = tokens(task);
  std::string text;
  for (const auto id : sequence.ids) text += names.at(static_cast<std::size_t>(id));
  if (sequence.next.back() >= 0) text += names.at(static_cast<std::size_t>(sequence.next.back()));
  return text;
}

// "abc>cba." cut in two at `sign`, without its end.
std::pair<std::string, std::string> halves(const std::string& text, char sign) {
  const auto at = text.find(sign);
  REQUIRE(at != text.npos);
  REQUIRE(text.back() == '.');
  return {text.substr(0, at), text.substr(at + 1, text.size() - at - 2)};
}

}  // namespace

TEST_CASE("Every sequence fits its description, and what comes next is what comes next") {
  for (const Story story : kAll) {
    CAPTURE(static_cast<int>(story));
    const SequenceTask task = task_of(story);
    const auto names = tokens(task);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    for (const Sequence& one : draw_sequences(task, 3, 200, false)) {
      const std::size_t n = one.ids.size();
      CHECK(n <= static_cast<std::size_t>(longest_sequence(task)));
      REQUIRE(one.next.size() == n);
      REQUIRE(one.evaluated.size() == n);
      REQUIRE(one.source.size() == n);
      // A short stretch of text may have no rule in it.
      if (story != Story::text)
        CHECK(std::count(one.evaluated.begin(), one.evaluated.end(), 1) > 0);
      for (std::size_t t = 0; t < n; ++t) {
        CHECK(one.ids[t] >= 0);
        CHECK(one.ids[t] < static_cast<std::int32_t>(names.size()));
        if (one.next[t] >= 0 && t + 1 < n) CHECK(one.next[t] == one.ids[t + 1]);
        if (one.evaluated[t]) CHECK(one.next[t] >= 0);
        if (one.source[t] < 0) continue;
        // A decoder sees up to the token that it reads, and that token is what it writes, but for
        // a bracket, which is what closes it.
        CHECK(one.source[t] <= static_cast<std::int32_t>(t));
        const auto said = one.ids[static_cast<std::size_t>(one.source[t])];
        if (story == Story::text) continue;  // a rule says it, not a token
        CHECK(one.next[t] == (story == Story::brackets ? said + 1 : said));
      }
    }
  }
}

TEST_CASE("Texts are written as they are asked for") {
  for (const Story story : {Story::copy, Story::reverse, Story::sort}) {
    for (const bool repeats : {false, true}) {
      SequenceTask task = task_of(story);
      task.symbols = 20;
      task.repeats = repeats;
      bool twice = false;
      for (const Sequence& one : draw_sequences(task, 1, 100, false)) {
        auto [read, written] = halves(text_of(task, one), '>');
        CHECK(read.size() >= 1);
        CHECK(read.size() <= 10);
        twice |= std::set<char>(read.begin(), read.end()).size() < read.size();
        if (story == Story::reverse) std::reverse(read.begin(), read.end());
        if (story == Story::sort) std::sort(read.begin(), read.end());
        CHECK(read == written);
      }
      CHECK(twice == repeats);
    }
  }
}

TEST_CASE("Sums are right, either way round") {
  for (const bool lowest_first : {false, true}) {
    SequenceTask task = task_of(Story::addition);
    task.lowest_first = lowest_first;
    const auto number = [&](std::string digits) {
      if (lowest_first) std::reverse(digits.begin(), digits.end());
      return std::stoi(digits);
    };
    for (const Sequence& one : draw_sequences(task, 5, 100, false)) {
      const auto [sum, written] = halves(text_of(task, one), '=');
      CHECK(sum.size() == 7);
      CHECK(written.size() == 4);
      CHECK(number(sum.substr(0, 3)) + number(sum.substr(4)) == number(written));
    }
  }
}

TEST_CASE("Brackets are balanced and no deeper than asked") {
  SequenceTask task = task_of(Story::brackets);
  task.depth = 3;
  std::size_t deepest = 0;
  for (const Sequence& one : draw_sequences(task, 8, 300, false)) {
    std::string open;
    for (const char c : text_of(task, one)) {
      if (c == '(' || c == '[') open += c;
      deepest = std::max(deepest, open.size());
      if (c != ')' && c != ']') continue;
      REQUIRE_FALSE(open.empty());
      CHECK(open.back() == (c == ')' ? '(' : '['));
      open.pop_back();
    }
    CHECK(open.empty());
  }
  CHECK(deepest == 3);
}

TEST_CASE("An induction sequence repeats its period, whose tokens differ") {
  const SequenceTask task = task_of(Story::induction);
  std::set<std::size_t> periods;
  for (const Sequence& one : draw_sequences(task, 2, 300, false)) {
    CHECK(one.ids.size() == 48);
    const auto again = std::find(one.evaluated.begin(), one.evaluated.end(), 1);
    const auto period = static_cast<std::size_t>(again - one.evaluated.begin());
    periods.insert(period);
    const std::set<std::int32_t> first(one.ids.begin(),
                                       one.ids.begin() + static_cast<std::ptrdiff_t>(period));
    CHECK(first.size() == period);
    for (std::size_t t = period; t < one.ids.size(); ++t) {
      CHECK(one.ids[t] == one.ids[t - period]);
      CHECK(one.evaluated[t] == 1);
    }
  }
  CHECK(*periods.begin() == 8);
  CHECK(*periods.rbegin() == 24);
}

TEST_CASE("What is held out is never trained on, and the same seed gives the same") {
  for (const Story story : kAll) {
    CAPTURE(static_cast<int>(story));
    if (story == Story::text) continue;  // made afresh each time
    const SequenceTask task = task_of(story);
    for (const Sequence& one : draw_sequences(task, 11, 300, false))
      CHECK_FALSE(held_out(task, one));
    const auto held = draw_sequences(task, 11, 100, true),
               again = draw_sequences(task, 11, 100, true);
    bool differs = false;
    for (std::size_t k = 0; k < held.size(); ++k) {
      CHECK(held_out(task, held[k]));
      CHECK(held[k].ids == again[k].ids);
      differs |= held[k].ids != held[0].ids;
    }
    CHECK(differs);
  }
}

TEST_CASE("Text is a stretch of lines; held out, it begins with one, and rules are judged") {
  for (const Language language : {Language::english, Language::chinese}) {
    SequenceTask task;
    task.story = Story::text;
    task.language = language;
    task.length = 60;
    const auto starts = [&](const Sequence& one) {
      const std::string text = text_of(task, one);
      return text.starts_with("The ") || text.starts_with("Where ") || text.starts_with("小") ||
             text.starts_with("那") || text.starts_with("一") || text.find(" has a ") < 5 ||
             text.find("s the ") < 12;
    };
    const auto held = draw_sequences(task, 2, 60, true), any = draw_sequences(task, 2, 60, false);
    CHECK(std::count_if(held.begin(), held.end(), starts) == 60);
    CHECK(std::count_if(any.begin(), any.end(), starts) < 40);
    for (const Sequence& one : held) {
      CHECK(one.ids.size() == 60);
      for (std::size_t t = 0; t < one.ids.size(); ++t) {
        CHECK((one.evaluated[t] == 1) == (one.source[t] >= 0));
      }
    }
  }
}

TEST_CASE("Lengths beyond training can be asked for") {
  for (const Story story : {Story::copy, Story::sort, Story::brackets}) {
    for (const Sequence& one : draw_sequences_of_length(task_of(story), 4, 20, 15)) {
      CHECK(one.ids.size() == (story == Story::brackets ? 31 : 32));
    }
  }
  CHECK(draw_sequences_of_length(task_of(Story::induction), 4, 1, 96).at(0).ids.size() == 96);
  CHECK(draw_sequences_of_length(task_of(Story::addition), 4, 1, 5).at(0).ids.size() == 19);
}

TEST_CASE("A typed text is read token by token, or refused in a sentence") {
  const SequenceTask task = task_of(Story::copy);
  const Sequence one = sequence_of(task, "ab>a");
  CHECK(one.ids == std::vector<std::int32_t>{0, 3, 4, 2, 3});
  CHECK(one.next == std::vector<std::int32_t>{3, 4, 2, 3, -1});
  CHECK_THROWS_WITH_AS(sequence_of(task, "a?"),
                       "text: expected tokens that the model knows, got \"?\"", core::InputError);
}

TEST_CASE("What nothing can be drawn from is refused") {
  const auto refused = [](Story story, auto change) {
    SequenceTask task = task_of(story);
    change(task);
    CHECK_THROWS_AS(draw_sequences(task, 1, 1, false), core::InputError);
  };
  refused(Story::copy, [](auto& t) { t.longest = 33; });  // of 32 symbols none twice
  refused(Story::sort, [](auto& t) { t.shortest = 11; });
  refused(Story::reverse, [](auto& t) { t.symbols = 63; });
  refused(Story::induction, [](auto& t) { t.length = 1; });
  refused(Story::addition, [](auto& t) { t.digits = 0; });
  refused(Story::brackets, [](auto& t) { t.depth = 0; });
}

}  // namespace sequences_test
