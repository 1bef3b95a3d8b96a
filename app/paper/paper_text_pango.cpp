#include "app/paper/paper_text.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "app/system/fonts.h"
#include "assets/assets.h"

namespace paper {
namespace {

using figure::Point;
using figure::TextStyle;

constexpr int kStyles = static_cast<int>(TextStyle::kCount);
constexpr std::size_t kKept = 8192;  // texts, before all are forgotten

// No others: reading the installed ones takes four times as long.
constexpr std::array kFonts = {"fonts/sans.otf",      "fonts/sans_bold.otf", "fonts/mono.ttf",
                               "fonts/mono_bold.ttf", "fonts/symbols.ttf",   "fonts/serif.ttf",
                               "fonts/cjk.otf"};

// With an installed family, unless it is empty or one of the embedded ones.
PangoFontMap* embedded_fonts(const std::string& family) {
  std::array<std::string_view, kFonts.size()> files;
  for (std::size_t k = 0; k < kFonts.size(); ++k) files[k] = assets::find(kFonts[k]);
  if (family.empty() || is_own_family(family)) return sys::own_fonts(files);
  return sys::own_fonts(files, family);
}

PangoFontDescription* describe(TextStyle style, const Lettering& lettering) {
  const figure::TextSpec spec = figure::text_spec(style);
  PangoFontDescription* font = pango_font_description_new();
  const char* families = spec.mono    ? "JetBrains Mono,Inter,DejaVu Sans,Noto Sans CJK SC"
                         : spec.serif ? "DejaVu Serif,DejaVu Sans,Inter,Noto Sans CJK SC"
                                      : "Inter,DejaVu Sans,Noto Sans CJK SC";
  const std::string& chosen = lettering.family;
  const std::string all = chosen.empty() ? families : chosen + "," + families;
  pango_font_description_set_family(font, all.c_str());
  const double size = static_cast<double>(size_of(style, lettering));
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

// One set of fonts, which it owns, with what Pango needs to use it.
struct Shop {
  PangoFontMap* map = nullptr;
  PangoContext* context = nullptr;

  explicit Shop(PangoFontMap* fonts) : map(fonts) {
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

  explicit Inner(const Lettering& chosen) : own(embedded_fonts(chosen.family)), lettering(chosen) {
    for (int k = 0; k < kStyles; ++k) {
      fonts[static_cast<std::size_t>(k)] = describe(TextStyle(k), lettering);
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

  // A line is as high as its style's first font says, and no higher than with the program's own
  // fonts: figures leave room for those.
  const Line& line(TextStyle style) {
    Line& line = lines[static_cast<std::size_t>(style)];
    if (line.height > 0) return line;
    line = line_of(font(style));
    if (lettering.family.empty()) return line;
    Lettering plain = lettering;
    plain.family.clear();
    PangoFontDescription* usual = describe(style, plain);
    const double over = std::max(0.0, line.height - line_of(usual).height);
    pango_font_description_free(usual);
    line.height -= over;
    line.ascent -= over / 2;
    return line;
  }

  Line line_of(const PangoFontDescription* described) const {
    PangoFont* first = pango_font_map_load_font(own.map, own.context, described);
    PangoFontMetrics* metrics = pango_font_get_metrics(first, nullptr);
    const double ascent = static_cast<double>(pango_font_metrics_get_ascent(metrics)) / PANGO_SCALE;
    const double descent =
        static_cast<double>(pango_font_metrics_get_descent(metrics)) / PANGO_SCALE;
    pango_font_metrics_unref(metrics);
    g_object_unref(first);
    return {ascent + descent, ascent};
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
    if (!installed) installed = std::make_unique<Shop>(sys::installed_fonts());
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
  Lettering lettering;
  std::unique_ptr<Shop> installed;
  std::array<PangoFontDescription*, kStyles> fonts{};
  std::array<Line, kStyles> lines;
  std::array<std::unordered_map<std::string, Set>, kStyles> kept;
  std::size_t count = 0;
};

PaperMeasure::PaperMeasure(float least) : PaperMeasure(Lettering{.least = least}) {}
PaperMeasure::PaperMeasure(const Lettering& lettering)
    : inner_(std::make_unique<Inner>(lettering)) {}
PaperMeasure::~PaperMeasure() = default;

Point PaperMeasure::size(const std::string& text, TextStyle style) const {
  return inner_->get(text, style).size;
}

float PaperMeasure::ascent(TextStyle style) const {
  return static_cast<float>(inner_->line(style).ascent);
}

float PaperMeasure::font_size(TextStyle style) const { return size_of(style, inner_->lettering); }

const Lettering& PaperMeasure::lettering() const { return inner_->lettering; }

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
