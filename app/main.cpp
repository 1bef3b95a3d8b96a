// The program: the command line, or the window when there is nothing else to do.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/page/atomic_file.h"
#include "app/page/png_writer.h"
#include "app/page/session_carrier.h"
#include "app/ui/shot.h"
#include "app/ui/window.h"
#include "core/memory.h"

namespace {

int open_window(const cli::Wanted& wanted) {
  try {
    return ui::run_window({.session = wanted.session,
                           .file = wanted.file,
                           .theme = wanted.theme,
                           .language = wanted.language,
                           .width = wanted.width,
                           .height = wanted.height,
                           .scale = wanted.scale,
                           .control_map = wanted.control_map});
  } catch (const gl::Unavailable& error) {
    fmt::print(stderr,
               "attnscope: no window can be opened ({}); \"attnscope gallery DIR\" and \"attnscope "
               "shot -o OUT.png\" make pictures without one\n",
               error.what());
    return 1;
  }
}

void shot(const cli::Wanted& wanted) {
  const gl::Image image = ui::render_shot({.session = wanted.session,
                                           .theme = wanted.theme,
                                           .language = wanted.language,
                                           .width = wanted.width,
                                           .height = wanted.height,
                                           .scale = wanted.scale});
  page::PngTexts texts;
  if (wanted.session) texts.emplace_back(page::kSessionKey, lab::to_json(*wanted.session));
  page::write_atomically(wanted.out,
                         page::encode_png(image.width, image.height, image.rgba.data(), texts));
}

}  // namespace

int main(int argc, char** argv) {
  core::keep_freed_memory();
  return cli::run(std::vector<std::string>(argv + 1, argv + argc), {open_window, shot});
}
