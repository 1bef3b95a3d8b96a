#include "app/figure/theme.h"

#include <fmt/format.h>

#include <array>

#include "core/text/printable.h"
#include "core/types.h"

namespace figure {
namespace {

constexpr Rgba hex(unsigned rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16 & 255), static_cast<std::uint8_t>(rgb >> 8 & 255),
          static_cast<std::uint8_t>(rgb & 255), 255};
}

constexpr Theme kDark = {
    .name = ThemeName::dark,
    .window = hex(0x0E1116),
    .panel = hex(0x14191F),
    .card = hex(0x1A2027),
    .line = hex(0x27303A),
    .text = hex(0xE6EBF0),
    .dim = hex(0x8C99A6),
    .faint = hex(0x56616D),
    .accent = hex(0xF2B84B),
    .query = hex(0x5BA8FF),
    .key = hex(0xFF7171),
    .value = hex(0x4CC38A),
    .good = hex(0x4CC38A),
    .bad = hex(0xFF7171),
    .negative = hex(0x5BA8FF),
    .neutral = hex(0x1A2027),
    .positive = hex(0xFF7F4D),
    .masked = hex(0x0E1116),
    .hatch = hex(0x1F262E),
    .nan = hex(0xD05BD6),
    .below = hex(0x000000),
    .above = hex(0xFFFFFF),
};

constexpr Theme kLight = {
    .name = ThemeName::light,
    .window = hex(0xF3F5F7),
    .panel = hex(0xFFFFFF),
    .card = hex(0xFFFFFF),
    .line = hex(0xDCE2E8),
    .text = hex(0x18212B),
    .dim = hex(0x5C6976),
    .faint = hex(0xA5B0BA),
    .accent = hex(0x9C630A),
    .query = hex(0x1D69DF),
    .key = hex(0xCD363E),
    .value = hex(0x17804A),
    .good = hex(0x17804A),
    .bad = hex(0xCD363E),
    .negative = hex(0x2E6FB0),
    .neutral = hex(0xF5F4F3),
    .positive = hex(0xB23A1A),
    .masked = hex(0xEEF1F4),
    .hatch = hex(0xDCE2E8),
    .nan = hex(0xB02BB8),
    .below = hex(0x000000),
    .above = hex(0xFFFFFF),
};

// Found by searching for twelve calm colours (a chroma of at most 0.14 in OKLCh) whose least OKLab
// distance, with full colour vision and under protanopia, deuteranopia and tritanopia, is greatest:
// 0.10 among the first eight, 0.08 among all, 0.085 from the accent, with a contrast above 3. On
// light none is so dark and grey that it would pass for black.
constexpr int kHeads = 12;
constexpr std::array<Rgba, kHeads> kDarkHeads = {
    hex(0x8CA2FB), hex(0x8FDCCC), hex(0xB44F30), hex(0xE4E68B), hex(0xA4828D), hex(0x686BB2),
    hex(0xBDAB83), hex(0xD0772D), hex(0xC4BAFE), hex(0x95F7FF), hex(0x8789C5), hex(0x88696C)};
constexpr std::array<Rgba, kHeads> kLightHeads = {
    hex(0x8068C0), hex(0x387070), hex(0x282C78), hex(0xCD811E), hex(0xAA86B1), hex(0x8C3004),
    hex(0x68449C), hex(0x4C2C40), hex(0x778DE7), hex(0x189068), hex(0x681804), hex(0x2C584C)};

}  // namespace

Rgba Theme::operator()(Role role) const {
  switch (role) {
    case Role::window: return window;
    case Role::panel: return panel;
    case Role::card: return card;
    case Role::line: return line;
    case Role::text: return text;
    case Role::dim: return dim;
    case Role::faint: return faint;
    case Role::accent: return accent;
    case Role::query: return query;
    case Role::key: return key;
    case Role::value: return value;
    case Role::good: return good;
    case Role::bad: return bad;
  }
  return text;
}

Rgba Theme::head(int index) const {
  const int k = (index % kHeads + kHeads) % kHeads;
  return (name == ThemeName::dark ? kDarkHeads : kLightHeads)[static_cast<std::size_t>(k)];
}

const Theme& theme(ThemeName name) { return name == ThemeName::dark ? kDark : kLight; }

ThemeName parse_theme(std::string_view id) {
  if (id == "dark") return ThemeName::dark;
  if (id == "light") return ThemeName::light;
  throw core::InputError(
      core::Message(N_("theme: expected dark or light, got \"{}\""), core::printable(id)));
}

std::string_view theme_id(ThemeName name) { return name == ThemeName::dark ? "dark" : "light"; }

Rgba resolve(const Color& color, const Theme& theme) {
  const Rgba base = color.head >= 0 ? theme.head(color.head) : theme(color.role);
  return base.with_alpha(color.alpha);
}

TextSpec text_spec(TextStyle style) {
  switch (style) {
    case TextStyle::title: return {20, true, false, false, false};
    case TextStyle::panel: return {15, true, false, false, false};
    case TextStyle::card_title: return {13, true, false, false, false};
    case TextStyle::body: return {13, false, false, false, false};
    case TextStyle::label: return {12, false, false, false, false};
    case TextStyle::label_bold: return {12, true, false, false, false};
    case TextStyle::small: return {11, false, false, false, false};
    case TextStyle::mono: return {12, false, true, false, false};
    case TextStyle::mono_bold: return {12, true, true, false, false};
    case TextStyle::mono_small: return {11, false, true, false, false};
    case TextStyle::strip: return {15, true, false, false, false};
    case TextStyle::math: return {17, false, false, true, false};
    case TextStyle::math_italic: return {17, false, false, true, true};
    case TextStyle::math_small: return {12, false, false, true, false};
    case TextStyle::math_small_italic: return {12, false, false, true, true};
    case TextStyle::reading: return {15, false, false, false, false};
    case TextStyle::kCount: break;
  }
  return {13, false, false, false, false};
}

}  // namespace figure
