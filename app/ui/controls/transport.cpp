#include "app/ui/controls/transport.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

constexpr std::array<double, 4> kSpeeds = {0.5, 1, 2, 4};

void speed(Gui& gui, state::Program& program, const std::string& id, const Rect& rect) {
  std::vector<std::string> ids, labels;
  int chosen = 0;
  for (std::size_t k = 0; k < kSpeeds.size(); ++k) {
    ids.push_back(fmt::format("{}.{}", id, kSpeeds[k]));
    labels.push_back(fmt::format("{}×", kSpeeds[k]));
    if (kSpeeds[k] == program.playing.speed()) chosen = static_cast<int>(k);
  }
  const auto now = combo(gui, id, ids, labels, rect, chosen, gui.words()("How fast it plays"));
  if (now) program.playing.set_speed(kSpeeds[static_cast<std::size_t>(*now)]);
}

}  // namespace

void toggle_play(state::Program& program, const std::string& id) {
  if (program.playing.id() == id) {
    program.playing.pause();
  } else {
    program.playing.start(id);
  }
}

float transport(Gui& gui, state::Program& program, const param::Parameter& p,
                const std::string& prefix, float x, float y, float w) {
  const std::string id(p.info.id);
  const words::Words& words = gui.words();
  const bool playing = program.playing.id() == id;
  const double now = param::number(p).value_or(0), step = std::max(1.0, p.info.step);
  const float h = gui.px(26), gap = gui.px(4), speed_width = gui.px(58);
  const float each = std::min(gui.px(40), (w - speed_width - 4 * gap) / 4);
  const auto go = [&](double to) {
    program.knobs.set(id, fmt::format("{}", std::llround(param::nearest(p, to))));
  };
  ButtonLook look;
  const auto pressed = [&](int place, const char* name, Icon icon, std::string_view help) {
    look.icon = icon;
    const Rect rect{x + static_cast<float>(place) * (each + gap), y, each, h - gui.px(2)};
    return button(gui, prefix + "." + name, rect, "", look, words(help));
  };
  if (pressed(0, "start", Icon::to_start, N_("To the start"))) go(p.info.min);
  if (pressed(1, "back", Icon::step_back, N_("One step back"))) go(now - step);
  const std::string_view what = playing ? N_("Pause (Space)") : N_("Play (Space)");
  if (pressed(2, "toggle", playing ? Icon::pause : Icon::play, what)) toggle_play(program, id);
  if (pressed(3, "forward", Icon::step_forward, N_("One step forward"))) go(now + step);
  speed(gui, program, prefix + ".speed", {x + 4 * (each + gap), y, speed_width, h - gui.px(2)});
  return h;
}

}  // namespace ui
