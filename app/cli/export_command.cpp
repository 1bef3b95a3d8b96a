#include <set>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/page/export_figure.h"
#include "app/page/session_carrier.h"
#include "core/text/printable.h"

namespace cli {
namespace {

// Views of a session that zoom nothing here: of a plot that another setting shows, or of none.
void tell_of_strange_views(const View& view, const lab::Page& page, const words::Words& w) {
  for (const auto& [id, edges] : view.views) {
    bool known = false;
    for (const figure::Figure& figure : page.figures) {
      for (const figure::Plot& plot : figure.plots) known = known || plot.id == id;
    }
    if (!known) {
      tell(w.format(N_("the session has a view of {}, which is no plot of this page: left out"),
                    in_quotes(id)));
    }
  }
}

// Figures of a session that this page does not have; where a session begins may be a plot.
void tell_of_strange_figures(const View& view, const lab::Page& page, const words::Words& w) {
  std::set<std::string> figures, plots, told;
  for (const figure::Figure& figure : page.figures) {
    figures.insert(figure.id);
    for (const figure::Plot& plot : figure.plots) plots.insert(plot.id);
  }
  const auto tell_of = [&](const std::string& id) {
    if (figures.contains(id) || !told.insert(id).second) return;
    tell(w.format(N_("the session names a figure {}, which is none of this page: left out"),
                  in_quotes(id)));
  };
  for (const std::string& id : view.figures.first) tell_of(id);
  for (const std::string& id : view.figures.hidden) tell_of(id);
  if (!view.figure.empty() && !plots.contains(view.figure)) tell_of(view.figure);
}

// Of which so much would be read that it was not.
void tell_of_unread_files(const lab::Session& session, const words::Words& w) {
  for (const std::string& path : lab::files_read(lab::find(session.lab), session.values)) {
    const auto now = lab::fingerprint(path, lab::kReadByCommand);
    if (!now || !now->contents.empty()) continue;
    tell(w.format(N_("the session tells {} by length and time: its contents are not read, as they "
                     "take more than {} GB"),
                  core::printable(path, 400), lab::kReadByCommand >> 30));
  }
}

}  // namespace

void export_figure(const ExportWords& words) {
  page::PaperOptions options;
  options.theme = words.look.theme_name();
  options.language = words.look.lang();
  options.scale = words.look.checked_scale(1);
  if (!words.look.size.empty()) {
    const Size size = parse_size(words.look.size, SizeOf::figures);
    options.width = size.width;
    options.height = size.height;
  }
  words.paper.apply(options, !words.look.size.empty() || !words.look.scale.empty());
  options.comments = words.numbers.comments;
  options.bom = words.numbers.bom;
  options.json_beside = words.numbers.json;
  page::check_ending(words.out);
  View view = make_view(words.view, options.language);
  lab::Session session = view.session();
  session.holds = words.compare.holds(view);
  if (!words.compare.with.empty() && !page::is_picture(words.out)) {
    words::refuse<core::InputError>(
        N_("--compare: expected a picture (.png, .svg or .pdf), got {}"), in_quotes(words.out));
  }
  session.figure = words.figure;
  options.session = lab::to_json(session, page::folder_of(words.out), lab::kReadByCommand);
  const words::Words w(options.language);
  options.parameters = page::parameter_line(view.state->list(), w);
  options.title = w(view.lab->title);
  for (const words::Sentence& note : view.notes) tell(note.in(w));
  tell_of_unread_files(session, w);
  const lab::Page page = view.compute(options.language);
  tell_of_strange_views(view, page, w);
  tell_of_strange_figures(view, page, w);
  if (page::is_picture(words.out)) {
    options.compared = compared_page(view, page, session.holds, words.figure, options.language);
  }
  const std::vector<std::string> figures =
      words.figure.empty() ? lab::exported_figures(page, view.figures) : std::vector{words.figure};
  page::export_page(page, figures, view.views, options, words.out);
}

}  // namespace cli
