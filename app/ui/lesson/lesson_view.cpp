#include "app/ui/lesson/lesson_view.h"

#include <algorithm>
#include <cmath>

#include "app/labs/labs.h"
#include "app/lesson/answers.h"
#include "app/lesson/library.h"
#include "app/system/clock.h"
#include "app/words/sentence.h"
#include "core/system/memory.h"

namespace ui {

namespace {

constexpr double kGlide = 0.6;     // seconds that knobs are on their way
constexpr double kQuickPage = 40;  // milliseconds: slower pages are not made again and again

}  // namespace

// Opening and leaving ----------------------------------------------------------------------------

bool LessonView::begin(const std::string& name, std::optional<std::size_t> stop, bool home) {
  try {
    const words::Language language = program_.words().language();
    lesson::Play play(name, lesson::shipped(name, language));
    const lesson::Place place = program_.learned.of(name);
    if (place.done && !stop) program_.learned.begin_anew(name);
    if (!play_) stood_.start = home;
    start(std::move(play), stop.value_or(place.done ? 0 : place.stop));
    program_.files.recents().add({state::Recent::Kind::lesson, name});
  } catch (const core::InputError& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
    return false;
  }
  return true;
}

void LessonView::begin(std::string path, lesson::Lesson lesson, std::optional<std::size_t> stop) {
  const std::size_t left = program_.learned.of(path).stop;
  start(lesson::Play(std::move(path), std::move(lesson)), stop.value_or(left));
}

void LessonView::start(lesson::Play play, std::size_t stop) {
  if (!play_ && program_.pages.page()) stood_.page = program_.desk.now();
  play_ = std::move(play);
  program_.hold_for_lesson(true);
  said_.forget();
  std::error_code none;
  file_.written = own() ? std::filesystem::last_write_time(play_->name(), none) : file_.written;
  language_ = program_.words().language();
  go(stop);
}

void LessonView::leave(bool back) {
  const bool start = stood_.start, away = program_.desk.lab().id != lab_;
  if (away || !back) return put_away();
  if (start) program_.events.add(state::StartRequest{});
  if (bring_back() && !start) {
    program_.messages.say(program_.words()(
        N_("Your page is as it was before the lesson. Undo (Ctrl+Z) brings the lesson's page.")));
  }
}

// Leaves for the page that stood before. True: it is another than the lesson's.
bool LessonView::bring_back() {
  const std::optional<session::Session> page = stood_.page;
  put_away();
  if (!page || *page == program_.desk.now()) return false;
  program_.files.restore(*page);
  return true;
}

void LessonView::put_away() {
  // Closed where nothing is left to do: that is the end, too.
  if (play_ && play_->last() && !play_->asks() && !play_->waits()) note_end();
  if (glide_) program_.knobs.set_all(glide_->to, glide_->gesture);
  program_.desk.end_gesture();
  glide_.reset();
  play_.reset();
  stood_ = {};
  program_.hold_for_lesson(false);
  pointing_.by_word.reset();
  pointing_.lit.clear();
  shown_ = {};
  compared_ = {};
  page_.cover({});
  page_.present({});
  next_.ahead_of.clear();
  program_.pages.ahead().make({});
  page_.head().hide_question(false);
  page_.reserve("");
  page_.show_alone("");
}

void LessonView::show(const session::Session& session) {
  if (glide_) program_.desk.end_gesture();
  glide_.reset();
  program_.files.restore(session);
}

void LessonView::go(std::size_t stop) {
  play_->go(stop);
  program_.learned.at(play_->name(), play_->at());
  answering_.draft = {};
  answering_.number.clear(), answering_.number_fault.clear();
  if (edit_.id == "lesson.number") edit_.id.clear();
  shown_.since = ImGui::GetTime();
  pointing_.touched = false;
  next_.to_top = next_.tidies = true, next_.to_outcome = false;
  column_.reach = 0;
  show_scene();
  flight_ = {.wanted = true};
  gui_.want_tips(Gui::Tips::once_moved);
  const lesson::Stop& now = play_->stop();
  std::string figure = now.shows ? now.shows->is.id : "";
  for (const lesson::Named& one : now.points) {
    if (one.is.kind == lesson::Kind::knob && pointing_.wanted_knob.empty())
      pointing_.wanted_knob = one.is.id;
    if (one.is.kind == lesson::Kind::figure && figure.empty()) figure = one.is.id;
  }
  compared_ = {};
  page_.show_alone("");
  if (!figure.empty()) page_.bring(figure);
}

// Knobs go to where the stop has them.
void LessonView::show_scene() {
  answering_.graded.reset();
  if (glide_) program_.desk.end_gesture();
  glide_.reset();
  session::Session scene;
  try {
    scene = play_->scene();
  } catch (const core::InputError& error) {
    return program_.messages.say(words::translated(error, program_.words()), true);
  }
  lab_ = scene.lab;
  if (program_.desk.lab().id == scene.lab) return move_to(std::move(scene.values));
  try {
    program_.files.restore(scene);
  } catch (const core::InputError& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
  }
  last_ = program_.desk.now().values;
}

// Smoothly where that can be seen; of slow pages only the last one is made.
void LessonView::move_to(param::Values values) {
  if (program_.desk.now().values == values) return;
  const std::string gesture = fmt::format("lesson.{}", ++gestures_);
  const state::Computed* page = program_.pages.page();
  if (page && page->ms < kQuickPage && program_.looks.moves) {
    glide_ = Glide{program_.desk.now().values, std::move(values), ImGui::GetTime(), gesture};
  } else {
    program_.knobs.set_all(values, gesture);
    program_.desk.end_gesture();
  }
  last_ = program_.desk.now().values;
}

// Every frame ------------------------------------------------------------------------------------

void LessonView::advance() {
  column_.lines.clear();
  if (std::exchange(next_.leave, false)) leave(true);
  if (!next_.lesson.empty()) begin(std::exchange(next_.lesson, {}), 0);
  if (!play_) return;
  if (std::exchange(next_.asks, false)) ask_again(false);
  if (language_ != program_.words().language()) {
    language_ = program_.words().language();
    if (lesson::exists(play_->name())) {
      play_->translate(lesson::shipped(play_->name(), language_));
      said_.forget();
    }
  }
  read_again(false);
  glide();
  if (!glide_ && !pointing_.wanted_knob.empty()) {
    const std::string knob = std::exchange(pointing_.wanted_knob, {});
    if (!focus()) program_.events.add(state::KnobRequest{knob});
  }
  look();
  cover_page();
  focus_page();
  look_ahead();
  tidy();
}

// Trainings and pages need much for a moment, and what they freed would be kept for the next.
void LessonView::tidy() {
  constexpr double kReads = 1;  // seconds
  if (!next_.tidies || gliding() || flight_.wanted || program_.pages.busy()) return;
  if (next_.ahead_of.empty() || program_.pages.ahead().busy()) return;
  if (const double left = shown_.since + kReads - ImGui::GetTime(); left > 0)
    return gui_.wake_in(left);
  next_.tidies = false;
  core::give_back_freed_memory();
}

// While somebody reads, the pages of what may come next are made.
void LessonView::look_ahead() {
  constexpr double kReads = 0.5;  // seconds
  const std::string stop = fmt::format("{} {} {}", play_->name(), play_->at(), play_->answered());
  if (stop == next_.ahead_of || !answers() || program_.pages.stale()) return;
  if (const double left = shown_.since + kReads - ImGui::GetTime(); left > 0)
    return gui_.wake_in(left);
  next_.ahead_of = stop;
  std::vector<bool> answered;
  for (std::size_t k = 0; k < play_->lesson().stops.size(); ++k) {
    answered.push_back(play_->answered(k));
  }
  try {
    program_.pages.ahead().make(lesson::scenes_ahead(play_->lesson(), play_->at(), answered));
  } catch (const core::InputError&) {
    program_.pages.ahead().make({});  // it is said when the stop is gone to
  }
}

void LessonView::glide() {
  if (!glide_) return;
  const bool elsewhere = program_.desk.lab().id != lab_;
  // The learner takes over: a knob that is turned meanwhile stays where it is turned to.
  const bool changed = !elsewhere && !last_.empty() && program_.desk.now().values != last_ &&
                       program_.desk.now().values != glide_->from;
  if (elsewhere || changed) {
    glide_.reset();
    return;
  }
  const double share = std::min((ImGui::GetTime() - glide_->since) / kGlide, 1.0);
  const double left = 1 - share;
  try {
    program_.knobs.set_all(
        lesson::between(program_.desk.lab(), glide_->from, glide_->to, 1 - left * left * left),
        glide_->gesture);
  } catch (const core::InputError&) {
    program_.knobs.set_all(glide_->to, glide_->gesture);
  }
  last_ = program_.desk.now().values;
  gui_.wake_in(0);
  if (share < 1) return;
  program_.desk.end_gesture();
  glide_.reset();
}

bool LessonView::answers() const {
  const state::Computed* page = program_.pages.page();
  return page && !gliding() && program_.desk.lab().id == lab_ && page->made_from.lab == lab_ &&
         page->made_from.values == program_.desk.now().values;
}

lesson::Sight LessonView::sight() const {
  const state::Computed* page = program_.pages.page();
  if (!page || !play_ || page->made_from.lab != lab_) return {};
  return {&page->page, &program_.desk.lab(), &page->made_from.values, &play_->picked(),
          &play_->moved()};
}

// What was done, and what that comes to.
void LessonView::look() {
  const auto& values = program_.desk.now().values;
  if (!glide_ && program_.desk.lab().id == lab_) {
    for (std::size_t k = 0; k < values.size() && k < last_.size(); ++k) {
      if (values[k] != last_[k] && values[k].first == last_[k].first) play_->move(values[k].first);
    }
    last_ = values;
  }
  if (!answers()) return;
  play_->look(sight());
  compare();
  const lesson::Stop& stop = play_->stop();
  // While a training goes on there is no last word.
  if (!stop.question || !play_->answered() || program_.pages.stale()) return;
  if (answering_.graded && !graded_in_other_words()) return;
  try {
    answering_.graded = grade();
    note_answer();
  } catch (const core::InputError& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
    answering_.graded = Graded{};
  }
}

Graded LessonView::grade() const {
  const lesson::Question& question = *play_->stop().question;
  const lesson::Answer& given = *play_->given();
  const lesson::Sight seen = sight();
  const lesson::Answer right = lesson::right_answer(question, seen);
  Graded graded{.verdict = lesson::grade(question, given, seen),
                .right = lesson::right_elements(question, seen),
                .right_curve = right.curve,
                .knobs = *seen.knobs,
                .language = language_};
  if (std::holds_alternative<lesson::TypeNumber>(question.kind)) {
    graded.given_text = lesson::answer_text(question, given, seen, program_.words());
    graded.right_text = lesson::answer_text(question, right, seen, program_.words());
  }
  return graded;
}

bool LessonView::graded_in_other_words() const {
  return answering_.graded->language != language_ &&
         answering_.graded->knobs == program_.pages.page()->made_from.values;
}

// What the stop covers of the page; of another lab's page nothing.
void LessonView::cover_page() {
  const state::Computed* page = program_.pages.page();
  const bool here = page && program_.desk.lab().id == lab_ && page->made_from.lab == lab_;
  lesson::Cover& cover = shown_.cover;
  cover = here ? play_->cover(page->page) : lesson::Cover{};
  page_.cover(
      {cover.whole, cover.inside, cover.left_out, cover.captions, cover.later, cover.points});
  page_.reserve(cover.asked);
  page_.head().hide_question(cover.words);
}

// Only what the stop means is shown, unless the whole page was asked for. While its page is on its
// way, that of the stop before stays.
void LessonView::focus_page() {
  const state::Computed* page = program_.pages.page();
  const bool elsewhere = program_.desk.lab().id != lab_;
  if (shown_.whole || elsewhere) {
    shown_.focus.reset();
  } else if (page && page->made_from.lab == lab_) {
    const lesson::Stop& stop = play_->stop();
    const bool there = stop.shows && lesson::find_figure(page->page, stop.shows->is.id);
    if (answers() || there || !shown_.focus)
      shown_.focus = lesson::focus_of(stop, play_->answered() || compared_.done, page->page,
                                      play_->derives(page->page));
  }
  if (!shown_.focus) return page_.present({});
  page_.present(Presented{shown_.focus->figures, true, before()});
}

BeforeAnswer LessonView::before() const {
  const bool leads = play_ && play_->answered() && play_->stop().question &&
                     !play_->stop().question->reveals.values.empty();
  if (!leads || !compared_.begun) return {};
  BeforeAnswer before{compared_.begun};
  for (const lesson::Named& one : play_->stop().question->hides) {
    using lesson::Kind;
    if (one.is.kind == Kind::figure || one.is.kind == Kind::plot)
      before.unseen.push_back(one.is.id);
  }
  return before;
}

// Keeps the page as the stop began, and as what is waited for held last.
void LessonView::compare() {
  const auto page = program_.pages.shared();
  if (!compared_.begun || compared_.begun->made_from.values == page->made_from.values)
    compared_.begun = page;
  if (!play_->stop().wait || compared_.done == page) return;
  try {
    const lesson::Sight now = sight();
    if (lesson::holds(play_->stop().wait->is, now)) compared_.done = page;
  } catch (const core::InputError&) {
    // The learner has led the page elsewhere.
  }
}

// The first answer counts.
void LessonView::note_answer() {
  const lesson::Question& question = *play_->stop().question;
  const lesson::Answer& given = *play_->given();
  std::string words = lesson::words_of(question, given, sight(), program_.words());
  program_.learned.say(play_->name(), play_->at(),
                       {std::move(words), answering_.graded->verdict.right, sys::now_text()});
}

bool LessonView::hides_readout(const std::string& id) const {
  return play_ && shown_.cover.readouts.contains(id);
}

bool LessonView::hides_words() const { return play_ && shown_.cover.words; }

// Going on ---------------------------------------------------------------------------------------

void LessonView::answer(lesson::Answer answer) {
  play_->answer(std::move(answer));
  answering_.draft = {};
  if (edit_.id == "lesson.number") edit_.id.clear();
  show_scene();
  flight_ = {.wanted = true};
  next_.to_outcome = true;
  gui_.wake_in(0);
}

// Does what the stop waits for.
void LessonView::show_me() {
  if (!answers()) return;
  try {
    const lesson::Way way = lesson::way_to(play_->stop(), sight());
    for (const lesson::Way::Click& click : way.clicks) {
      program_.knobs.pick(click.pick);
      play_->pick(click.in);
    }
    if (way.sets.empty()) return;
    const auto state = program_.desk.lab().make();
    param::assign(state->describe(), program_.desk.now().values);
    param::assign(state->describe(), way.sets);
    for (const auto& [id, value] : way.sets) play_->move(id);
    move_to(param::values(state->describe()));
  } catch (const core::InputError& error) {
    program_.messages.say(words::translated(error, program_.words()), true);
  }
}

void LessonView::forward() {
  if (!play_) return;
  if (program_.desk.lab().id != lab_) return show_scene();
  if (play_->asks()) return answer({});
  if (play_->ended()) {
    program_.events.add(state::StartRequest{});  // where the next one can be chosen
    bring_back();
    return;
  }
  if (play_->waits() && !gliding()) return show_me();
  if (!play_->last()) return go(play_->at() + 1);
  finish();
}

// Who answered, and nothing rightly, has come through it but is not done with it: it begins anew
// when it is opened again.
void LessonView::note_end() {
  const std::string& name = play_->name();
  if (lesson::all_wrong(play_->lesson(), program_.learned.of(name)))
    program_.learned.at(name, 0);
  else
    program_.learned.finish(name);
}

void LessonView::finish() {
  note_end();
  play_->end();
  next_.to_top = true;
  gui_.wake_in(0);
}

bool LessonView::choose(std::size_t number) {
  if (!play_ || !play_->asks() || number < 1) return false;
  const auto& kind = play_->stop().question->kind;
  if (const auto* one_of = std::get_if<lesson::Choose>(&kind)) {
    if (number > one_of->options.size()) return false;
    answer({.option = number - 1});
  } else if (std::holds_alternative<lesson::TrueOrFalse>(kind)) {
    if (number > 2) return false;
    answer({.truth = number == 1});
  } else {
    return false;
  }
  return true;
}

void LessonView::back() {
  if (!play_) return;
  if (play_->ended()) return go(play_->at());
  if (!play_->first()) go(play_->at() - 1);
}

}  // namespace ui
