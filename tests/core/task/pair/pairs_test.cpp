// The tasks: what is asked, what is right, and what is never trained on.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "core/task/pair/pair_batch.h"
#include "core/task/pair/spelling.h"

namespace pairs_test {

using namespace core::task;
using core::Index;
using core::InputError;
using core::Unit;

namespace {

PairTask own(std::vector<Pair> pairs, Unit unit = Unit::characters) {
  return {.kind = Kind::own,
          .own = std::make_shared<const std::vector<Pair>>(std::move(pairs)),
          .own_unit = unit};
}

const PairTask kTasks[] = {
    {.kind = Kind::dates},    {.kind = Kind::dates, .language = Language::chinese},
    {.kind = Kind::numbers},  {.kind = Kind::numbers, .language = Language::chinese},
    {.kind = Kind::reversal}, {.kind = Kind::copy, .letters = 3, .shortest = 4, .longest = 4}};

}  // namespace

TEST_CASE("numbers and dates as they are said") {
  CHECK(number_words(7, Language::english) == "seven");
  CHECK(number_words(4005, Language::english) == "four thousand and five");
  CHECK(number_words(321, Language::english) == "three hundred and twenty-one");
  CHECK(number_words(9000, Language::english) == "nine thousand");
  CHECK(number_words(10, Language::chinese) == "十");
  CHECK(number_words(110, Language::chinese) == "一百一十");
  CHECK(number_words(4005, Language::chinese) == "四千零五");
  CHECK(number_words(4050, Language::chinese) == "四千零五十");
  CHECK(number_words(1000, Language::chinese) == "一千");
  CHECK(spellings({2019, 3, 5}, Language::english) ==
        std::vector<std::string>{"march 5, 2019", "5 march 2019", "mar 5, 2019", "5 mar 2019",
                                 "05/03/2019", "5.3.2019"});
  CHECK(spellings({2009, 11, 20}, Language::chinese)[1] == "二〇〇九年十一月二十日");
  CHECK(days_in_month(1900, 2) == 28);
  CHECK(days_in_month(2000, 2) == 29);
}

TEST_CASE("all numbers are said differently") {
  for (const Language language : {Language::english, Language::chinese}) {
    std::set<std::string> all;
    for (int n = 1; n <= 9999; ++n) all.insert(number_words(n, language));
    CHECK(all.size() == 9999);
  }
}

TEST_CASE("no two dates share a spelling") {
  for (const Language language : {Language::english, Language::chinese}) {
    std::map<std::string, std::string> meant;
    for (int month = 1; month <= 12; ++month) {
      for (int day = 1; day <= 28; ++day) {
        const Date date{2011, month, day};
        for (const std::string& text : spellings(date, language)) {
          CHECK(meant.emplace(text, iso(date)).first->second == iso(date));
        }
      }
    }
  }
}

TEST_CASE("what a task asks it knows, and its vocabulary has all of it") {
  for (const PairTask& task : kTasks) {
    const Vocabulary vocabulary(symbols(task));
    for (const bool held : {false, true}) {
      for (const Pair& pair : draw_pairs(task, 3, 40, held)) {
        CAPTURE(pair.source);
        CHECK(held_out(task, pair) == held);
        CHECK(solution(task, pair.source) == pair.target);
        CHECK(vocabulary.unknown(pair.source, source_unit(task)).empty());
        const auto ids = vocabulary.encode(pair.target, target_unit(task));
        CHECK(vocabulary.decode(ids, target_unit(task)) == pair.target);
      }
    }
  }
  CHECK(solution({.kind = Kind::dates}, "March 5, 2019") == "2019-03-05");
  CHECK(solution({.kind = Kind::dates}, "february 30, 2019").empty());
}

TEST_CASE("every spelling of a held-out date is held out") {
  const PairTask task{.kind = Kind::dates};
  for (const Pair& pair : draw_pairs(task, 5, 20, true)) {
    CHECK(held_out(task, {"5 march 2019", pair.target}));
  }
}

TEST_CASE("about a tenth is held out, and the same seed draws the same") {
  core::Random random(1);
  int held = 0;
  for (int k = 0; k < 4000; ++k) held += held_out({}, core::task::draw({}, random));
  CHECK(held > 300);
  CHECK(held < 500);
  CHECK(draw_pairs({}, 7, 20, false) == draw_pairs({}, 7, 20, false));
  CHECK(draw_pairs({}, 7, 20, false) != draw_pairs({}, 8, 20, false));
  for (const Pair& pair : draw_pairs_of_length({.kind = Kind::reversal}, 1, 20, 17)) {
    CHECK(pair.source.size() == 17);
  }
}

TEST_CASE("an own list") {
  const PairTask few = own({{"le chat", "the cat"}, {"le chien", "the dog"}}, Unit::words);
  CHECK(symbols(few) == std::vector<std::string>{"cat", "chat", "chien", "dog", "le", "the"});
  CHECK(!can_hold_out(few));
  CHECK(solution(few, "le chien") == "the dog");
  CHECK(solution(few, "le loup").empty());
  CHECK(draw_pairs(few, 1, 5, true).size() == 5);
  CHECK(few == own({{"le chat", "the cat"}, {"le chien", "the dog"}}, Unit::words));
  CHECK_FALSE(few == own({{"le chat", "the cat"}}, Unit::words));
  CHECK_THROWS_AS(draw_pairs(own({}), 1, 1, false), InputError);
  CHECK_THROWS_AS(draw_pairs({.kind = Kind::copy, .letters = 27}, 1, 1, false), InputError);
  CHECK_THROWS_AS(draw_pairs({.kind = Kind::copy, .shortest = 3, .longest = 2}, 1, 1, false),
                  InputError);
  // All alike: whichever way its hash falls, something is drawn.
  const PairTask same = own(std::vector<Pair>(30, Pair{"a", "b"}));
  CHECK(draw_pairs(same, 1, 3, false).size() == 3);
  CHECK(draw_pairs(same, 1, 3, true).size() == 3);
}

TEST_CASE("spaces are characters, and unknown ones are named once") {
  const Vocabulary vocabulary({" ", "a", "b"});
  CHECK(vocabulary.encode("a b", Unit::characters) == std::vector<std::int32_t>{4, 3, 5});
  CHECK(vocabulary.unknown("a?b?!", Unit::characters) == std::vector<std::string>{"?", "!"});
  CHECK(vocabulary.decode({4, 3, 5, Vocabulary::kEnd, 4}, Unit::characters) == "a b");
  CHECK_THROWS_AS(Vocabulary({"a", "a"}), InputError);
}

TEST_CASE("a batch is padded, and a loss counts ends but no padding") {
  PairBatch batch;
  batch.fill({{{3, 1}, {4, 5}}, {{3, 3, 3, 1}, {4}}});
  CHECK(batch.source().length == 4);
  CHECK(batch.source().used(0) == 2);
  CHECK(batch.target().length == 3);
  CHECK(batch.counted() == 5);
  const std::vector<std::int32_t> source(batch.source_ids(), batch.source_ids() + 8);
  const std::vector<std::int32_t> written(batch.written_ids(), batch.written_ids() + 6);
  const std::vector<std::int32_t> next(batch.next_ids(), batch.next_ids() + 6);
  CHECK(source == std::vector<std::int32_t>{3, 1, 0, 0, 3, 3, 3, 1});
  CHECK(written == std::vector<std::int32_t>{0, 4, 5, 0, 4, 0});
  CHECK(next == std::vector<std::int32_t>{4, 5, 1, 4, 1, -1});
}

}  // namespace pairs_test
