// Sessions and exports: what Model reads from and writes to files.
#include <filesystem>
#include <utility>

#include "app/page/atomic_file.h"
#include "app/page/export_figure.h"
#include "app/page/session_carrier.h"
#include "app/ui/model.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace ui {

lab::Session Model::session() {
  return {std::string(lab_->id), param::values(state().describe()), views_};
}

bool Model::save(const std::string& path) {
  try {
    page::write_atomically(path, lab::to_json(session()));
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  say(words_.format(N_("Saved the session as {}."), path));
  return true;
}

void Model::restore(const lab::Session& session) {
  const lab::Lab& wanted = find_lab(session.lab);
  auto fresh = wanted.make();
  param::assign(fresh->describe(), session.values);
  remember("");
  switch_to(session.lab);
  states_[session.lab] = std::move(fresh);
  views_ = session.views;
  errors_.clear();
  end_gesture();
  submit();
}

bool Model::open(const std::string& path) {
  try {
    restore(lab::from_json(page::read_session(path)));
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  say(words_.format(N_("Opened {}."), path));
  return true;
}

bool Model::export_to(const std::string& path, const std::string& figure) {
  if (!shown_) return false;
  ExportJob job{shown_, {}, views_, {}, path};
  if (!figure.empty()) job.figures.push_back(figure);
  try {
    job.options.title = words_(lab_->title);
    job.options.theme = theme_;
    job.options.language = words_.language();
    job.options.session = lab::to_json(session());
    job.options.parameters = page::parameter_line(list());
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  exports_->add(std::move(job));
  return true;
}

Model::Exported Model::run_export(const ExportJob& job, const core::Cancel& cancel) {
  try {
    page::export_page(job.page->page, job.figures, job.views, job.options, job.path, cancel);
  } catch (...) {
    return {job.path, std::current_exception()};
  }
  return {job.path, nullptr};
}

void Model::say_exported(const Exported& exported) {
  try {
    if (exported.failure) std::rethrow_exception(exported.failure);
    say(words_.format(N_("Wrote {}."), exported.path));
  } catch (const core::Cancelled&) {
    say(words_.format(N_("Cancelled: {} is as it was."), exported.path));
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
  }
}

Model::Writing Model::writing() const {
  const auto standing = exports_->standing();
  if (!standing.job) return {};
  return {std::filesystem::path(standing.job->path).filename().string(), standing.running_s,
          standing.progress};
}

}  // namespace ui
