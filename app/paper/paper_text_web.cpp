// Text on paper without Pango, for pages: HarfBuzz shapes it and FreeType has the letters, all of
// them from the program's own fonts. One direction, from left to right.
#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "app/paper/paper_text.h"
#include "assets/assets.h"
#include "core/text/utf8.h"

namespace paper {
namespace {

using figure::Point;
using figure::TextStyle;

constexpr int kStyles = static_cast<int>(TextStyle::kCount);
constexpr std::size_t kKept = 8192;  // texts, before all are forgotten
constexpr double kSlant = 0.2;       // as fonts are slanted that have no italic

enum FontId { sans, sans_bold, mono, mono_bold, symbols, serif, cjk, kFonts };
constexpr std::array<const char*, kFonts> kFiles = {
    "fonts/sans.otf",    "fonts/sans_bold.otf", "fonts/mono.ttf", "fonts/mono_bold.ttf",
    "fonts/symbols.ttf", "fonts/serif.ttf",     "fonts/cjk.otf"};

// The fonts of a style, the first that has a letter serves.
std::vector<FontId> usual_fonts(const figure::TextSpec& spec) {
  const FontId words = spec.bold ? sans_bold : sans;
  if (spec.mono) return {spec.bold ? mono_bold : mono, words, symbols, cjk};
  if (spec.serif) return {serif, symbols, words, cjk};
  return {words, symbols, cjk};
}

std::vector<FontId> fonts_of(const figure::TextSpec& spec, const std::string& family) {
  std::vector<FontId> fonts = usual_fonts(spec);
  const FontId first = family == "Inter"            ? (spec.bold ? sans_bold : sans)
                       : family == "JetBrains Mono" ? (spec.bold ? mono_bold : mono)
                       : family == "DejaVu Sans"    ? symbols
                       : family == "DejaVu Serif"   ? serif
                       : family.empty()             ? fonts.front()
                                                    : cjk;
  fonts.insert(fonts.begin(), first);
  return fonts;
}

bool is_own_bold(FontId font) { return font == sans_bold || font == mono_bold; }

struct Font {
  FT_Face face = nullptr;
  hb_font_t* shaper = nullptr;
  cairo_font_face_t* plain = nullptr;
  cairo_font_face_t* bold = nullptr;  // made from the plain one
};

// Letters of one font, from left to right.
struct Run {
  FontId font;
  std::vector<cairo_glyph_t> glyphs;
};

struct SetLine {
  std::vector<Run> runs;
  double width = 0;
};

// The code points; U+FFFD for what is no UTF-8.
std::u32string letters_of(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const std::size_t valid = core::invalid_utf8(text).value_or(text.size());
    for (std::size_t at = 0; at < valid;) out += core::next_code_point(text.substr(0, valid), at);
    text.remove_prefix(valid);
    if (text.empty()) break;
    out += U'\ufffd';
    text.remove_prefix(core::invalid_length(text));
  }
  return out;
}

// Where a line may be broken before `next`.
bool may_break(char32_t before, char32_t next) {
  const auto wide = [](char32_t c) { return c >= 0x2e80 && c < 0xfb00; };
  const auto closes = [](char32_t c) {
    return std::u32string_view(U"，。、；：？！）」』】》…%").find(c) != std::u32string_view::npos;
  };
  const auto opens = [](char32_t c) {
    return std::u32string_view(U"（「『【《").find(c) != std::u32string_view::npos;
  };
  if (next == U' ') return false;
  if (before == U' ') return true;
  if (closes(next) || opens(before)) return false;
  if (before == U'-') return next > U'9' || next < U'0';
  return wide(before) || wide(next);
}

}  // namespace

struct PaperMeasure::Inner {
  struct Set {
    std::vector<SetLine> lines;
    Point size;
  };

  explicit Inner(const Lettering& chosen) : lettering(chosen) {
    if (FT_Init_FreeType(&library) != 0) throw std::bad_alloc();
  }
  ~Inner() {
    for (const Font& font : fonts) {
      if (!font.face) continue;
      cairo_font_face_destroy(font.plain);
      cairo_font_face_destroy(font.bold);
      hb_font_destroy(font.shaper);
    }
    // Cairo may hold its faces a while longer than this: they stay, as their bytes do.
  }
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;

  Font open(const char* file) const {
    const std::string_view bytes = assets::find(file);
    Font font;
    if (FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                           static_cast<FT_Long>(bytes.size()), 0, &font.face) != 0) {
      throw std::bad_alloc();
    }
    // By its own tables, in its own units: Cairo sets the size of the face as it draws.
    hb_blob_t* blob = hb_blob_create(bytes.data(), static_cast<unsigned>(bytes.size()),
                                     HB_MEMORY_MODE_READONLY, nullptr, nullptr);
    hb_face_t* tables = hb_face_create(blob, 0);
    font.shaper = hb_font_create(tables);
    hb_face_destroy(tables);
    hb_blob_destroy(blob);
    font.plain = cairo_ft_font_face_create_for_ft_face(font.face, FT_LOAD_NO_HINTING);
    font.bold = cairo_ft_font_face_create_for_ft_face(font.face, FT_LOAD_NO_HINTING);
    cairo_ft_font_face_set_synthesize(font.bold, CAIRO_FT_SYNTHESIZE_BOLD);
    return font;
  }

  // Opened when it is first used: the Chinese one has to be fetched.
  const Font& font(FontId id) const {
    Font& one = fonts[static_cast<std::size_t>(id)];
    if (!one.face) one = open(kFiles[static_cast<std::size_t>(id)]);
    return one;
  }

  double size_of(TextStyle style) const {
    return static_cast<double>(paper::size_of(style, lettering));
  }

  double units(FontId id, TextStyle style) const {
    return size_of(style) / font(id).face->units_per_EM;
  }

  double ascent(TextStyle style) const {
    const FontId first = fonts_of(figure::text_spec(style), lettering.family).front();
    return font(first).face->ascender * units(first, style);
  }

  double height(TextStyle style) const {
    const FontId first = fonts_of(figure::text_spec(style), lettering.family).front();
    return ascent(style) - font(first).face->descender * units(first, style);
  }

  FontId serving(char32_t c, const std::vector<FontId>& order) const {
    for (const FontId id : order) {
      if (FT_Get_Char_Index(font(id).face, c) != 0) return id;
    }
    return order.front();
  }

  // One line, shaped run by run.
  SetLine shape(std::u32string_view text, TextStyle style) const {
    const std::vector<FontId> order = fonts_of(figure::text_spec(style), lettering.family);
    SetLine line;
    for (std::size_t begin = 0; begin < text.size();) {
      const FontId id = serving(text[begin], order);
      std::size_t end = begin + 1;
      while (end < text.size() && (text[end] == U' ' || serving(text[end], order) == id)) ++end;
      add_run(text.substr(begin, end - begin), id, style, line);
      begin = end;
    }
    return line;
  }

  void add_run(std::u32string_view text, FontId id, TextStyle style, SetLine& line) const {
    hb_buffer_t* buffer = hb_buffer_create();
    hb_buffer_add_utf32(buffer, reinterpret_cast<const std::uint32_t*>(text.data()),
                        static_cast<int>(text.size()), 0, static_cast<int>(text.size()));
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR);
    hb_buffer_guess_segment_properties(buffer);
    hb_buffer_set_language(buffer, hb_language_from_string("zh-cn", -1));
    hb_shape(font(id).shaper, buffer, nullptr, 0);
    unsigned glyphs = 0;
    const hb_glyph_info_t* infos = hb_buffer_get_glyph_infos(buffer, &glyphs);
    const hb_glyph_position_t* places = hb_buffer_get_glyph_positions(buffer, &glyphs);
    const double unit = units(id, style);
    Run run{id, {}};
    for (unsigned k = 0; k < glyphs; ++k) {
      run.glyphs.push_back(
          {infos[k].codepoint, line.width + places[k].x_offset * unit, -places[k].y_offset * unit});
      line.width += places[k].x_advance * unit;
    }
    hb_buffer_destroy(buffer);
    line.runs.push_back(std::move(run));
  }

  const Set& get(const std::string& text, TextStyle style) {
    auto& texts = kept[static_cast<std::size_t>(style)];
    if (const auto found = texts.find(text); found != texts.end()) return found->second;
    if (count >= kKept) {
      for (auto& all : kept) all.clear();
      count = 0;
    }
    ++count;
    Set set;
    const std::u32string letters = letters_of(text);
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(letters.find(U'\n', begin), letters.size());
      set.lines.push_back(shape(std::u32string_view(letters).substr(begin, end - begin), style));
      set.size.x = std::max(set.size.x, static_cast<float>(set.lines.back().width));
      if (end == letters.size()) break;
      begin = end + 1;
    }
    set.size.y = static_cast<float>(static_cast<double>(set.lines.size()) * height(style));
    return texts.emplace(text, std::move(set)).first->second;
  }

  void draw(cairo_t* cairo, const Run& run, TextStyle style, double x, double y,
            bool outlines) const {
    const figure::TextSpec spec = figure::text_spec(style);
    const Font& used = font(run.font);
    cairo_set_font_face(cairo, spec.bold && !is_own_bold(run.font) ? used.bold : used.plain);
    const double size = size_of(style);
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, size, 0, spec.italic ? -kSlant * size : 0, size, 0, 0);
    cairo_set_font_matrix(cairo, &matrix);
    std::vector<cairo_glyph_t> glyphs = run.glyphs;
    for (cairo_glyph_t& glyph : glyphs) glyph.x += x, glyph.y += y;
    if (outlines) {
      cairo_glyph_path(cairo, glyphs.data(), static_cast<int>(glyphs.size()));
    } else {
      cairo_show_glyphs(cairo, glyphs.data(), static_cast<int>(glyphs.size()));
    }
  }

  FT_Library library = nullptr;
  Lettering lettering;
  mutable std::array<Font, kFonts> fonts;
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
  return static_cast<float>(inner_->ascent(style));
}

float PaperMeasure::font_size(TextStyle style) const {
  return static_cast<float>(inner_->size_of(style));
}

const Lettering& PaperMeasure::lettering() const { return inner_->lettering; }

void PaperMeasure::draw(cairo_t* cairo, const std::string& text, TextStyle style, Point at,
                        bool outlines) const {
  const Inner::Set& set = inner_->get(text, style);
  double baseline = static_cast<double>(at.y) + inner_->ascent(style);
  for (const SetLine& line : set.lines) {
    for (const Run& run : line.runs) {
      inner_->draw(cairo, run, style, static_cast<double>(at.x), baseline, outlines);
    }
    baseline += inner_->height(style);
  }
  if (outlines) cairo_fill(cairo);
}

std::vector<std::string> PaperMeasure::wrap(const std::string& text, TextStyle style,
                                            float width) const {
  const std::u32string letters = letters_of(text);
  std::vector<std::string> lines;
  const auto put = [&](std::u32string_view line) {
    while (!line.empty() && line.back() == U' ') line.remove_suffix(1);
    std::string& out = lines.emplace_back();
    for (const char32_t letter : line) core::append_utf8(out, letter);
  };
  const auto wide = [&](std::size_t begin, std::size_t end) {
    std::u32string_view line = std::u32string_view(letters).substr(begin, end - begin);
    while (!line.empty() && line.back() == U' ') line.remove_suffix(1);
    return inner_->shape(line, style).width;
  };
  std::size_t begin = 0, last = 0;  // last: the latest place to break at that fits
  for (std::size_t k = 1; k <= letters.size(); ++k) {
    const bool ends = k == letters.size() || letters[k] == U'\n';
    if (!ends && !may_break(letters[k - 1], letters[k])) continue;
    if (wide(begin, k) > static_cast<double>(std::max(width, 1.0f))) {
      if (last > begin) {
        put(std::u32string_view(letters).substr(begin, last - begin));
        begin = last;
      }
      // A word that is wider than a line is broken where it must be.
      while (wide(begin, k) > static_cast<double>(std::max(width, 1.0f)) && k - begin > 1) {
        std::size_t fits = begin + 1;
        while (fits + 1 < k && wide(begin, fits + 1) <= static_cast<double>(width)) ++fits;
        put(std::u32string_view(letters).substr(begin, fits - begin));
        begin = fits;
      }
    }
    last = k;
    if (ends) {
      put(std::u32string_view(letters).substr(begin, k - begin));
      begin = last = k + 1;
    }
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace paper
