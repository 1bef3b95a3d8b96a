// The stored number bit by bit, and above the bits of x that rounding had to drop.
#include "app/labs/number_line/page.h"

namespace lab::number_line {
namespace {

using figure::Boxes;

constexpr double kStoredAt = 1.75, kExactAt = 0;  // the lower ends of the two rows
constexpr double kGap = 0.5;                      // between fields, in boxes
constexpr double kLeast = 30;                     // columns, so that few bits are not giants

// Where the fields begin, in columns.
struct Columns {
  double sign = 0, exponent, leading, mantissa, dropped, end;
  int dropped_bits;
  explicit Columns(const Format& format)
      : exponent(1 + 2 * kGap),  // the word "sign" stands above
        leading(exponent + format.exponent_bits + kGap),
        mantissa(leading + 1 + kGap),
        dropped(mantissa + format.mantissa_bits + kGap),
        dropped_bits(format.mantissa_bits > 16 ? 6 : 12) {
    end = dropped + dropped_bits + 1;
  }
};

Boxes::Box box(double x, double y, std::string text, Color fill, double width = 1) {
  return {x, y, x + width, y + 1, std::move(text), fill};
}

Color field_color(Role role, bool set) { return Color(role, set ? 0.9f : 0.16f); }

std::string digit(bool set) { return set ? "1" : "0"; }

// A field's bits, the topmost first; `low` is the place of its last bit in the code.
void add_field(const Scene& scene, double x, int bits, int low, Role role, Boxes& boxes) {
  const auto& code = scene.model.stored.code;
  for (int k = 0; k < bits; ++k) {
    const Code mask = Code{1} << (low + bits - 1 - k);
    const bool set = code && (*code & mask) != 0;
    Boxes::Box made = box(x + k, kStoredAt, code ? digit(set) : "-", field_color(role, set));
    made.pick = scene.pick(code ? *code ^ mask : mask, "bits");
    const auto turned = core::decode(scene.model.format, code ? *code ^ mask : mask);
    made.tooltip = scene.w.format("click: {}", number_words(turned));
    boxes.boxes.push_back(std::move(made));
  }
}

void add_stored(const Scene& scene, const Columns& at, Plot& plot) {
  const Model& m = scene.model;
  const int t = m.format.mantissa_bits, e = m.format.exponent_bits;
  Boxes boxes;
  add_field(scene, at.sign, 1, t + e, Role::key, boxes);
  add_field(scene, at.exponent, e, t, Role::value, boxes);
  add_field(scene, at.mantissa, t, 0, Role::query, boxes);
  const double above = kStoredAt + 1.32;
  add_note(plot, at.sign, above, scene.w("sign"), Role::key);
  if (m.stored.code) {
    const core::Fields fields = core::fields_of(m.format, *m.stored.code);
    add_note(plot, at.exponent, above, scene.w.format("exponent {}", fields.exponent), Role::value);
    add_note(plot, at.mantissa, above, scene.w.format("mantissa {}", fields.mantissa), Role::query);
    const bool number = std::isfinite(m.stored.value);
    const bool normal = m.stored.number_class == core::NumberClass::normal;
    Boxes::Box leading = box(at.leading, kStoredAt, number ? digit(normal) : "", Role::panel);
    leading.tooltip = normal ? scene.w("the leading 1, which is not stored")
                             : scene.w("no leading 1: the exponent is 0");
    boxes.boxes.push_back(std::move(leading));
  }
  plot.marks.emplace_back(std::move(boxes));
  add_note(plot, at.dropped + 0.5, kStoredAt + 0.5, "→ " + scene.stored_text(), Role::accent,
           TextStyle::mono_bold);
}

// The bits of x in the binade in which rounding saw them, the dropped ones too.
void add_exact(const Scene& scene, const Columns& at, Plot& plot) {
  const Model& m = scene.model;
  const int t = m.format.mantissa_bits;
  const core::precision::Parts parts(m.x);
  const int binade = std::max(parts.binade(), 1 - m.format.bias);
  // Bit j of the row has the weight 2^(binade - j).
  const auto bit = [&](int j) {
    const int place = binade - j - parts.exponent;
    return place >= 0 && place < 64 && (parts.significand >> place & 1) != 0;
  };
  Boxes boxes;
  boxes.boxes.push_back(
      box(at.sign, kExactAt, std::signbit(m.x) ? "-" : "+", Color(Role::key, 0.16f)));
  boxes.boxes.push_back(
      box(at.exponent, kExactAt, power(binade), Color(Role::value, 0.16f), m.format.exponent_bits));
  boxes.boxes.push_back(box(at.leading, kExactAt, digit(bit(0)), Role::panel));
  for (int j = 1; j <= t; ++j) {
    boxes.boxes.push_back(box(at.mantissa + j - 1, kExactAt, digit(bit(j)),
                              Color(Role::query, bit(j) ? 0.5f : 0.1f)));
  }
  for (int k = 1; k <= at.dropped_bits; ++k) {
    const bool set = bit(t + k);
    boxes.boxes.push_back(box(at.dropped + k - 1, kExactAt, digit(set),
                              set ? Color(Role::faint, 0.5f) : Color(Role::card)));
  }
  const double shown = std::ldexp(std::abs(m.x), t + at.dropped_bits - binade);
  if (shown != std::floor(shown)) {
    boxes.boxes.push_back(box(at.dropped + at.dropped_bits, kExactAt, "…", Color(Role::card)));
  }
  plot.marks.emplace_back(std::move(boxes));
  add_note(plot, at.sign, kExactAt + 1.32, scene.w("x before it is rounded"), Role::dim);
  add_note(plot, at.dropped, kExactAt + 1.32, scene.w("rounded away"), Role::dim);
}

}  // namespace

std::string power(int exponent) { return fmt::format("2^{}", exponent); }

std::string hexadecimal(const Format& format, Code code) {
  return fmt::format("0x{:0{}x}", code, (core::bit_count(format) + 3) / 4);
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Columns at(m.format);
  Figure figure = new_figure("bits", w("Its bits"));
  figure.note = m.stored.code ? w.format("{} · click a bit to toggle it",
                                         hexadecimal(m.format, *m.stored.code))
                              : w.format("{} has no NaN", m.name);
  figure.caption =
      w.format("The bits of {} in {}: sign, exponent and mantissa. Below, x before it was rounded.",
               scene.stored_text(), m.name);
  figure.height = 168;
  Plot plot{.id = "bits",
            .x = {"", 0, std::max(at.end, kLeast)},
            .y = {"", -0.1, kStoredAt + 1.7},
            .click = explains("bits")};
  plot.x.visible = plot.y.visible = false;
  add_stored(scene, at, plot);
  if (scene.finite() && m.x != 0) add_exact(scene, at, plot);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::number_line
