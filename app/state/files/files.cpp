#include "app/state/files/files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "app/lesson/library.h"
#include "app/paper/file/inputs.h"
#include "app/paper/file/session_carrier.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace state {

namespace fs = std::filesystem;

Files::Files(Desk& desk, Knobs& knobs, const Pages& pages, Messages& messages, Events& events,
             const words::Words& words, const std::function<void()>& wake)
    : desk_(desk),
      knobs_(knobs),
      pages_(pages),
      messages_(messages),
      events_(events),
      words_(words),
      opens_([](const std::string& path, const core::Cancel&) { return run(path); }, wake),
      contents_(desk, messages, words, wake) {}

// Saving -----------------------------------------------------------------------------------------

bool Files::save(const std::string& path) {
  const session::Session& now = desk_.now();
  std::string text;
  try {
    refuse_inputs(path);
    text = paper::save_session(now, path);
  } catch (const std::exception& e) {
    messages_.say(words::translated(e, words_), true);
    return false;
  }
  own_ = Own{path, now};
  note(path);
  std::string said = words_.format(N_("Saved the session as {}."), path);
  ContentsJob job{contents_.unread(now), ContentsJob::Saved{path, now, std::move(text)}};
  if (!job.files.empty()) {
    said = words_.format(
        N_("{} It identifies {} by length and time until the contents have been read."), said,
        job.names());
    contents_.read(std::move(job));
  }
  messages_.say(std::move(said));
  return true;
}

bool Files::unsaved() const {
  if (!own_) return false;
  const session::Session &saved = own_->session, now = desk_.of(saved.lab);
  return now.figures != saved.figures || now.holds.all != saved.holds.all ||
         now.strokes != saved.strokes || now.values != saved.values;
}

void Files::refuse_inputs(const std::string& path) const {
  paper::Inputs inputs;
  inputs.add(desk_.now());
  if (!lesson_.empty()) inputs.add(fs::path(lesson_));
  inputs.refuse(path);
}

// Opening ----------------------------------------------------------------------------------------

Files::Opened Files::run(const std::string& path) {
  try {
    if (lesson::is_lesson_file(path)) {
      return {path, std::nullopt, lesson::open(fs::absolute(path)), nullptr};
    }
    return {path, paper::open_session(path), std::nullopt, nullptr};
  } catch (...) {
    return {path, std::nullopt, std::nullopt, std::current_exception()};
  }
}

void Files::take(const Opened& opened) {
  bool numbers = false;  // a person's own, no session that could be saved again
  try {
    if (opened.failure) std::rethrow_exception(opened.failure);
    if (opened.lesson) {
      lesson_ = fs::absolute(opened.path).string();
      note(opened.path);
      events_.add(LessonOpened{lesson_, *opened.lesson});
      events_.add(FileOpened{});
      return;
    }
    numbers = session::session_opening(opened.path).has_value();
    restore(*opened.session);
  } catch (const std::exception& e) {
    return messages_.say(words::translated(e, words_), true);
  }
  own_ = numbers ? std::nullopt : std::optional(Own{opened.path, desk_.now()});
  note(opened.path);
  events_.add(FileOpened{});
  const session::Session& session = *opened.session;
  if (!session.paper.empty()) {
    events_.add(PaperOpened{session.lab, session.figure, session.paper});
  }
  std::string said = words_.format(N_("Opened {}."), opened.path);
  for (const session::SessionFile& file : opened.session->files) {
    said = words_.format(N_("{} {}"), said, session::file_note(file).in(words_));
  }
  messages_.say(said);
}

void Files::restore(const session::Session& session) {
  const lab::Lab& wanted = desk_.find(session.lab);
  auto fresh = wanted.make();
  param::assign(fresh->describe(), session.values);
  Desk::Brought with{session.views, session.figures, session.holds, std::nullopt};
  // One without strokes has nothing to say of them: a lesson's next scene leaves them alone.
  if (!session.strokes.empty()) with.strokes = session.strokes;
  desk_.replace(wanted, std::move(fresh), with);
  restored_ = session;
  ContentsJob job;
  std::copy_if(session.files.begin(), session.files.end(), std::back_inserter(job.files),
               session::waits_for_contents);
  if (!job.files.empty()) contents_.read(std::move(job));
}

void Files::opened_from(const std::string& path) {
  own_ = Own{path, desk_.now()};
  note(path);
}

void Files::note(const std::string& path) {
  std::error_code unknown;  // where the folder is gone in which the program stands
  const fs::path whole = fs::absolute(path, unknown).lexically_normal();
  recents_.add({Recent::Kind::file, whole.empty() ? path : whole.string()});
}

bool Files::poll() {
  report_restored();
  const std::vector<Opened> all = opens_.take();
  for (const Opened& opened : all) take(opened);
  return contents_.poll() || !all.empty();
}

// When its page is there.
void Files::report_restored() {
  if (!restored_ || !pages_.page() || pages_.stale()) return;
  const session::Session session = std::move(*restored_);
  restored_.reset();
  const Computed& shown = *pages_.page();
  if (shown.made_from.lab != session.lab) return;
  if (!session.figure.empty()) events_.add(FigureOpened{session.figure});
  unknown_parts_.clear();
  std::string text;
  for (const words::Sentence& part : session::unknown_parts(session, shown.page)) {
    unknown_parts_.push_back(part.in(words_));
    text += (text.empty() ? "" : " ") + unknown_parts_.back();
  }
  if (!text.empty()) messages_.say_too(text);
}

// What labs read ---------------------------------------------------------------------------------

bool Files::take(const std::string& path) {
  const param::List all = desk_.list();
  for (const param::Parameter& p : all.items()) {
    const auto* file = std::get_if<param::File>(&p.kind);
    if (!file || !p.info.active || !param::has_ending(path, file->endings)) continue;
    set(std::string(p.info.id), path);
    return true;
  }
  return false;
}

bool Files::set(const std::string& knob, const std::string& path) {
  if (!knobs_.set(knob, path)) return false;
  // What a lab takes as one knob among others could not be opened again by itself.
  if (desk_.lab().chapter == lab::Chapter::yours) note(path);
  return true;
}

}  // namespace state
