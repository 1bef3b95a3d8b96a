// Sessions and exports: what Model reads from and writes to files.
#include <filesystem>
#include <utility>

#include "app/lesson/library.h"
#include "app/page/export_figure.h"
#include "app/page/numbers.h"
#include "app/page/session_carrier.h"
#include "app/ui/model.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace ui {

namespace fs = std::filesystem;

// Sessions ---------------------------------------------------------------------------------------

bool Model::save(const std::string& path) {
  try {
    page::save_session(now_, path);
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  own_ = Own{path, now_};
  note_file(path);
  say(words_.format(N_("Saved the session as {}."), path));
  return true;
}

void Model::restore(const lab::Session& session) {
  const lab::Lab& wanted = find_lab(session.lab);
  auto fresh = wanted.make();
  param::assign(fresh->describe(), session.values);
  Brought with{session.views, session.figures, session.holds, std::nullopt};
  // One without strokes has nothing to say of them: a lesson's next scene leaves them alone.
  if (!session.strokes.empty()) with.strokes = session.strokes;
  replace(wanted, std::move(fresh), with);
  opened_figure_ = session.figure;
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
    return {path, page::open_session(path), std::nullopt, nullptr};
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
    numbers = lab::session_opening(opened.path).has_value();
    restore(*opened.session);
  } catch (const std::exception& e) {
    return say(words::told(e, words_), true);
  }
  own_ = numbers ? std::nullopt : std::optional(Own{opened.path, now_});
  note_file(opened.path);
  ++opened_;
  std::string said = words_.format(N_("Opened {}."), opened.path);
  for (const words::Sentence& note : opened.session->notes) {
    said = words_.format(N_("{} {}"), said, note.in(words_));
  }
  say(said);
}

bool Model::unsaved() {
  if (!own_) return false;
  const lab::Session& saved = own_->session;
  const lab::FigureOrder& figures = saved.lab == now_.lab ? now_.figures : kept_orders_[saved.lab];
  const lab::Holds& holds = saved.lab == now_.lab ? now_.holds : kept_holds_[saved.lab];
  return figures != saved.figures || holds.all != saved.holds.all ||
         now_.strokes != saved.strokes ||
         param::values(states_.at(saved.lab)->describe()) != saved.values;
}

// Exports ----------------------------------------------------------------------------------------

// All of it tells of the page on screen: neither knobs nor language may have moved on with it.
page::PaperOptions Model::told_on(page::PaperOptions options) const {
  const lab::Session& made_from = shown_->made_from;
  const lab::Lab& lab = find_lab(made_from.lab);
  const words::Words words(shown_->language);
  const auto state = lab.make();
  param::assign(state->describe(), made_from.values);
  options.title = words(lab.title);
  options.theme = figure::ThemeName::light;  // paper is, whatever the screen is
  options.language = shown_->language;
  options.parameters = page::parameter_line(state->list(), words);
  options.compared = compared_on_paper(*state, words);
  if (!shown_->whole) {
    options.parameters += " · " + words("unfinished: its session makes the rest");
  }
  return options;
}

// As on the screen, but for what is only there while a knob is dragged.
page::Compared Model::compared_on_paper(lab::State& now, const words::Words& w) const {
  const lab::Hold* hold = now_.holds.now();
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
          page::differing_line(then->list(), now.list(), w),
          page::differing_line(now.list(), then->list(), w),
          hold->name};
}

std::string Model::session_for(const std::string& path, const std::string& figure) const {
  const lab::Session& made_from = shown_->made_from;
  return lab::to_json(
      {made_from.lab, made_from.values, now_.views, {}, now_.figures, figure, now_.holds},
      page::folder_of(path));
}

page::PaperOptions Model::shown_paper() const { return told_on(paper_); }

std::vector<std::string> Model::exported(const std::string& figure) const {
  if (!figure.empty()) return {figure};
  return lab::exported_figures(shown_->page, now_.figures);
}

bool Model::export_to(const std::string& path, const std::string& figure,
                      const page::PaperOptions* paper) {
  if (!shown_) return false;
  ExportJob job{shown_, {}, now_.views, {}, path};
  try {
    job.figures = exported(figure);
    job.options = told_on(paper ? *paper : page::PaperOptions());
    job.options.session = session_for(path, figure);
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
    return page::estimated_bytes(shown_->page, exported(figure), path);
  } catch (const std::exception&) {
    return 0;  // the export will say what is wrong
  }
}

Model::Exported Model::run_export(const ExportJob& job, const core::Cancel& cancel) {
  try {
    if (job.film) {
      make_film(*job.film, cancel);
      return {job.path, true, nullptr};
    }
    page::export_page(job.page->page, job.figures, job.views, job.options, job.path, cancel);
  } catch (...) {
    return {job.path, job.page->whole, std::current_exception()};
  }
  return {job.path, job.page->whole, nullptr};
}

void Model::take_exported(const Exported& exported) {
  try {
    if (exported.failure) std::rethrow_exception(exported.failure);
    say(words_.format(exported.whole
                          ? N_("Wrote {}.")
                          : N_("Wrote {}, of an unfinished page: its session makes the rest."),
                      exported.path));
  } catch (const core::Cancelled&) {
    say(words_.format(N_("Cancelled: {} is as it was."), exported.path));
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
  }
}

Model::Writing Model::writing() const {
  const auto standing = exports_->standing();
  if (!standing.job) return {};
  return {fs::path(standing.job->path).filename().string(), standing.running_s, standing.progress};
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

}  // namespace ui
