#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/lesson/library.h"
#include "app/paper/file/session_carrier.h"

namespace cli {

void WindowWords::add_to(CLI::App& program, const words::Words& w) {
  program
      .add_option(
          "file", file,
          w("A session (.attn), an exported figure, a lesson (.md), your own tensors "
            "(.npy .npz .safetensors), the folder of a published model, or a link to a view "
            "('#LAB?KNOB=VALUE', or an address that ends so)"))
      ->check(not_empty(N_("a file name"), w));
  program
      .add_option("--control-map", control_map,
                  w("Keep this file up to date with the position of every control, as JSON"))
      ->check(not_empty(N_("a file name"), w));
  embed_option =
      program
          .add_option("--embed", embed,
                      w("Show one figure and up to three knobs and nothing else, as on somebody's "
                        "page: FIGURE,KNOB,KNOB,KNOB, each of which may be left off"))
          ->expected(0, 1);
  look.language.clear();
  look.add_to(program, "", w);
}

namespace {

void take_embed(std::string_view text, Wanted& wanted) {
  wanted.embedded = true;
  for (bool first = true; !text.empty(); first = false) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string one(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (first) {
      wanted.embedded_figure = one;
    } else if (!one.empty()) {
      wanted.embedded_knobs.push_back(one);
    }
  }
  constexpr std::size_t kMostKnobs = 3;
  if (wanted.embedded_knobs.size() > kMostKnobs) {
    words::refuse<core::InputError>(N_("--embed: expected at most {} knobs, got {}"), kMostKnobs,
                                    wanted.embedded_knobs.size());
  }
}

}  // namespace

Wanted wanted_window(const WindowWords& words, const std::vector<std::string>& commands,
                     const words::Words& w) {
  Wanted wanted = words.look.wanted(0);
  std::error_code error;
  wanted.control_map = words.control_map;
  if (words.embed_option && words.embed_option->count() > 0) take_embed(words.embed, wanted);
  if (session::is_link(words.file) && !std::filesystem::exists(words.file, error)) {
    open_link(words.file, w.language(), wanted);
    return wanted;
  }
  if (!words.file.empty() && words.file.find_first_of("./") == std::string::npos &&
      !std::filesystem::exists(words.file, error)) {
    words::refuse<core::InputError>(N_("expected one of {} or a file to open, got {}"),
                                    words::listed(commands), in_quotes(words.file));
  }
  if (lesson::is_lesson_file(words.file)) {
    LessonWords lesson;
    lesson.lesson = words.file;
    open_lesson(lesson, w.language(), wanted);
    return wanted;
  }
  if (!words.file.empty()) {
    wanted.session = paper::open_session(words.file);
    for (const session::SessionFile& file : wanted.session->files) {
      report(session::file_note(file).in(w));
    }
  }
  if (words.file.empty() || !session::session_opening(words.file)) wanted.file = words.file;
  if (!words.control_map.empty()) {
    paper::Inputs inputs;
    inputs.add(std::filesystem::path(words.file));
    if (wanted.session) inputs.add(*wanted.session);
    inputs.refuse(words.control_map);
  }
  return wanted;
}

}  // namespace cli
