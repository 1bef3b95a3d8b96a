#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/progress.h"
#include "app/cli/shared/refusals.h"
#include "app/paper/export_figure.h"
#include "app/paper/file/export_bytes.h"
#include "app/paper/file/session_carrier.h"
#include "app/paper/style/named_style.h"
#include "app/paper/tex/tex_picture.h"
#include "app/param/reading.h"
#include "app/sweep/make_touch.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace cli {
namespace {

// Names the files that are too large to be read for their contents.
void report_unread_files(const session::Session& session, const words::Words& w) {
  for (const std::string& path : session::files_read(lab::find(session.lab), session.values)) {
    const auto now = session::fingerprint(path, session::kReadByCommand);
    if (!now || !now->contents.empty()) continue;
    report(
        w.format(N_("the session identifies {} by length and time: its contents take more than {} "
                    "GB and were not read"),
                 core::printable(path, 400), session::kReadByCommand >> 30));
  }
}

constexpr const char* kFormats[] = {"png",  "svg", "pdf", "html",       "csv",
                                    "json", "npy", "npz", "safetensors"};

bool to_standard_output(const ExportWords& words) { return words.out == "-"; }

// Checks the words of where to: the ending of the format, ".svg".
std::string ending_of(const ExportWords& words) {
  if (!to_standard_output(words)) {
    refuse_without("-o -", {{!words.format.empty(), "--format"}});
    paper::check_ending(words.out);
    return std::filesystem::path(words.out).extension().string();
  }
  refuse_with("-o -", {{words.numbers.json, "--with-json"}, {words.tex, "--tex"}});
  for (const char* format : kFormats) {
    if (words.format == format) return "." + words.format;
  }
  words::refuse<core::InputError>(
      N_("--format: expected png, svg, pdf, html, csv, json, npy, npz or safetensors, got {}"),
      words.format.empty() ? words::Sentence(N_("nothing"))
                           : words::Sentence("{}", in_quotes(words.format)));
}

void picture_alone(const ExportWords& words, const std::string& option, bool given) {
  if (given) require_picture(option, to_standard_output(words) ? words.format : words.out);
}

// One that puts several figures on a sheet, for a message.
const char* panel_option(const ExportWords& words) {
  const PanelWords& panels = words.panels;
  if (panels.placed()) return panels.layout.empty() ? "--share-colors" : "--layout";
  return panels.beside.empty() ? "--preset" : "--beside";
}

// The name of the text, of which the drawing's follows.
std::string tex_file(const std::string& out) {
  const std::filesystem::path path = out;
  if (path.extension() == ".tex" || path.extension() == ".pdf") {
    return std::filesystem::path(path).replace_extension(".tex").string();
  }
  words::refuse<core::InputError>(N_("--tex: expected a name that ends in .tex or .pdf, got {}"),
                                  in_quotes(out));
}

// How the session says that the figure looks, then the style, then the other options.
void set_paper(const ExportWords& words, const View& view, paper::PaperOptions& options) {
  const bool same =
      words.figures.empty() || (words.figures.size() == 1 && words.figures.front() == view.figure);
  paper::set(options, paper::look_of(view.paper, same));
  words.style.begin(options);
  words.paper.apply(options, !words.look.size.empty() || !words.look.scale.empty());
  words.style.apply(options);
}

// A view's page, and how it goes onto paper.
struct Prepared {
  View view;
  lab::Page page;
  paper::PaperOptions options;
  std::vector<std::string> figures;
  std::vector<std::string> chosen;  // of these; empty: nobody chose
};

// Those that were asked for, or the one that its session's file shows; none: all.
std::vector<std::string> chosen_figures(const ExportWords& words, const View& view,
                                        const lab::Page& page) {
  if (!words.figures.empty() || view.figure.empty()) return words.figures;
  for (const figure::Figure& figure : page.figures) {
    const bool plot = std::any_of(figure.plots.begin(), figure.plots.end(),
                                  [&](const figure::Plot& one) { return one.id == view.figure; });
    if (plot || figure.id == view.figure) return {view.figure};
  }
  return {};
}

Prepared prepared(const ExportWords& words, const std::string& ending, Kept* kept) {
  paper::PaperOptions options;
  options.left_out = std::make_shared<std::vector<std::string>>();
  options.theme = words.look.theme_name();
  options.language = words.look.lang();
  options.scale = words.look.checked_scale(1);
  if (!words.look.size.empty()) {
    const Size size = parse_size(words.look.size, SizeOf::figures);
    options.width = size.width;
    options.height = size.height;
  }
  options.comments = words.numbers.comments;
  options.bom = words.numbers.bom;
  options.json_beside = words.numbers.json;
  ViewWords asked = words.view;
  asked.preset = words.panels.first_preset();
  View view = make_view(asked, options.language, kept);
  set_paper(words, view, options);
  const bool picture = paper::is_picture("figure" + ending);
  if (!picture) {
    picture_alone(words, "--compare", !words.compare.with.empty());
    picture_alone(words, "--layout", !words.panels.layout.empty());
    picture_alone(words, "--share-colors", words.panels.share_colors);
    picture_alone(words, words.style.first_given(), !words.style.first_given().empty());
  }
  if (!words.compare.with.empty()) {
    refuse_with("--compare", {{words.panels.asked(), panel_option(words)}});
  }
  const session::Holds holds = words.compare.holds(view);
  words.compare.add_inputs(view.inputs);
  const auto refuse_inputs = [&](const View& read, const session::Holds& compared) {
    if (!to_standard_output(words)) read.refuse_inputs(words.out, compared);
    if (ending == ".tex") read.refuse_inputs(paper::pdf_beside(words.out), compared);
    if (words.style.save_style.ends_with(".json"))
      read.refuse_inputs(words.style.save_style, compared);
    if (words.numbers.json) {
      read.refuse_inputs(std::filesystem::path(words.out).replace_extension(".json"), compared);
    }
  };
  refuse_inputs(view, holds);
  const words::Words w(options.language);
  for (const words::Sentence& note : view.notes) report(note.in(w));
  lab::Page page = view.compute(options.language);
  // The page may have brought values into the range of what it found.
  session::Session session = view.session();
  session.holds = holds;
  session.paper = paper::paper_values(options);
  const std::vector<std::string> chosen = chosen_figures(words, view, page);
  if (chosen.size() == 1) session.figure = chosen.front();
  // A file that goes with this process cannot be opened again.
  if (!words.no_session && !view.reads_given_file()) {
    options.session =
        session::to_json(session, paper::folder_of(words.out), session::kReadByCommand);
    report_unread_files(session, w);
  }
  options.parameters = paper::parameter_line(view.state->list(), w);
  options.title = w(view.lab->title);
  view.report_unknown_parts(page, w);
  std::vector<std::string> figures =
      chosen.empty() ? session::exported_figures(page, view.figures) : chosen;
  if (words.panels.asked()) {
    words.panels.apply(asked, page, figures, options, view, kept,
                       [&](const View& other) { refuse_inputs(other, {}); });
  }
  if (picture) {
    options.compared = compared_page(view, page, session.holds, chosen, options.language);
  }
  return {std::move(view), std::move(page), std::move(options), std::move(figures), chosen};
}

// A slider is for pages that are touched; what is compared does not move.
void check_sweep(const ExportWords& words, const std::string& ending) {
  if (words.sweep.empty()) return refuse_without("--sweep", {{!words.frames.empty(), "--frames"}});
  refuse_with("--sweep", {{!words.compare.with.empty(), "--compare"},
                          {words.panels.asked(), panel_option(words)}});
  if (ending == ".html") return;
  words::refuse<core::InputError>(N_("--sweep: expected a page to be touched (.html), got {}; "
                                     "attnscope sweep writes films"),
                                  in_quotes(to_standard_output(words) ? words.format : words.out));
}

int places_of(const std::string& frames) {
  if (frames.empty()) return sweep::kUsualTouch;
  const auto count = param::whole<int>(frames);
  if (count && *count >= 2 && *count <= sweep::kMostTouch) return *count;
  words::refuse<core::InputError>(N_("--frames: expected a whole number from 2 to {}, got {}"),
                                  sweep::kMostTouch, in_quotes(frames));
}

std::string swept(const ExportWords& words, Prepared& all) {
  sweep::Job job;
  job.lab = all.view.lab;
  job.views = all.view.views;
  job.order = all.view.figures;
  job.options = all.options;
  job.out = words.out;
  job.sweep.base = all.view.session().values;
  job.sweep.ease = sweep::Ease::linear;
  for (const std::string& one : words.sweep) job.sweep.tracks.push_back(sweep::parse_track(one));
  const sweep::MakePage make = [&](const param::Values& values) {
    param::assign(all.view.state->describe(), values);
    return all.view.compute(job.options.language);
  };
  const words::Words w(job.options.language);
  Progress progress(N_("sweep: {} of {} frames"), w);
  return sweep::make_touch(job, all.chosen, places_of(words.frames), make, {},
                           [&](double done, int frames) { progress(done, frames); });
}

}  // namespace

CLI::App* ExportWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command = program.add_subcommand(
      "export", w("Write figures (.png .svg .pdf .tex), a page to be touched "
                  "(.html), their numbers (.csv .json .npy .npz) or a "
                  "trained model (.safetensors)"));
  command->add_option("lab", view.lab, w("The lab's id; --session has its own"));
  command
      ->add_option("-o,--out", out,
                   w("The file; its extension sets the format; -: the standard output"))
      ->required()
      ->check(not_empty(N_("a file name"), w));
  command
      ->add_option("--format", format,
                   w("With -o -: png, svg, pdf, html, csv, json, npy, npz or safetensors"))
      ->check(not_empty(N_("a format"), w));
  command
      ->add_option("--figure", figures,
                   w("A figure or plot of the page, by id; again: one more on the same sheet"))
      ->allow_extra_args(false)
      ->check(not_empty(N_("the id of a figure or plot"), w));
  command
      ->add_option("--sweep", sweep,
                   w("With .html: a slider over a knob, id=from:to or id=a:b:c; again: one more "
                     "knob that moves with it"))
      ->allow_extra_args(false)
      ->check(not_empty(N_("a knob and its values such as temperature=0.1:10"), w));
  command
      ->add_option("--frames", frames,
                   w.format("With --sweep: places of the slider, from 2 to {} ({})",
                            sweep::kMostTouch, sweep::kUsualTouch))
      ->check(not_empty(N_("a number"), w));
  view.takes_input = true;
  view.add_to(*command, w);
  panels.add_to(*command, w);
  compare.add_to(*command, w);
  look.add_to(*command, "light", w);
  paper.add_to(*command, w);
  style.add_to(*command, w);
  numbers.add_to(*command, w);
  command->add_flag("--tex", tex,
                    w("OUT.tex with the text, for \\input, and beside it OUT.pdf without text"));
  command->add_flag("--no-session", no_session,
                    w("Without the session inside of the file, and the paths in it"));
  return command;
}

void export_figure(const ExportWords& given) {
  ExportWords words = given;
  if (words.tex && !to_standard_output(words)) words.out = tex_file(words.out);
  if (to_standard_output(words)) return print_out(exported(words));
  if (!words.sweep.empty()) return sys::write_atomically(words.out, exported(words));
  const std::string ending = ending_of(words);
  check_sweep(words, ending);
  const Prepared all = prepared(words, ending, nullptr);
  paper::export_page(all.page, all.figures, all.view.views, all.options, words.out);
  report_left_out(all.options);
  words.style.save(all.options, words::Words(all.options.language));
}

std::string exported(const ExportWords& words, Kept* kept) {
  const std::string ending = ending_of(words);
  check_sweep(words, ending);
  Prepared all = prepared(words, ending, kept);
  if (!words.sweep.empty()) return swept(words, all);
  std::string bytes =
      paper::export_bytes(all.page, all.figures, all.view.views, all.options, ending);
  report_left_out(all.options);
  words.style.save(all.options, words::Words(all.options.language));
  return bytes;
}

std::vector<paper::NamedArray> exported_arrays(const ExportWords& words, Kept& kept) {
  const Prepared all = prepared(words, ".npz", &kept);
  return paper::named_arrays(all.page, all.figures);
}

}  // namespace cli
