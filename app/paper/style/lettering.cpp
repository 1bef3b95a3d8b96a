#include "app/paper/style/lettering.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "app/paper/export_figure.h"
#include "app/system/fonts.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace paper {
namespace {

using figure::TextStyle;

constexpr double kLeastType = 6;    // points
constexpr std::size_t kNamed = 40;  // families in a message
constexpr std::array kEmbedded = {"Inter", "JetBrains Mono", "DejaVu Sans", "DejaVu Serif",
                                  "Noto Sans CJK SC"};

// The style that says how large a kind is, and what a given size is that of.
struct Kind {
  float size;       // that is given, units
  TextStyle usual;  // the style whose size that is
};

Kind kind_of(TextStyle style, const Lettering& l) {
  switch (style) {
    case TextStyle::panel:
    case TextStyle::card_title: return {l.title, TextStyle::card_title};
    case TextStyle::mono:
    case TextStyle::mono_bold:
    case TextStyle::mono_small: return {l.tick, TextStyle::mono_small};
    // Names at axes, where ticks have a size: see figure::PaperLook.
    case TextStyle::reading: return {l.tick, TextStyle::reading};
    case TextStyle::title: return {l.tick, TextStyle::title};
    case TextStyle::small: return {l.note, TextStyle::small};
    case TextStyle::math:
    case TextStyle::math_italic:
    case TextStyle::math_small:
    case TextStyle::math_small_italic: return {l.math, TextStyle::math};
    default: return {l.label, TextStyle::label};
  }
}

}  // namespace

Lettering lettering_of(const PaperOptions& options) {
  const double points = points_a_unit(options);
  const auto units = [&](double size) { return static_cast<float>(size / points); };
  const Style& s = options.style;
  const float label = s.label_size > 0 ? units(s.label_size) : static_cast<float>(kLabelUnits);
  return {units(kLeastType),
          s.font_family,
          units(s.title_size),
          units(s.label_size),
          units(s.tick_size),
          units(s.note_size),
          options.formulas || has_formulas(s) ? label : 0};
}

float size_of(TextStyle style, const Lettering& lettering) {
  const Kind kind = kind_of(style, lettering);
  float size = figure::text_spec(style).size;
  if (kind.size > 0) size *= kind.size / figure::text_spec(kind.usual).size;
  return std::max(size, lettering.least);
}

bool same_name(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_own_family(const std::string& name) {
  return std::find(kEmbedded.begin(), kEmbedded.end(), name) != kEmbedded.end();
}

std::vector<std::string> families() {
  std::vector<std::string> all(kEmbedded.begin(), kEmbedded.end());
  for (const std::string& one : sys::installed_families()) {
    if (!is_own_family(one)) all.push_back(one);
  }
  return all;
}

std::string found_family(const std::string& name) {
  if (name.empty()) return name;
  std::vector<std::string> all = families();
  for (const std::string& one : all) {
    if (same_name(one, name)) return one;
  }
  const std::size_t more = all.size() > kNamed ? all.size() - kNamed : 0;
  all.resize(all.size() - more);
  if (more > 0) all.push_back("…");
  words::refuse<core::InputError>(
      N_("font_family: there is no font \"{}\" on this machine: expected one of {}"),
      core::printable(name, 100), words::listed(all));
}

}  // namespace paper
