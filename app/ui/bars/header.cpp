#include "app/ui/bars/header.h"

#include <algorithm>
#include <cmath>

#include "core/system/environment.h"

namespace ui {

namespace {

// Lays buttons out from the right to the left.
class FromRight {
 public:
  FromRight(const Gui& gui, const Rect& r)
      : gui_(gui), right_(r.right() - gui.px(14)), cy_(r.y + r.h / 2) {}
  Rect next(float width, float gap) {
    right_ -= width;
    const Rect rect{right_, std::round(cy_ - gui_.px(15)), width, gui_.px(30)};
    right_ -= gui_.px(gap);
    return rect;
  }
  float left() const { return right_; }

 private:
  const Gui& gui_;
  float right_, cy_;
};

ButtonLook ghost(Icon icon, bool enabled = true) {
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = icon;
  look.enabled = enabled;
  return look;
}

constexpr std::string_view kAboutHolding = N_("Keep the page as a ghost while you turn knobs (H)");
constexpr float kScales[] = {1, 1.25f, 1.5f, 1.75f, 2, 2.5f, 3};

// Where no address is set the link has none of its own.
std::string_view about_link() {
  return core::environment("ATTNSCOPE_ADDRESS")
             ? N_("The link opens this lab with these knobs, or this stop of the lesson, in a "
                  "browser and by \"attnscope LINK\"")
             : N_("The link begins with #: put it behind the address of attnscope in a browser, "
                  "or open it by \"attnscope LINK\"");
}

std::string percent(float scale) { return fmt::format("{:.0f} %", scale * 100); }

}  // namespace

void Header::draw(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const bool tight = r.w < gui_.px(700);
  const bool dark = program_.looks.theme == figure::ThemeName::dark;
  float x = r.x + gui_.px(24);
  const Arrangement::Places l = arrangement_.places();
  if (!l.wide || l.sidebar.w == 0) {
    x = r.x + gui_.px(12);
    if (button(gui_, "button.sidebar", {x, r.y + gui_.px(14), gui_.px(32), gui_.px(30)}, "",
               ghost(Icon::menu), w("Show or hide the list of labs"))) {
      arrangement_.toggle_sidebar();
    }
    x += gui_.px(42);
  }
  FromRight row(gui_, r);
  const float icon = gui_.px(32);
  if (!l.wide || l.panel.w == 0) {
    if (button(gui_, "button.panel", row.next(icon, 4), "", ghost(Icon::knobs),
               w("Show or hide the knobs"))) {
      arrangement_.toggle_panel();
    }
  }
  ButtonLook accent;
  accent.kind = ButtonLook::Kind::accent;
  const std::string export_label(w("Export")), preset_label(w("Presets"));
  const Rect exports = row.next(button_width(gui_, export_label, accent), 8);
  if (button(gui_, "button.export", exports, export_label, accent,
             w("Export the page as a picture, a paper figure or numbers (Ctrl E)"))) {
    ImGui::OpenPopup("exports");
  }
  Rect presets{}, more{}, scale{};
  if (tight) {
    more = row.next(icon, 8);
    if (button(gui_, "button.more", more, "", ghost(Icon::more), w("More"))) {
      ImGui::OpenPopup("more");
    }
  } else {
    const std::string hold_label(w("Hold"));
    if (button(gui_, "button.hold", row.next(button_width(gui_, hold_label, {}), 8), hold_label, {},
               w(kAboutHolding))) {
      program_.holding.hold();
    }
    ButtonLook with_arrow;
    with_arrow.icon = Icon::down;
    presets = row.next(button_width(gui_, preset_label, with_arrow), 10);
    if (button(gui_, "button.presets", presets, preset_label, with_arrow,
               w("Settings worth seeing, each with what it shows"))) {
      ImGui::OpenPopup("presets");
    }
    if (button(gui_, "button.help", row.next(icon, 0), "", ghost(Icon::help),
               w("Keys, and what this lab shows (F1)"))) {
      dialogs_.show_help();
    }
    const std::string zoom = percent(program_.looks.scale);
    scale = row.next(gui_.px(24) + std::ceil(gui_.width(zoom, TextStyle::body)), 0);
    if (button(gui_, "button.scale", scale, zoom, ghost(Icon::none),
               w("Scale (Ctrl + and Ctrl −), and which texts the page shows"))) {
      ImGui::OpenPopup("scales");
    }
    const bool english = program_.words().language() == words::Language::en;
    const std::string other = english ? "中文" : "English";
    if (button(gui_, "button.language",
               row.next(gui_.px(22) + std::ceil(gui_.width(other, TextStyle::body)), 0), other,
               ghost(Icon::none), w("Switch language (Ctrl L)"))) {
      program_.set_language(english ? words::Language::zh_CN : words::Language::en);
    }
    if (button(gui_, "button.theme", row.next(icon, 0), "", ghost(dark ? Icon::sun : Icon::moon),
               w("Dark for the desk, light for the projector (Ctrl T)"))) {
      program_.looks.theme = dark ? figure::ThemeName::light : figure::ThemeName::dark;
    }
    if (button(gui_, "button.redo", row.next(icon, 0), "",
               ghost(Icon::redo, program_.desk.can_redo()), w("Redo (Ctrl Shift Z)"))) {
      program_.desk.redo();
    }
    if (button(gui_, "button.undo", row.next(icon, 12), "",
               ghost(Icon::undo, program_.desk.can_undo()), w("Undo (Ctrl Z)"))) {
      program_.desk.undo();
    }
  }
  menus(presets, exports, more, scale);
  const float room = row.left() - x, cy = r.y + r.h / 2;
  const std::string title = w(program_.desk.lab().title);
  const bool fits = gui_.width(title, TextStyle::title) <= room;
  gui_.text_or_tip("header.title", x, cy, room, title, fits ? TextStyle::title : TextStyle::panel,
                   theme.text);
}

// Over a figure that stands alone: the way back, the question, and the knobs.
void Header::draw_alone(const Rect& r) {
  const words::Words& w = gui_.words();
  FromRight row(gui_, r);
  if (button(gui_, "button.panel", row.next(gui_.px(32), 12), "", ghost(Icon::knobs),
             w("Show or hide the knobs"))) {
    arrangement_.toggle_panel();
  }
  const std::string back = w("All figures (Escape)");
  const Rect rect{r.x + gui_.px(14), std::round(r.y + r.h / 2 - gui_.px(15)),
                  button_width(gui_, back, {}), gui_.px(30)};
  if (button(gui_, "button.back", rect, back)) page_view_.show_alone("");
  const float x = rect.right() + gui_.px(16);
  gui_.text_or_tip("header.question", x, r.y + r.h / 2, row.left() - x,
                   w(program_.desk.lab().question), TextStyle::body, gui_.theme().dim);
}

void Header::written_items(Menu& menu) {
  const words::Words& w = gui_.words();
  const auto mark = [](bool on) { return on ? "•" : ""; };
  if (menu.item("view.introduction", w("Introduction"), mark(page_view_.head().introduces()))) {
    page_view_.head().collapse(page_view_.head().introduces());
  }
  if (menu.item("view.captions", w("Captions (C)"), mark(program_.looks.captions))) {
    program_.looks.captions = !program_.looks.captions;
  }
  if (menu.item("view.ask_first", w("Ask before telling"), mark(program_.looks.asks_first), true,
                w("Judge common statements true or false before you read the truth"))) {
    program_.looks.asks_first = !program_.looks.asks_first;
  }
  if (menu.item("view.motion", w("Motion"), mark(program_.looks.moves))) {
    program_.looks.moves = !program_.looks.moves;
  }
  if (menu.item("view.hold_drags", w("Ghost while dragging"), mark(program_.looks.holds_drags),
                true, w("While you drag a knob, the earlier page stays as a faint ghost"))) {
    program_.looks.holds_drags = !program_.looks.holds_drags;
  }
}

void Header::menus(const Rect& presets, const Rect& exports, const Rect& more, const Rect& scale) {
  const words::Words& w = gui_.words();
  const float gap = gui_.px(5);
  const auto preset_items = [&](Menu& menu) {
    const lab::Preset* current = program_.knobs.preset();
    for (const lab::Preset& preset : program_.desk.lab().presets) {
      if (menu.item("preset." + std::string(preset.id), w(preset.title),
                    &preset == current ? "•" : "", true, w(preset.teaches))) {
        program_.events.add(
            state::LabRequest{std::string(program_.desk.lab().id), std::string(preset.id)});
      }
    }
  };
  if (ImGui::IsPopupOpen("presets")) {
    const float width = gui_.px(270);
    Menu menu(gui_, "presets", {presets.right() - width, presets.bottom() + gap, width, 0});
    if (menu) preset_items(menu);
  }
  if (ImGui::IsPopupOpen("exports")) {
    const float width = gui_.px(270);
    Menu menu(gui_, "exports", {exports.right() - width, exports.bottom() + gap, width, 0});
    if (menu) {
      menu.heading(w("The whole page"));
      const std::pair<const char*, std::string> kinds[] = {
          {"png", w("Picture")},        {"svg", w("Vector drawing")},
          {"pdf", w("Paper figure")},   {"json", w("Numbers, complete")},
          {"csv", w("Numbers, table")}, {"npy", w("Numbers, array")}};
      for (const auto& [ending, label] : kinds) {
        if (menu.item(std::string("export.") + ending, label, std::string(".") + ending)) {
          program_.events.add(state::ExportRequest{"", ending});
        }
      }
      if (program_.pages.page() && program_.pages.page()->page.model &&
          menu.item("export.safetensors", w("Trained model"), ".safetensors")) {
        program_.events.add(state::ExportRequest{"", "safetensors"});
      }
      if (menu.item("export.link", w("Copy link"), "", true, w(about_link()))) {
        program_.events.add(state::LinkRequest{});
      }
      menu.heading(w("One figure: its … button, or a right click"));
      if (menu.item(
              "export.stop", w("Add a stop to a lesson…"), ".md", program_.pages.page(),
              w("Add this scene, with a title and a sentence, to the end of your own lesson"))) {
        program_.events.add(state::StopRequest{});
      }
    }
  }
  if (ImGui::IsPopupOpen("scales")) {
    const float width = gui_.px(190);
    Menu menu(gui_, "scales", {scale.x, scale.bottom() + gap, width, 0});
    if (menu) {
      for (const float s : kScales) {
        if (menu.item(fmt::format("scale.{:.0f}", s * 100), percent(s),
                      s == program_.looks.scale ? "•" : "")) {
          program_.looks.rescale(s);
        }
      }
      menu.heading(w("On the page"));
      written_items(menu);
    }
  }
  if (!ImGui::IsPopupOpen("more")) return;
  const float width = gui_.px(230);
  Menu menu(gui_, "more", {more.right() - width, more.bottom() + gap, width, 0});
  if (!menu) return;
  if (menu.item("button.undo", w("Undo"), "Ctrl Z", program_.desk.can_undo())) program_.desk.undo();
  if (menu.item("button.redo", w("Redo"), "Ctrl Y", program_.desk.can_redo())) program_.desk.redo();
  if (menu.item("button.hold", w("Hold"), "H", true, w(kAboutHolding))) program_.holding.hold();
  const bool dark = program_.looks.theme == figure::ThemeName::dark;
  if (menu.item("button.theme", dark ? w("Light theme") : w("Dark theme"), "Ctrl T")) {
    program_.looks.theme = dark ? figure::ThemeName::light : figure::ThemeName::dark;
  }
  const bool english = program_.words().language() == words::Language::en;
  if (menu.item("button.language", english ? "中文" : "English", "Ctrl L")) {
    program_.set_language(english ? words::Language::zh_CN : words::Language::en);
  }
  if (menu.item("scale.smaller", w("Smaller"), "Ctrl −")) {
    program_.looks.rescale(program_.looks.scale - 0.25f);
  }
  if (menu.item("scale.larger", w("Larger"), "Ctrl +")) {
    program_.looks.rescale(program_.looks.scale + 0.25f);
  }
  written_items(menu);
  if (menu.item("more.lecture", w("Lecture"), "F5")) program_.events.add(state::LectureRequest{});
  if (menu.item("more.stop", w("Add a stop to a lesson…"), "", program_.pages.page())) {
    program_.events.add(state::StopRequest{});
  }
  if (menu.item("button.help", w("Help"), "F1")) dialogs_.show_help();
  menu.heading(w("Presets"));
  preset_items(menu);
}

}  // namespace ui
