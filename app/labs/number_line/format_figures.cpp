// All formats side by side: their spacing, what each makes of x, and their facts.
#include "app/figure/layout.h"
#include "app/labs/number_line/page.h"

namespace lab::number_line {
namespace {

using figure::number_text;
using figure::Span;
using figure::Table;

Span cell(std::string text, Color color = Role::text) {
  return {std::move(text), color, TextStyle::mono};
}

Span name_of(const Other& other) {
  return {other.name, other.chosen ? Role::accent : Role::text,
          other.chosen ? TextStyle::label_bold : TextStyle::label};
}

int chosen_row(const std::vector<Other>& others) {
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (others[k].chosen) return static_cast<int>(k);
  }
  return -1;
}

std::vector<figure::Assignments> format_picks(const Model& m, std::string_view explained) {
  std::vector<figure::Assignments> picks;
  for (const Other& other : m.others) {
    picks.push_back(sets("format", other.id, "explain", explained));
  }
  return picks;
}

void add_here(const Scene& scene, double y, Plot& plot) {
  const Model& m = scene.model;
  const double size = std::abs(m.x);
  if (!scene.finite() || size < plot.x.lo || size > plot.x.hi) return;
  plot.marks.emplace_back(Rule{true, size, Color(Role::accent, 0.7f), true, "|x|"});
  if (m.facts.max >= size) {
    plot.marks.emplace_back(Points{{size}, {y}, Role::accent, 5, {}});
  }
}

// An empty plot over the sizes of numbers, in which a click chooses x.
Plot size_plot(const Scene& scene, std::string id, std::string label, double lo, double hi) {
  Plot plot{.id = std::move(id)};
  plot.x = {scene.w("size of the number |x|"), 1e-46, 1e39, figure::AxisScale::log};
  plot.x.link = "size";
  plot.y = {std::move(label), lo, hi, figure::AxisScale::log};
  plot.x_param = "x";
  plot.click = sets("special", "number", "explain", "spacing");
  return plot;
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
  constexpr std::array<std::string_view, 5> kNames{N_("zero"), N_("subnormal"), N_("normal"),
                                                   N_("infinity"), N_("not a number")};
  return kNames[static_cast<std::size_t>(number_class)];
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

Figure spacing_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("spacing", w("How far apart numbers are"), {.height = 300, .columns = 2});
  figure.note = scene.finite() ? w.format("at x: {}", number_text(m.spacing, 6)) : std::string();
  figure.caption = w.format(
      "The spacing of numbers against their size, both logarithmic: a stair that doubles at every "
      "power of two, flat at the left where numbers are subnormal, ending at the largest. Right: "
      "as a share of the number, which swings between its largest and half of that in every power "
      "of two. Strong: {}.",
      m.name);
  Plot spacing = size_plot(scene, "spacing", w("spacing"), 1e-46, 1e35);
  Plot relative = size_plot(scene, "relative", w("spacing / |x|"), 1e-8, 2);
  int head = 0;
  for (const Curve& curve : *m.curves) {
    const Color color = curve.chosen ? Color(Role::accent) : Color::of_head(head);
    Line line{curve.x, curve.spacing, color, curve.chosen ? 2.5f : 1.2f, false, curve.name};
    // Drawn line by line, the saw of some 250 binades would be a grey that depends on the pixels.
    relative.marks.emplace_back(
        figure::Band{curve.x, curve.least, curve.most,
                     curve.chosen ? Color(Role::accent, 0.3f) : Color::of_head(head, 0.3f)});
    spacing.marks.emplace_back(line);
    line.y = curve.most;
    relative.marks.emplace_back(std::move(line));
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
  figure.caption = w.format("What each format makes of x = {}, rounding {}.", scene.x_text(),
                            w(rounding_name(p.rounding.rounding)));
  Table table;
  table.columns = {{w("format"), 1.2f, -1},  {w("stored as"), 1.7f, 1}, {w("error"), 1.1f, 1},
                   {w("relative"), 1.1f, 1}, {w("code"), 1.2f, 1},      {w("which is"), 1.1f, -1}};
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
  Plot plot{.id = "formats"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

Figure facts_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("facts", w("What each format has"), {.height = 250});
  figure.note = w("click a row to choose the format");
  figure.caption =
      w("Bits as sign + exponent + mantissa; the smallest positive number, the smallest normal "
        "one, the largest; the step above 1; the last of the consecutive integers; how many bit "
        "patterns are finite.");
  Table table;
  table.columns = {
      {w("format"), 1.2f, -1},      {w("bits"), 0.8f, -1},        {w("smallest"), 1, 1},
      {w("smallest normal"), 1, 1}, {w("largest"), 1, 1},         {w("step above 1"), 1, 1},
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
  Plot plot{.id = "facts"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::number_line
