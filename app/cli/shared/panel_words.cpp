#include "app/cli/shared/panel_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/cli/shared/output.h"
#include "app/paper/file/selection.h"
#include "app/paper/style/styled.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace cli {
namespace {

std::string preset_title(const lab::Lab& lab, const std::string& id, const words::Words& w) {
  for (const lab::Preset& preset : lab.presets) {
    if (preset.id == id) return w(preset.title);
  }
  return id;
}

// By the preset they are of: alone by its title, else with their own before it.
void name_by_preset(std::vector<figure::Figure>& figures, const std::string& title) {
  for (figure::Figure& figure : figures) {
    figure.title = figures.size() == 1 || figure.title.empty()
                       ? title
                       : fmt::format("{} · {}", figure.title, title);
  }
}

std::string numbered(const std::string& id, std::size_t number) {
  return fmt::format("{}-{}", id, number);
}

// So that ids stay unique: those of the second view end in "-2".
void number_ids(std::vector<figure::Figure>& figures, std::size_t number) {
  for (figure::Figure& figure : figures) {
    figure.id = numbered(figure.id, number);
    for (figure::Plot& plot : figure.plots) plot.id = numbered(plot.id, number);
  }
}

// "dials=view.attn" names a figure or plot of what a file or a link shows; "view.attn" does not.
struct Beside {
  std::string figure, word;
};
Beside parse_beside(const std::string& text) {
  const std::size_t at = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
  const bool names = at != std::string::npos && at > 0 && text[at] == '=';
  if (!names || std::filesystem::exists(text)) return {"", text};
  if (at + 1 == text.size()) {
    words::refuse<core::InputError>(N_("--beside: expected FILE or FIGURE=FILE, got {}"),
                                    in_quotes(text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

// What a file or a link shows, and how.
View opened(const std::string& word, const words::Words& w, Kept* kept) {
  ViewWords words;
  words.session = word;
  View view = make_view(words, w.language(), kept);
  for (const words::Sentence& note : view.notes) report(note.in(w));
  if (view.holds.now()) {
    report(w.format(N_("--beside: {} is drawn without what it is compared with"),
                    core::printable(word)));
  }
  return view;
}

// What such values say of one figure, and not of the look.
paper::Style own_style(const param::Values& values) {
  paper::Style style;
  param::Values own = values;
  for (const auto& look : paper::look_of(values, false)) std::erase(own, look);
  paper::set(style, own);
  return style;
}

// The figures of one panel as they look by themselves.
paper::Styled own_look(std::vector<figure::Figure> figures, const figure::Views& views,
                       const paper::Style& own, paper::PaperOptions& options) {
  options.formulas |= paper::has_formulas(own);
  return paper::styled(std::move(figures), views, own, paper::points_a_unit(options));
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
  command
      .add_option("--beside", beside,
                  w("FILE or FIGURE=FILE: panels of any lab, what an exported figure, a session or "
                    "a link shows, or one figure of it; again: more"))
      ->allow_extra_args(false)
      ->check(not_empty(N_("a file or a link"), w));
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
                       paper::PaperOptions& options, View& first, Kept* kept,
                       const std::function<void(const View&)>& check) const {
  const words::Words w(options.language);
  std::vector<figure::Figure> figures = paper::select(page, ids);
  if (!beside.empty()) {
    // What the words say of one figure, they say of the first.
    const param::Values given = paper::given(options.style);
    options.style = {};
    paper::set(options.style, paper::look_of(given, false));
    paper::Styled looks = own_look(std::move(figures), first.views, own_style(given), options);
    figures = std::move(looks.figures);
    first.views = std::move(looks.views);
  }
  std::size_t views = 1;
  const auto add = [&](std::vector<figure::Figure> more, const lab::Page& its) {
    number_ids(more, ++views);
    figures.insert(figures.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
    append_notes(page, its);
  };
  const bool several = presets.size() > 1;
  const std::string first_title =
      several ? preset_title(*first.lab, presets.front(), w) : w(first.lab->title);
  if (several) name_by_preset(figures, first_title);
  if ((several || !beside.empty()) && !options.parameters.empty()) {
    options.parameters = w.format(N_("{}: {}"), first_title, options.parameters);
  }
  const auto add_parameters = [&](const std::string& title, const std::string& line) {
    if (!line.empty()) options.parameters += w.format(N_("; {}: {}"), title, line);
  };
  for (std::size_t k = 1; k < presets.size(); ++k) {
    ViewWords other = view;
    other.preset = presets[k];
    View made = make_view(other, options.language, kept);
    const lab::Page its = made.compute(options.language);
    const std::string title = preset_title(*made.lab, presets[k], w);
    std::vector<figure::Figure> more = paper::select(its, ids);
    name_by_preset(more, title);
    add(std::move(more), its);
    add_parameters(title, paper::differing_line(first.state->list(), made.state->list(), w));
  }
  for (const std::string& text : beside) {
    const Beside wanted = parse_beside(text);
    View made = opened(wanted.word, w, kept);
    check(made);
    const lab::Page its = made.compute(options.language);
    const std::string& figure = wanted.figure.empty() ? made.figure : wanted.figure;
    std::vector<figure::Figure> chosen = paper::select(
        its, figure.empty() ? session::exported_figures(its, made.figures) : std::vector{figure});
    made.report_unknown_parts(its, w);
    paper::Styled looks = own_look(std::move(chosen), made.views, own_style(made.paper), options);
    for (const auto& [id, shown] : looks.views) first.views[numbered(id, views + 1)] = shown;
    add(std::move(looks.figures), its);
    add_parameters(w(made.lab->title), paper::parameter_line(made.state->list(), w));
  }
  paper::PanelLayout placing;
  if (!layout.empty()) placing = paper::parse_layout(layout);
  placing.share_colors = share_colors;
  page.figures = paper::as_panels(std::move(figures), placing, options);
  ids.clear();
}

}  // namespace cli
