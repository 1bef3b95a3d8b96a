#include "app/cli/shared/panel_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/shared/output.h"
#include "app/paper/file/selection.h"
#include "app/words/sentence.h"

namespace cli {
namespace {

std::string preset_title(const lab::Lab& lab, const std::string& id, const words::Words& w) {
  for (const lab::Preset& preset : lab.presets) {
    if (preset.id == id) return w(preset.title);
  }
  return id;
}

// By the preset they are of: alone by its title, else with their own before it. Ids stay unique.
void name_by_preset(std::vector<figure::Figure>& figures, const std::string& title,
                    std::size_t number) {
  for (figure::Figure& figure : figures) {
    figure.title = figures.size() == 1 || figure.title.empty()
                       ? title
                       : fmt::format("{} · {}", figure.title, title);
    if (number == 0) continue;
    figure.id = fmt::format("{}-{}", figure.id, number + 1);
    for (figure::Plot& plot : figure.plots) plot.id = fmt::format("{}-{}", plot.id, number + 1);
  }
}

void append_notes(lab::Page& page, const lab::Page& other) {
  for (const std::string& note : other.notes) {
    if (std::find(page.notes.begin(), page.notes.end(), note) == page.notes.end()) page.note(note);
  }
}

}  // namespace

void PanelWords::add_to(CLI::App& command, const words::Words& w) {
  command
      .add_option("--layout", layout,
                  w("ROWSxCOLUMNS: the figures as panels of one sheet, such as 2x1"))
      ->check(not_empty(N_("ROWSxCOLUMNS"), w));
  command.add_flag("--share-colors", share_colors,
                   w("One range of colours for all heatmaps, and one bar"));
  command.remove_option(command.get_option("--preset"));
  command
      .add_option("--preset", presets,
                  w("Start from one of the lab's presets; again: one more panel"))
      ->allow_extra_args(false)
      ->check(not_empty(N_("the id of a preset"), w));
}

std::string PanelWords::first_preset() const {
  for (auto one = presets.begin(); one != presets.end(); ++one) {
    if (std::find(presets.begin(), one, *one) == one) continue;
    words::refuse<core::InputError>(N_("--preset: expected each preset once, got {} twice"),
                                    in_quotes(*one));
  }
  return presets.empty() ? "" : presets.front();
}

void PanelWords::apply(const ViewWords& view, lab::Page& page, std::vector<std::string>& ids,
                       paper::PaperOptions& options, View& first, Kept* kept) const {
  const words::Words w(options.language);
  std::vector<figure::Figure> figures = paper::select(page, ids);
  if (presets.size() > 1) {
    const std::string title = preset_title(*first.lab, presets.front(), w);
    name_by_preset(figures, title, 0);
    if (!options.parameters.empty()) {
      options.parameters = w.format(N_("{}: {}"), title, options.parameters);
    }
  }
  for (std::size_t k = 1; k < presets.size(); ++k) {
    ViewWords other = view;
    other.preset = presets[k];
    View made = make_view(other, options.language, kept);
    const lab::Page its = made.compute(options.language);
    const std::string title = preset_title(*made.lab, presets[k], w);
    std::vector<figure::Figure> more = paper::select(its, ids);
    name_by_preset(more, title, k);
    figures.insert(figures.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
    append_notes(page, its);
    const std::string differs = paper::differing_line(first.state->list(), made.state->list(), w);
    if (!differs.empty()) {
      options.parameters += w.format(N_("; {}: {}"), title, differs);
    }
  }
  paper::PanelLayout placing;
  if (!layout.empty()) placing = paper::parse_layout(layout);
  placing.share_colors = share_colors;
  page.figures = paper::as_panels(std::move(figures), placing, options);
  ids.clear();
}

}  // namespace cli
