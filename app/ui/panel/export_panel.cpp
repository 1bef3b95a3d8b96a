#include "app/ui/panel/export_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "app/paper/file/selection.h"
#include "app/paper/style/named_style.h"
#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

using paper::PaperOptions;

constexpr double kPointsAMillimetre = 72 / 25.4;

struct Preset {
  const char* id;
  std::string_view label;
  double width, height, font;  // millimetres and points; 0: as on the page
  bool words;                  // with caption and parameters
};
// A column and a page of most journals; a slide of 13.33 by 7.5 inches, to be read from afar.
constexpr std::array<Preset, 5> kPresets = {{
    {"column", N_("One column"), 85, 0, 8, true},
    {"page", N_("Whole page"), 170, 0, 9, true},
    {"slide", N_("Slide 16:9"), 338.7, 190.5, 18, false},
    {"poster", N_("Poster"), 400, 0, 24, true},
    {"screen", N_("As here"), 0, 0, 0, true},
}};

bool alike(double a, double b) { return std::abs(a - b) < 0.01; }

bool chosen(const Preset& preset, const PaperOptions& paper) {
  return alike(preset.width * kPointsAMillimetre, paper.paper_width) &&
         alike(preset.height * kPointsAMillimetre, paper.paper_height) &&
         alike(preset.font, paper.font);
}

PaperOptions with(const Preset& preset, PaperOptions paper) {
  paper.paper_width = preset.width * kPointsAMillimetre;
  paper.paper_height = preset.height * kPointsAMillimetre;
  paper.font = preset.font;
  paper.caption = paper.parameter_line = preset.words;
  return paper;
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace

void ExportPanel::open(const std::string& figure) {
  figure_ = figure;
  zoom_.fit();
  grid_.forget();
  style_names_ = paper::style_names();
  // What is one figure's own is not another's.
  const std::string of = std::string(program_.desk.lab().id) + " " + figure;
  if (program_.looks.paper_of == of) return;
  program_.looks.paper_of = of;
  paper::Style look;
  paper::set(look, paper::look_of(paper::given(program_.looks.paper.style), false));
  program_.looks.paper.style = look;
}

void ExportPanel::draw(const Rect& r, const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const bool picture = ending == ".png" || ending == ".pdf" || ending == ".svg" || ending.empty();
  float y = r.y;
  if (picture) y = tabs_and_styles(r, y);
  if (picture && tab_ != Tab::paper) {
    paper::Style style = program_.looks.paper.style;
    y = grid_.draw(r, y, tab_ == Tab::look ? paper::kLook : paper::kContent, style);
    if (!(style == program_.looks.paper.style)) program_.looks.paper.style = style;
    if (tab_ == Tab::look) save_style(grid_.next_place(r));
    if (!grid_.fault().empty()) {
      y += gui_.paragraph(r.x, y, r.w, grid_.fault(), TextStyle::label, gui_.theme().bad) +
           gui_.px(6);
    }
    return preview({r.x, y, r.w, r.bottom() - y});
  }
  if (picture) {
    y = presets(r, y);
    y = sizes(r, y);
  }
  y = switches(r, y, ending);
  if (picture) preview({r.x, y, r.w, r.bottom() - y});
}

float ExportPanel::tabs_and_styles(const Rect& r, float y) {
  const words::Words& w = gui_.words();
  const float height = gui_.px(26), gap = gui_.px(12);
  const float left = std::round(r.w * 0.6f);
  const auto picked = segments(
      gui_, {"paper.tab.paper", "paper.tab.look", "paper.tab.figure"},
      {w("Paper"), w("Look"), w("This figure")}, {r.x, y, left, height}, static_cast<int>(tab_),
      {w("Size of the paper, and what stands on it"), w("Fonts, lines and colours of all figures"),
       w("Title, labels, axes and colours of this figure alone")});
  if (picked) tab_ = static_cast<Tab>(*picked);
  styles({r.x + left + gap, y, r.w - left - gap, height});
  return y + height + gui_.px(10);
}

// The styles that have a name.
void ExportPanel::styles(const Rect& at) {
  const words::Words& w = gui_.words();
  std::vector<std::string> ids = {"paper.named.none"}, labels = {w("Styles")};
  for (const std::string& name : style_names_) {
    ids.push_back("paper.named." + name);
    labels.push_back(paper::style_title(name, w));
  }
  const auto chosen = combo(gui_, "paper.named", ids, labels, at, 0,
                            w("Paper, type and look under a name; save your own under Look"));
  if (!chosen || *chosen == 0) return;
  try {
    paper::PaperOptions options = program_.looks.paper;
    paper::apply(paper::find_style(style_names_[static_cast<std::size_t>(*chosen - 1)]), options);
    paper::check(options.style);
    program_.looks.paper = options;
  } catch (const std::exception& e) {
    program_.messages.say(words::translated(e, w), true);
  }
}

void ExportPanel::save_style(const Rect& at) {
  const words::Words& w = gui_.words();
  const float label = std::round(at.w * 0.42f);
  gui_.text_in(at.x, at.y + at.h / 2, label - gui_.px(6), w("Save as"), TextStyle::label,
               gui_.theme().dim);
  BoxLook look;
  look.hint = w("a name");
  const EditEvent event =
      text_box(gui_, edit_, "paper.save_style", {at.x + label, at.y, at.w - label, at.h}, "", look,
               w("Enter keeps the paper, its type and its look as a style of this name"));
  if (event != EditEvent::applied || edit_.buffer.empty()) return;
  try {
    const auto file = paper::save_style(edit_.buffer, paper::named_style_of(program_.looks.paper));
    program_.messages.say(w.format(N_("kept the style in {}"), file.string()));
    style_names_ = paper::style_names();
  } catch (const std::exception& e) {
    program_.messages.say(words::translated(e, w), true);
  }
}

float ExportPanel::presets(const Rect& r, float y) {
  const words::Words& w = gui_.words();
  std::vector<std::string> ids, labels, tips;
  int now = -1;
  for (std::size_t k = 0; k < kPresets.size(); ++k) {
    const Preset& preset = kPresets[k];
    ids.push_back(fmt::format("paper.preset.{}", preset.id));
    labels.push_back(w(preset.label));
    tips.push_back(preset.width <= 0   ? w("As wide and high as the figures on the page")
                   : preset.height > 0 ? fmt::format("{} × {} mm", preset.width, preset.height)
                                       : fmt::format("{} mm", preset.width));
    if (chosen(preset, program_.looks.paper)) now = static_cast<int>(k);
  }
  const float height = gui_.px(28);
  const auto picked = segments(gui_, ids, labels, {r.x, y, r.w, height}, now, tips);
  if (picked) {
    program_.looks.paper = with(kPresets[static_cast<std::size_t>(*picked)], program_.looks.paper);
    wrong_.clear();
  }
  return y + height + gui_.px(10);
}

void ExportPanel::number(const char* id, const std::string& label, const Rect& r, double shown,
                         const std::string& unit, double least, double most,
                         double PaperOptions::*field, double points, const std::string& help) {
  const float before = std::ceil(gui_.width(label, TextStyle::body)) + gui_.px(8);
  const float behind = std::ceil(gui_.width(unit, TextStyle::label)) + gui_.px(6);
  gui_.text(r.x, r.y + r.h / 2, label, TextStyle::body, gui_.theme().dim);
  const Rect box{r.x + before, r.y, r.w - before - behind, r.h};
  gui_.text(box.right() + gui_.px(5), r.y + r.h / 2, unit, TextStyle::label, gui_.theme().dim);
  BoxLook look;
  look.wrong = wrong_ == id;
  look.hint = "–";
  const std::string text = shown > 0 ? short_number(shown) : "";
  const EditEvent event = text_box(gui_, edit_, id, box, text, look, help);
  if (event != EditEvent::applied && event != EditEvent::left && event != EditEvent::changed)
    return;
  PaperOptions paper = program_.looks.paper;
  double value = 0;
  const std::string& typed = edit_.buffer;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), value);
  const bool whole = error == std::errc{} && end == typed.data() + typed.size();
  const bool none = typed.empty();
  if (!none && !(whole && value >= least && value <= most)) {
    wrong_ = id;
    return;
  }
  wrong_.clear();
  paper.*field = none ? 0 : value * points;
  if (paper.paper_width <= 0) paper.paper_height = 0;
  program_.looks.paper = paper;
}

float ExportPanel::sizes(const Rect& r, float y) {
  const words::Words& w = gui_.words();
  const PaperOptions& paper = program_.looks.paper;
  const float gap = gui_.px(12), height = gui_.px(26);
  const float each = (r.w - 3 * gap) / 4;
  const auto place = [&](int k) {
    return Rect{r.x + static_cast<float>(k) * (each + gap), y, each, height};
  };
  const double least = std::ceil(paper::kLeastPaper / kPointsAMillimetre);
  const double most = std::floor(paper::kMostPaper / kPointsAMillimetre);
  number("paper.width", w("Width"), place(0), paper.paper_width / kPointsAMillimetre, "mm", least,
         most, &PaperOptions::paper_width, kPointsAMillimetre,
         w("Width of the paper; empty: as on the page"));
  number("paper.height", w("Height"), place(1), paper.paper_height / kPointsAMillimetre, "mm",
         least, most, &PaperOptions::paper_height, kPointsAMillimetre,
         w("Height of the paper; empty: as high as the figures"));
  number("paper.font", w("Type"), place(2), paper.font, "pt", paper::kLeastFont, paper::kMostFont,
         &PaperOptions::font, 1, w("Size of labels; no text is smaller than 6 points"));
  number("paper.dpi", "dpi", place(3), paper.dpi, "", paper::kLeastDpi, paper::kMostDpi,
         &PaperOptions::dpi, 1, w("Dots per inch of a PNG, and of heatmaps in a PDF or SVG"));
  return y + height + gui_.px(10);
}

float ExportPanel::toggles(const Rect& r, float y, const std::vector<Switch>& all) {
  const float row = gui_.px(24), width = gui_.px(34), height = gui_.px(18);
  const float column = r.w / 3;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Switch& one = all[k];
    const std::size_t line = k / 3;
    const float x = r.x + column * static_cast<float>(k % 3);
    const float top = y + row * static_cast<float>(line);
    PaperOptions paper = program_.looks.paper;
    if (toggle(gui_, one.id, {x, top + (row - height) / 2, width, height}, paper.*one.field,
               one.help)) {
      paper.*one.field = !(paper.*one.field);
      program_.looks.paper = paper;
    }
    gui_.text_in(x + width + gui_.px(8), top + row / 2, column - width - gui_.px(14), one.label,
                 TextStyle::body, gui_.theme().text);
  }
  const std::size_t rows = (all.size() + 2) / 3;
  return y + static_cast<float>(rows) * row + gui_.px(8);
}

float ExportPanel::switches(const Rect& r, float y, const std::string& ending) {
  const words::Words& w = gui_.words();
  if (ending == ".csv" || ending == ".npy" || ending == ".npz") {
    std::vector<Switch> all = {
        {"paper.json", w("Also JSON"), &PaperOptions::json_beside,
         w("Also write a .json: with captions, axes, readouts and the session")}};
    if (ending == ".csv") {
      all.push_back(
          {"paper.comments", w("Comments"), &PaperOptions::comments,
           w("Title, captions and parameters at the beginning, in lines that start with #")});
      all.push_back({"paper.bom", w("For Excel"), &PaperOptions::bom,
                     w("Begins with the UTF-8 byte order mark, which Excel needs for Chinese")});
    }
    return toggles(r, y, all);
  }
  if (ending == ".json" || ending == ".safetensors") return y;
  std::vector<Switch> all = {
      {"paper.title", w("Titles"), &PaperOptions::heading, w("The figures' titles")},
      {"paper.caption", w("Captions"), &PaperOptions::caption, w("The captions under the figures")},
      {"paper.parameters", w("Parameters"), &PaperOptions::parameter_line,
       w("All parameters in one line at the end")},
      {"paper.transparent", w("Transparent"), &PaperOptions::transparent,
       w("Leave the background transparent")},
      {"paper.crop", w("Crop"), &PaperOptions::crop, w("Crop the paper to the drawing")}};
  if (ending == ".svg") {
    all.push_back({"paper.outlines", w("Text as shapes"), &PaperOptions::outlines,
                   w("Looks the same everywhere, but cannot be edited or searched")});
  }
  return toggles(r, y, all);
}

void ExportPanel::compose() {
  const state::Computed* shown = program_.pages.page();
  Key key{program_.pages.version(), figure_, program_.looks.paper};
  if (key == key_) return;
  key_ = std::move(key);
  options_ = program_.exports.shown_paper();
  const PaperOptions& options = options_;
  fault_.clear();
  sheet_ = {};
  layers_.clear();
  own_texts_.clear();
  try {
    paper::check(options_.style);
    options_.left_out = std::make_shared<std::vector<std::string>>();
    const paper::Lettering lettering = paper::lettering_of(options);
    if (!measure_ || !(lettering == measure_->lettering())) {
      measure_ = std::make_unique<paper::PaperMeasure>(lettering);
    }
    sheet_ = paper::compose(paper::select(shown->page, program_.exports.figures(figure_)),
                            program_.sight.views(), options, *measure_, 2);
  } catch (const std::exception& e) {
    fault_ = words::translated(e, gui_.words());
    return;
  }
  part_texts();
  if (fonts_.stale()) gui_.wake_in(0);
}

void ExportPanel::part_texts() {
  const bool own_font = !options_.style.font_family.empty();
  layers_.clear();
  for (const figure::Drawing& drawing : sheet_.drawings) {
    Layer shapes;
    std::map<float, Layer> texts;
    for (const figure::Primitive& p : drawing.primitives) {
      const auto* text = std::get_if<figure::draw::Text>(&p);
      const bool clips = std::holds_alternative<figure::draw::Clip>(p) ||
                         std::holds_alternative<figure::draw::Unclip>(p);
      if (own_font && (text || clips)) own_texts_.add(p);
      if (!text) shapes.primitives.push_back(p);
      if (!text || own_font) continue;
      fonts_.need(text->text);
      const float letters = measure_->font_size(text->style) / figure::text_spec(text->style).size;
      texts[letters].primitives.push_back(p);
    }
    layers_.push_back(std::move(shapes));
    for (auto& [letters, layer] : texts) {
      layers_.push_back({letters, std::move(layer.primitives)});
    }
  }
}

// A click shows the paper at 100 % there, a drag moves it, the wheel goes nearer and further; a
// double click shows all of it again. Enter does one and then the other.
void ExportPanel::look_nearer(const Rect& room) {
  const Touch t =
      touch(gui_, "paper.view", room,
            gui_.words()("Click: 100 %; wheel: zoom; drag: pan; double click: show all"));
  const ImGuiIO& io = ImGui::GetIO();
  const figure::Point mouse{io.MousePos.x, io.MousePos.y};
  if (t.pressed) dragged_ = false;
  if (t.held && ImGui::IsMouseDragging(0)) {
    dragged_ = true;
    zoom_.drag({io.MouseDelta.x, io.MouseDelta.y});
  }
  if (t.hovered && io.MouseWheel != 0) zoom_.wheel(io.MouseWheel, mouse);
  if (t.held && !zoom_.fits()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  if (t.hovered && ImGui::IsMouseDoubleClicked(0)) {
    zoom_.fit();
    dragged_ = true;  // its end is no click
  } else if (t.activated && !ImGui::IsMouseReleased(0)) {
    zoom_.toggle({room.x + room.w / 2, room.y + room.h / 2});
  } else if (t.activated && !dragged_ && zoom_.fits()) {
    zoom_.toggle(mouse);
  }
}

void ExportPanel::preview(const Rect& r) {
  gui_.outline(r, gui_.theme().line, gui_.px(6));
  if (!program_.pages.page()) return;
  compose();
  const Rect inner{r.x + gui_.px(10), r.y + gui_.px(10), r.w - gui_.px(20), r.h - gui_.px(38)};
  const float line = r.bottom() - gui_.px(14);
  if (!fault_.empty()) {
    gui_.paragraph(inner.x, inner.y, inner.w, fault_, TextStyle::body, gui_.theme().bad);
    gui_.control("paper.fault", inner);
    return;
  }
  const double points = paper::points_a_unit(options_);
  const auto mm = [&](float units) {
    return short_number(static_cast<double>(units) * points / kPointsAMillimetre);
  };
  std::string size = fmt::format("{} × {} mm", mm(sheet_.width), mm(sheet_.height));
  if (options_.left_out && !options_.left_out->empty()) {
    std::string lost = options_.left_out->front();
    if (options_.left_out->size() > 1) lost += ", …";
    size = gui_.words().format(N_("{} · no room for {}"), size, lost);
  }
  gui_.text_in(inner.x, line, inner.w, size, TextStyle::label, gui_.theme().dim);
  if (!(inner.w > 8 && inner.h > 8)) return;
  zoom_.set(inner, sheet_.width, sheet_.height, gui_.scale());
  look_nearer(inner);
  const float zoom = zoom_.zoom();
  const Rect paper = zoom_.sheet();
  gui_.text_in(inner.right(), line, inner.w - gui_.width(size, TextStyle::label) - gui_.px(12),
               fmt::format("{:.0f} %", 100 * zoom / gui_.scale()), TextStyle::label,
               gui_.theme().dim, 1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({inner.x, inner.y}, {inner.right(), inner.bottom()}, true);
  gui_.fill(paper, figure::theme(options_.theme).card);
  gui_.control("paper.preview", paper);
  list.PushClipRect({paper.x, paper.y}, {paper.right(), paper.bottom()}, true);
  const figure::Point origin{paper.x - sheet_.origin.x * zoom, paper.y - sheet_.origin.y * zoom};
  const float letters = zoom / gui_.scale();
  int k = 0;
  for (const Layer& layer : layers_) {
    painter_.paint(list, layer.primitives, origin, fmt::format("paper {}", k++), zoom,
                   letters * layer.letters);
  }
  own_texts_.paint(list, inner, origin, zoom, *measure_);
  list.PopClipRect();
  list.PopClipRect();
}

}  // namespace ui
