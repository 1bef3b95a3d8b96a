#include "app/lesson/text/check.h"

#include <algorithm>
#include <functional>

#include "app/labs/labs.h"
#include "app/lesson/follow.h"
#include "app/lesson/library.h"
#include "app/lesson/text/answer.h"
#include "app/lesson/text/sources.h"
#include "app/lesson/text/text.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

using Does = Expression::Does;

void name_travels(const std::vector<Travel>& travels, std::vector<Named>& named) {
  for (const Travel& one : travels) named.insert(named.end(), {one.from, one.to});
}

// Everything of a stop that speaks of the page: before the question is answered, and after.
struct Spoken {
  std::vector<const Paragraph*> texts;
  std::vector<Stated> stated;
  std::vector<Named> named;
};

Spoken spoken(const Stop& stop, bool revealed) {
  Spoken all;
  if (!revealed) {
    for (const Paragraph& one : stop.text) all.texts.push_back(&one);
    for (const Paragraph& one : stop.notes) all.texts.push_back(&one);
    all.stated = stop.checks;
    all.stated.insert(all.stated.end(), stop.begins.begin(), stop.begins.end());
    if (stop.wait) all.stated.push_back(*stop.wait);
    if (stop.shows) all.named.push_back(*stop.shows);
    all.named.insert(all.named.end(), stop.points.begin(), stop.points.end());
    name_travels(stop.travels, all.named);
    if (stop.question) {
      all.texts.push_back(&stop.question->asked);
      all.named.insert(all.named.end(), stop.question->hides.begin(), stop.question->hides.end());
    }
    return all;
  }
  if (!stop.question) return all;
  const Question& q = *stop.question;
  all.texts.push_back(&q.why);
  name_travels(q.travels, all.named);
  for (const Paragraph& one : q.after) all.texts.push_back(&one);
  for (const Mistake& one : q.mistakes) {
    all.texts.push_back(&one.said);
    if (const auto* e = std::get_if<Expression>(&one.answer)) all.stated.push_back({one.line, *e});
    if (const auto* r = std::get_if<Reference>(&one.answer)) all.named.push_back({one.line, *r});
  }
  all.stated.insert(all.stated.end(), q.checks.begin(), q.checks.end());
  if (const auto* choose = std::get_if<Choose>(&q.kind)) {
    for (const Option& one : choose->options) {
      all.texts.push_back(&one.text);
      all.texts.push_back(&one.said);
    }
  } else if (const auto* number = std::get_if<TypeNumber>(&q.kind)) {
    all.stated.push_back(number->value);
    if (number->from_page) all.stated.push_back(*number->from_page);
  } else if (const auto* click = std::get_if<Click>(&q.kind)) {
    all.named.push_back(click->of);
  } else if (const auto* mark = std::get_if<MarkAll>(&q.kind)) {
    all.named.push_back(mark->of);
    all.stated.push_back(mark->with);
  } else if (const auto* draw = std::get_if<Draw>(&q.kind)) {
    all.named.push_back(draw->line);
  }
  return all;
}

// Knobs ------------------------------------------------------------------------------------------

class Knobs {
 public:
  Knobs(const Lesson& lesson, const session::Session& session)
      : lesson_(lesson), lab_(lab::find(session.lab)), state_(lab_.make()) {
    param::assign(state_->describe(), session.values);
  }

  void reference(const Reference& r, int line) {
    if (r.kind == Kind::knob || r.kind == Kind::moved) known(r.id, line);
    for (const Index& index : r.at) {
      if (!index.knob.empty()) known(index.knob, line);
    }
  }
  void expression(const Expression& e, int line) {
    if (e.does == Does::refer) reference(e.reference, line);
    if (e.does == Does::word) {
      refuse_got({lesson_.file, line},
                 words::Sentence(N_("a word beside a knob, as in knob:mask = causal")), e.word);
    }
    if (compares_word(e)) return word(e, line);
    for (const Expression& part : e.parts) expression(part, line);
  }

 private:
  static bool compares_word(const Expression& e) {
    return (e.does == Does::equal || e.does == Does::unequal) && e.parts[0].does == Does::refer &&
           e.parts[0].reference.kind == Kind::knob && e.parts[1].does == Does::word;
  }
  const param::Parameter& known(const std::string& id, int line) {
    list_ = state_->list();
    if (const param::Parameter* found = list_.find(id)) return *found;
    std::vector<std::string> names;
    for (const param::Parameter& p : list_.items()) names.emplace_back(p.info.id);
    refuse_unknown({lesson_.file, line}, words::Sentence(N_("a knob of {}"), lab_.id), id, names);
  }
  void word(const Expression& e, int line) {
    const std::string& text = e.parts[1].word;
    const param::Parameter& knob = known(e.parts[0].reference.id, line);
    std::vector<std::string> names;
    if (const auto* choice = std::get_if<param::Choice>(&knob.kind)) {
      for (const param::Option& one : choice->options) names.emplace_back(one.id);
    } else if (std::holds_alternative<param::Flag>(knob.kind)) {
      names = {"true", "false"};
    } else {
      return;
    }
    if (std::find(names.begin(), names.end(), text) != names.end()) return;
    refuse_unknown({lesson_.file, line},
                   words::Sentence(N_("a value of {}"), std::string(knob.info.id)), text, names);
  }

  const Lesson& lesson_;
  const lab::Lab& lab_;
  std::unique_ptr<lab::State> state_;
  param::List list_;
};

// Pages ------------------------------------------------------------------------------------------

void check_named(const Reference& r, const Sight& sight) {
  const lab::Page& page = *sight.page;
  std::vector<std::string> known;
  switch (r.kind) {
    case Kind::readout: number({.does = Does::refer, .reference = r}, sight); return;
    case Kind::figure:
      if (find_figure(page, r.id)) return;
      for (const figure::Figure& one : page.figures) known.push_back(one.id);
      break;
    case Kind::picked:
      if (r.id.empty()) return;
      [[fallthrough]];
    case Kind::plot:
      if (find_plot(page, r.id)) return;
      for (const figure::Figure& one : page.figures) {
        known.push_back(one.id);
        for (const figure::Plot& plot : one.plots) known.push_back(plot.id);
      }
      break;
    case Kind::cell:
    case Kind::bar:
    case Kind::point:
    case Kind::box: elements(r, sight); return;
    case Kind::line: {
      const figure::Plot* plot = find_plot(page, r.id);
      for (std::size_t k = 0; plot && k < lines_of(*plot).size(); ++k) {
        if (r.at.size() == 1 && r.at[0].number == static_cast<core::Index>(k)) return;
        known.push_back(fmt::format("line:{}:{}", r.id, k));
      }
      break;
    }
    default: return;
  }
  std::string names;
  for (const std::string& one : nearest(r.id, known, 5)) names += (names.empty() ? "" : ", ") + one;
  words::refuse<core::InputError>(N_("expected something of the page (such as {}), got {}"), names,
                                  to_text(r));
}

void check_route(const Lesson& lesson) {
  if (lesson.route.empty()) return;
  std::vector<std::string> known;
  for (const Route& one : routes()) known.emplace_back(one.id);
  if (std::find(known.begin(), known.end(), lesson.route) != known.end()) return;
  refuse_unknown({lesson.file, lesson.route_line}, words::Sentence(N_("a route")), lesson.route,
                 known);
}

// All faults of a stop; each look goes on behind one that found something.
class Faults {
 public:
  Faults(const Lesson& lesson, std::vector<Fault>& all) : lesson_(lesson), all_(all) {}
  void at_line(int line, const std::function<void()>& look) {
    try {
      look();
    } catch (const Fault& fault) {
      add(fault);
    } catch (const core::InputError& error) {
      add(with_line(line, error));
    }
  }

 private:
  Fault with_line(int line, const core::InputError& error) const {
    try {
      refuse({lesson_.file, line}, core::message_of(error));
    } catch (const Fault& fault) {
      return fault;
    }
  }
  // One line may name the same thing twice.
  void add(const Fault& fault) {
    const std::string_view said = fault.what();
    if (std::ranges::none_of(all_, [&](const Fault& one) { return said == one.what(); }))
      all_.push_back(fault);
  }
  const Lesson& lesson_;
  std::vector<Fault>& all_;
};

// What was is looked for on the page as the stop began.
void check_names(const Expression& e, const Sight& sight) {
  if (e.does == Does::refer) check_named(e.reference, sight);
  const bool before = e.word == "was" && sight.begun;
  for (const Expression& part : e.parts) check_names(part, before ? *sight.begun : sight);
}

void check_value(const Expression& e, const Sight& sight) {
  check_names(e, sight);
  if (e.is_condition()) {
    holds(e, sight);
  } else if (const double value = number(e, sight); !std::isfinite(value)) {
    words::refuse<core::InputError>(N_("expected a number, got {}"), value);
  }
}

std::string value_text(const Expression& e, const Sight& sight) {
  return e.does == Does::word ? e.word : text_of(e, 0, sight, words::Words());
}

void require(Faults& faults, const Lesson& lesson, const std::vector<Stated>& claims,
             std::string_view word, const Sight& sight) {
  for (const Stated& one : claims) {
    faults.at_line(one.line, [&] {
      if (holds(one.is, sight)) return;
      refuse({lesson.file, one.line}, words::Sentence(N_("expected \"{}:\" to hold, got {}"), word,
                                                      with_values(one.is, sight)));
    });
  }
}

void check_text(Faults& faults, const Paragraph& paragraph, const Sight& sight) {
  const words::Words english;
  faults.at_line(paragraph.line, [&] {
    for (const Piece& piece : paragraph.pieces) {
      if (piece.kind == Piece::Kind::link) check_named(piece.target, sight);
      const bool computed = piece.value.does != Does::refer;
      if (piece.kind == Piece::Kind::live && computed) check_value(piece.value, sight);
    }
    text_of(paragraph, sight, english);
  });
}

// An answer that is called a mistake is none that is right.
void check_mistake(const Lesson& lesson, const Question& q, const Mistake& mistake,
                   const Sight& sight) {
  Answer answer;
  std::string given;
  if (const auto* e = std::get_if<Expression>(&mistake.answer)) {
    answer.number = number(*e, sight);
    given = value_text(*e, sight);
  } else if (const auto* r = std::get_if<Reference>(&mistake.answer)) {
    answer.elements = {elements(*r, sight).front()};
    given = to_text(*r);
  } else {
    return;
  }
  if (!grade(q, answer, sight).right) return;
  refuse({lesson.file, mistake.line},
         words::Sentence(N_("expected a wrong answer, got the right one, {}"), given));
}

// A number that was typed into the file is the page's.
void check_typed(const Lesson& lesson, const Question& q, const Sight& sight) {
  const auto* typed = std::get_if<TypeNumber>(&q.kind);
  if (!typed || !typed->from_page) return;
  const double value = number(typed->value.is, sight);
  const double on_page = number(typed->from_page->is, sight);
  if (near(value, on_page, typed->within, typed->percent)) return;
  refuse({lesson.file, typed->value.line},
         words::Sentence(N_("expected the number of the page, {}, got {}"),
                         value_text(typed->from_page->is, sight), value));
}

void find_on_page(const Lesson& lesson, std::size_t k, const Sight& sight, bool revealed,
                  std::vector<Fault>& all) {
  Faults faults(lesson, all);
  const Stop& stop = lesson.stops.at(k);
  const Spoken spoken_of = spoken(stop, revealed);
  for (const Named& one : spoken_of.named) {
    faults.at_line(one.line, [&] { check_named(one.is, sight); });
  }
  for (const Stated& one : spoken_of.stated) {
    faults.at_line(one.line, [&] { check_value(one.is, sight); });
  }
  if (!revealed) {
    require(faults, lesson, stop.checks, "check", sight);
    require(faults, lesson, stop.begins, "begins", sight);
  } else if (stop.question) {
    require(faults, lesson, stop.question->checks, "check", sight);
  }
  for (const Paragraph* one : spoken_of.texts) check_text(faults, *one, sight);
  if (!revealed || !stop.question) return;
  const Question& q = *stop.question;
  faults.at_line(q.line, [&] {
    right_answer(q, sight);
    check_typed(lesson, q, sight);
  });
  for (const Mistake& one : q.mistakes) {
    faults.at_line(one.line, [&] { check_mistake(lesson, q, one, sight); });
  }
}

// What is waited for is not there at first, comes by what is done, and what is said of it then
// is on that page.
void find_in_doing(const Lesson& lesson, std::size_t k, const Sight& begun, const PageOf& page_of,
                   std::vector<Fault>& all) {
  Faults faults(lesson, all);
  const Stop& stop = lesson.stops[k];
  const Stated& wait = *stop.wait;
  faults.at_line(wait.line, [&] {
    if (!holds(wait.is, begun)) return;
    refuse({lesson.file, wait.line},
           words::Sentence(N_("expected \"wait:\" not to hold before anything is done, got {}"),
                           with_values(wait.is, begun)));
  });
  const int line = stop.does.values.empty() ? wait.line : stop.does.line;
  faults.at_line(line, [&] {
    const Way way = way_to(stop, begun);
    const session::Session session = after(way, scene(lesson, k));
    const lab::Page page = page_of(session);
    const std::set<std::string> picked = picked_on(way), moved = moved_on(way);
    const Sight then{&page, begun.lab, &session.values, &picked, &moved, &begun};
    if (!holds(wait.is, then)) {
      refuse({lesson.file, line},
             words::Sentence(N_("expected \"wait:\" to hold once it is done, got {}"),
                             with_values(wait.is, then)));
    }
    require(faults, lesson, stop.checks, "check", then);
    check_text(faults, stop.seen, then);
  });
}

}  // namespace

void check_scenes(const Lesson& lesson) {
  check_route(lesson);
  sources_of(lesson);
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    for (const bool revealed : {false, true}) {
      const Stop& stop = lesson.stops[k];
      if (revealed && !stop.question) continue;
      Knobs knobs(lesson, scene(lesson, k, revealed));
      Spoken all = spoken(stop, revealed);
      if (!revealed) all.texts.push_back(&stop.seen);
      for (const Named& one : all.named) knobs.reference(one.is, one.line);
      for (const Stated& one : all.stated) knobs.expression(one.is, one.line);
      for (const Paragraph* one : all.texts) {
        for (const Piece& piece : one->pieces) {
          if (piece.kind == Piece::Kind::link) knobs.reference(piece.target, one->line);
          if (piece.kind == Piece::Kind::live) knobs.expression(piece.value, one->line);
        }
      }
    }
  }
}

void check_page(const Lesson& lesson, std::size_t k, const Sight& sight, bool revealed) {
  std::vector<Fault> all;
  find_on_page(lesson, k, sight, revealed, all);
  if (!all.empty()) throw all.front();
}

std::vector<Fault> faults_of(const Lesson& lesson, const PageOf& page_of) {
  std::vector<Fault> all;
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    for (const bool revealed : {false, true}) {
      if (revealed && !lesson.stops[k].question) continue;
      const session::Session session = scene(lesson, k, revealed);
      const lab::Page page = page_of(session);
      const Sight sight{&page, &lab::find(session.lab), &session.values};
      find_on_page(lesson, k, sight, revealed, all);
      if (!revealed && lesson.stops[k].wait) find_in_doing(lesson, k, sight, page_of, all);
    }
  }
  return all;
}

std::string with_values(const Expression& e, const Sight& sight) {
  const auto part = [&](std::size_t k) { return with_values(e.parts[k], sight); };
  const auto compared = [&](std::string_view sign) {
    return fmt::format("{} {} {}", value_text(e.parts[0], sight), sign,
                       value_text(e.parts[1], sight));
  };
  switch (e.does) {
    case Does::both: return part(0) + " and " + part(1);
    case Does::either: return part(0) + " or " + part(1);
    case Does::none: return "not " + part(0);
    case Does::less: return compared("<");
    case Does::at_most: return compared("<=");
    case Does::more: return compared(">");
    case Does::at_least: return compared(">=");
    case Does::equal: return compared("=");
    case Does::unequal: return compared("!=");
    default: return to_text(e.reference);
  }
}

}  // namespace lesson
