#include "app/state/files/exports.h"

#include <filesystem>
#include <utility>

#include "app/paper/export_figure.h"
#include "app/paper/file/session_carrier.h"
#include "app/paper/numbers/numbers.h"
#include "app/paper/style/colors.h"
#include "app/paper/style/named_style.h"
#include "app/sweep/make.h"
#include "app/words/sentence.h"
#include "app/worker/runs.h"
#include "core/types.h"

namespace state {

namespace fs = std::filesystem;

Exports::Exports(const Desk& desk, const Pages& pages, const Holding& holding, Files& files,
                 Messages& messages, const Appearance& looks, std::function<void()> wake)
    : desk_(desk),
      pages_(pages),
      holding_(holding),
      files_(files),
      messages_(messages),
      looks_(looks),
      exports_(run, std::move(wake)) {}

// Figures ----------------------------------------------------------------------------------------

// All of it tells of the page on screen: neither knobs nor language may have moved on with it.
paper::PaperOptions Exports::on_paper(paper::PaperOptions options) const {
  const auto shown = pages_.shared();
  const session::Session& made_from = shown->made_from;
  const lab::Lab& lab = desk_.find(made_from.lab);
  const words::Words words(shown->language);
  const auto state = lab.make();
  param::assign(state->describe(), made_from.values);
  options.title = words(lab.title);
  options.theme = figure::ThemeName::light;  // paper is, whatever the screen is
  options.language = shown->language;
  options.parameters = paper::parameter_line(state->list(), words);
  options.compared = compared_on_paper(*state, words);
  if (!shown->whole) {
    options.parameters += " · " + words("unfinished: its session computes the rest");
  }
  return options;
}

// As on the screen, but for what is only there while a knob is dragged.
paper::Compared Exports::compared_on_paper(lab::State& now, const words::Words& w) const {
  const session::Hold* hold = desk_.now().holds.now();
  const auto page = hold ? holding_.page() : nullptr, shown = pages_.shared();
  if (!page || page == shown || page->made_from.lab != shown->made_from.lab ||
      page->language != shown->language) {
    return {};
  }
  const auto then = desk_.lab().make();
  param::assign(then->describe(), hold->values);
  return {std::shared_ptr<const lab::Page>(page, &page->page),
          desk_.now().holds.cells,
          desk_.now().holds.split,
          paper::differing_line(then->list(), now.list(), w),
          paper::differing_line(now.list(), then->list(), w),
          hold->name};
}

std::string Exports::session_for(const std::string& path, const std::string& figure,
                                 const paper::PaperOptions& paper) const {
  const session::Session &made_from = pages_.page()->made_from, now = desk_.now();
  return session::to_json({made_from.lab,
                           made_from.values,
                           now.views,
                           {},
                           now.figures,
                           figure,
                           now.holds,
                           {},
                           paper::paper_values(paper)},
                          paper::folder_of(path));
}

std::vector<std::string> Exports::figures(const std::string& figure) const {
  if (!figure.empty()) return {figure};
  return session::exported_figures(pages_.page()->page, desk_.now().figures);
}

bool Exports::write(const std::string& path, const std::string& figure,
                    const paper::PaperOptions* paper) {
  const auto shown = pages_.shared();
  if (!shown) return false;
  Job job{shown, {}, desk_.now().views, {}, path};
  try {
    files_.refuse_inputs(path);
    job.figures = figures(figure);
    job.options = on_paper(paper ? *paper : paper::PaperOptions());
    job.options.session = session_for(path, figure, job.options);
    ContentsJob read{files_.contents().unread(shown->made_from)};
    if (!read.files.empty()) {
      job.unread = read.names();
      files_.contents().read(std::move(read));
    }
    // Pictures of pixels for print, unless other dots are wished.
    if (job.options.paper_width > 0 && job.options.dpi <= 0) job.options.dpi = 300;
  } catch (const std::exception& e) {
    messages_.say(words::translated(e, looks_.words), true);
    return false;
  }
  exports_.add(std::move(job));
  return true;
}

double Exports::bytes(const std::string& path, const std::string& figure) const {
  if (!pages_.page()) return 0;
  try {
    return paper::estimated_bytes(pages_.page()->page, figures(figure), path);
  } catch (const std::exception&) {
    return 0;  // the export will say what is wrong
  }
}

Exports::Exported Exports::run(const Job& job, const core::Cancel& cancel) {
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

void Exports::take(const Exported& exported) {
  try {
    if (exported.failure) std::rethrow_exception(exported.failure);
    std::string said = looks_.words.format(
        exported.whole ? N_("Wrote {}.")
                       : N_("Wrote {} from an unfinished page: its session computes the rest."),
        exported.path);
    if (!exported.unread.empty()) {
      said = looks_.words.format(N_("{} Its session identifies {} by length and time: the contents "
                                    "have not been read yet."),
                                 said, exported.unread);
    }
    messages_.say(std::move(said));
  } catch (const core::Cancelled&) {
    messages_.say(looks_.words.format(N_("Cancelled: {} is unchanged."), exported.path));
  } catch (const std::exception& e) {
    messages_.say(words::translated(e, looks_.words), true);
  }
}

Writing Exports::now() const {
  const auto status = exports_.status();
  if (!status.job) return {};
  return {fs::path(status.job->path).filename().string(), status.running_s, status.progress};
}

std::vector<std::string> Exports::give_up(std::chrono::milliseconds patience) {
  std::vector<std::string> given_up;
  if (exports_.wait_for(patience)) return given_up;
  const std::vector<Job> dropped = exports_.drop();
  exports_.wait();
  for (const Exported& exported : exports_.take()) {
    try {
      if (exported.failure) std::rethrow_exception(exported.failure);
    } catch (const core::Cancelled&) {
      given_up.push_back(exported.path);
    } catch (const std::exception&) {
      // It failed by itself; there is nobody left to tell.
    }
  }
  for (const Job& job : dropped) given_up.push_back(job.path);
  return given_up;
}

bool Exports::poll() {
  const std::vector<Exported> all = exports_.take();
  for (const Exported& exported : all) take(exported);
  return !all.empty();
}

// Films ------------------------------------------------------------------------------------------

bool Exports::write_film(const std::string& path, const sweep::Sweep& sweep,
                         const std::string& figure) {
  if (!pages_.page()) return false;
  try {
    files_.refuse_inputs(path);
  } catch (const std::exception& e) {
    messages_.say(words::translated(e, looks_.words), true);
    return false;
  }
  auto film = std::make_shared<sweep::Job>();
  film->lab = &desk_.lab();
  film->sweep = sweep;
  film->figure = figure;
  film->order = desk_.now().figures;
  film->views = desk_.now().views;
  film->options.theme = looks_.theme;  // it is seen on a screen
  film->options.language = looks_.words.language();
  film->options.width = looks_.film.width;
  film->fps = looks_.film.fps;
  if (looks_.film.seconds > 0) film->sweep.seconds = looks_.film.seconds;
  film->out = path;
  Job job{pages_.shared(), {}, {}, {}, path};
  job.film = std::move(film);
  exports_.add(std::move(job));
  return true;
}

// With a memo and trainings of its own: the window's go on meanwhile.
void Exports::make_film(const sweep::Job& film, const core::Cancel& cancel) {
  sweep::Job job = film;
  const words::Words words(job.options.language);
  const auto state = job.lab->make();
  lab::Memo memo;
  worker::Runs runs({.patience = worker::Runs::kPatient});
  const core::Cancel quiet = cancel.without_progress();
  const sweep::MakePage make = [&](const param::Values& values) {
    param::assign(state->describe(), values);
    lab::Page page = state->compute({.cancel = quiet, .words = words, .memo = memo, .runs = &runs});
    state->learn(page.found);
    param::require_names(state->list());
    if (!page.fault.empty()) throw core::InputError(page.fault);
    paper::recolor(page, job.order.colors, words);
    return page;
  };
  const sweep::Frames frames = sweep::frames_of(job.sweep, 0, job.sweep.seconds, job.fps);
  sweep::make_film(job, frames, make, cancel);
}

}  // namespace state
