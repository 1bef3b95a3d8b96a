#include "app/figure/oklab.h"

#include <algorithm>
#include <cmath>

namespace figure {
namespace {

// IEC 61966-2-1, the sRGB transfer function and its inverse.
double decode(std::uint8_t byte) {
  const double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t encode(double c) {
  c = std::clamp(c, 0.0, 1.0);
  const double s = c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(s * 255));
}

}  // namespace

LinearRgb to_linear(Rgba color) { return {decode(color.r), decode(color.g), decode(color.b)}; }

Rgba from_linear(const LinearRgb& c) { return {encode(c.r), encode(c.g), encode(c.b), 255}; }

// Matrices of https://bottosson.github.io/posts/oklab/.
Oklab to_oklab(const LinearRgb& c) {
  const double l = std::cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
  const double m = std::cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
  const double s = std::cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

LinearRgb from_oklab(const Oklab& lab) {
  const double l = std::pow(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

Rgba mix(Rgba a, Rgba b, double share) {
  const Oklab p = to_oklab(to_linear(a)), q = to_oklab(to_linear(b));
  const auto between = [share](double x, double y) { return x + (y - x) * share; };
  Rgba mixed = from_linear(from_oklab({between(p.l, q.l), between(p.a, q.a), between(p.b, q.b)}));
  mixed.a = a.a;
  return mixed;
}

}  // namespace figure
