#include "app/paper/paper_text.h"

#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "assets/assets.h"

namespace paper {
namespace {

using figure::Point;
using figure::TextStyle;

constexpr int kStyles = static_cast<int>(TextStyle::kCount);
constexpr std::size_t kKept = 8192;  // texts, before all are forgotten

// Slanted and bold faces that the embedded fonts lack are made from the upright and regular ones,
// by the rules of fontconfig's own 90-synthetic.conf.
constexpr const char* kRules = R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <match target="font">
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
  </match>
  <match target="font">
    <test name="slant"><const>roman</const></test>
    <test target="pattern" name="slant" compare="not_eq"><const>roman</const></test>
    <edit name="matrix" mode="assign"><times><name>matrix</name><matrix>
      <double>1</double><double>0.2</double><double>0</double><double>1</double>
    </matrix></times></edit>
    <edit name="slant" mode="assign"><const>oblique</const></edit>
  </match>
  <match target="font">
    <test name="weight" compare="less_eq"><const>medium</const></test>
    <test target="pattern" name="weight" compare="more_eq"><const>demibold</const></test>
    <edit name="embolden" mode="assign"><bool>true</bool></edit>
    <edit name="weight" mode="assign"><const>bold</const></edit>
  </match>
</fontconfig>)";

constexpr std::array kFonts = {"fonts/sans.otf",      "fonts/sans_bold.otf", "fonts/mono.ttf",
                               "fonts/mono_bold.ttf", "fonts/symbols.ttf",   "fonts/serif.ttf",
                               "fonts/cjk.otf"};

// Fontconfig takes fonts by path only: the bytes go to a memory file, which has one. It stays open
// as long as the program, since Cairo opens a face again whenever it needs it.
bool add_font(FcConfig* config, std::string_view bytes) {
  const int file = ::memfd_create("font", MFD_CLOEXEC);
  if (file < 0) return false;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(file, rest.data(), rest.size());
    if (written <= 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  const auto* name = reinterpret_cast<const FcChar8*>(path.c_str());
  if (rest.empty() && FcConfigAppFontAddFile(config, name)) return true;
  ::close(file);
  return false;
}

FcConfig* make_config() {
  FcConfig* config = FcConfigCreate();
  const auto* rules = reinterpret_cast<const FcChar8*>(kRules);
  bool good = FcConfigParseAndLoadFromMemory(config, rules, FcTrue) == FcTrue;
  for (const char* font : kFonts) good = good && add_font(config, assets::find(font));
  if (good) return config;
  FcConfigDestroy(config);
  return nullptr;
}

// The embedded fonts and no others: reading the installed ones takes four times as long. Null where
// the system has no memory files; the installed fonts serve then.
FcConfig* embedded_fonts() {
  static FcConfig* const config = make_config();
  return config;
}

PangoFontDescription* describe(TextStyle style, float least) {
  const figure::TextSpec spec = figure::text_spec(style);
  PangoFontDescription* font = pango_font_description_new();
  const char* families = spec.mono    ? "JetBrains Mono,Inter,DejaVu Sans,Noto Sans CJK SC"
                         : spec.serif ? "DejaVu Serif,DejaVu Sans,Inter,Noto Sans CJK SC"
                                      : "Inter,DejaVu Sans,Noto Sans CJK SC";
  pango_font_description_set_family_static(font, families);
  const double size = static_cast<double>(std::max(spec.size, least));
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  if (spec.bold) {
    pango_font_description_set_weight(font, spec.mono ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_SEMIBOLD);
  }
  if (spec.italic) pango_font_description_set_style(font, PANGO_STYLE_ITALIC);
  return font;
}

// Pango counts a space between two Chinese words as unknown where the Chinese font has none; it is
// set as a space all the same.
bool lacks_glyphs(PangoLayout* layout) {
  if (pango_layout_get_unknown_glyphs_count(layout) == 0) return false;
  for (const GSList* l = pango_layout_get_lines_readonly(layout); l; l = l->next) {
    const auto* line = static_cast<const PangoLayoutLine*>(l->data);
    for (const GSList* r = line->runs; r; r = r->next) {
      const PangoGlyphString* glyphs = static_cast<const PangoGlyphItem*>(r->data)->glyphs;
      for (int k = 0; k < glyphs->num_glyphs; ++k) {
        const PangoGlyph glyph = glyphs->glyphs[k].glyph;
        if ((glyph & PANGO_GLYPH_UNKNOWN_FLAG) == 0) continue;
        if (!g_unichar_isspace(glyph & ~PANGO_GLYPH_UNKNOWN_FLAG)) return true;
      }
    }
  }
  return false;
}

// One set of fonts with what Pango needs to use it.
struct Shop {
  PangoFontMap* map = nullptr;
  PangoContext* context = nullptr;

  explicit Shop(FcConfig* config) {
    map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    if (config) pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
    context = pango_font_map_create_context(map);
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("zh-cn"));
  }
  ~Shop() {
    g_object_unref(context);
    g_object_unref(map);
  }
  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;
};

struct Line {
  double height = 0, ascent = 0;
};

}  // namespace

struct PaperMeasure::Inner {
  struct Set {  // a text, shaped
    PangoLayout* layout = nullptr;
    Point size;
  };

  explicit Inner(float smallest) : own(embedded_fonts()), least(smallest) {
    for (int k = 0; k < kStyles; ++k) {
      fonts[static_cast<std::size_t>(k)] = describe(TextStyle(k), least);
    }
  }
  ~Inner() {
    forget();
    for (PangoFontDescription* font : fonts) pango_font_description_free(font);
  }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;

  void forget() {
    for (auto& texts : kept) {
      for (auto& [text, set] : texts) g_object_unref(set.layout);
      texts.clear();
    }
    count = 0;
  }

  PangoFontDescription* font(TextStyle style) const {
    return fonts[static_cast<std::size_t>(style)];
  }

  // A line is as high as its style's first font says.
  const Line& line(TextStyle style) {
    Line& line = lines[static_cast<std::size_t>(style)];
    if (line.height > 0) return line;
    PangoFont* first = pango_font_map_load_font(own.map, own.context, font(style));
    PangoFontMetrics* metrics = pango_font_get_metrics(first, nullptr);
    line.ascent = static_cast<double>(pango_font_metrics_get_ascent(metrics)) / PANGO_SCALE;
    line.height =
        line.ascent + static_cast<double>(pango_font_metrics_get_descent(metrics)) / PANGO_SCALE;
    pango_font_metrics_unref(metrics);
    g_object_unref(first);
    return line;
  }

  PangoLayout* new_layout(Shop& shop, const std::string& text, TextStyle style) const {
    PangoLayout* layout = pango_layout_new(shop.context);
    pango_layout_set_font_description(layout, font(style));
    const auto length = static_cast<gssize>(text.size());
    if (g_utf8_validate(text.data(), length, nullptr)) {
      pango_layout_set_text(layout, text.data(), static_cast<int>(length));
    } else {
      char* valid = g_utf8_make_valid(text.data(), length);
      pango_layout_set_text(layout, valid, -1);
      g_free(valid);
    }
    return layout;
  }

  PangoLayout* shape(const std::string& text, TextStyle style) {
    PangoLayout* layout = new_layout(own, text, style);
    if (!lacks_glyphs(layout)) return layout;
    g_object_unref(layout);
    if (!installed) installed = std::make_unique<Shop>(nullptr);
    return new_layout(*installed, text, style);
  }

  const Set& get(const std::string& text, TextStyle style) {
    auto& texts = kept[static_cast<std::size_t>(style)];
    if (const auto found = texts.find(text); found != texts.end()) return found->second;
    if (count >= kKept) forget();
    ++count;
    Set set;
    set.layout = shape(text, style);
    int width = 0;
    pango_layout_get_size(set.layout, &width, nullptr);
    set.size.x = static_cast<float>(static_cast<double>(width) / PANGO_SCALE);
    set.size.y = static_cast<float>(pango_layout_get_line_count(set.layout) * line(style).height);
    return texts.emplace(text, set).first->second;
  }

  Shop own;
  float least;
  std::unique_ptr<Shop> installed;
  std::array<PangoFontDescription*, kStyles> fonts{};
  std::array<Line, kStyles> lines;
  std::array<std::unordered_map<std::string, Set>, kStyles> kept;
  std::size_t count = 0;
};

PaperMeasure::PaperMeasure(float least) : inner_(std::make_unique<Inner>(least)) {}
PaperMeasure::~PaperMeasure() = default;

Point PaperMeasure::size(const std::string& text, TextStyle style) const {
  return inner_->get(text, style).size;
}

float PaperMeasure::ascent(TextStyle style) const {
  return static_cast<float>(inner_->line(style).ascent);
}

float PaperMeasure::font_size(TextStyle style) const {
  return std::max(figure::text_spec(style).size, inner_->least);
}

void PaperMeasure::draw(cairo_t* cairo, const std::string& text, TextStyle style, Point at,
                        bool outlines) const {
  PangoLayout* layout = inner_->get(text, style).layout;
  // Fonts that are not ours may be coloured bitmaps (emoji), which have no outlines.
  const bool own = pango_layout_get_context(layout) == inner_->own.context;
  const Line& line = inner_->line(style);
  double baseline = static_cast<double>(at.y) + line.ascent;
  for (GSList* l = pango_layout_get_lines_readonly(layout); l; l = l->next) {
    cairo_move_to(cairo, static_cast<double>(at.x), baseline);
    auto* set = static_cast<PangoLayoutLine*>(l->data);
    if (outlines && own) {
      pango_cairo_layout_line_path(cairo, set);
    } else {
      pango_cairo_show_layout_line(cairo, set);
    }
    baseline += line.height;
  }
  if (outlines && own) cairo_fill(cairo);
}

std::vector<std::string> PaperMeasure::wrap(const std::string& text, TextStyle style,
                                            float width) const {
  PangoLayout* layout = inner_->shape(text, style);
  pango_layout_set_width(layout, static_cast<int>(std::max(width, 1.0f) * PANGO_SCALE));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  const std::string set = pango_layout_get_text(layout);
  std::vector<std::string> lines;
  for (const GSList* l = pango_layout_get_lines_readonly(layout); l; l = l->next) {
    const auto* line = static_cast<const PangoLayoutLine*>(l->data);
    std::string part = set.substr(static_cast<std::size_t>(line->start_index),
                                  static_cast<std::size_t>(line->length));
    while (!part.empty() && part.back() == ' ') part.pop_back();
    lines.push_back(std::move(part));
  }
  g_object_unref(layout);
  return lines;
}

}  // namespace paper
