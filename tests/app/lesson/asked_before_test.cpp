// An answer is nowhere before it is asked for: every lesson is walked in both languages, and all
// that is shown at a stop is looked through for the answers of its own question and of those after
// it.
//
// What counts as telling:
//  - a number to be typed, as it would be written with the digits that are shown, of two or three
//    significant digits at least. Whole numbers below kSmall and powers of ten stand everywhere and
//    count only where they are the very number, cell or bar that the answer is made of. Ticks are
//    scales and do not count, nor do numbers that the question's own stop gives, or knobs have;
//  - a number of the page that the question's check: or why: names as evidence, as it is in the
//    answer, unless the answer leaves it as it was or the lesson has said it by then;
//  - a place to be clicked or marked in a plot that the question hides, a line to be drawn: the
//    same plot with the same values, seen before;
//  - the words of the right choice, where no wrong one is named as well;
//  - what the question hides, seen earlier just as it is when the question is answered.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "app/lesson/cover.h"
#include "app/param/reading.h"
#include "read_at_stop.h"
#include "rig.h"

namespace asked_before_test {

using namespace lesson;
using namespace read_at_stop;
using read_at_stop::Text;

constexpr double kSmall = 100;
constexpr std::size_t kWords = 12;  // bytes of a choice that is more than a number or "yes"

// Finding ----------------------------------------------------------------------------------------

// A question with its answer.
struct Asked {
  const Lesson& lesson;
  std::size_t at;
  const Question& question;
  const rig::Seen& before;       // the page on which it is asked
  const rig::Seen& answered;     // and after it
  std::vector<double> given;     // numbers in the words of its stop
  std::string right_words = {};  // of a choice
  std::vector<std::string> wrong_words = {};
  std::set<std::string> terms = {};  // that the lesson has introduced by then
  std::set<std::string> told = {};   // numbers of the page that the lesson has said by then
};

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto is_end = [](char c) { return c == '.' || c == ' '; };
  while (!text.empty() && is_end(text.back())) text.pop_back();
  constexpr std::string_view kStop = "。";
  if (text.ends_with(kStop)) text.resize(text.size() - kStop.size());
  return text;
}

bool is_small(const Printed& one, bool named) {
  const bool round = std::abs(one.value) == 0 ||
                     std::fmod(std::log10(std::abs(one.value)), 1.0) == 0;  // 1, 10, 100 %
  return round || one.digits < (named || one.whole ? 2 : 3) ||
         (one.whole && std::abs(one.value) < kSmall);
}

// One of many numbers of a figure, or of a derivation's steps, tells the answer only if it is the
// answer as it would be written with its digits.
bool is_rounded(const Printed& one, double answer) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(one.value))) + 1 - one.digits);
  return std::abs(one.value - answer) <= unit * (one.whole ? 1e-9 : 0.5000001);
}

bool is_given(const Asked& asked, double value) {
  return std::ranges::any_of(asked.given,
                             [&](double one) { return near(one, value, 1e-9, false); });
}

bool says(const Text& text, const std::string& words) {
  return lowered(text.says).find(words) != std::string::npos;
}

void find_in_texts(const Asked& asked, const std::vector<Text>& texts,
                   std::vector<std::string>& found) {
  // A term of the lesson, or one of several names that stand there, tells nothing.
  const bool names_all =
      asked.terms.contains(asked.right_words) ||
      std::ranges::any_of(asked.wrong_words, [&](const std::string& words) {
        return std::ranges::any_of(texts, [&](const Text& one) { return says(one, words); });
      });
  const auto* typed = std::get_if<TypeNumber>(&asked.question.kind);
  for (const Text& one : texts) {
    if (typed) {
      const bool named = !one.where.starts_with("figure:") && one.where != "derivation";
      const double right = lesson::number(typed->value.is, asked.answered.sight());
      for (const Printed& number : numbers_in(one.says)) {
        if (is_small(number, named) || is_given(asked, number.value)) continue;
        if (!is_rounded(number, right)) continue;
        if (grade(asked.question, {.number = number.value}, asked.answered.sight()).right)
          found.push_back(fmt::format("{} prints {} in \"{}\"", one.where, number.value, one.says));
      }
    }
    if (asked.right_words.size() >= kWords && says(one, asked.right_words) && !names_all) {
      found.push_back(fmt::format("{} says \"{}\"", one.where, one.says));
    }
  }
}

// What of the page the answer is made of, and what shows that it is right.
std::vector<Reference> parts_of(const Question& q) {
  std::vector<Reference> all;
  const auto add = [&](const Expression& e) {
    for (const Reference& one : references(e)) all.push_back(one);
  };
  if (const auto* typed = std::get_if<TypeNumber>(&q.kind)) {
    add(typed->value.is);
    if (typed->from_page) add(typed->from_page->is);
  }
  return all;
}
std::vector<Reference> evidence_of(const Question& q) {
  std::vector<Reference> all;
  const auto add = [&](const Expression& e) {
    for (const Reference& one : references(e)) {
      if (one.kind == Kind::readout) all.push_back(one);
    }
  };
  for (const Stated& one : q.checks) add(one.is);
  for (const Piece& piece : q.why.pieces) {
    if (piece.kind == Piece::Kind::live) add(piece.value);
  }
  return all;
}

const lab::Readout* readout_of(const rig::Seen& seen, const std::string& id) {
  const auto found = std::ranges::find(seen.page.readouts, id, &lab::Readout::id);
  return found == seen.page.readouts.end() ? nullptr : &*found;
}

bool same_values(const Reference& one, const rig::Seen& a, const rig::Seen& b) {
  try {
    const auto x = elements(one, a.sight()), y = elements(one, b.sight());
    return std::ranges::equal(x, y, [](const Element& p, const Element& q) {
      return p.same_place(q) &&
             (p.value == q.value || (std::isnan(p.value) && std::isnan(q.value)));
    });
  } catch (const core::InputError&) {
    return false;
  }
}

// What an answer leaves as it is tells nothing of it.
bool is_unchanged(const Asked& asked, const Reference& one) {
  if (asked.question.reveals.values.empty()) return false;
  if (one.kind != Kind::readout) return same_values(one, asked.before, asked.answered);
  const lab::Readout* then = readout_of(asked.answered, one.id);
  const lab::Readout* before = readout_of(asked.before, one.id);
  return then && before && then->text == before->text;
}

bool sees_plot(const Reference& one, const Cover& cover, const rig::Seen& seen) {
  const figure::Plot* plot = find_plot(seen.page, one.id);
  const figure::Figure* in = holder(seen.page, one.id);
  return plot && in && !cover.hides(*in, *plot);
}

// The same text with the same label; a word or a small number is the same by chance where the
// knobs are others.
bool same_readout(const std::string& id, const rig::Seen& a, const rig::Seen& b) {
  const lab::Readout *one = readout_of(a, id), *other = readout_of(b, id);
  if (!one || !other || one->text != other->text || one->label != other->label) return false;
  const auto numbers = numbers_in(one->text);
  const bool telling =
      std::ranges::any_of(numbers, [](const Printed& n) { return !is_small(n, true); });
  return telling || a.session.values == b.session.values;
}

void find_evidence(const Asked& asked, const Cover& cover, const rig::Seen& seen,
                   std::vector<std::string>& found) {
  std::set<std::string> said;
  if (std::holds_alternative<TypeNumber>(asked.question.kind)) {
    for (const Reference& one : parts_of(asked.question)) {
      const bool covered = one.kind == Kind::readout ? cover.readouts.contains(one.id)
                                                     : !sees_plot(one, cover, seen);
      if (one.kind == Kind::knob || covered || !said.insert(to_text(one)).second) continue;
      if (is_unchanged(asked, one)) continue;
      try {
        const double value =
            lesson::number({.does = Expression::Does::refer, .reference = one}, seen.sight());
        if (grade(asked.question, {.number = value}, asked.answered.sight()).right)
          found.push_back(fmt::format("{} is {}", to_text(one), value));
      } catch (const core::InputError&) {
        // No such there, or several.
      }
    }
    return;
  }
  for (const Reference& one : evidence_of(asked.question)) {
    if (cover.readouts.contains(one.id) || asked.told.contains(one.id)) continue;
    if (!said.insert(to_text(one)).second || is_unchanged(asked, one)) continue;
    if (same_readout(one.id, seen, asked.answered))
      found.push_back(fmt::format("{} is {}", to_text(one), readout_of(seen, one.id)->text));
  }
}

bool is_hidden(const Question& question, const Reference& in, const rig::Seen& seen) {
  const figure::Plot* plot = find_plot(seen.page, in.id);
  const figure::Figure* figure = holder(seen.page, in.id);
  return std::ranges::any_of(question.hides, [&](const Named& one) {
    return plot && figure && (one.is.id == plot->id || one.is.id == figure->id);
  });
}

void find_places(const Asked& asked, const Cover& cover, const rig::Seen& seen,
                 std::vector<std::string>& found) {
  const auto about = asked_about(asked.question);
  if (!about || !sees_plot(*about, cover, seen)) return;
  const figure::Plot *now = find_plot(seen.page, about->id),
                     *then = find_plot(asked.answered.page, about->id);
  if (about->kind == Kind::line) {
    const auto index = about->at.front().number.value_or(-1);
    const figure::Line *a = line_of(*now, index), *b = line_of(*then, index);
    if (a && b && a->x == b->x && a->y == b->y)
      found.push_back(fmt::format("{} is drawn", to_text(*about)));
    return;
  }
  const bool named = std::holds_alternative<Click>(asked.question.kind) &&
                     std::get<Click>(asked.question.kind).which == Click::Which::named;
  if (named || !is_hidden(asked.question, *about, asked.answered)) return;
  if (same_values(*about, seen, asked.answered))
    found.push_back(fmt::format("{}: the places are seen", to_text(*about)));
}

// What it hides, as it is then.
void find_hidden(const Asked& asked, const Cover& cover, const rig::Seen& seen,
                 std::vector<std::string>& found) {
  for (const Named& one : asked.question.hides) {
    if (one.is.kind == Kind::readout) {
      if (!cover.readouts.contains(one.is.id) && same_readout(one.is.id, seen, asked.answered))
        found.push_back(fmt::format("{}, hidden then, is seen", to_text(one.is)));
      continue;
    }
    if (one.is.kind != Kind::figure && one.is.kind != Kind::plot) continue;
    const figure::Figure *now = holder(seen.page, one.is.id),
                         *then = holder(asked.answered.page, one.is.id);
    if (!now || !then || !sees_plot(one.is, cover, seen)) continue;
    figure::Figure a = *now, b = *then;
    if (one.is.kind == Kind::plot) {
      const auto others = [&](const figure::Plot& plot) { return plot.id != one.is.id; };
      std::erase_if(a.plots, others), std::erase_if(b.plots, others);
    }
    const bool same_cells = std::ranges::all_of(a.plots, [&](const figure::Plot& plot) {
      return !extent(plot, Kind::cell) ||
             same_values({.kind = Kind::cell, .id = plot.id}, seen, asked.answered);
    });
    if (same_cells && figure::record(drawn(a, true)) == figure::record(drawn(b, true)))
      found.push_back(fmt::format("{}, hidden then, is seen as it is then", to_text(one.is)));
  }
}

// A lesson's pages: as each stop opens, and as its answer leaves it.
class Walk {
 public:
  Walk(const Lesson& lesson, rig::Pages& pages) : lesson_(lesson), pages_(pages) {
    for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
      opens_.push_back(std::make_unique<rig::Seen>(pages, scene(lesson, k)));
      answered_.push_back(lesson.stops[k].question
                              ? std::make_unique<rig::Seen>(pages, scene(lesson, k, true))
                              : nullptr);
      done_.push_back(lesson.stops[k].wait ? std::make_unique<rig::Seen>(
                                                 rig::done(pages, lesson.stops[k], *opens_[k]))
                                           : nullptr);
    }
  }

  std::vector<std::string> told() const {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < lesson_.stops.size(); ++k) {
      if (lesson_.stops[k].question) told_of(k, all);
    }
    return all;
  }

 private:
  void told_of(std::size_t k, std::vector<std::string>& all) const {
    const Asked asked = question(k);
    for (std::size_t i = 0; i < k; ++i) {
      if (done_[i]) told_by_sentence(asked, i, all);
    }
    for (std::size_t i = 0; i <= k; ++i) {
      for (const bool after : {false, true}) {
        const bool asks = lesson_.stops[i].question.has_value();
        if (after && (i == k || !asks)) continue;
        const rig::Seen& seen = after ? *answered_[i] : *opens_[i];
        const auto answered = [&](std::size_t stop) { return stop < i || (stop == i && after); };
        const Cover cover = cover_of(lesson_, i, answered, seen.page);
        std::vector<std::string> found;
        find_in_texts(asked, texts_of(lesson_.stops[i], cover, seen, pages_.words()), found);
        if (seen.session.lab == asked.answered.session.lab) {
          find_evidence(asked, cover, seen, found);
          find_places(asked, cover, seen, found);
          find_hidden(asked, cover, seen, found);
        }
        for (const std::string& one : found) {
          all.push_back(fmt::format("{} {} \"{}\": stop {}{}: {}", lesson_.file, k + 1,
                                    lesson_.stops[k].title, i + 1, after ? " answered" : "", one));
        }
      }
    }
  }

  // The sentence that closes a thing to do.
  void told_by_sentence(const Asked& asked, std::size_t i, std::vector<std::string>& all) const {
    const Sight before = opens_[i]->sight();
    Sight then = done_[i]->sight();
    then.begun = &before;
    std::vector<std::string> found;
    find_in_texts(asked, {{"closing", plain(text_of(lesson_.stops[i].seen, then, pages_.words()))}},
                  found);
    for (const std::string& one : found) {
      all.push_back(fmt::format("{} {}: stop {} done: {}", lesson_.file, asked.at + 1, i + 1, one));
    }
  }

  static void add_said(const Paragraph& paragraph, std::set<std::string>& told) {
    for (const Piece& piece : paragraph.pieces) {
      if (piece.kind != Piece::Kind::live) continue;
      for (const Reference& one : references(piece.value)) {
        if (one.kind == Kind::readout) told.insert(one.id);
      }
    }
  }

  Asked question(std::size_t k) const {
    const Stop& stop = lesson_.stops[k];
    Asked asked{lesson_, k, *stop.question, *opens_[k], *answered_[k], {}};
    for (std::size_t i = 0; i <= k; ++i) {
      const Stop& earlier = lesson_.stops[i];
      for (const Paragraph& one : earlier.text) {
        add_said(one, asked.told);
        for (const Piece& piece : one.pieces) {
          if (piece.kind == Piece::Kind::strong) asked.terms.insert(lowered(piece.text));
        }
      }
      if (i < k && earlier.question) add_said(earlier.question->why, asked.told);
    }
    std::vector<Text> own;
    for (const Paragraph& one : stop.text) add_paragraph(one, *opens_[k], pages_.words(), "", own);
    add_paragraph(stop.question->asked, *opens_[k], pages_.words(), "", own);
    for (const Text& text : own) {
      for (const Printed& one : numbers_in(text.says)) asked.given.push_back(one.value);
    }
    for (const auto& [id, value] : opens_[k]->session.values) {
      const auto number = param::whole<double>(value);
      if (number) asked.given.push_back(*number);
    }
    if (const auto* choose = std::get_if<Choose>(&stop.question->kind)) {
      for (const Option& one : choose->options) {
        std::string words = lowered(plain(text_of(one.text, opens_[k]->sight(), pages_.words())));
        if (one.right) {
          asked.right_words = words;
        } else {
          // What stands before a colon is a name, and the reason follows.
          asked.wrong_words.push_back(
              words.substr(0, std::min(words.find(": "), words.find("："))));
        }
      }
    }
    return asked;
  }

  const Lesson& lesson_;
  rig::Pages& pages_;
  std::vector<std::unique_ptr<rig::Seen>> opens_, answered_, done_;
};

// Something of the page is seen: a figure, a plot of it, or at least the axes of what is asked
// about.
TEST_CASE("a stop opens on a scene, not on covers alone" * doctest::test_suite("long")) {
  rig::Pages pages;
  for (const std::string& name : names()) {
    const Lesson& lesson = shipped(name, words::Language::en);
    for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
      const Stop& stop = lesson.stops[k];
      const rig::Seen seen(pages, scene(lesson, k));
      const Cover cover = cover_of(
          lesson, k, [k](std::size_t at) { return at < k; }, seen.page);
      const bool scene = std::ranges::any_of(seen.page.figures, [&](const figure::Figure& one) {
        if (cover.hides(one) || (stop.alone && one.id != stop.shows->is.id)) return false;
        return std::ranges::any_of(
            one.plots, [&](const figure::Plot& plot) { return !cover.whole.contains(plot.id); });
      });
      CHECK_MESSAGE(scene, lesson.file << " " << k + 1 << " \"" << stop.title << "\"");
    }
  }
}

TEST_CASE("no stop shows what it or a later one asks" * doctest::test_suite("long")) {
  for (const words::Language language : {words::Language::en, words::Language::zh_CN}) {
    rig::Pages pages(language);
    for (const std::string& name : names()) {
      const Lesson& lesson = shipped(name, language);
      for (const std::string& one : Walk(lesson, pages).told()) CHECK_MESSAGE(false, one);
    }
  }
}

}  // namespace asked_before_test
