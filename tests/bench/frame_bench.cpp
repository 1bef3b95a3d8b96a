// The time of one frame of the whole window, windowless, at several sequence lengths. Prints a
// table; deciding what to draw and drawing it are told apart.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "app/gl/window.h"
#include "app/labs/labs.h"
#include "app/ui/renderer.h"

namespace {

constexpr int kWidth = 1600, kHeight = 1000, kFrames = 60;

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void report(gl::Windowless& context, ui::Renderer& renderer, const std::string& name,
            const param::Values& values) {
  ui::Model model(lab::all());
  lab::Session session = model.session();
  const auto state = model.lab().make();
  param::assign(state->describe(), values);
  session.values = param::values(state->describe());
  model.restore(session);
  ui::Shell shell(model, {});
  model.wait();
  std::vector<double> update, draw;
  for (int i = 0; i < kFrames; ++i) {
    context.bind();
    const double begin = now_ms();
    renderer.update(shell, {});
    const double middle = now_ms();
    renderer.draw(shell);
    (void)gl::read_pixels(1, 1);  // waits for the drawing to be done
    if (i < 5) continue;
    update.push_back(middle - begin);
    draw.push_back(now_ms() - middle);
  }
  fmt::print("{:<24} deciding {:6.2f} ms   drawing {:6.2f} ms\n", name, median(update),
             median(draw));
}

}  // namespace

int main() {
  gl::Windowless context(kWidth, kHeight);
  const ui::ImGuiSession imgui;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {kWidth, kHeight};
  io.DeltaTime = 1.0f / 60;
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  ui::Renderer renderer;
  fmt::print("{}\nthe whole window, {} x {}:\n", gl::description(), kWidth, kHeight);
  report(context, renderer, "14 tokens", {});
  report(context, renderer, "512 tokens", {{"input", "random"}, {"length", "512"}});
  report(context, renderer, "4096 tokens", {{"input", "random"}, {"length", "4096"}});
}
