// The program: the command line, or the window when there is nothing else to do.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/output.h"
#include "app/paper/atomic_file.h"
#include "app/paper/file/png_writer.h"
#include "app/paper/file/session_carrier.h"
#include "app/paper/temporaries.h"
#include "app/ui/frame/shot.h"
#include "app/ui/frame/window.h"
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
                           .lesson = wanted.lesson,
                           .own_lesson = wanted.own_lesson,
                           .stop = wanted.stop,
                           .lecture = wanted.lecture,
                           .control_map = wanted.control_map});
  } catch (const gl::Unavailable& error) {
    cli::tell(words::Words(wanted.language.value_or(words::Language::en))
                  .format(N_("no window can be opened ({}); \"attnscope gallery DIR\" and "
                             "\"attnscope shot -o OUT.png\" make pictures without one"),
                          error.what()));
    return 1;
  }
}

void shot(const cli::Wanted& wanted) {
  const gl::Image image = ui::render_shot({.session = wanted.session,
                                           .theme = *wanted.theme,
                                           .language = *wanted.language,
                                           .width = wanted.width,
                                           .height = wanted.height,
                                           .scale = wanted.scale,
                                           .lesson = wanted.lesson,
                                           .own_lesson = wanted.own_lesson,
                                           .file = wanted.file,
                                           .stop = wanted.stop.value_or(0),
                                           .answered = wanted.answered,
                                           .start = wanted.start,
                                           .tell = cli::tell,
                                           .given = wanted.given,
                                           .lecture = wanted.lecture});
  paper::PngTexts texts;
  if (wanted.session && !wanted.start)
    texts.emplace_back(
        paper::kSessionKey,
        session::to_json(*wanted.session, paper::folder_of(wanted.out), session::kReadByCommand));
  paper::write_atomically(wanted.out,
                          paper::encode_png(image.width, image.height, image.rgba.data(), texts));
}

// A file that is opened must not become one of the three streams because that was closed: what is
// said there would be written into it. Nothing can be read from, or written to, what takes its
// place.
void keep_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int file = ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    if (file > stream) ::close(file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_streams();
  core::keep_freed_memory();
  paper::remove_temporaries_on_signals();
  return cli::run(std::vector<std::string>(argv + 1, argv + argc), {open_window, shot});
}
