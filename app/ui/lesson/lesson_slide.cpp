// A stop as a lecture shows it beside its figures: sentences and the question, and where it leads.
#include "app/lesson/answers.h"
#include "app/lesson/library.h"
#include "app/ui/controls/rich_text.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/words/sentence.h"

namespace ui {

float LessonView::draw_slide(float x, float y, float w, bool sentence) {
  pointing_.by_word.reset();
  const float top = y;
  if (sentence) y = texts(x, slide_title(x, y, w), w);
  if (play_->stop().wait && play_->done()) y = waiting(x, y, w);
  if (play_->stop().question) y = question(x, y, w);
  return y - top;
}

// The audience reads where they are.
float LessonView::slide_title(float x, float y, float w) {
  const std::string& title = play_->stop().title;
  const float high = gui_.paragraph(x, y, w, title, TextStyle::panel, gui_.theme().accent);
  gui_.control("lecture.title", {x, y, w, high});
  return y + high + gui_.px(6);
}

// Drawn where nobody sees it.
float LessonView::slide_height(float w, bool sentence) {
  constexpr float kAway = -1e5f;
  if (!sentence || play_->stop().text.empty()) return 0;
  ImGui::PushClipRect({kAway, kAway}, {kAway + 1, kAway + 1}, false);
  float height = texts(kAway, slide_title(kAway, kAway, w), w) - kAway;
  if (play_->stop().wait && play_->done()) height = waiting(kAway, kAway + height, w) - kAway;
  ImGui::PopClipRect();
  return height;
}

std::optional<session::Session> LessonView::scene_forward() const {
  if (!play_ || at_end() || (play_->waits() && !play_->asks())) return {};
  try {
    if (play_->asks()) return lesson::scene(play_->lesson(), play_->at(), true);
    const std::size_t next = play_->at() + 1;
    return lesson::scene(play_->lesson(), next, play_->answered(next));
  } catch (const core::InputError&) {
    return {};  // it is said when it is gone to
  }
}

std::optional<session::Session> LessonView::scene_back() const {
  if (!play_ || play_->first()) return {};
  try {
    return lesson::scene(play_->lesson(), play_->at() - 1, play_->answered(play_->at() - 1));
  } catch (const core::InputError&) {
    return {};
  }
}

std::string LessonView::plain_text(const lesson::Paragraph& paragraph) {
  return lesson::plain(text_of(paragraph));
}

std::string LessonView::answer_ahead() const {
  if (!play_ || !play_->stop().question) return {};
  const lesson::Question& q = *play_->stop().question;
  try {
    const auto page = program_.pages.of(lesson::scene(play_->lesson(), play_->at(), true));
    if (!page || page->made_from.lab != program_.desk.lab().id) return {};
    const lesson::Sight seen{&page->page, &program_.desk.lab(), &page->made_from.values};
    return lesson::words_of(q, lesson::right_answer(q, seen), seen, program_.words());
  } catch (const core::InputError&) {
    return {};  // it is said when it is answered
  }
}

void LessonView::ask_again(bool all) {
  if (!play_) return;
  const std::size_t count = play_->lesson().stops.size(), here = play_->at();
  for (std::size_t k = all ? 0 : here; k < (all ? count : here + 1); ++k) play_->ask_again(k);
  if (all) program_.learned.begin_anew(play_->name());
  go(all ? 0 : here);
}

std::string LessonView::next_sentence() const {
  if (!play_ || play_->last()) return {};
  const std::size_t stop = play_->at() + 1;
  const lesson::Stop& next = play_->lesson().stops[stop];
  const lesson::Paragraph* first = !next.text.empty() ? &next.text.front()
                                   : next.question    ? &next.question->asked
                                                      : nullptr;
  if (!first) return {};
  try {
    const session::Session scene = lesson::scene(play_->lesson(), stop, play_->answered(stop));
    const auto page = program_.pages.of(scene);
    const auto lab = std::find_if(program_.desk.labs().begin(), program_.desk.labs().end(),
                                  [&](const lab::Lab& one) { return one.id == scene.lab; });
    if (page && lab != program_.desk.labs().end()) {
      const lesson::Sight seen{&page->page, &*lab, &page->made_from.values, nullptr, nullptr};
      return lesson::plain(lesson::text_of(*first, seen, program_.words()));
    }
  } catch (const core::InputError&) {
    // It is said when the stop is gone to.
  }
  std::string all;
  for (const lesson::Piece& one : first->pieces) {
    all += one.kind == lesson::Piece::Kind::live ? "…" : one.text;
  }
  return all;
}

bool LessonView::own() const { return play_ && !lesson::exists(play_->name()); }

// As soon as the file is another one; the stop stays. One that is wrong is told of, and what was
// read before is shown.
void LessonView::read_again(bool asked) {
  constexpr double kLookEvery = 0.5;  // seconds
  if (!own() || (!asked && ImGui::GetTime() - file_.looked < kLookEvery)) return;
  file_.looked = ImGui::GetTime();
  std::error_code error;
  const auto written = std::filesystem::last_write_time(play_->name(), error);
  if (!asked && (error || written == file_.written)) return;
  file_.written = written;
  try {
    lesson::Lesson lesson = lesson::open(play_->name());
    const std::size_t stop = std::min(play_->at(), lesson.stops.size() - 1);
    said_.fonts_of.clear();
    start(lesson::Play(play_->name(), std::move(lesson)), stop);
  } catch (const core::InputError& fault) {
    program_.messages.say(words::translated(fault, program_.words()), true);
  }
}

bool LessonView::at_end() const { return play_->last() && !play_->asks() && !play_->waits(); }

void LessonView::first() {
  if (play_ && !play_->first()) go(0);
}
void LessonView::last() {
  if (play_ && !play_->last()) go(play_->lesson().stops.size() - 1);
}

}  // namespace ui
