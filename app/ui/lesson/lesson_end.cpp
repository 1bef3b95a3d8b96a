// The page after a lesson's last stop: what was right at first, what was not, what to read, and
// what comes next; at a route's end also what one knows by then.
#include <algorithm>

#include "app/lesson/answers.h"
#include "app/lesson/library.h"
#include "app/lesson/text/sources.h"
#include "app/state/route.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/words/sentence.h"

namespace ui {

float LessonView::ending(float x, float y, float w) {
  const words::Words& words = gui_.words();
  y = right_at_first(x, y, w);
  y = route_done(x, y, w);
  y = next_lesson(x, y, w);
  y = to_read(x, y, w);
  if (program_.learned.of(play_->name()).said.empty()) return y;
  const std::string label = words("Write your answers to a file…");
  const Rect rect{x, y + gui_.px(8), std::min(button_width(gui_, label, {}), w), gui_.px(30)};
  if (button(gui_, "lesson.answers", rect, label, {},
             words("As CSV or JSON, for whoever teaches you; nothing is sent anywhere"))) {
    program_.events.add(state::AnswersRequest{});
  }
  return rect.bottom() + gui_.px(8);
}

// How many, and a button for each that was not, which asks it again.
float LessonView::right_at_first(float x, float y, float w) {
  const words::Words& words = gui_.words();
  const lesson::Lesson& lesson = play_->lesson();
  const lesson::Place place = program_.learned.of(play_->name());
  const lesson::Tally tally = tally_of(lesson, place);
  std::string said = words.format(N_("You have seen all {} stops."), lesson.stops.size());
  if (all_wrong(lesson, place)) {
    said = words(
        "None of your answers was right at first. Go through the lesson once more: at each "
        "stop it says why.");
  } else if (tally.since > 0) {
    said = words.format(N_("Right at first: {} of {} questions, right since: {}."), tally.right,
                        tally.asked, tally.since);
  } else if (tally.right > 0) {
    said = words.format(N_("Right at first: {} of {} questions."), tally.right, tally.asked);
  }
  const float high = gui_.paragraph(x, y, w, said, TextStyle::panel, gui_.theme().text);
  gui_.control("lesson.tally", {x, y, w, high});
  y += high + gui_.px(8);
  if (tally.shown > 0) {
    y += gui_.paragraph(x, y, w, words.format(N_("Shown without an answer: {}."), tally.shown),
                        TextStyle::body, gui_.theme().dim) +
         gui_.px(6);
  }
  if (tally.wrong.empty()) return y;
  y += gui_.paragraph(x, y, w, words("These again?"), TextStyle::body, gui_.theme().dim) +
       gui_.px(6);
  for (const std::size_t k : tally.wrong) {
    const Rect rect{x, y, w, gui_.px(28)};
    ButtonLook look;
    const std::string label = fmt::format("{}  {}", k + 1, lesson.stops[k].title);
    if (button(gui_, fmt::format("lesson.again.{}", k), rect, label, look,
               words("Asks this question again"))) {
      play_->ask_again(k);
      go(k);
      return y;
    }
    y = rect.bottom() + gui_.px(6);
  }
  return y + gui_.px(4);
}

// Once all lessons of its route are done: what each of them was about.
float LessonView::route_done(float x, float y, float w) {
  const words::Words& words = gui_.words();
  for (const lesson::Route& route : lesson::routes()) {
    if (route.id != play_->lesson().route) continue;
    if (!program_.learned.of(play_->name()).done) return y;
    const float line = gui_.paragraph(x, y, w, state::what_is_done(*play_, program_.learned, words),
                                      TextStyle::body, gui_.theme().dim);
    y += line + gui_.px(8);
    if (!state::status(route, program_.learned, language_).finished_all()) return y;
    const float top = y;
    y += gui_.paragraph(x, y, w, words("You can now say:"), TextStyle::panel, gui_.theme().text) +
         gui_.px(4);
    std::vector<std::string> learned = lesson::of_route(route.id);
    // What may follow a route speaks for itself.
    if (std::ranges::find(learned, play_->name()) == learned.end()) learned = {play_->name()};
    for (const std::string& name : learned) {
      const lesson::Lesson& one = lesson::shipped(name, language_);
      const std::string about = lesson::plain(lesson::text_of(one.about, {}, words));
      gui_.text(x, y + gui_.px(10), "✓", TextStyle::card_title, gui_.theme().good);
      y += gui_.paragraph(x + gui_.px(20), y, w - gui_.px(20), about, TextStyle::body,
                          gui_.theme().text) +
           gui_.px(4);
    }
    gui_.control("lesson.route_done", {x, top, w, y - top});
    return y + gui_.px(4);
  }
  return y;
}

// What comes next on its route and is not finished yet, around to its beginning; what comes next,
// once all are.
float LessonView::next_lesson(float x, float y, float w) {
  std::vector<std::string> route = lesson::of_route(play_->lesson().route);
  for (std::string& name : lesson::after_route(play_->lesson().route)) {
    route.push_back(std::move(name));
  }
  const auto here = std::find(route.begin(), route.end(), play_->name());
  if (here == route.end()) return y;
  const bool follows = here + 1 != route.end();
  std::rotate(route.begin(), here + 1, route.end());
  route.pop_back();  // this one
  const auto open = std::ranges::find_if(
      route, [&](const std::string& name) { return !program_.learned.of(name).done; });
  if (open == route.end() && !follows) return y;
  const std::string next = open == route.end() ? route.front() : *open;
  const std::string& title = lesson::shipped(next, language_).title;
  const std::string label = gui_.words().format(N_("Next lesson: {}"), title);
  const Rect rect{x, y + gui_.px(4), std::min(button_width(gui_, label, {}), w), gui_.px(32)};
  ButtonLook look;
  look.kind = ButtonLook::Kind::accent;
  if (button(gui_, "lesson.next_lesson", rect, label, look)) {
    next_.lesson = next;
    gui_.wake_in(0);
  }
  return rect.bottom() + gui_.px(12);
}

// The first works that its stops name.
float LessonView::to_read(float x, float y, float w) {
  constexpr std::size_t kMost = 3;
  const words::Words& words = gui_.words();
  const std::vector<const lab::Source*> sources = lesson::sources_of(play_->lesson());
  if (sources.empty()) return y;
  const float top = y;
  y += gui_.paragraph(x, y, w, words("To read"), TextStyle::panel, gui_.theme().text) + gui_.px(4);
  for (std::size_t k = 0; k < std::min(kMost, sources.size()); ++k) {
    const lab::Source& one = *sources[k];
    y += gui_.paragraph(x, y, w, one.citation, TextStyle::label, gui_.theme().text);
    if (!one.where.empty())
      y += gui_.paragraph(x, y, w, words(one.where), TextStyle::small, gui_.theme().dim);
    if (!one.url.empty()) y += gui_.paragraph(x, y, w, one.url, TextStyle::small, gui_.theme().dim);
    y += gui_.px(6);
  }
  gui_.control("lesson.to_read", {x, top, w, y - top});
  return y;
}

}  // namespace ui
