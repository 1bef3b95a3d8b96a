#include "app/lesson/handout/collected.h"

#include <algorithm>
#include <set>

#include "app/labs/labs.h"
#include "app/lesson/handout/handout_markup.h"
#include "app/lesson/handout/handout_parts.h"
#include "app/lesson/lecture.h"
#include "app/lesson/text/text.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace lesson {
namespace {

constexpr std::size_t kMostAnswers = 12;  // that are told of one question

struct Seen {
  session::Session session;
  lab::Page page;
  Sight sight() const { return {&page, &lab::find(session.lab), &session.values}; }
};

Seen answered(const Lesson& lesson, std::size_t stop, const PageOf& page_of) {
  session::Session session = scene(lesson, stop, true);
  lab::Page page = page_of(session);
  return {std::move(session), std::move(page)};
}

// "A", "B" and so on.
std::string letter(std::size_t k) { return std::string(1, static_cast<char>('A' + k)); }

figure::Figure counts_figure(const std::vector<Chosen>& all, const words::Words& w) {
  std::vector<std::string> names;
  figure::Numbers counts;
  std::ptrdiff_t right = -1;
  double most = 1;
  for (std::size_t k = 0; k < all.size(); ++k) {
    names.push_back(letter(k));
    counts.push_back(static_cast<double>(all[k].count));
    most = std::max(most, counts.back());
    if (all[k].right) right = static_cast<std::ptrdiff_t>(k);
  }
  figure::Plot plot{.id = "chosen"};
  plot.x = {.label = w("answer"),
            .lo = 0,
            .hi = static_cast<double>(all.size()),
            .cells = true,
            .labels = std::make_shared<const std::vector<std::string>>(names),
            .named = true};
  plot.y = {.label = w("learners"), .lo = 0, .hi = most * 1.2};
  plot.add(figure::Bars{
      .values = counts, .color = figure::Role::dim, .marked = static_cast<int>(right)});
  figure::Figure figure{.id = "chosen", .title = w("How many chose what"), .height = 200};
  figure.plots.push_back(std::move(plot));
  return figure;
}

void refuse_others(const std::string& name, const std::vector<Record>& records) {
  for (const Record& one : records) {
    if (one.lesson == name) continue;
    words::refuse<core::InputError>(
        N_("--collect: expected answers to \"{}\", got some to \"{}\" (of {})"), name,
        core::printable(one.lesson), core::printable(one.name));
  }
}

}  // namespace

std::vector<Chosen> chosen_at(const Lesson& lesson, std::size_t stop,
                              const std::vector<Record>& records, const Sight& sight,
                              const words::Words& words) {
  const Question& q = *lesson.stops.at(stop).question;
  std::vector<Chosen> all;
  if (const auto* choose = std::get_if<Choose>(&q.kind)) {
    for (const Option& one : choose->options)
      all.push_back({plain(text_of(one.text, sight, words)), 0, one.right});
  } else if (const auto* truth = std::get_if<TrueOrFalse>(&q.kind)) {
    all = {{words("True"), 0, truth->truth}, {words("False"), 0, !truth->truth}};
  }
  const std::size_t fixed = all.size();
  for (const Record& one : records) {
    if (one.stop != stop + 1) continue;
    const std::string said = one.answer.empty() ? words("(shown without an answer)") : one.answer;
    const auto found = std::ranges::find(all, said, &Chosen::answer);
    if (found == all.end()) {
      all.push_back({said, 1, one.right});
    } else {
      ++found->count;
    }
  }
  std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(fixed), all.end(),
                   [](const Chosen& a, const Chosen& b) { return a.count > b.count; });
  if (all.size() > kMostAnswers) {
    std::size_t others = 0;
    for (std::size_t k = kMostAnswers - 1; k < all.size(); ++k) others += all[k].count;
    all.resize(kMostAnswers - 1);
    all.push_back({words("other answers"), others, false});
  }
  return all;
}

std::vector<std::filesystem::path> write_collected(const Lesson& lesson, const std::string& name,
                                                   const std::vector<Record>& records,
                                                   const PageOf& page_of, words::Language language,
                                                   const std::filesystem::path& out,
                                                   const paper::Inputs& inputs) {
  refuse_others(name, records);
  inputs.refuse(out);
  const words::Words w(language);
  const std::unique_ptr<Markup> markup = make_markup(out, lesson.title, language);
  std::set<std::string> learners;
  std::size_t right = 0;
  for (const Record& one : records) {
    learners.insert(one.name);
    right += one.right ? 1 : 0;
  }
  markup->heading(1, lesson.title);
  markup->paragraph(
      {{w.format(N_("Answers of a class: {} learners, {} answers, {} right at first."),
                 learners.size(), records.size(), right)}});
  for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
    const Stop& stop = lesson.stops[k];
    if (!stop.question) continue;
    const Seen then = answered(lesson, k, page_of);
    const std::vector<Chosen> all = chosen_at(lesson, k, records, then.sight(), w);
    markup->heading(2, fmt::format("{}  {}", k + 1, stop.title));
    markup->question({{plain(text_of(stop.question->asked, then.sight(), w))}});
    const bool answers = std::ranges::any_of(all, [](const Chosen& one) { return one.count > 0; });
    if (!answers) markup->paragraph({{w("Nobody answered.")}});
    for (std::size_t i = 0; answers && i < all.size(); ++i) {
      const Chosen& one = all[i];
      const std::string text =
          fmt::format("{}{}  {}: {}", one.right ? "✓ " : "", letter(i), one.answer, one.count);
      markup->item({{text, one.right}}, Markup::Sign::dot);
    }
    markup->end_items();
    const std::string session = session::to_json(then.session);
    if (answers) markup->picture(counts_figure(all, w), "", fmt::format("{} {}", k, session));
    markup->paragraph({{plain(text_of(stop.question->why, then.sight(), w))}});
    const figure::Figure* figure = find_figure(then.page, figure_of(stop, then.page));
    if (figure) markup->picture(*figure, "", session);
  }
  return write_markup(*markup, out, inputs);
}

}  // namespace lesson
