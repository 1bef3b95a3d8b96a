#include "app/lesson/text/check.h"

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "app/lesson/text/answer.h"
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

template <class Look>
void at_line(const Lesson& lesson, int line, const Look& look) {
  try {
    look();
  } catch (const Fault&) {
    throw;
  } catch (const core::InputError& error) {
    refuse({lesson.file, line}, core::message_of(error));
  }
}

void check_value(const Expression& e, const Sight& sight) {
  for (const Reference& r : references(e)) check_named(r, sight);
  if (e.is_condition()) {
    holds(e, sight);
  } else if (const double value = number(e, sight); !std::isfinite(value)) {
    words::refuse<core::InputError>(N_("expected a number, got {}"), value);
  }
}

}  // namespace

void check_scenes(const Lesson& lesson) {
  check_route(lesson);
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    for (const bool revealed : {false, true}) {
      const Stop& stop = lesson.stops[k];
      if (revealed && !stop.question) continue;
      Knobs knobs(lesson, scene(lesson, k, revealed));
      const Spoken all = spoken(stop, revealed);
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
  const Stop& stop = lesson.stops.at(k);
  const Spoken all = spoken(stop, revealed);
  for (const Named& one : all.named) {
    at_line(lesson, one.line, [&] { check_named(one.is, sight); });
  }
  for (const Stated& one : all.stated) {
    at_line(lesson, one.line, [&] { check_value(one.is, sight); });
  }
  const auto require = [&](const std::vector<Stated>& claims, std::string_view word) {
    for (const Stated& one : claims) {
      if (holds(one.is, sight)) continue;
      refuse({lesson.file, one.line},
             words::Sentence(N_("expected \"{}:\" to hold, got a page where it does not"), word));
    }
  };
  if (!revealed) {
    require(stop.checks, "check");
    require(stop.begins, "begins");
  } else if (stop.question) {
    require(stop.question->checks, "check");
  }
  const words::Words english;
  for (const Paragraph* one : all.texts) {
    at_line(lesson, one->line, [&] {
      for (const Piece& piece : one->pieces) {
        if (piece.kind == Piece::Kind::link) check_named(piece.target, sight);
        const bool computed = piece.value.does != Expression::Does::refer;
        if (piece.kind == Piece::Kind::live && computed) check_value(piece.value, sight);
      }
      text_of(*one, sight, english);
    });
  }
  if (revealed && stop.question) {
    at_line(lesson, stop.question->line, [&] { right_answer(*stop.question, sight); });
  }
}

void check_pages(const Lesson& lesson, const PageOf& page_of) {
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    for (const bool revealed : {false, true}) {
      if (revealed && !lesson.stops[k].question) continue;
      const session::Session session = scene(lesson, k, revealed);
      const lab::Page page = page_of(session);
      check_page(lesson, k, {&page, &lab::find(session.lab), &session.values}, revealed);
    }
  }
}

}  // namespace lesson
