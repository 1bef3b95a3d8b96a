// The stored number bit by bit, and above the bits of x that rounding had to drop.
#include "app/figure/layout.h"
#include "app/labs/number_line/page.h"
#include "core/enum_array.h"

namespace lab::number_line {
namespace {

using figure::Boxes, figure::number_text, figure::Span, figure::Table;

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
    const auto flipped = core::number_of(scene.model.format, code ? *code ^ mask : mask);
    made.tooltip = scene.w.format("click: {}", number_words(flipped));
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
  plot.add(std::move(boxes));
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
  plot.add(std::move(boxes));
  add_note(plot, at.sign, kExactAt + 1.32, scene.w("x before rounding"), Role::dim);
  add_note(plot, at.dropped, kExactAt + 1.32, scene.w("rounded away"), Role::dim);
}

// --- all formats side by side: their spacing, what each makes of x, and their facts

Span cell(std::string text, Color color = Role::text) {
  return {std::move(text), color, TextStyle::mono};
}

Span name_of(const Other& other) {
  return {other.name, other.chosen ? Role::accent : Role::text,
          other.chosen ? TextStyle::label_bold : TextStyle::label};
}

int chosen_row(const std::vector<Other>& others) {
  for (std::size_t k = 0; k < others.size(); ++k)
    if (others[k].chosen) return to_int(k);
  return -1;
}

std::vector<Assignments> format_picks(const Model& m, std::string_view explained) {
  return each(m.others,
              [&](const Other& other) { return sets("format", other.id, "explain", explained); });
}

void add_here(const Scene& scene, double y, Plot& plot) {
  const Model& m = scene.model;
  const double size = std::abs(m.x);
  if (!scene.finite() || size < plot.x.lo || size > plot.x.hi) return;
  plot.add(Rule{true, size, Color(Role::accent, 0.7f), true, "|x|"});
  if (m.facts.max >= size) plot.add(picked_point(size, y));
}

// An empty plot over the sizes of numbers, in which a click chooses x.
Plot size_plot(const Scene& scene, std::string id, std::string label, double lo, double hi) {
  return {.id = std::move(id),
          .x = log_axis(scene.w("size of the number |x|"), 1e-46, 1e39, {.link = "size"}),
          .y = log_axis(std::move(label), lo, hi),
          .click = sets("special", "number", "explain", "spacing"),
          .x_param = "x"};
}

// "0.4 steps": the error in the format's own spacing.
std::string error_words(const Scene& scene, const Other& other) {
  const double error = other.stored.value - scene.model.x;
  if (!std::isfinite(error)) return "∞";
  if (error == 0) return scene.w("exact");
  return fmt::format("{:+.3g}", error);
}

std::string relative_words(const Scene& scene, const Other& other) {
  const double x = scene.model.x, error = std::abs(other.stored.value - x);
  if (error == 0) return "0";
  if (!std::isfinite(error) || x == 0) return "";
  return fmt::format("{} %", number_text(100 * error / std::abs(x), 3));
}

std::string_view class_name(core::NumberClass number_class) {
  constexpr core::EnumArray<core::NumberClass> kNames{
      {N_("zero"), N_("subnormal"), N_("normal"), N_("infinity"), N_("not a number")}};
  return kNames[number_class];
}

std::string value_words(const Other& other) {
  const double value = other.stored.value;
  if (!std::isfinite(value)) return number_words(value);
  return number_words(value, core::spacing(other.format, value));
}

std::string specials_words(const Scene& scene, const core::FormatFacts& facts) {
  if (facts.has_infinity) return scene.w("∞, NaN");
  return facts.has_nan ? scene.w("NaN") : scene.w("none");
}

std::string shape_words(const Format& format) {
  return fmt::format("1+{}+{}", format.exponent_bits, format.mantissa_bits);
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
  figure.note =
      m.stored.code ? hexadecimal(m.format, *m.stored.code) : w.format("{} has no NaN", m.name);
  if (m.stored.code) figure.pointer_note = w("click a bit to toggle it");
  const bool exact = scene.finite() && m.x != 0;
  figure.caption = exact ? w.format(
                               "The bits of {} in {}: sign, exponent and mantissa. Below, x before "
                               "it was rounded.",
                               scene.stored_text(), m.name)
                         : w.format("The bits of {} in {}: sign, exponent and mantissa.",
                                    scene.stored_text(), m.name);
  figure.height = 168;
  Plot plot{.id = "bits",
            .x = hidden_axis(0, std::max(at.end, kLeast)),
            .y = hidden_axis(-0.1, kStoredAt + 1.7),
            .click = explains("bits")};
  add_stored(scene, at, plot);
  if (exact) add_exact(scene, at, plot);
  return with(std::move(figure), std::move(plot));
}

Figure spacing_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("spacing", w("How far apart numbers are"), {.height = 300, .columns = 2});
  figure.note = scene.finite() ? w.format("at x: {}", number_text(m.spacing, 6)) : std::string();
  figure.caption = w.format(
      "The spacing of numbers against their size, both logarithmic: a stair that doubles at every "
      "power of two, flat at the left where numbers are subnormal, ending at the largest. Right: "
      "as a share of the number, between a maximum and half of it from each power of two to the "
      "next. Bold: {}.",
      m.name);
  Plot spacing = size_plot(scene, "spacing", w("spacing"), 1e-46, 1e35);
  Plot relative = size_plot(scene, "relative", w("spacing / |x|"), 1e-8, 2);
  int head = 0;
  for (const Curve& curve : *m.curves) {
    const Color color = curve.chosen ? Color(Role::accent) : Color::of_head(head);
    Line line{curve.x, curve.spacing, color, curve.chosen ? 2.5f : 1.2f, false, curve.name};
    // Drawn line by line, the saw of some 250 binades would be a grey that depends on the pixels.
    relative.add(Band{curve.x, curve.least, curve.most,
                      curve.chosen ? Color(Role::accent, 0.3f) : Color::of_head(head, 0.3f)});
    spacing.add(line);
    line.y = curve.most;
    relative.add(std::move(line));
    ++head;
  }
  add_here(scene, m.spacing, spacing);
  add_here(scene, m.spacing / std::abs(m.x), relative);
  return with(std::move(figure), std::move(spacing), std::move(relative));
}

Figure formats_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("formats", w("The same number in every format"), {.height = 250});
  figure.note = "x = " + scene.x_text();
  figure.caption = w.format("How each format stores x = {}, rounding {}.", scene.x_text(),
                            w(rounding_name(p.rounding.rounding)));
  Table table;
  table.columns = {{w("format"), 1.2f, -1},  {w("stored as"), 1.7f, 1}, {w("error"), 1.1f, 1},
                   {w("relative"), 1.1f, 1}, {w("Code"), 1.2f, 1},      {w("its value"), 1.1f, -1}};
  for (const Other& other : m.others) {
    const bool lost = !std::isfinite(other.stored.value) && scene.finite();
    table.rows.push_back(
        {{name_of(other)},
         {cell(value_words(other), lost ? Role::bad : Role::text)},
         {cell(scene.finite() ? error_words(scene, other) : "", Role::dim)},
         {cell(scene.finite() ? relative_words(scene, other) : "", Role::dim)},
         {cell(other.stored.code ? hexadecimal(other.format, *other.stored.code) : "-", Role::dim)},
         {{w(class_name(other.stored.number_class)), Role::dim, TextStyle::label}}});
  }
  table.picks = format_picks(m, "rounding");
  table.marked = chosen_row(m.others);
  return with_table(std::move(figure), std::move(table));
}

Figure facts_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("facts", w("What each format has"), {.height = 250});
  figure.pointer_note = w("click a row");
  figure.caption =
      w("Bits as sign + exponent + mantissa; the smallest positive number, the smallest normal "
        "one, the largest; the spacing above 1; the last of the consecutive integers; how many bit "
        "patterns are finite.");
  Table table;
  table.columns = {
      {w("format"), 1.2f, -1},      {w("bits"), 0.8f, -1},        {w("smallest"), 1, 1},
      {w("smallest normal"), 1, 1}, {w("largest"), 1, 1},         {w("spacing above 1"), 1, 1},
      {w("integers to"), 1, 1},     {w("finite codes"), 1.1f, 1}, {w("specials"), 0.8f, -1}};
  for (const Other& other : m.others) {
    const core::FormatFacts& f = other.facts;
    table.rows.push_back({{name_of(other)},
                          {cell(shape_words(other.format), Role::dim)},
                          {cell(number_text(f.min_positive, 4))},
                          {cell(f.min_normal ? number_text(*f.min_normal, 4) : "-")},
                          {cell(number_text(f.max, 6))},
                          {cell(number_text(f.epsilon, 4))},
                          {cell(fmt::format("{}", f.last_consecutive_integer))},
                          {cell(fmt::format("{}", f.finite_codes))},
                          {{specials_words(scene, f), Role::dim, TextStyle::label}}});
  }
  table.picks = format_picks(m, "facts");
  table.marked = chosen_row(m.others);
  return with_table(std::move(figure), std::move(table));
}

}  // namespace lab::number_line
