#include "app/ui/page/color_popup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/paper/style/colors.h"
#include "app/ui/controls/widgets.h"

namespace ui {
namespace {

constexpr const char* kColorsPopup = "figure.colors";
constexpr float kColorsWidth = 430, kColorsControls = 66, kColorsButton = 26, kColorsHigh = 142,
                kColorsHeader = 60;

// Three digits, away from zero: what lies at the end is within.
std::string rounded_out(float end) {
  if (end == 0) return "0";
  const double size = std::abs(static_cast<double>(end));
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 2);
  return fmt::format("{:.3g}", std::copysign(std::ceil(size / unit - 1e-4) * unit, end));
}

// From the least to the greatest of the numbers; amounts begin at 0, and what has two sides is
// centred on it by itself.
void fit(const std::pair<float, float>& range, paper::Style& style) {
  const auto [lo, hi] = range;
  const float most = std::max(std::abs(lo), std::abs(hi));
  style.vmin = lo < 0 ? rounded_out(-most) : "";
  style.vmax = rounded_out(lo < 0 || hi == 0 ? (most == 0 ? 1 : most) : hi);
}

}  // namespace

void ColorPopup::open(const std::string& id, const Rect& at) {
  id_ = id, at_ = at, opening_ = true;
  grid_.forget();
  gui_.wake_in(0);
}

void ColorPopup::draw(const figure::Figure& figure) {
  if (id_.empty() || !paper::has_colors(figure, id_)) return;
  if (std::exchange(opening_, false)) ImGui::OpenPopup(kColorsPopup);
  const float width = gui_.px(kColorsWidth), above = at_.y - gui_.px(kColorsHigh);
  // Above, where it hides nothing of what is coloured.
  const float top = above > gui_.px(kColorsHeader) ? above : at_.bottom() + gui_.px(4);
  Menu menu(gui_, kColorsPopup, {at_.right() - width, top, width, 0});
  // What is chosen while it is open is one step of undo.
  if (std::exchange(open_, static_cast<bool>(menu)) && !menu) program_.desk.end_gesture();
  if (!menu) return;
  std::string name = figure.title;
  for (const figure::Plot& plot : figure.plots) {
    if (plot.id == id_ && !plot.title.empty()) name = plot.title;
  }
  menu.heading(gui_.words().format(N_("Colours of \"{}\""), name));
  // All places first: boxes move what comes after them.
  const float inset = gui_.px(10);
  const auto room = [&](float high) {
    const Rect r = menu.room(high);
    return Rect{r.x + inset, r.y, r.w - 2 * inset, r.h};
  };
  const Rect controls = room(gui_.px(kColorsControls));
  const std::string fault = grid_.fault();
  if (!fault.empty()) {
    const float wide = gui_.px(kColorsWidth) - 4 * inset;
    const Rect said = room(gui_.paragraph_height(wide, fault, TextStyle::label) + gui_.px(6));
    gui_.paragraph(said.x, said.y, wide, fault, TextStyle::label, gui_.theme().bad);
    gui_.control("figure.colors.fault", said);
  }
  Rect last = room(gui_.px(kColorsButton + 8));
  last.h = gui_.px(kColorsButton);
  const paper::Style before = program_.sight.colors(id_);
  paper::Style style = before;
  grid_.draw(controls, controls.y, paper::kColorIds, "figure.colors.", style);
  buttons(last, figure, style);
  if (style != before) program_.sight.set_colors(id_, style);
}

void ColorPopup::buttons(const Rect& r, const figure::Figure& figure, paper::Style& style) {
  const words::Words& w = gui_.words();
  const float gap = gui_.px(8), each = (r.w - gap) / 2;
  if (button(gui_, "figure.colors.fit", {r.x, r.y, each, r.h}, w("Fit to the values"), {},
             w("From the least to the greatest number of these heatmaps"))) {
    if (const auto range = paper::color_range(figure, id_)) {
      fit(*range, style);
      program_.messages.say(w.format(N_("The values reach from {} to {}."),
                                     figure::number_text(range->first, 3),
                                     figure::number_text(range->second, 3)));
    } else {
      program_.messages.say(w("There are no numbers to fit to, or too many to look through."),
                            true);
    }
  }
  ButtonLook own;
  own.enabled = style != paper::Style{};
  if (button(gui_, "figure.colors.own", {r.x + each + gap, r.y, each, r.h}, w("The figure's own"),
             own, w("Colours as the figure has them by itself"))) {
    style = {};
  }
}

}  // namespace ui
