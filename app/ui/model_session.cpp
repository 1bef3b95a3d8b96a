// Sessions and exports: what Model reads from and writes to files.
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
  try {
    page::PaperOptions options;
    options.title = words_(lab_->title);
    options.theme = theme_;
    options.language = words_.language();
    options.session = lab::to_json(session());
    options.parameters = page::parameter_line(list());
    std::vector<std::string> figures;
    if (!figure.empty()) figures.push_back(figure);
    page::export_page(shown_->page, figures, views_, options, path);
  } catch (const std::exception& e) {
    say(words::told(e, words_), true);
    return false;
  }
  say(words_.format(N_("Wrote {}."), path));
  return true;
}

}  // namespace ui
