// The time of one frame of the whole window, windowless, at several sequence lengths: when nothing
// changes, when the crosshair moves over the figures, when the page is scrolled, when the linked
// plots are zoomed, and when every figure is new, as while a slider is dragged. Prints a table of
// medians; deciding what to draw and drawing it are told apart. And what a key press in the search
// box takes.
#include <fmt/format.h>
#include <imgui.h>

#include <time.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "app/gl/window.h"
#include "app/labs/labs.h"
#include "app/state/search.h"
#include "app/ui/frame/renderer.h"

namespace {

constexpr int kWidth = 1920, kHeight = 1080, kFrames = 60, kWarmUp = 6;

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Bench {
  gl::Windowless& context;
  ui::Renderer& renderer;
  state::Program& program;
  ui::Shell& shell;

  // `change` is not part of the time.
  void report(const std::string& name, const std::function<void(int)>& change) const {
    std::vector<double> update, draw, both, used;
    for (int i = 0; i < kFrames; ++i) {
      change(i);
      context.bind();
      const double used_before = processor_ms();
      const double begin = now_ms();
      ui::update(shell, {});
      const double middle = now_ms();
      renderer.draw(shell);
      (void)gl::read_pixels(1, 1);  // waits for the drawing to be done
      if (i < kWarmUp) continue;
      update.push_back(middle - begin);
      draw.push_back(now_ms() - middle);
      both.push_back(update.back() + draw.back());
      used.push_back(processor_ms() - used_before);
    }
    fmt::print("  {:<16} {:6.2f} ms   deciding {:6.2f}   drawing {:6.2f}   processor {:6.2f}\n",
               name, median(both), median(update), median(draw), median(used));
  }

  // The largest plot, over which the pointer moves.
  ui::Rect plot() const {
    ui::Rect best;
    for (const auto& [id, rect] : shell.gui().controls()) {
      if (id.starts_with("plot.") && rect.w * rect.h > best.w * best.h) best = rect;
    }
    return best;
  }
};

void report(gl::Windowless& context, ui::Renderer& renderer, const std::string& name,
            const param::Values& values) {
  state::Program program(lab::all());
  session::Session session = program.desk.now();
  const auto state = program.desk.lab().make();
  param::assign(state->describe(), values);
  session.values = param::values(state->describe());
  program.files.restore(session);
  ui::Shell shell(program, {});
  program.wait();
  const Bench bench{context, renderer, program, shell};
  fmt::print("{}\n", name);
  ImVec2& pointer = ImGui::GetIO().MousePos;
  bench.report("quiet", [](int) {});
  bench.report("hover", [&](int i) {
    const ui::Rect r = bench.plot();
    const float along = static_cast<float>(i + 1) / (kFrames + 1);
    pointer = {r.x + r.w * along, r.y + r.h * (1 - along)};
  });
  const auto turn_wheel = [&](int i) {
    const ui::Rect r = bench.plot();
    pointer = {r.x + r.w * 0.4f, r.y + r.h * 0.6f};
    ImGui::GetIO().MouseWheel = i % 12 < 6 ? 0.5f : -0.5f;
  };
  bench.report("scroll", turn_wheel);
  ImGui::GetIO().KeyCtrl = true;
  bench.report("zoom", turn_wheel);
  ImGui::GetIO().KeyCtrl = false;
  pointer = {-FLT_MAX, -FLT_MAX};
  const auto turn = [&](int i) {
    program.knobs.set("seed", std::to_string(i + 1), "drag");
    program.wait();
  };
  bench.report("everything new", turn);
  // Beside a page that is held: divided heatmaps, the divider dragged, the differences.
  program.holding.hold();
  bench.report("held, new", turn);
  bench.report("held, divided",
               [&](int i) { program.holding.set_split(static_cast<float>(i) / kFrames); });
  program.holding.show_cells(figure::CellsShown::difference);
  bench.report("difference, new", turn);
}

// From a key pressed in the search box to what is listed.
void report_search() {
  const state::SearchIndex index(lab::all(), words::Words());
  std::vector<double> times;
  for (int round = 0; round < kFrames; ++round) {
    for (const char* query : {"a", "the", "position", "位置", "why divide by sqrt(d)"}) {
      const double begin = now_ms();
      (void)index.ranked(query, 60);
      times.push_back(now_ms() - begin);
    }
  }
  fmt::print("search: a key press {:6.2f} ms, the slowest {:6.2f} ms\n", median(times),
             *std::max_element(times.begin(), times.end()));
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
  report_search();
}
