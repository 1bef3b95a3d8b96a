#include "app/figure/theme.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/oklab.h"
#include "core/types.h"

namespace theme_test {

using namespace figure;

namespace {

using Matrix3 = std::array<std::array<double, 3>, 3>;

// Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB; the first is full colour vision.
constexpr std::array<Matrix3, 4> kVision = {{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
}};

Oklab seen(Rgba color, const Matrix3& m) {
  const LinearRgb c = to_linear(color);
  const auto row = [&](std::size_t k) {
    return std::clamp(m[k][0] * c.r + m[k][1] * c.g + m[k][2] * c.b, 0.0, 1.0);
  };
  return to_oklab({row(0), row(1), row(2)});
}

}  // namespace

TEST_CASE("contrast of WCAG 2 by hand") {
  CHECK(contrast({0, 0, 0, 255}, {255, 255, 255, 255}) == doctest::Approx(21));
  CHECK(contrast({9, 9, 9, 255}, {9, 9, 9, 255}) == doctest::Approx(1));
  // #777777 on white is the well-known 4.48 that just fails.
  CHECK(contrast({255, 255, 255, 255}, {0x77, 0x77, 0x77, 255}) ==
        doctest::Approx(4.478).epsilon(0.001));
}

TEST_CASE("text is readable on every surface") {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
    const Theme& t = theme(name);
    for (const Rgba surface : {t.window, t.panel, t.card}) {
      CHECK(contrast(t.text, surface) >= 4.5);
      CHECK(contrast(t.dim, surface) >= 4.5);
      for (const Rgba c : {t.accent, t.query, t.key, t.value, t.good, t.bad}) {
        CHECK(contrast(c, surface) >= 4.5);
      }
    }
  }
}

TEST_CASE("twelve heads stay distinct for every colour vision, calm, and apart from the accent") {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
    const Theme& t = theme(name);
    double of_eight = 9, of_all = 9, of_accent = 9;
    for (const Matrix3& vision : kVision) {
      const auto apart = [&](Rgba a, Rgba b) {
        const Oklab p = seen(a, vision), q = seen(b, vision);
        return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
      };
      for (int i = 0; i < 12; ++i) {
        of_accent = std::min(of_accent, apart(t.head(i), t.accent));
        for (int j = 0; j < i; ++j) {
          const double distance = apart(t.head(i), t.head(j));
          of_all = std::min(of_all, distance);
          if (i < 8) of_eight = std::min(of_eight, distance);
        }
      }
    }
    // A difference of 0.02 can just be seen side by side; lines apart need several times that.
    CHECK(of_eight > 0.1);
    CHECK(of_all > 0.08);
    CHECK(of_accent > 0.085);
    for (int i = 0; i < 12; ++i) {
      const Oklab color = to_oklab(to_linear(t.head(i)));
      CHECK(std::hypot(color.a, color.b) < 0.145);
      CHECK(contrast(t.head(i), t.card) >= 3);
      CHECK(color.l > 0.33);
      if (color.l < 0.45) CHECK(std::hypot(color.a, color.b) > 0.05);
    }
    CHECK(t.head(12) == t.head(0));
    CHECK(t.head(-1) == t.head(11));
  }
}

TEST_CASE("themes by name, roles and opacity") {
  CHECK(parse_theme("dark") == ThemeName::dark);
  CHECK(parse_theme(theme_id(ThemeName::light)) == ThemeName::light);
  CHECK_THROWS_AS(parse_theme("Dark"), core::InputError);
  const Theme& t = theme(ThemeName::dark);
  CHECK(t(Role::accent) == t.accent);
  CHECK(t(Role::line) == t.line);
  CHECK(resolve(Color(Role::query, 0.5f), t) == Rgba{0x5B, 0xA8, 0xFF, 128});
  CHECK(resolve(Color::of_head(3), t) == t.head(3));
  CHECK(text_spec(TextStyle::title).size == 20);
  CHECK(text_spec(TextStyle::mono_small).mono);
}

}  // namespace theme_test
