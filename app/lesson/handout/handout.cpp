#include "app/lesson/handout/handout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "app/labs/labs.h"
#include "app/lesson/follow.h"
#include "app/lesson/handout/handout_markup.h"
#include "app/lesson/handout/handout_parts.h"
#include "app/lesson/lecture.h"
#include "app/lesson/text/answer.h"
#include "app/lesson/text/sources.h"
#include "app/lesson/text/text.h"
#include "app/paper/export_figure.h"
#include "app/system/atomic_file.h"

namespace lesson {
namespace {

namespace fs = std::filesystem;
using Parts = Markup::Parts;

// What is done with a mouse is left out on paper, sentence by sentence.
constexpr std::array kMouse = {"Click", "click", "Drag",   "drag",   "mouse", "pointer",
                               "点击",  "拖动",  "往右拖", "圆点拖", "鼠标",  "\x01"};
// Put behind the name of a knob that is to be turned.
constexpr std::string_view kKnobMark = "\x01";
// In a question it is done with a pencil.
constexpr std::array<std::array<const char*, 2>, 3> kPencil = {
    {{"Click", "Mark"}, {"click", "mark"}, {"点击", "圈出"}}};

std::string with_pencil(std::string text) {
  for (const auto& [mouse, pencil] : kPencil) {
    for (std::size_t at = text.find(mouse); at != std::string::npos; at = text.find(mouse, at)) {
      text.replace(at, std::string_view(mouse).size(), pencil);
    }
  }
  return text;
}

// A sentence that begins so is about the one before it, and cannot be read without it.
constexpr std::array kBefore = {"It ",   "Its ",   "They ", "Their ", "This ", "These ",
                                "That ", "Those ", "它",    "这",     "那"};

// Where the sentence that begins at `from` ends.
std::size_t sentence_end(const std::string& text, std::size_t from) {
  std::size_t end = text.size();
  for (const std::string_view sign : {". ", "? ", "! ", "。", "？", "！"}) {
    const std::size_t at = text.find(sign, from);
    if (at != std::string::npos) end = std::min(end, at + sign.size());
  }
  return end;
}

Parts without_mouse(const Parts& parts) {
  std::string whole;
  for (const paper::Part& one : parts) whole += one.text;
  std::vector<bool> kept(whole.size(), true);
  bool gone = false;  // the sentence before
  for (std::size_t from = 0; from < whole.size();) {
    const std::size_t end = sentence_end(whole, from);
    const std::string sentence = whole.substr(from, end - from);
    const bool tells = std::any_of(kMouse.begin(), kMouse.end(), [&](const char* word) {
      return sentence.find(word) != std::string::npos;
    });
    const bool hangs = std::any_of(kBefore.begin(), kBefore.end(),
                                   [&](const char* word) { return sentence.starts_with(word); });
    gone = tells || (gone && hangs);
    if (gone)
      std::fill(kept.begin() + std::ptrdiff_t(from), kept.begin() + std::ptrdiff_t(end), false);
    from = end;
  }
  Parts left;
  std::size_t at = 0;
  for (const paper::Part& one : parts) {
    paper::Part part{{}, one.strong};
    for (const char c : one.text) {
      if (kept[at++]) part.text += c;
    }
    if (!part.text.empty()) left.push_back(std::move(part));
  }
  return left;
}

class Writer {
 public:
  Writer(const Lesson& lesson, const PageOf& page_of, words::Language language,
         AnswersStand answers, Markup& out)
      : lesson_(lesson), page_of_(page_of), words_(language), stand_(answers), out_(out) {}

  void write() {
    out_.heading(1, lesson_.title);
    out_.paragraph({{plain(text_of(lesson_.about, {}, words_))}});
    for (std::size_t k = 0; k < lesson_.stops.size(); ++k) {
      stop(k);
      if (stand_ == AnswersStand::place && lesson_.stops[k].question) answer(k);
    }
    bool any = false;
    for (std::size_t k = 0; k < lesson_.stops.size(); ++k) {
      if (stand_ != AnswersStand::end || !lesson_.stops[k].question) continue;
      if (!any) out_.new_page(), out_.heading(1, words_("Answers"));
      any = true;
      answers(k);
    }
    sources();
  }

 private:
  struct Seen {
    session::Session session;
    lab::Page page;
    Sight sight() const { return {&page, &lab::find(session.lab), &session.values}; }
  };
  Seen seen(std::size_t k, bool revealed) const {
    session::Session session = scene(lesson_, k, revealed);
    lab::Page page = page_of_(session);
    return {std::move(session), std::move(page)};
  }

  Parts parts(const Paragraph& paragraph, const Seen& seen) const {
    Parts all;
    for (const TextRun& one : text_of(paragraph, seen.sight(), words_)) {
      all.push_back({one.text, one.strong});
    }
    return all;
  }
  Parts asked(const Question& question, const Seen& seen) const {
    Parts all = parts(question.asked, seen);
    for (paper::Part& one : all) one.text = with_pencil(one.text);
    return all;
  }
  void paragraph(const Paragraph& one, const Seen& seen) {
    const Parts left = without_mouse(parts(one, seen));
    if (!left.empty()) out_.paragraph(left);
  }

  void picture(const figure::Figure& figure, const Seen& seen, bool captioned) {
    // A caption is read once.
    const bool repeated = !captioned || !captions_.insert(figure.caption).second;
    out_.picture(figure, repeated ? std::string() : figure.caption, session::to_json(seen.session));
  }

  // A question comes before what gives its answer away; what is done with knobs is done on paper
  // already.
  void stop(std::size_t k) {
    const Stop& stop = lesson_.stops[k];
    const Seen now = seen(k, false);
    out_.heading(2, fmt::format("{}  {}", k + 1, stop.title));
    for (const Paragraph& one : stop.text) task_or_text(one, stop, now);
    for (const std::string& id : pictured_on_paper(stop, now.page)) {
      const figure::Figure* figure = find_figure(now.page, id);
      const auto shown = figure ? on_paper(*figure, stop, now.page) : std::nullopt;
      if (!shown) continue;
      // The same picture is not shown twice in a row.
      const std::string key = id + "\n" + session::to_json(now.session);
      if (shown->covered || key != shown_) picture(shown->figure, now, !shown->covered);
      shown_ = shown->covered ? std::string() : key;
    }
    if (stop.wait) done(stop, now);
    if (stop.question) ask(*stop.question, now);
  }

  // At a stop where something is to be done, what to do with knobs is left out.
  void task_or_text(const Paragraph& one, const Stop& stop, const Seen& now) {
    if (!stop.wait) return paragraph(one, now);
    Parts all;
    for (const TextRun& part : text_of(one, now.sight(), words_)) {
      // A mouse is needed to follow it; its value alone is a fact.
      const bool knob = part.link && part.target->kind == Kind::knob;
      all.push_back({knob ? part.text + std::string(kKnobMark) : part.text, part.strong});
    }
    Parts left = without_mouse(all);
    for (paper::Part& part : left) {
      if (const std::size_t at = part.text.find(kKnobMark); at != std::string::npos) {
        part.text.erase(at, kKnobMark.size());
      }
    }
    if (!left.empty()) out_.paragraph(left);
  }

  // The page when it was done, with what was turned to get there.
  void done(const Stop& stop, const Seen& now) {
    try {
      const Way way = way_to(stop, now.sight());
      Seen then{after(way, now.session), {}};
      if (then.session.values == now.session.values) return;
      const auto state = lab::find(now.session.lab).make();
      param::assign(state->describe(), then.session.values);
      std::vector<std::string> changed;
      const param::List list = state->list();
      for (std::size_t k = 0; k < list.items().size(); ++k) {
        if (then.session.values[k] == now.session.values[k]) continue;
        // What the sums are about is no knob of what is seen.
        if (list.items()[k].info.id == "explain") continue;
        changed.push_back(paper::knob_text(list.items()[k], words_));
      }
      then.page = page_of_(then.session);
      for (std::string& one : waited_for(stop, then.page)) changed.push_back(std::move(one));
      if (changed.empty()) return;
      bool first = true;
      for (const std::string& id : pictured_on_paper(stop, then.page)) {
        const figure::Figure* figure = find_figure(then.page, id);
        if (!figure) continue;
        if (std::exchange(first, false)) {
          out_.paragraph({{words_.format(N_("After the change: {}"), words_.list(changed)), true}});
        }
        picture(*figure, then, false);
        shown_ = id + "\n" + session::to_json(then.session);
      }
      if (stop.seen.empty()) return;
      const Sight begun = now.sight();
      Sight sight = then.sight();
      sight.begun = &begun;
      Parts said;
      for (const TextRun& one : text_of(stop.seen, sight, words_)) {
        said.push_back({one.text, one.strong});
      }
      if (const Parts left = without_mouse(said); !left.empty()) out_.paragraph(left);
    } catch (const core::InputError&) {
      // It is done by hand, and paper has none.
    }
  }

  // The readouts that were to become so, as they are then.
  static std::vector<std::string> waited_for(const Stop& stop, const lab::Page& then) {
    std::vector<std::string> all;
    for (const Reference& one : references(stop.wait->is)) {
      for (const lab::Readout& readout : then.readouts) {
        if (one.kind != Kind::readout || readout.id != one.id) continue;
        const std::string text = fmt::format("{} = {}", readout.label, readout.text);
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
      }
    }
    return all;
  }

  // The figures of an answer: a number that was asked for may have one of its own.
  static std::vector<std::string> pictured_then(const Stop& stop, const lab::Page& page) {
    if (const auto* typed = std::get_if<TypeNumber>(&stop.question->kind)) {
      const Expression& value = typed->value.is;
      const bool readout =
          value.does == Expression::Does::refer && value.reference.kind == Kind::readout;
      if (readout && find_figure(page, value.reference.id)) return {value.reference.id};
    }
    return pictured_on_paper(stop, page);
  }

  // The figure of the stop, and what is to be drawn or marked.
  static std::vector<std::string> pictured_on_paper(const Stop& stop, const lab::Page& page) {
    std::vector<std::string> ids;
    if (const std::string id = figure_of(stop, page); !id.empty()) ids.push_back(id);
    const auto about = stop.question ? asked_about(*stop.question) : std::nullopt;
    const figure::Figure* figure = about ? holder(page, about->id) : nullptr;
    if (figure && (ids.empty() || ids.front() != figure->id)) ids.push_back(figure->id);
    return ids;
  }

  void ask(const Question& q, const Seen& now) {
    out_.question(asked(q, now));
    if (const auto* choose = std::get_if<Choose>(&q.kind)) {
      for (const Option& one : choose->options) {
        out_.item(parts(one.text, now), Markup::Sign::box);
      }
    } else if (std::holds_alternative<TrueOrFalse>(q.kind)) {
      out_.item({{words_("True")}}, Markup::Sign::box);
      out_.item({{words_("False")}}, Markup::Sign::box);
    } else if (std::holds_alternative<TypeNumber>(q.kind)) {
      out_.blank();
    }
    out_.end_items();
  }

  void answers(std::size_t k) {
    const Stop& stop = lesson_.stops[k];
    const Question& q = *stop.question;
    const Seen then = seen(k, true);
    out_.heading(2, fmt::format("{}  {}", k + 1, stop.title));
    out_.question(asked(q, then));
    answer(stop, then);
  }

  // In place: the question stands above it.
  void answer(std::size_t k) { answer(lesson_.stops[k], seen(k, true)); }

  void answer(const Stop& stop, const Seen& then) {
    const Question& q = *stop.question;
    const std::string answer = answer_text(q, right_answer(q, then.sight()), then.sight(), words_);
    if (!answer.empty()) out_.paragraph({{answer, true}});
    if (const std::string elements = places_text(q, then.sight(), words_); !elements.empty()) {
      out_.paragraph({{elements, true}});
    }
    out_.paragraph(parts(q.why, then));
    for (const Paragraph& one : q.after) paragraph(one, then);
    for (const std::string& id : pictured_then(stop, then.page)) {
      const figure::Figure* figure = find_figure(then.page, id);
      if (!figure) continue;
      const auto before = on_paper(*figure, stop, then.page);
      if (!before || before->covered || !q.reveals.values.empty()) picture(*figure, then, true);
    }
  }

  void sources() {
    const std::vector<const lab::Source*> all = sources_of(lesson_);
    out_.heading(2, words_("Sources"));
    for (const std::string& one : cited(all, words_)) out_.item({{one}}, Markup::Sign::dot);
    out_.end_items();
  }

  const Lesson& lesson_;
  const PageOf& page_of_;
  words::Words words_;
  AnswersStand stand_;
  Markup& out_;
  std::string shown_;
  std::set<std::string> captions_{""};
};

}  // namespace

std::vector<fs::path> write_handout(const Lesson& lesson, const PageOf& page_of,
                                    words::Language language, const fs::path& out,
                                    const paper::Inputs& inputs, AnswersStand answers) {
  inputs.refuse(out);
  const std::unique_ptr<Markup> markup = make_markup(out, lesson.title, language);
  Writer(lesson, page_of, language, answers, *markup).write();
  return write_markup(*markup, out, inputs);
}

}  // namespace lesson
