#include "app/cli/commands.h"
#include "app/page/export_figure.h"

namespace cli {

void export_figure(const ExportWords& words) {
  page::PaperOptions options;
  options.theme = words.look.theme_name();
  options.language = words.look.lang();
  options.scale = words.look.checked_scale();
  if (!words.look.size.empty()) {
    const Size size = parse_size(words.look.size);
    options.width = size.width;
    options.height = size.height;
  }
  page::check_ending(words.out);
  View view = make_view(words.view);
  options.session = lab::to_json(view.session());
  options.parameters = page::parameter_line(view.state->list());
  options.title = words::Words(options.language)(view.lab->title);
  const lab::Page page = view.compute(options.language);
  std::vector<std::string> figures;
  if (!words.figure.empty()) figures.push_back(words.figure);
  page::export_page(page, figures, view.views, options, words.out);
}

}  // namespace cli
