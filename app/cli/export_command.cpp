#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/paper/export_figure.h"
#include "app/paper/file/session_carrier.h"
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

}  // namespace

CLI::App* ExportWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command =
      program.add_subcommand("export", w("Write figures (.png .svg .pdf), their numbers (.csv "
                                         ".json .npy .npz) or a trained model "
                                         "(.safetensors)"));
  command->add_option("lab", view.lab, w("The lab's id"))->required();
  command->add_option("-o,--out", out, w("The file; its extension sets the format"))
      ->required()
      ->check(not_empty(N_("a file name"), w));
  command->add_option("--figure", figure, w("One figure or plot of the page, by id"))
      ->check(not_empty(N_("the id of a figure or plot"), w));
  view.add_to(*command, w);
  compare.add_to(*command, w);
  look.add_to(*command, "light", w);
  paper.add_to(*command, w);
  numbers.add_to(*command, w);
  return command;
}

void export_figure(const ExportWords& words) {
  paper::PaperOptions options;
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
  paper::check_ending(words.out);
  View view = make_view(words.view, options.language);
  if (!words.compare.with.empty() && !paper::is_picture(words.out)) {
    words::refuse<core::InputError>(
        N_("--compare: expected a picture (.png, .svg or .pdf), got {}"), in_quotes(words.out));
  }
  const session::Holds holds = words.compare.holds(view);
  words.compare.add_inputs(view.inputs);
  view.refuse_inputs(words.out, holds);
  if (words.numbers.json) {
    view.refuse_inputs(std::filesystem::path(words.out).replace_extension(".json"), holds);
  }
  const words::Words w(options.language);
  for (const words::Sentence& note : view.notes) report(note.in(w));
  const lab::Page page = view.compute(options.language);
  // The page may have brought values into the range of what it found.
  session::Session session = view.session();
  session.holds = holds;
  session.figure = words.figure;
  options.session = session::to_json(session, paper::folder_of(words.out), session::kReadByCommand);
  options.parameters = paper::parameter_line(view.state->list(), w);
  options.title = w(view.lab->title);
  report_unread_files(session, w);
  view.report_unknown_parts(page, w);
  if (paper::is_picture(words.out)) {
    options.compared = compared_page(view, page, session.holds, words.figure, options.language);
  }
  const std::vector<std::string> figures = words.figure.empty()
                                               ? session::exported_figures(page, view.figures)
                                               : std::vector{words.figure};
  paper::export_page(page, figures, view.views, options, words.out);
}

}  // namespace cli
