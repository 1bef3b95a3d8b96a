// Sessions and exports: what Model reads from and writes to files.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "app/lesson/library.h"
#include "app/paper/export_figure.h"
#include "app/paper/file/inputs.h"
#include "app/paper/numbers/numbers.h"
#include "app/paper/file/session_carrier.h"
#include "app/param/reading.h"
#include "app/state/model.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"
#include "core/types.h"

namespace state {

namespace fs = std::filesystem;

// Sessions ---------------------------------------------------------------------------------------

bool Model::save(const std::string& path) {
  std::string text;
  try {
    refuse_inputs(path);
    text = paper::save_session(now_, path);
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  own_ = Own{path, now_};
  note_file(path);
  std::string said = words_.format(N_("Saved the session as {}."), path);
  ReadJob job{unread_files(now_), ReadJob::Saved{path, now_, std::move(text)}};
  if (!job.files.empty()) {
    said = words_.format(N_("{} It tells {} by length and time until the contents are read."), said,
                         job.names());
    reads_->add(std::move(job));
  }
  say(std::move(said));
  return true;
}

void Model::restore(const session::Session& session) {
  const lab::Lab& wanted = find_lab(session.lab);
  auto fresh = wanted.make();
  param::assign(fresh->describe(), session.values);
  Brought with{session.views, session.figures, session.holds, std::nullopt};
  // One without strokes has nothing to say of them: a lesson's next scene leaves them alone.
  if (!session.strokes.empty()) with.strokes = session.strokes;
  replace(wanted, std::move(fresh), with);
  opened_figure_ = session.figure;
  restored_ = session;
  ReadJob job;
  std::copy_if(session.files.begin(), session.files.end(), std::back_inserter(job.files),
               session::waits_for_contents);
  if (!job.files.empty()) reads_->add(std::move(job));
}

// When its page is there.
void Model::tell_strange_parts() {
  if (!restored_ || !shown_ || stale()) return;
  const session::Session session = std::move(*restored_);
  restored_.reset();
  if (shown_->made_from.lab != session.lab) return;
  strange_.clear();
  std::string said = message_.is_error ? std::string() : message_.text;
  for (const words::Sentence& part : session::strange_parts(session, shown_->page)) {
    strange_.push_back(part.in(words_));
    said += (said.empty() ? "" : " ") + strange_.back();
  }
  if (!strange_.empty()) say(std::move(said));
}

// What was found may show that a number is beyond it: that of a session whose file is another now,
// or of the file before. The step that led here takes it back. Nobody asked for a default, so that
// nothing is said of one. A drag or a text that is being typed comes to its end first: what is
// beyond a half of the text may be within all of it.
void Model::bring_into_range() {
  if (!shown_ || in_range_ == page_version_ || stale() || standing_.busy) return;
  if (history_.is_changing()) return;
  in_range_ = page_version_;
  const param::Describe describe = state().describe();
  const std::vector<param::Refusal> beyond = param::settle_found(describe);
  if (beyond.empty()) return;
  std::string said = message_.is_error ? std::string() : message_.text;
  const std::size_t said_before = said.size();
  param::List now = describe();
  for (const param::Refusal& one : beyond) {
    if (!changed(one.id)) continue;
    const param::Parameter& p = *now.find(one.id);
    const words::Sentence told(N_("{}: expected {}, got {}; it is {} now."),
                               words::Sentence(p.info.label), one.expected, one.got,
                               param::shown(param::print(p)));
    said += (said.empty() ? "" : " ") + told.in(words_);
  }
  const session::Session old = now_;
  now_.values = param::values(describe);
  history_.amend(old, now_);
  if (said.size() > said_before) say(std::move(said));
  brought_ = beyond;
  submit();
}

std::string Model::take_opened_figure() {
  if (!shown_ || stale()) return std::string();
  return std::exchange(opened_figure_, std::string());
}

void Model::open(const std::string& path) { opens_->add(path); }

void Model::opened_from(const std::string& path) {
  own_ = Own{path, now_};
  note_file(path);
}

void Model::note_file(const std::string& path) {
  recents_.add({Recent::Kind::file, fs::absolute(path).lexically_normal().string()});
}

Model::Opened Model::run_open(const std::string& path) {
  try {
    if (lesson::is_lesson_file(path)) {
      return {path, std::nullopt, lesson::open(fs::absolute(path)), nullptr};
    }
    return {path, paper::open_session(path), std::nullopt, nullptr};
  } catch (...) {
    return {path, std::nullopt, std::nullopt, std::current_exception()};
  }
}

void Model::take_opened(const Opened& opened) {
  bool numbers = false;  // a person's own, no session that could be saved again
  try {
    if (opened.failure) std::rethrow_exception(opened.failure);
    if (opened.lesson) {
      opened_lesson_.emplace(fs::absolute(opened.path).string(), *opened.lesson);
      note_file(opened.path);
      ++opened_;
      return;
    }
    numbers = session::session_opening(opened.path).has_value();
    restore(*opened.session);
  } catch (const std::exception& e) {
    return say(words::told(e, words_), true);
  }
  own_ = numbers ? std::nullopt : std::optional(Own{opened.path, now_});
  note_file(opened.path);
  ++opened_;
  std::string said = words_.format(N_("Opened {}."), opened.path);
  for (const session::SessionFile& file : opened.session->files) {
    said = words_.format(N_("{} {}"), said, session::file_note(file).in(words_));
  }
  say(said);
}

bool Model::unsaved() {
  if (!own_) return false;
  const session::Session& saved = own_->session;
  const session::FigureOrder& figures = saved.lab == now_.lab ? now_.figures : kept_orders_[saved.lab];
  const session::Holds& holds = saved.lab == now_.lab ? now_.holds : kept_holds_[saved.lab];
  return figures != saved.figures || holds.all != saved.holds.all ||
         now_.strokes != saved.strokes ||
         param::values(states_.at(saved.lab)->describe()) != saved.values;
}

// The contents of long files
// -----------------------------------------------------------------------

std::string Model::ReadJob::names() const {
  std::string all;
  for (const session::SessionFile& file : files) {
    const fs::path path(file.path);
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    all += (all.empty() ? "" : ", ") + core::printable(name);
  }
  return all;
}

std::vector<session::SessionFile> Model::unread_files(const session::Session& session) const {
  std::vector<session::SessionFile> unread;
  for (const std::string& path : session::files_read(find_lab(session.lab), session.values)) {
    const auto now = session::fingerprint(path);
    if (now && now->contents.empty()) unread.push_back({path});
  }
  return unread;
}

Model::Read Model::run_read(const ReadJob& job, const core::Cancel& cancel) {
  Read read{job, {}};
  try {
    for (const session::SessionFile& file : job.files) {
      session::wait_until_settled(file.path, cancel);
      session::fingerprint(file.path, session::kReadAll, cancel);
      if (file.then) read.notes.push_back(session::file_note(file, session::kReadAll, cancel));
    }
  } catch (const core::Cancelled&) {
    read.whole = false;
  }
  return read;
}

void Model::take_read(const Read& read) {
  if (!read.whole) {
    return say(
        words_.format(N_("Cancelled: sessions tell {} by length and time."), read.job.names()));
  }
  for (const core::Message& note : read.notes) {
    say(words_.format(N_("The contents were read: {}."), note.in(words_)));
  }
  if (!read.job.saved) return;
  const auto& [path, session, text] = *read.job.saved;
  try {
    // Unless somebody else has written it since.
    if (paper::read_session(path) != text) return;
    paper::save_session(session, path);
    if (!unread_files(session).empty()) return;  // written to meanwhile
    say(words_.format(N_("The session {} now tells the contents of {}."), path, read.job.names()));
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
  }
}

Model::Writing Model::reading_now() const {
  const auto standing = reads_->standing();
  if (!standing.job) return {};
  return {standing.job->names(), standing.running_s, standing.progress};
}

// Exports ----------------------------------------------------------------------------------------

// All of it tells of the page on screen: neither knobs nor language may have moved on with it.
paper::PaperOptions Model::told_on(paper::PaperOptions options) const {
  const session::Session& made_from = shown_->made_from;
  const lab::Lab& lab = find_lab(made_from.lab);
  const words::Words words(shown_->language);
  const auto state = lab.make();
  param::assign(state->describe(), made_from.values);
  options.title = words(lab.title);
  options.theme = figure::ThemeName::light;  // paper is, whatever the screen is
  options.language = shown_->language;
  options.parameters = paper::parameter_line(state->list(), words);
  options.compared = compared_on_paper(*state, words);
  if (!shown_->whole) {
    options.parameters += " · " + words("unfinished: its session makes the rest");
  }
  return options;
}

// As on the screen, but for what is only there while a knob is dragged.
paper::Compared Model::compared_on_paper(lab::State& now, const words::Words& w) const {
  const session::Hold* hold = now_.holds.now();
  const auto page = hold ? held() : nullptr;
  if (!page || page == shown_ || page->made_from.lab != shown_->made_from.lab ||
      page->language != shown_->language) {
    return {};
  }
  const auto then = lab_->make();
  param::assign(then->describe(), hold->values);
  return {std::shared_ptr<const lab::Page>(page, &page->page),
          now_.holds.cells,
          now_.holds.split,
          paper::differing_line(then->list(), now.list(), w),
          paper::differing_line(now.list(), then->list(), w),
          hold->name};
}

std::string Model::session_for(const std::string& path, const std::string& figure) const {
  const session::Session& made_from = shown_->made_from;
  return session::to_json(
      {made_from.lab, made_from.values, now_.views, {}, now_.figures, figure, now_.holds},
      paper::folder_of(path));
}

paper::PaperOptions Model::shown_paper() const { return told_on(paper_); }

// The files of the page on screen, of what is held, and the lesson that is open.
void Model::refuse_inputs(const std::string& path) const {
  paper::Inputs inputs;
  inputs.add(now_);
  if (opened_lesson_) inputs.add(fs::path(opened_lesson_->first));
  inputs.refuse(path);
}

std::vector<std::string> Model::exported(const std::string& figure) const {
  if (!figure.empty()) return {figure};
  return session::exported_figures(shown_->page, now_.figures);
}

bool Model::export_to(const std::string& path, const std::string& figure,
                      const paper::PaperOptions* paper) {
  if (!shown_) return false;
  ExportJob job{shown_, {}, now_.views, {}, path};
  try {
    refuse_inputs(path);
    job.figures = exported(figure);
    job.options = told_on(paper ? *paper : paper::PaperOptions());
    job.options.session = session_for(path, figure);
    ReadJob read{unread_files(shown_->made_from)};
    if (!read.files.empty()) {
      job.unread = read.names();
      reads_->add(std::move(read));
    }
    // Pictures of pixels for print, unless other dots are wished.
    if (job.options.paper_width > 0 && job.options.dpi <= 0) job.options.dpi = 300;
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  exports_->add(std::move(job));
  return true;
}

double Model::export_bytes(const std::string& path, const std::string& figure) const {
  if (!shown_) return 0;
  try {
    return paper::estimated_bytes(shown_->page, exported(figure), path);
  } catch (const std::exception&) {
    return 0;  // the export will say what is wrong
  }
}

Model::Exported Model::run_export(const ExportJob& job, const core::Cancel& cancel) {
  try {
    if (job.film) {
      make_film(*job.film, cancel);
      return {job.path, true, nullptr, {}};
    }
    paper::export_page(job.page->page, job.figures, job.views, job.options, job.path, cancel);
  } catch (...) {
    return {job.path, job.page->whole, std::current_exception(), {}};
  }
  return {job.path, job.page->whole, nullptr, job.unread};
}

void Model::take_exported(const Exported& exported) {
  try {
    if (exported.failure) std::rethrow_exception(exported.failure);
    std::string said = words_.format(
        exported.whole ? N_("Wrote {}.")
                       : N_("Wrote {}, of an unfinished page: its session makes the rest."),
        exported.path);
    if (!exported.unread.empty()) {
      said = words_.format(N_("{} Its session tells {} by length and time: the contents are not "
                              "read yet."),
                           said, exported.unread);
    }
    say(std::move(said));
  } catch (const core::Cancelled&) {
    say(words_.format(N_("Cancelled: {} is as it was."), exported.path));
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
  }
}

Model::Writing Model::writing() const {
  const auto standing = exports_->standing();
  if (standing.job) {
    return {fs::path(standing.job->path).filename().string(), standing.running_s,
            standing.progress};
  }
  const auto leaving = jumps_->standing();
  if (!leaving.job) return {};
  return {leaving.job->jump.label, leaving.running_s, leaving.progress};
}

std::vector<std::string> Model::give_up_exports(std::chrono::milliseconds patience) {
  std::vector<std::string> given_up;
  if (exports_->wait_for(patience)) return given_up;
  const std::vector<ExportJob> dropped = exports_->drop();
  exports_->wait();
  for (const Exported& exported : exports_->take()) {
    try {
      if (exported.failure) std::rethrow_exception(exported.failure);
    } catch (const core::Cancelled&) {
      given_up.push_back(exported.path);
    } catch (const std::exception&) {
      // It failed by itself; there is nobody left to tell.
    }
  }
  for (const ExportJob& job : dropped) given_up.push_back(job.path);
  return given_up;
}

}  // namespace state
