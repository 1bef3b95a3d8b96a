// The two themes and the type scale. Colours are named by what they mean.
#pragma once

#include <string_view>

#include "app/figure/color.h"

namespace figure {

enum class ThemeName { dark, light };

// Meaning of a colour; the theme says which colour it has.
enum class Role {
  window,
  panel,
  card,
  line,
  text,
  dim,
  faint,
  accent,
  query,
  key,
  value,
  good,
  bad,
};

struct Theme {
  ThemeName name;
  Rgba window, panel, card, line;
  Rgba text, dim, faint, accent;
  Rgba query, key, value;
  Rgba good, bad;
  Rgba negative, neutral, positive;  // the diverging map
  Rgba masked, hatch, nan, below, above;

  Rgba operator()(Role role) const;
  // A palette for heads, distinct for colour-blind readers up to 12; pattern (dashes) beyond.
  Rgba head(int index) const;
};

const Theme& theme(ThemeName name);
// "dark" or "light"; anything else throws core::InputError.
ThemeName parse_theme(std::string_view id);
std::string_view theme_id(ThemeName name);

// A colour as figures name it: a role, or one head's colour, with an opacity.
struct Color {
  Role role = Role::text;
  int head = -1;  // >= 0: this head's colour instead of the role's
  float alpha = 1;
  Color() = default;
  Color(Role r, float opacity = 1) : role(r), alpha(opacity) {}  // NOLINT: a role is a colour
  static Color of_head(int index, float opacity = 1) {
    Color c;
    c.head = index;
    c.alpha = opacity;
    return c;
  }
};

Rgba resolve(const Color& color, const Theme& theme);

// The one type scale. Painters map each style to a font; sizes are pixels at 100 %.
enum class TextStyle {
  title,              // 20 semibold
  panel,              // 15 semibold
  card_title,         // 13 semibold
  body,               // 13
  label,              // 12
  label_bold,         // 12 semibold
  small,              // 11
  mono,               // 12 monospaced: numbers
  mono_bold,          // 12 monospaced bold
  mono_small,         // 11 monospaced
  strip,              // 15 semibold: the letters q, k, v beside strips
  math,               // 17 serif, for formulas
  math_italic,        // 17 serif italic
  math_small,         // 12 serif: sub- and superscripts
  math_small_italic,  // 12 serif italic
  reading,            // 15: what is read sentence by sentence
  kCount
};

struct TextSpec {
  float size;
  bool bold, mono, serif, italic;
};
TextSpec text_spec(TextStyle style);

}  // namespace figure
