// What a stop's words claim holds with other seeds, too, since a learner may turn that knob like
// any other; or the words say that they are of this seed.
#include <doctest/doctest.h>

#include <cstdlib>

#include "rig.h"

namespace seeds_test {

using namespace lesson;

// Seeds 0 to 9 where ATTNSCOPE_LAB asks for more than a run of all has time for, else the first
// five. Of labs whose pages train, or take a network of many layers or thousands of roundings for
// each seed, the first three.
constexpr int kSeeds = 10, kSeedsOfAll = 5, kSeedsOfSlow = 3;
constexpr std::array kSlow{"gpt_training", "translation", "transformer", "rope_rounding",
                           "low_precision_math"};

int seeds_of(const session::Session& session) {
  const bool slow = std::find(kSlow.begin(), kSlow.end(), session.lab) != kSlow.end();
  if (std::getenv("ATTNSCOPE_LAB")) return kSeeds;
  return slow ? kSeedsOfSlow : kSeedsOfAll;
}

// What is read before a stop's answer, or with its question and after it.
std::vector<const Paragraph*> words_of(const Stop& stop, bool of_question) {
  std::vector<const Paragraph*> all;
  const auto add = [&all](const Text& text) {
    for (const Paragraph& one : text) all.push_back(&one);
  };
  if (!of_question) {
    add(stop.text);
  } else if (stop.question) {
    const Question& q = *stop.question;
    all.insert(all.end(), {&q.asked, &q.why});
    add(q.after);
    for (const Mistake& one : q.mistakes) all.push_back(&one.said);
    if (const auto* choose = std::get_if<Choose>(&q.kind)) {
      for (const Option& one : choose->options) all.insert(all.end(), {&one.text, &one.said});
    }
  }
  return all;
}

bool says_this_seed(const Stop& stop, bool of_question) {
  for (const Paragraph* paragraph : words_of(stop, of_question)) {
    std::string words;
    for (const Piece& piece : paragraph->pieces) words += piece.text;
    if (words.find("this seed") != words.npos || words.find("这个种子") != words.npos) return true;
  }
  return false;
}

// What is claimed whatever the seed: of the page as the stop sets it, or of that after its answer.
std::vector<const Stated*> claims_of_all_seeds(const Stop& stop, bool answered) {
  std::vector<const Stated*> all;
  const auto add = [&all](const std::vector<Stated>& checks) {
    for (const Stated& one : checks) all.push_back(&one);
  };
  // The page after an answer that changes nothing is the page before it.
  const bool changes = stop.question && !stop.question->reveals.values.empty();
  if (!answered && !says_this_seed(stop, false)) add(stop.checks);
  if (stop.question && answered == changes && !says_this_seed(stop, true)) {
    add(stop.question->checks);
  }
  return all;
}

session::Session with(session::Session session, const param::Values& values) {
  const auto state = lab::find(session.lab).make();
  param::assign(state->describe(), session.values);
  param::assign(state->describe(), values);
  session.values = param::values(state->describe());
  return session;
}

// The seeds that a learner can turn there.
std::vector<std::string> seed_knobs(const session::Session& session) {
  const auto state = lab::find(session.lab).make();
  param::assign(state->describe(), session.values);
  std::vector<std::string> all;
  const param::List list = state->list();
  for (const param::Parameter& p : list.items()) {
    const bool seed = p.info.id == "seed" || p.info.id.ends_with("_seed");
    if (seed && p.info.active) all.emplace_back(p.info.id);
  }
  return all;
}

void hold(const std::vector<const Stated*>& claims, const rig::Seen& seen) {
  for (const Stated* one : claims) {
    CAPTURE(one->line);
    CHECK(holds(one->is, seen.sight()));
  }
}

void try_stop(const Lesson& lesson, std::size_t k, int seed, rig::Pages& pages) {
  const Stop& stop = lesson.stops[k];
  for (const bool answered : {false, true}) {
    const std::vector<const Stated*> claims = claims_of_all_seeds(stop, answered);
    if (claims.empty()) continue;
    const session::Session set = scene(lesson, k, answered);
    if (seed >= seeds_of(set)) continue;
    for (const std::string& knob : seed_knobs(set)) {
      CAPTURE(knob);
      const rig::Seen seen(pages, with(set, {{knob, std::to_string(seed)}}));
      hold(claims, seen);
      if (answered || !stop.wait) continue;
      // What was said is as true once that is done.
      const rig::Seen then(pages, with(seen.session, way_to(stop, seen.sight()).sets));
      hold(claims, then);
    }
  }
}

// Seed by seed, so that stops of one lesson share what they compute of it.
TEST_CASE("what a stop claims holds with other seeds, too, or says that it is of this one" *
          doctest::test_suite("long")) {
  rig::Pages pages;
  for (const std::string& name : names()) {
    CAPTURE(name);
    const Lesson& lesson = shipped(name, words::Language::en);
    for (int seed = 0; seed < kSeeds; ++seed) {
      CAPTURE(seed);
      for (std::size_t k = 0; k < lesson.stops.size(); ++k) try_stop(lesson, k, seed, pages);
    }
  }
}

TEST_CASE("what is said of one seed is said of it in both languages, where there is one to turn") {
  int said = 0;
  for (const std::string& name : names()) {
    CAPTURE(name);
    const Lesson& english = shipped(name, words::Language::en);
    const Lesson& chinese = shipped(name, words::Language::zh_CN);
    REQUIRE(english.stops.size() == chinese.stops.size());
    for (std::size_t k = 0; k < english.stops.size(); ++k) {
      CAPTURE(english.stops[k].title);
      for (const bool of_question : {false, true}) {
        const bool says = says_this_seed(english.stops[k], of_question);
        CHECK(says == says_this_seed(chinese.stops[k], of_question));
        if (says) CHECK_FALSE(seed_knobs(scene(english, k)).empty());
        said += says ? 1 : 0;
      }
    }
  }
  CHECK(said > 0);
}

}  // namespace seeds_test
