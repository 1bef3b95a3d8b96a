#include "app/ui/draw/fonts.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "app/system/fonts.h"
#include "app/ui/draw/imgui_versions.h"
#include "assets/assets.h"

namespace ui {

namespace {

using figure::TextStyle;

constexpr std::string_view kSymbols = "fonts/symbols.ttf";
constexpr std::string_view kCjk = "fonts/cjk.otf";
// Where that one has to be brought first: the characters of the program's own texts.
constexpr std::string_view kOwnCjk = "fonts/cjk_own.otf";

// Characters that the program's own drawing uses, beside ASCII, and the first page: one more would
// build everything anew.
constexpr std::string_view kAlways =
    "°±·×÷²³µ¼½¾«»…–—‘’“”•→←↑↓↔⇒αβγδεθλμπρστφωΔΣΠΩ√∞≈≠≤≥∈∘ᵀ⊤−∑∂ℝ₀₁₂₃₄⁰¹⁴⁻ᵢⱼ⌘中文";

// The sign of bytes that are no character is not among the Chinese ones.
bool is_cjk(unsigned c) { return c >= 0x2E80 && c != 0xFFFD; }

// What FreeType says about a bundled face: which characters it has, and how far its em is from the
// ascent + descent by which ImGui counts sizes.
class FaceFacts {
 public:
  explicit FaceFacts(std::string_view bytes) {
    if (FT_Init_FreeType(&library_) != 0) return;
    FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(bytes.data()),
                       static_cast<FT_Long>(bytes.size()), 0, &face_);
  }
  ~FaceFacts() {
    if (library_) FT_Done_FreeType(library_);
  }
  FaceFacts(const FaceFacts&) = delete;
  FaceFacts& operator=(const FaceFacts&) = delete;

  bool has(unsigned c) const { return face_ && FT_Get_Char_Index(face_, c) != 0; }
  float line_of_em() const {
    if (!face_) return 1.2f;
    return static_cast<float>(face_->ascender - face_->descender) /
           static_cast<float>(face_->units_per_EM);
  }

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

const FaceFacts& facts(std::string_view name) {
  static std::map<std::string_view, FaceFacts> known;
  return known.try_emplace(name, assets::find(name)).first->second;
}

std::string_view cjk_name() { return assets::at_hand(kCjk) ? kCjk : kOwnCjk; }

// The wanted characters as ImGui's ranges, by the face that has them.
struct Faces {
  std::vector<ImWchar> ranges;         // everything but Chinese
  std::vector<ImWchar> symbol_ranges;  // of it, what is neither ASCII nor Latin
  std::vector<ImWchar> cjk_ranges;     // in the bundled Chinese font
  std::vector<ImWchar> rare_ranges;    // in the installed one at most
};

void append(std::vector<ImWchar>& ranges, unsigned c) {
  const auto code = static_cast<ImWchar>(c);
  if (!ranges.empty() && ranges.back() + 1 == code) {
    ranges.back() = code;
  } else {
    ranges.push_back(code);
    ranges.push_back(code);
  }
}

Faces ranges_of(const std::set<unsigned>& wanted) {
  Faces faces;
  for (const unsigned c : wanted) {
    if (is_cjk(c)) {
      append(facts(cjk_name()).has(c) ? faces.cjk_ranges : faces.rare_ranges, c);
      continue;
    }
    append(faces.ranges, c);
    if (c >= 0x100) append(faces.symbol_ranges, c);
  }
  for (auto* r : {&faces.ranges, &faces.symbol_ranges, &faces.cjk_ranges, &faces.rare_ranges}) {
    if (!r->empty()) r->push_back(0);
  }
  return faces;
}

std::string_view face_name(const figure::TextSpec& spec) {
  if (spec.serif) return "fonts/serif.ttf";
  if (spec.mono) return spec.bold ? "fonts/mono_bold.ttf" : "fonts/mono.ttf";
  return spec.bold ? "fonts/sans_bold.otf" : "fonts/sans.otf";
}

struct Look {
  Face face = Face::hinted;
  bool oblique = false, bold = false;
};

ImFont* add_face(std::string_view bytes, float size, const ImWchar* ranges, const Look& look,
                 bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  set_face(config, look.face, look.bold, look.oblique);
  config.PixelSnapH = false;
  // ImGui takes a mutable pointer and never writes through it. Of bytes that are not its own it
  // would make a copy for every style; so they are called its own until they are added.
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  config.FontDataOwnedByAtlas = true;
  ImFont* font = atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                            static_cast<int>(bytes.size()), size, &config, ranges);
  disown_bytes(atlas);
  return font;
}

void add_installed_cjk(const sys::FontFile& font, float size, const ImWchar* ranges,
                       const Look& look) {
  ImFontConfig config;
  config.MergeMode = true;
  config.FontNo = font.face;
  set_face(config, look.face, look.bold, look.oblique);
  ImGui::GetIO().Fonts->AddFontFromFileTTF(font.path.string().c_str(), size, &config, ranges);
}

// One style's font: its own face, symbols that it lacks, and Chinese where there is any.
ImFont* add_style(const figure::TextSpec& spec, float scale, const Faces& faces) {
  const float em = std::round(spec.size * scale);
  const auto sized = [&](std::string_view name) { return em * facts(name).line_of_em(); };
  const std::string_view own = face_name(spec);
  const Look look{spec.serif ? Face::unhinted : Face::hinted, spec.italic};
  ImFont* font = add_face(assets::find(own), sized(own), faces.ranges.data(), look, false);
  if (!faces.symbol_ranges.empty()) {
    // Hinting costs a start of its own for every face; symbols look the same without.
    add_face(assets::find(kSymbols), sized(kSymbols), faces.symbol_ranges.data(),
             {Face::unhinted, spec.italic}, true);
  }
  // Chinese has one weight here; headings are emboldened.
  const Look cjk_look{look.face, look.oblique, spec.bold};
  if (!faces.cjk_ranges.empty()) {
    const std::string_view cjk = cjk_name();
    add_face(assets::find(cjk), sized(cjk), faces.cjk_ranges.data(), cjk_look, true);
  }
  const sys::FontFile installed =
      faces.rare_ranges.empty() ? sys::FontFile() : sys::installed_chinese();
  if (!installed.path.empty()) {
    add_installed_cjk(installed, sized(cjk_name()), faces.rare_ranges.data(), cjk_look);
  }
  return font;
}

}  // namespace

Fonts::Fonts() {
  for (unsigned c = 0x20; c < 0x7F; ++c) wanted_.insert(c);
  need(kAlways);
}

bool Fonts::need(std::string_view utf8) {
  const char* at = utf8.data();
  const char* end = at + utf8.size();
  bool missing = false;
  while (at < end) {
    unsigned c = 0;
    const int bytes = ImTextCharFromUtf8(&c, at, end);
    if (bytes <= 0) break;
    at += bytes;
    // ImGui's characters have 16 bits, and control characters have no picture.
    if (c < 0x20 || c > 0xFFFF || c == kSoftBreakCode) continue;
    missing |= wanted_.insert(c).second;
  }
  stale_ |= missing;
  return missing;
}

void Fonts::need(const lab::Page& page) {
  const auto labels = [this](const figure::Labels& names) {
    if (!names) return;
    for (const std::string& name : *names) need(name);
  };
  for (const figure::Figure& f : page.figures) {
    need(f.title), need(f.note), need(f.caption), need(f.pointer_note), need(f.pointer_caption);
    for (const figure::Span& span : f.footer) need(span.text);
    for (const figure::Plot& plot : f.plots) {
      need(plot.title), need(plot.note), need(plot.pointer_note), need(plot.lead),
          need(plot.x.label), need(plot.y.label);
      labels(plot.x.labels), labels(plot.y.labels);
      for (const figure::Mark& mark : plot.marks) need(mark);
    }
  }
  for (const lab::Readout& r : page.readouts) need(r.label), need(r.text), need(r.help);
  need(page.explanation.title);
  for (const auto& line : page.explanation.lines) {
    need(line.left);
    for (const figure::Span& span : line.right) need(span.text);
  }
  for (const lab::Card& card : page.cards) need(card.said), need(card.truth), need(card.source);
  for (const std::string& note : page.notes) need(note);
  need(page.status), need(page.formula), need(page.made_up);
  need(page.offer.label), need(page.offer.help);
  for (const lab::Jump& jump : page.jumps) need(jump.label), need(jump.help);
}

namespace {

// The texts of every kind of mark, for `need`.
template <class Need>
struct TextsOf {
  const Need& need;

  void operator()(const figure::Links& links) const {
    names(links.left);
    names(links.right);
  }
  void operator()(const figure::Line& line) const { need(line.label); }
  void operator()(const figure::Rule& rule) const { need(rule.label); }
  void operator()(const figure::Note& note) const { need(note.text); }
  void operator()(const figure::Heatmap& heatmap) const { need(heatmap.bar_label); }
  void operator()(const figure::Arrows& arrows) const { need(arrows.label); }
  void operator()(const figure::Handle& handle) const { need(handle.label); }
  void operator()(const figure::Interval& interval) const {
    need(interval.label), need(interval.tooltip);
  }
  void operator()(const figure::Boxes& boxes) const {
    for (const figure::Boxes::Box& box : boxes.boxes) need(box.text), need(box.tooltip);
  }
  void operator()(const figure::Diagram& diagram) const {
    for (const auto& node : diagram.nodes)
      need(node.title), need(node.note), need(node.pointer_note), need(node.tooltip);
    for (const auto& wire : diagram.wires) need(wire.label);
  }
  void operator()(const figure::Table& table) const {
    for (const auto& column : table.columns) need(column.title);
    for (const auto& row : table.rows) {
      for (const auto& cell : row) {
        for (const figure::Span& span : cell) need(span.text);
      }
    }
  }
  void operator()(const figure::Band&) const {}
  void operator()(const figure::Bars& bars) const {
    for (const figure::Loss& loss : bars.losses) need(loss.tip), need(loss.said);
  }
  void operator()(const figure::Points&) const {}

 private:
  void names(const figure::Labels& labels) const {
    if (!labels) return;
    for (const std::string& name : *labels) need(name);
  }
};

}  // namespace

void Fonts::need(const figure::Mark& mark) {
  const auto one = [this](const std::string& text) { need(text); };
  std::visit(TextsOf<decltype(one)>{one}, mark);
}

void Fonts::need(words::Language language) {
  for (const auto& [english, translated] : words::catalogue(language)) need(translated);
  for (const std::string& name : lesson::names()) {
    const lesson::Lesson& one = lesson::shipped(name, language);
    need(one.title);
    for (const lesson::Piece& piece : one.about.pieces) need(piece.text);
  }
  if (language != words::Language::zh_CN) return;
  for (const lab::Lab& one : lab::all()) need(one.chinese);
}

bool Fonts::stale() const { return stale_ || (awaits_cjk_ && assets::at_hand(kCjk)); }

void Fonts::set_scale(float scale) {
  if (scale == scale_) return;
  scale_ = scale;
  stale_ = true;
}

void Fonts::build() {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
  use_freetype(*atlas);
  atlas->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight | ImFontAtlasFlags_NoBakedLines;
  atlas->TexGlyphPadding = 1;
  const bool whole = assets::at_hand(kCjk);
  const Faces faces = ranges_of(wanted_);
  awaits_cjk_ = !whole && !faces.rare_ranges.empty();
  if (awaits_cjk_) assets::ask_for(kCjk);
  std::map<std::tuple<float, bool, bool, bool, bool>, ImFont*> made;
  for (std::size_t i = 0; i < fonts_.size(); ++i) {
    const figure::TextSpec spec = figure::text_spec(static_cast<TextStyle>(i));
    ImFont*& font = made[{spec.size, spec.bold, spec.mono, spec.serif, spec.italic}];
    if (!font) font = add_style(spec, scale_, faces);
    fonts_[i] = font;
  }
  unsigned char* coverage = nullptr;
  int width = 0, height = 0;
  atlas->GetTexDataAsAlpha8(&coverage, &width, &height);  // builds it
  for (const auto& [key, font] : made) end_with_blank(*font, kSoftBreakCode);
  ImGui::GetIO().FontDefault = (*this)[TextStyle::body];
  stale_ = false;
  ++version_;
}

figure::Point ImGuiMeasure::size(const std::string& text, TextStyle style) const {
  ImFont* font = fonts_[style];
  const float line = line_of(*font);
  return {font->CalcTextSizeA(line, FLT_MAX, 0, text.data(), text.data() + text.size()).x, line};
}

}  // namespace ui
