// Walks every lesson of the program in both languages, as somebody who does what it says: every
// name is there, every number is the page's, every stop can be done.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "claims/said.h"
#include "rig.h"

namespace walk_test {

using namespace lesson;

const std::array kLanguages{words::Language::en, words::Language::zh_CN};

// One stop as somebody meets it.
class Walked {
 public:
  Walked(const Lesson& lesson, std::size_t stop, rig::Pages& pages)
      : lesson_(lesson), stop_(lesson.stops[stop]), index_(stop), pages_(pages) {}

  void walk() {
    rig::Seen seen(pages_, scene(lesson_, index_));
    check_page(lesson_, index_, seen.sight(), false);
    claims(stop_.checks, seen);
    claims(stop_.begins, seen);
    if (stop_.wait) waits(seen);
    if (stop_.question) asks();
  }

 private:
  static void claims(const std::vector<Stated>& checks, const rig::Seen& seen) {
    for (const Stated& one : checks) {
      CAPTURE(one.line);
      CHECK(holds(one.is, seen.sight()));
    }
  }

  void waits(rig::Seen& seen) {
    CAPTURE(stop_.wait->line);
    CHECK_FALSE(holds(stop_.wait->is, seen.sight()));  // there is something to do
    const rig::Seen then = rig::done(pages_, stop_, seen);
    CHECK(holds(stop_.wait->is, then.sight()));
    // What was said is as true once that is done.
    claims(stop_.checks, then);
    ends(seen, then);
  }

  // With a sentence of what was seen, in which something is another number than at first.
  void ends(const rig::Seen& begun, const rig::Seen& then) {
    REQUIRE_FALSE(stop_.seen.empty());
    const Sight before = begun.sight();
    Sight sight = then.sight();
    sight.begun = &before;
    const std::string said = plain(text_of(stop_.seen, sight, pages_.words()));
    CAPTURE(said);
    CHECK(said.find("…") == said.npos);
    if (!waits_for_number(stop_.wait->is)) return;
    const bool compares = std::ranges::any_of(stop_.seen.pieces, [](const Piece& piece) {
      return piece.kind == Piece::Kind::live && tells_before(piece.value);
    });
    CHECK(compares);
    CHECK(plain(text_of(stop_.seen, then.sight(), pages_.words())) != said);
  }

  static bool tells_before(const Expression& e) {
    return e.word == "was" || std::ranges::any_of(e.parts, tells_before);
  }

  // What the page computes, not a knob or a click.
  static bool waits_for_number(const Expression& wait) {
    return std::ranges::any_of(references(wait), [](const Reference& one) {
      return one.kind == Kind::readout || one.kind == Kind::bar || one.kind == Kind::cell;
    });
  }

  void asks() {
    const Question& q = *stop_.question;
    CAPTURE(q.line);
    const rig::Seen seen(pages_, scene(lesson_, index_, true));
    check_page(lesson_, index_, seen.sight(), true);
    for (const Stated* one : claims_of(stop_, true)) {
      CAPTURE(one->line);
      CHECK(holds(one->is, seen.sight()));
    }
    const Answer right = right_answer(q, seen.sight());
    CHECK(grade(q, right, seen.sight()).right);
    CHECK_FALSE(grade(q, {}, seen.sight()).right);
    if (const auto* choose = std::get_if<Choose>(&q.kind)) {
      for (std::size_t k = 0; k < choose->options.size(); ++k) {
        const Option& one = choose->options[k];
        CHECK(grade(q, {.option = k}, seen.sight()).right == one.right);
        CHECK_FALSE(one.text.empty());
      }
    }
    if (const auto* number = std::get_if<TypeNumber>(&q.kind)) types(q, *number, seen);
    for (const Mistake& one : q.mistakes) is_mistaken(q, one, seen);
  }

  // A number is the page's: what was typed into the file agrees with it.
  static void types(const Question& q, const TypeNumber& asked, const rig::Seen& seen) {
    const bool from_page = !references(asked.value.is).empty();
    CHECK((from_page || asked.from_page.has_value()));
    if (asked.from_page) {
      CHECK_FALSE(references(asked.from_page->is).empty());
      CHECK(near(number(asked.value.is, seen.sight()), number(asked.from_page->is, seen.sight()),
                 asked.within, asked.percent));
    }
    const double truth = number(asked.value.is, seen.sight());
    // Of a hundred, it can be typed with the sign; a share cannot become a hundred times as much.
    const bool of_a_hundred = std::abs(truth) > 1;
    CHECK(grade(q, {.number = truth / 100, .percent = true}, seen.sight()).right == of_a_hundred);
    const double far = asked.percent ? std::abs(truth) * asked.within / 50 : 2 * asked.within;
    CHECK_FALSE(grade(q, {.number = truth + std::max(far, 1e-3)}, seen.sight()).right);
  }

  static void is_mistaken(const Question& q, const Mistake& mistake, const rig::Seen& seen) {
    CAPTURE(mistake.line);
    Answer answer;
    if (const auto* e = std::get_if<Expression>(&mistake.answer)) {
      answer.number = number(*e, seen.sight());
    } else if (const auto* r = std::get_if<Reference>(&mistake.answer)) {
      answer.elements = {elements(*r, seen.sight()).front()};
    } else {
      return;
    }
    const Verdict verdict = grade(q, answer, seen.sight());
    CHECK_FALSE(verdict.right);
    CHECK(verdict.said.line == mistake.said.line);
  }

  const Lesson& lesson_;
  const Stop& stop_;
  std::size_t index_;
  rig::Pages& pages_;
};

// Everything but words
// -----------------------------------------------------------------------------

std::string settings_text(const lab::Lab& lab, const Settings& settings) {
  const auto state = lab.make();
  param::List list = state->list();
  std::string text;
  for (const auto& [id, value] : settings.values) {
    const param::Parameter* p = list.find(id);
    const bool words = p && std::holds_alternative<param::Text>(p->kind);
    text += id + "=" + (words ? "" : value) + " | ";
  }
  return text;
}

std::string names_text(const std::vector<Named>& all) {
  std::string text;
  for (const Named& one : all) text += to_text(one.is) + ", ";
  return text;
}

void same(const std::vector<Stated>& a, const std::vector<Stated>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k].is == b[k].is);
}

void same(const Question& a, const Question& b, const lab::Lab& lab) {
  REQUIRE(a.kind.index() == b.kind.index());
  CHECK(settings_text(lab, a.reveals) == settings_text(lab, b.reveals));
  CHECK(names_text(a.hides) == names_text(b.hides));
  same(a.checks, b.checks);
  REQUIRE(a.mistakes.size() == b.mistakes.size());
  for (std::size_t k = 0; k < a.mistakes.size(); ++k) {
    CHECK(a.mistakes[k].answer == b.mistakes[k].answer);
  }
  CHECK(a.after.size() == b.after.size());
  if (const auto* one = std::get_if<Choose>(&a.kind)) {
    const auto& other = std::get<Choose>(b.kind);
    REQUIRE(one->options.size() == other.options.size());
    for (std::size_t k = 0; k < one->options.size(); ++k) {
      CHECK(one->options[k].right == other.options[k].right);
      CHECK(one->options[k].said.empty() == other.options[k].said.empty());
    }
  } else if (const auto* truth = std::get_if<TrueOrFalse>(&a.kind)) {
    CHECK(truth->truth == std::get<TrueOrFalse>(b.kind).truth);
  } else if (const auto* number = std::get_if<TypeNumber>(&a.kind)) {
    const auto& other = std::get<TypeNumber>(b.kind);
    CHECK(number->value.is == other.value.is);
    CHECK(number->within == other.within);
    CHECK(number->percent == other.percent);
  } else if (const auto* click = std::get_if<Click>(&a.kind)) {
    CHECK(click->of.is == std::get<Click>(b.kind).of.is);
    CHECK(click->which == std::get<Click>(b.kind).which);
  } else if (const auto* mark = std::get_if<MarkAll>(&a.kind)) {
    CHECK(mark->of.is == std::get<MarkAll>(b.kind).of.is);
    CHECK(mark->with.is == std::get<MarkAll>(b.kind).with.is);
  } else if (const auto* draw = std::get_if<Draw>(&a.kind)) {
    CHECK(draw->line.is == std::get<Draw>(b.kind).line.is);
    CHECK(draw->within == std::get<Draw>(b.kind).within);
  }
}

void same(const Stop& a, const Stop& b, const lab::Lab& lab) {
  CHECK(a.lab == b.lab);
  CHECK(a.preset == b.preset);
  CHECK(settings_text(lab, a.sets) == settings_text(lab, b.sets));
  CHECK(settings_text(lab, a.does) == settings_text(lab, b.does));
  CHECK((a.shows ? to_text(a.shows->is) : "") == (b.shows ? to_text(b.shows->is) : ""));
  CHECK(a.alone == b.alone);
  CHECK(names_text(a.points) == names_text(b.points));
  CHECK(a.text.size() == b.text.size());
  CHECK(a.notes.size() == b.notes.size());
  CHECK(a.seen.empty() == b.seen.empty());
  same(a.checks, b.checks);
  same(a.begins, b.begins);
  REQUIRE(a.wait.has_value() == b.wait.has_value());
  if (a.wait) CHECK(a.wait->is == b.wait->is);
  REQUIRE(a.question.has_value() == b.question.has_value());
  if (a.question) same(*a.question, *b.question, lab);
}

TEST_CASE("every lesson stands in both languages, and only its words differ") {
  REQUIRE(!names().empty());
  for (const std::string& name : names()) {
    CAPTURE(name);
    const Lesson& english = shipped(name, words::Language::en);
    const Lesson& chinese = shipped(name, words::Language::zh_CN);
    CHECK(english.minutes == chinese.minutes);
    CHECK(english.lab == chinese.lab);
    CHECK_FALSE(english.lab.empty());
    CHECK(english.route == chinese.route);
    CHECK(english.place == chinese.place);
    CHECK(english.further == chinese.further);
    REQUIRE(english.stops.size() == chinese.stops.size());
    CHECK(english.stops.size() >= 6);
    // A course of an hour has more.
    CHECK(static_cast<int>(english.stops.size()) <= std::max(12, english.minutes / 3));
    for (std::size_t k = 0; k < english.stops.size(); ++k) {
      CAPTURE(english.stops[k].title);
      same(english.stops[k], chinese.stops[k], lab::find(scene(english, k).lab));
    }
  }
}

// The words that a lesson itself says, without the page's numbers and what knobs hold.
std::string words_of(const Paragraph& paragraph) {
  std::string words;
  for (const Piece& piece : paragraph.pieces) {
    if (piece.kind != Piece::Kind::live) words += piece.text;
  }
  return words;
}

// Sentences that say something: all but the answers to a question, which may be names alone.
std::vector<std::string> sentences_of(const Lesson& lesson) {
  std::vector<std::string> all{lesson.title, words_of(lesson.about)};
  for (const Stop& stop : lesson.stops) {
    all.push_back(stop.title);
    for (const Text* text : {&stop.text, &stop.notes}) {
      for (const Paragraph& one : *text) all.push_back(words_of(one));
    }
    if (!stop.seen.empty()) all.push_back(words_of(stop.seen));
    if (!stop.question) continue;
    all.push_back(words_of(stop.question->asked));
    all.push_back(words_of(stop.question->why));
    for (const Paragraph& one : stop.question->after) all.push_back(words_of(one));
    for (const Mistake& one : stop.question->mistakes) all.push_back(words_of(one.said));
  }
  return all;
}

std::vector<std::string> answers_of(const Lesson& lesson) {
  std::vector<std::string> all;
  for (const Stop& stop : lesson.stops) {
    const auto* one = stop.question ? std::get_if<Choose>(&stop.question->kind) : nullptr;
    if (!one) continue;
    for (const Option& option : one->options) {
      all.push_back(words_of(option.text));
      all.push_back(words_of(option.said));
    }
  }
  return all;
}

// All that is read of a lesson at its stops, with the page's numbers and what knobs hold.
std::vector<std::string> read_at_stops(const Lesson& lesson, rig::Pages& pages) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    const Stop& stop = lesson.stops[k];
    const auto add = [&](const Text& text, const rig::Seen& seen, const Sight* before = nullptr) {
      Sight sight = seen.sight();
      sight.begun = before;
      for (const Paragraph& one : text) all.push_back(plain(text_of(one, sight, pages.words())));
    };
    const rig::Seen begun(pages, scene(lesson, k));
    add(stop.text, begun);
    add(stop.notes, begun);
    const Sight before = begun.sight();
    if (stop.wait) add({stop.seen}, rig::done(pages, stop, begun), &before);
    if (!stop.question) continue;
    const rig::Seen then(pages, scene(lesson, k, true));
    add({stop.question->asked, stop.question->why}, then);
    add(stop.question->after, then);
    for (const Mistake& one : stop.question->mistakes) add({one.said}, then);
    if (const auto* choose = std::get_if<Choose>(&stop.question->kind)) {
      for (const Option& one : choose->options) add({one.text, one.said}, then);
    }
  }
  return all;
}

// A lead byte of U+3000 to U+9FFF, where Chinese characters and their punctuation are.
bool has_chinese(const std::string& text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xe3 && byte <= 0xe9;
  });
}

TEST_CASE("English lessons hold no Chinese, and Chinese ones have no sentence without it") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    const Lesson& english = shipped(name, words::Language::en);
    for (const auto& said : {sentences_of(english), answers_of(english)}) {
      for (const std::string& one : said) {
        CAPTURE(one);
        CHECK_FALSE(has_chinese(one));
      }
    }
    for (const std::string& one : sentences_of(shipped(name, words::Language::zh_CN))) {
      CAPTURE(one);
      CHECK(has_chinese(one));
    }
  }
}

TEST_CASE("what knobs hold brings no Chinese into an English lesson") {
  rig::Pages pages;
  for (const std::string& name : names()) {
    CAPTURE(name);
    for (const std::string& one : read_at_stops(shipped(name, words::Language::en), pages)) {
      CAPTURE(one);
      CHECK_FALSE(has_chinese(one));
    }
  }
}

// docs/user/questions.md and the lecturers' notes of the stops say the same.
TEST_CASE("what the lessons teach stands in a table and at the stops") {
  std::ostringstream text;
  text << std::ifstream(ATTNSCOPE_SOURCE_DIR "/docs/user/questions.md").rdbuf();
  std::set<std::string> told;  // lesson, stop, question
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find("| ["), end = line.find("]("), stop = line.find(") | ");
    if (!line.starts_with("| ") || name == line.npos || stop == line.npos) continue;
    told.insert(line.substr(name + 3, end - name - 3) + " / " +
                line.substr(stop + 4, line.size() - stop - 6) + " / " + line.substr(2, name - 3));
  }
  CHECK(told.size() >= 20);
  std::set<std::string> noted;
  for (const std::string& name : names()) {
    const Lesson& english = shipped(name, words::Language::en);
    const Lesson& chinese = shipped(name, words::Language::zh_CN);
    for (std::size_t k = 0; k < english.stops.size(); ++k) {
      for (std::size_t i = 0; i < english.stops[k].notes.size(); ++i) {
        const std::string note = words_of(english.stops[k].notes[i]), begin = "Teaches: ";
        if (!note.starts_with(begin)) continue;
        noted.insert(name + " / " + english.stops[k].title + " / " + note.substr(begin.size()));
        CHECK(words_of(chinese.stops[k].notes.at(i)).starts_with("教："));
      }
    }
  }
  CHECK(told == noted);
}

TEST_CASE("somebody who does what it says comes through every lesson") {
  for (const words::Language language : kLanguages) {
    rig::Pages pages(language);
    for (const std::string& name : names()) {
      const Lesson& lesson = shipped(name, language);
      check_scenes(lesson);
      for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
        CAPTURE(lesson.file);
        CAPTURE(lesson.stops[k].title);
        std::string fault;
        try {
          Walked(lesson, k, pages).walk();
        } catch (const core::InputError& error) {
          fault = error.what();
        }
        CHECK(fault == "");
      }
    }
  }
}

bool has_number_in_claim(const Paragraph& paragraph) {
  const bool live = std::ranges::any_of(
      paragraph.pieces, [](const Piece& piece) { return piece.kind == Piece::Kind::live; });
  return live && claims::claims_something(words_of(paragraph));
}

TEST_CASE("Where words that claim something hold the page's numbers, the claim is checked") {
  for (const std::string& name : names()) {
    for (const Stop& stop : shipped(name, words::Language::en).stops) {
      CAPTURE(name);
      CAPTURE(stop.title);
      const bool begins = !stop.begins.empty();  // the words say that it is to be changed
      for (const Paragraph& one : stop.text) {
        if (has_number_in_claim(one)) CHECK((begins || !claims_of(stop, false).empty()));
      }
      if (!stop.question) continue;
      Text after = stop.question->after;
      after.push_back(stop.question->why);
      for (const Paragraph& one : after) {
        if (has_number_in_claim(one)) CHECK_FALSE(claims_of(stop, true).empty());
      }
    }
  }
}

TEST_CASE("the places of a route are told apart, and every route has a lesson's form") {
  std::set<std::pair<std::string, int>> taken;
  for (const std::string& name : names()) {
    const Lesson& lesson = shipped(name, words::Language::en);
    if (lesson.route.empty()) continue;
    CAPTURE(name);
    CHECK(taken.insert({lesson.route, lesson.place}).second);
  }
}

TEST_CASE("first steps takes fifteen minutes, and what comes after it as one likes is all there") {
  int minutes = 0;
  for (const std::string& name : of_route("first_steps")) {
    minutes += shipped(name, words::Language::en).minutes;
  }
  CHECK(minutes == 15);
  CHECK(after_route("first_steps").size() >= 6);
  std::set<std::string> reached;
  for (const Route& route : routes()) {
    CAPTURE(route.id);
    CHECK_FALSE(of_route(route.id).empty());
    for (const std::string& name : of_route(route.id)) CHECK(reached.insert(name).second);
    for (const std::string& name : after_route(route.id)) CHECK(reached.insert(name).second);
  }
  for (const std::string& name : names()) {
    if (!shipped(name, words::Language::en).route.empty()) CHECK(reached.count(name) == 1);
  }
}

}  // namespace walk_test
