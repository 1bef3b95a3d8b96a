#include "app/ui/page/hold_strip.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/session/compare.h"
#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

constexpr float kHigh = 27, kGap = 6, kSmall = 22;
constexpr float kMost = 260, kLeastName = 120;
constexpr std::size_t kLongestName = 80;  // bytes

std::string id_of(std::size_t k) { return fmt::format("hold.{}", k); }

}  // namespace

void HoldStrip::need_fonts(Fonts& fonts) const {
  for (const session::Hold& hold : program_.holding.holds().all) fonts.need(hold.name);
  for (const std::string& text : differs_) fonts.need(text);
}

void HoldStrip::reveal() {
  const session::Session& now = program_.desk.now();
  const words::Language language = program_.words().language();
  if (key_.lab == now.lab && key_.language == language && key_.holds == now.holds &&
      key_.values == now.values) {
    return;
  }
  key_ = {now.values, now.holds, now.lab, language};
  differs_.clear();
  for (const session::Hold& hold : key_.holds.all)
    differs_.push_back(program_.holding.differs(hold));
  // They may need letters that are not there yet.
  if (!differs_.empty()) gui_.wake_in(0);
}

// Without a name of its own, what differs tells one from another.
std::string HoldStrip::label_of(std::size_t k) const {
  const session::Hold& hold = key_.holds.all[k];
  if (!hold.name.empty()) return hold.name;
  return differs_[k].empty() ? gui_.words()("same as now") : differs_[k];
}

float HoldStrip::chip_width(std::size_t k, float most) const {
  const float text = edit_.id == id_of(k) + ".name"
                         ? gui_.px(kLeastName)
                         : std::ceil(gui_.width(label_of(k), TextStyle::label)) + gui_.px(26);
  return std::min(std::min(gui_.px(kMost), text + 2 * gui_.px(kSmall) + gui_.px(8)), most);
}

float HoldStrip::draw(float x, float y, float w) {
  reveal();
  if (key_.holds.all.empty()) return y;
  const words::Words& words = gui_.words();
  const float top = y, h = gui_.px(kHigh), gap = gui_.px(kGap);
  const std::string head = words("Held");
  y += gap;
  gui_.text(x, y + h / 2, head, TextStyle::label, gui_.theme().dim);
  float at = x + gui_.width(head, TextStyle::label) + gui_.px(12);
  const std::size_t count = key_.holds.all.size();
  for (std::size_t k = 0; k < count; ++k) {
    const float width = chip_width(k, w);
    if (at > x && at + width > x + w) at = x, y += h + gap;
    chip(k, {at, y, width, h});
    at += width + gap;
  }
  if (has_cells()) y = cells(x, at, y, w);
  y += h + gap;
  gui_.control("holds", {x, top, w, y - top});
  return y;
}

// The box comes in the next frame; until then it counts as there.
void HoldStrip::begin_naming(std::size_t k, const Rect& at) {
  open_edit(edit_, id_of(k) + ".name", key_.holds.all[k].name);
  gui_.control(edit_.id, at);
  gui_.wake_in(0);
}

bool HoldStrip::naming(std::size_t k, const Rect& rect) {
  const std::string box = id_of(k) + ".name";
  if (edit_.id != box) return false;
  BoxLook look;
  look.align = 0;
  look.style = TextStyle::label;
  const EditEvent event = text_box(gui_, edit_, box, rect, key_.holds.all[k].name, look);
  if (event == EditEvent::applied || event == EditEvent::left) {
    std::string name = edit_.buffer.substr(0, kLongestName);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    program_.holding.rename(k, name);
  }
  return true;
}

void HoldStrip::chip(std::size_t k, const Rect& rect) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const std::string id = id_of(k);
  const float small = gui_.px(kSmall), pad = gui_.px(2);
  const Rect drop{rect.right() - small - pad, rect.y + pad, small, rect.h - 2 * pad};
  const Rect more{drop.x - small, drop.y, small, drop.h};
  const Rect face{rect.x, rect.y, more.x - rect.x, rect.h};
  if (naming(k, {face.x, face.y, rect.w, face.h})) return;
  const bool compared = key_.holds.compared == static_cast<int>(k);
  const session::Hold& hold = key_.holds.all[k];
  const std::string fault =
      compared && !program_.holding.page() ? program_.holding.fault(hold) : "";
  const std::string there = differs_[k].empty() ? w("The knobs have the same settings.")
                                                : w.format(N_("Then: {}"), differs_[k]);
  const std::string does = compared ? w("Compared with the page; click to stop comparing")
                                    : w("Click to compare the page with it");
  const std::string tip = fault.empty() ? fmt::format("{}\n{}", does, there)
                                        : w.format(N_("It cannot be computed: {}"), fault);
  const Touch t = touch(gui_, id, face, tip);
  const float round = rect.h / 2;
  const float light = compared ? 0.18f : t.hovered ? 0.1f : 0.0f;
  gui_.fill(rect, mix(theme.window, compared ? theme.accent : theme.text, light), round);
  gui_.outline(rect, compared ? theme.accent : theme.line, round);
  if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(rect, round);
  const float middle = rect.y + rect.h / 2, dot = gui_.px(4);
  ImGui::GetWindowDrawList()->AddCircle({rect.x + gui_.px(13), middle}, dot,
                                        to_im(compared ? theme.accent : theme.dim), 0,
                                        gui_.px(1.25f));
  gui_.text_in(rect.x + gui_.px(22), middle, face.right() - rect.x - gui_.px(22), label_of(k),
               TextStyle::label, fault.empty() ? theme.text : theme.bad);
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::more;
  const bool asked = t.hovered && ImGui::IsMouseReleased(1);
  if (button(gui_, id + ".more", more, "", look, w("Name it, or set the knobs to it")) || asked) {
    ImGui::OpenPopup(id.c_str());
  }
  look.icon = Icon::close;
  if (button(gui_, id + ".drop", drop, "", look, w("Drop it"))) return program_.holding.drop(k);
  if (t.hovered && ImGui::IsMouseDoubleClicked(0)) {
    begin_naming(k, face);
  } else if (t.activated) {
    program_.holding.compare_with(compared ? -1 : static_cast<int>(k));
  }
  menu(k, more);
}

void HoldStrip::menu(std::size_t k, const Rect& below) {
  const std::string id = id_of(k);
  if (!ImGui::IsPopupOpen(id.c_str())) return;
  const words::Words& w = gui_.words();
  Menu menu(gui_, id, {below.x, below.bottom() + gui_.px(4), gui_.px(230), 0});
  if (!menu) return;
  if (menu.item(id + ".rename", w("Name it…"))) {
    begin_naming(k, below);
  }
  if (menu.item(id + ".go", w("Set the knobs to it"), "", !differs_[k].empty())) {
    program_.knobs.set_all(program_.holding.holds().all[k].values);
  }
  if (menu.item(id + ".drop_it", w("Drop it"))) program_.holding.drop(k);
}

// A heatmap of the page can be compared with what is held.
bool HoldStrip::has_cells() {
  if (!key_.holds.now() || !program_.pages.page()) return false;
  const auto held = program_.holding.page();
  if (!held) return false;
  const auto& figures = program_.pages.page()->page.figures;
  return std::any_of(figures.begin(), figures.end(), [&](const figure::Figure& one) {
    return session::compares_cells(one, held->page.figures);
  });
}

// How heatmaps show it; at the right, or in a row of its own where there is no room.
float HoldStrip::cells(float x, float at, float y, float w) {
  const words::Words& words = gui_.words();
  const std::vector<std::string> labels = {words("Split"), words("Now"), words("Held"),
                                           words("Difference")};
  const std::vector<std::string> tips = {
      words("Heatmaps: left of the line now, right of it held"), words("Heatmaps as they are now"),
      words("Heatmaps as they were held"), words("Heatmaps: now minus held, cell by cell")};
  std::vector<std::string> ids;
  for (int k = 0; k < 4; ++k) {
    ids.push_back(
        fmt::format("hold.cells.{}", figure::cells_shown_id(static_cast<figure::CellsShown>(k))));
  }
  const float h = gui_.px(kHigh), width = std::min(w, segments_width(gui_, labels));
  if (at + width > x + w) y += h + gui_.px(kGap);
  const Rect rect{x + w - width, y, width, h};
  const int now = static_cast<int>(key_.holds.cells);
  const auto chosen = segments(gui_, ids, labels, rect, now, tips);
  if (chosen && *chosen != now)
    program_.holding.show_cells(static_cast<figure::CellsShown>(*chosen));
  return y;
}

}  // namespace ui
