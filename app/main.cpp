// The program: the command line, or the window when there is nothing else to do.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/progress.h"
#include "app/paper/file/png_writer.h"
#include "app/paper/file/session_carrier.h"
#include "app/system/atomic_file.h"
#include "app/system/guard.h"
#include "app/system/program.h"
#include "app/system/streams.h"
#include "app/ui/frame/window.h"
#include "app/ui/shot/lesson_film.h"
#include "app/ui/shot/shot.h"
#include "core/system/memory.h"

namespace {

std::optional<ui::EmbeddedParts> embedded_parts(const cli::Wanted& wanted) {
  if (!wanted.embedded) return {};
  return ui::EmbeddedParts{wanted.embedded_figure, wanted.embedded_knobs};
}

int open_window(const cli::Wanted& wanted) {
  sys::leave_own_console();
  try {
    return ui::run_window({.session = wanted.session,
                           .file = wanted.file,
                           .theme = wanted.theme,
                           .language = wanted.language,
                           .width = wanted.width,
                           .height = wanted.height,
                           .sized = wanted.sized,
                           .scale = wanted.scale,
                           .lesson = wanted.lesson,
                           .own_lesson = wanted.own_lesson,
                           .stop = wanted.stop,
                           .lecture = wanted.lecture,
                           .embedded = embedded_parts(wanted),
                           .control_map = wanted.control_map});
  } catch (const gl::Unavailable& error) {
    const words::Sentence reason(
        N_("no window can be opened ({}); \"attnscope gallery DIR\" makes pictures without one"),
        error.message());
    cli::report(reason.in(words::Words(wanted.language.value_or(words::Language::en))));
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
                                           .report = cli::report,
                                           .given = wanted.given,
                                           .lecture = wanted.lecture});
  paper::PngTexts texts;
  if (wanted.session && !wanted.start)
    texts.emplace_back(
        paper::kSessionKey,
        session::to_json(*wanted.session, paper::folder_of(wanted.out), session::kReadByCommand));
  sys::write_atomically(wanted.out,
                        paper::encode_png(image.width, image.height, image.rgba.data(), texts));
}

void film(const cli::Wanted& wanted) {
  ui::LessonFilm film{.lesson = wanted.lesson,
                      .own_lesson = wanted.own_lesson,
                      .file = wanted.file,
                      .theme = wanted.theme.value_or(figure::ThemeName::light),
                      .language = wanted.language.value_or(words::Language::en),
                      .scale = wanted.scale,
                      .out = wanted.out};
  if (wanted.sized) film.width = wanted.width, film.height = wanted.height;
  const words::Words w(film.language);
  cli::Progress progress(N_("film: {} of {} frames"), w);
  ui::write_lesson_film(film, {}, [&](int done, int of) { progress(done, of); });
}

// What there is to draw on.
std::vector<std::pair<std::string, std::string>> display() {
  std::string driver;
  try {
    const gl::Windowless context(1, 1);
    driver = gl::description();
  } catch (const gl::Unavailable& error) {
    driver = error.what();
  }
  return {{"GLFW", gl::glfw_version()}, {"OpenGL", driver}};
}

}  // namespace

int main(int argc, char** argv) {
  sys::keep_streams();
  core::keep_freed_memory();
  sys::remove_guarded_on_signals();
  return cli::run(sys::own_words(argc, argv), {open_window, shot, display, film});
}
