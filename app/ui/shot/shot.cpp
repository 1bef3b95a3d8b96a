#include "app/ui/shot/shot.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/labs/labs.h"
#include "app/ui/frame/picture.h"

namespace ui {

gl::Image render_shot(const ShotOptions& options) {
  state::Program program(lab::all());
  program.looks.theme = options.theme;
  program.set_language(options.language);
  program.looks.rescale(options.scale > 0 ? options.scale : 1);
  if (options.session) program.files.restore(*options.session);
  const ImGuiSession session;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(options.width), static_cast<float>(options.height)};
  io.DeltaTime = 1.0f / 60;
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  Shell shell(program, {});
  const bool lesson = options.own_lesson || !options.lesson.empty();
  if (options.own_lesson) shell.lesson().begin(options.file, *options.own_lesson, options.stop);
  if (!options.lesson.empty()) shell.lesson().begin(options.lesson, options.stop);
  if (options.lecture) {
    program.looks.lecture = {options.theme, program.looks.scale, true};
    shell.lecture().begin();
  }
  program.wait(std::nullopt);  // a large model takes what it takes
  for (const param::Refusal& one : program.knobs.brought()) {
    const auto& given = options.given;
    if (std::find(given.begin(), given.end(), one.id) != given.end()) throw one;
  }
  if (options.report && !lesson) {
    for (const std::string& part : program.files.unknown_parts()) options.report(part);
    if (!program.files.unknown_parts().empty()) program.messages.dismiss();
  }
  if (lesson && options.answered) {
    update(shell, {});
    shell.lesson().forward();
    update(shell, {});
    program.wait(std::nullopt);  // a large model takes what it takes
  }
  // Scroll areas know their content after a frame; tiles of large heatmaps may take longer.
  constexpr int kSettle = 3, kMostWaits = 3000;
  if (options.start) shell.start().show();
  for (int i = 0; i < kSettle; ++i) update(shell, {});
  for (int i = 0; shell.start().busy() && i < kMostWaits; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    update(shell, {});
  }
  if (options.start) update(shell, {});
  // What travels has arrived, and what is pointed at is seen.
  constexpr int kArrived = 75;
  for (int i = 0; lesson && i < kArrived; ++i) update(shell, {});
  for (int i = 0; shell.painter().busy() && i < kMostWaits; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (!shell.painter().busy()) break;
  }
  update(shell, {});
  Picture picture;
  picture.draw(shell);
  return picture.pixels().image();
}

}  // namespace ui
