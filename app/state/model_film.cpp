// Films of sweeps: made in the background like any other export.
#include "app/sweep/make.h"
#include "app/state/model.h"
#include "app/worker/runs.h"

namespace state {

bool Model::export_film(const std::string& path, const sweep::Sweep& sweep,
                        const std::string& figure) {
  if (!shown_) return false;
  try {
    refuse_inputs(path);
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  auto film = std::make_shared<sweep::Job>();
  film->lab = lab_;
  film->sweep = sweep;
  film->figure = figure;
  film->order = now_.figures;
  film->views = now_.views;
  film->options.theme = theme_;  // it is seen on a screen
  film->options.language = words_.language();
  film->options.width = film_look_.width;
  film->fps = film_look_.fps;
  if (film_look_.seconds > 0) film->sweep.seconds = film_look_.seconds;
  film->out = path;
  ExportJob job{shown_, {}, {}, {}, path};
  job.film = std::move(film);
  exports_->add(std::move(job));
  return true;
}

// With a memo and trainings of its own: the window's go on meanwhile.
void Model::make_film(const sweep::Job& film, const core::Cancel& cancel) {
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
    return page;
  };
  const sweep::Frames frames = sweep::frames_of(job.sweep, 0, job.sweep.seconds, job.fps);
  sweep::make_film(job, frames, make, cancel);
}

}  // namespace state
