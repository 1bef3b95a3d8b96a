// The words of a lesson in the window: with the page's numbers, in its fonts, and for scripts.
#include <algorithm>

#include "app/ui/controls/rich_text.h"
#include "app/ui/lesson/lesson_view.h"

namespace ui {

namespace {

bool comes_before_answers(const lesson::Stop& stop, const lesson::Paragraph* paragraph) {
  if (!stop.question) return false;
  const auto is = [&](const lesson::Paragraph& one) { return &one == paragraph; };
  return is(stop.question->asked) || std::any_of(stop.text.begin(), stop.text.end(), is);
}

}  // namespace

// A new page: its numbers take the place of those before, unless the words around them are not true
// of it. Then they stay as they were where the words were true.
void LessonView::look_at_words() {
  const bool settled = answers() && !program_.pages.stale();
  const bool answered = play_->answered();
  const TextKey key{program_.pages.version(), play_->at(), language_, settled, answered};
  if (key == said_.key) return;
  const bool same_words = said_.key.stop == key.stop && said_.key.language == key.language;
  if (settled) shown_.outdated = !lesson::claims_hold(play_->stop(), answered, sight());
  if (!settled && !same_words) shown_.outdated = false;
  const auto stays = [&](const auto& one) {
    return comes_before_answers(play_->stop(), one.first);
  };
  // What was said before an answer stays as it was said: the answer leads the page on.
  if (same_words && answered && !said_.key.answered && !said_.early) {
    TextCache::Paragraphs& kept = said_.before_answers[key.stop] = said_.paragraphs;
    std::erase_if(kept, [&](const auto& one) { return !stays(one); });
  }
  const bool anew = !same_words || (said_.early && settled);
  std::erase_if(said_.paragraphs, [&](const auto& one) {
    return anew || (!shown_.outdated && !(answered && stays(one)));
  });
  if (const auto kept = said_.before_answers.find(key.stop);
      anew && answered && kept != said_.before_answers.end()) {
    said_.paragraphs = kept->second;
  }
  said_.early = !settled && (anew || said_.early);
  said_.key = key;
}

// What asked for something to be done keeps its numbers once that is done.
lesson::Sight LessonView::sight_of(const lesson::Paragraph& paragraph) const {
  const auto& text = play_->stop().text;
  const bool asks =
      std::ranges::any_of(text, [&](const lesson::Paragraph& one) { return &one == &paragraph; });
  if (!asks || !compared_.begun || !compared_.done) return sight();
  return sight_of(*compared_.begun);
}

lesson::Sight LessonView::sight_of(const state::Computed& page) const {
  return {&page.page, &program_.desk.lab(), &page.made_from.values};
}

const std::vector<lesson::TextRun>& LessonView::text_of(const lesson::Paragraph& paragraph) {
  look_at_words();
  const auto found = said_.paragraphs.find(&paragraph);
  if (found != said_.paragraphs.end()) return found->second;
  std::vector<lesson::TextRun> all;
  try {
    if (const lesson::Sight seen = sight_of(paragraph); seen.page && !shown_.outdated) {
      all = lesson::text_of(paragraph, seen, program_.words());
      return said_.paragraphs[&paragraph] = std::move(all);
    }
  } catch (const core::InputError&) {
    // The learner has led the page elsewhere: its numbers are not to be had.
  }
  for (const lesson::Piece& piece : paragraph.pieces) {
    const bool live = piece.kind == lesson::Piece::Kind::live;
    all.push_back(
        {.text = live ? "…" : piece.text, .strong = piece.kind == lesson::Piece::Kind::strong});
  }
  return said_.paragraphs[&paragraph] = std::move(all);
}

// What was to be seen at a stop where something was to be done, with the numbers before and then.
std::vector<lesson::TextRun> LessonView::seen_text() const {
  const lesson::Paragraph& seen = play_->stop().seen;
  if (seen.empty() || !compared_.begun || !compared_.done) return {};
  const lesson::Sight begun = sight_of(*compared_.begun);
  lesson::Sight then = sight_of(*compared_.done);
  then.begun = &begun;
  try {
    return lesson::text_of(seen, then, program_.words());
  } catch (const core::InputError&) {
    return {};  // that page has no such number
  }
}

float LessonView::text(const lesson::Paragraph& paragraph, float x, float y, float w, Rgba ink) {
  const bool small = w < gui_.px(280);
  RichLook look{.ink = ink};
  if (small) look.style = TextStyle::body, look.strong = TextStyle::card_title;
  const float high =
      rich_paragraph(gui_, x, y, w, text_of(paragraph), look, &pointing_.by_word, &pointing_.lit);
  note_lines(y, high, rich_pitch(gui_, look));
  return high;
}

// Lines or rows, each so high, that the column may be scrolled to.
void LessonView::note_lines(float y, float h, float pitch) {
  for (float at = y; at < y + h - pitch / 2; at += pitch) column_.lines.push_back(at);
}

void LessonView::need_fonts(Fonts& fonts) {
  if (!play_) return;
  const std::string key = fmt::format("{} {}", play_->name(), words::language_id(language_));
  if (said_.fonts_of == key) return;
  said_.fonts_of = key;
  const auto paragraph = [&](const lesson::Paragraph& one) {
    for (const lesson::Piece& piece : one.pieces) fonts.need(piece.text);
  };
  fonts.need("✓✗?…0123456789 /");
  fonts.need(play_->lesson().title);
  for (const lesson::Stop& stop : play_->lesson().stops) {
    fonts.need(stop.title);
    for (const lesson::Paragraph& one : stop.text) paragraph(one);
    paragraph(stop.seen);
    for (const lesson::Paragraph& one : stop.notes) paragraph(one);
    if (!stop.question) continue;
    const lesson::Question& q = *stop.question;
    paragraph(q.asked), paragraph(q.why);
    for (const lesson::Paragraph& one : q.after) paragraph(one);
    for (const lesson::Mistake& one : q.mistakes) paragraph(one.said);
    if (const auto* choose = std::get_if<lesson::Choose>(&q.kind)) {
      for (const lesson::Option& one : choose->options) paragraph(one.text), paragraph(one.said);
    }
  }
}

std::optional<LessonView::Status> LessonView::status() const {
  if (!play_) return {};
  const std::string phase = play_->ended()      ? "ended"
                            : play_->asks()     ? "asking"
                            : play_->answered() ? "answered"
                            : play_->waits()    ? "waiting"
                            : play_->done()     ? "done"
                                                : "reading";
  std::string said;
  if (answering_.graded) {
    for (const lesson::Piece& one : answering_.graded->verdict.said.pieces) said += one.text;
  }
  return Status{play_->name(),
                play_->stop().title,
                phase,
                play_->at(),
                play_->lesson().stops.size(),
                answering_.graded && answering_.graded->verdict.right,
                gliding() || (play_->answered() && !answering_.graded),
                said};
}

}  // namespace ui
