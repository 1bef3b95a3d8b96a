#include "app/labs/number_line/page.h"
#include "app/labs/shared/text/text.h"

#include "app/figure/layout.h"

namespace lab::number_line {
namespace {

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  std::vector<Readout> out;
  if (std::isfinite(m.stored.value)) {
    out.push_back({"stored", w("Stored as"), m.stored.value, scene.stored_text(),
                   w("The number of the format that x becomes")});
  }
  if (m.stored.code) {
    out.push_back({"code", w("Code"), *m.stored.code, hexadecimal(m.format, *m.stored.code),
                   w("The bit pattern as a number: sign, exponent, mantissa")});
  }
  if (scene.finite() && std::isfinite(m.stored.value)) {
    const double error = m.stored.value - m.x;
    out.push_back(
        {"error", w("Rounding error"), error, fmt::format("{:.4g}", error), w("Stored minus x")});
    out.push_back({"error_steps", w("In spacings"), error / m.spacing,
                   w.format("{:.4g} spacings", error / m.spacing),
                   w("The error as a share of the spacing at x (an ulp): at most one half when "
                     "rounding to nearest, below one otherwise")});
  }
  if (scene.finite()) {
    out.push_back({"spacing", w("Spacing at x"), m.spacing, figure::number_text(m.spacing, 6),
                   w("From one number to the next in the binade of x")});
  }
  const bool chance = scene.finite() && p.rounding.stochastic() && !m.exact;
  if (chance && std::abs(m.x) <= m.facts.max) {
    const double up = m.share;
    out.push_back({"chance_up", w("Probability of the upper one"), up,
                   fmt::format("{:.4g} %", 100 * up),
                   w("How often stochastic rounding takes the neighbour above: the share of the "
                     "spacing from below, so the mean is x")});
  }
  out.push_back({"largest", w("Largest number"), m.facts.max, figure::number_text(m.facts.max, 6),
                 w("The largest finite number of the format")});
  out.push_back({"integers", w("All integers up to"), m.facts.last_consecutive_integer,
                 fmt::format("{}", m.facts.last_consecutive_integer),
                 w("The next integer is not a number of the format")});
  return out;
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  if (m.window.on_x && p.special == Special::number) {
    page.note(w("x lies outside the requested line, which is therefore centred on x."));
  }
  if (!m.stored.code) {
    page.note(w.format("{} has no NaN: it cannot be stored.", m.name));
  } else if (scene.finite() && !std::isfinite(m.stored.value)) {
    page.note(w.format("Overflow: x is too large for {} and is stored as {}.", m.name,
                       scene.stored_text()));
  } else if (scene.finite() && m.x != 0 && m.stored.value == 0) {
    page.note(w.format("Underflow: x is too small for {} and is stored as zero.", m.name));
  }
  if (!m.format.subnormals) {
    page.note(
        w("Without subnormals, every code with exponent 0 reads as zero: its mantissa bits do not "
          "stay set."));
  }
  if (p.rounding.stochastic() && scene.finite() && !m.exact) {
    page.note(
        w("Every format rounds with the same random bits, to be comparable; another seed may take "
          "the other neighbour."));
  }
}

std::string status(const Scene& scene) {
  const auto& m = scene.model;
  return fmt::format("{} · {}", m.name, scene.w(rounding_name(scene.p.rounding.rounding)));
}

}  // namespace

bool Scene::finite() const { return std::isfinite(model.x); }

std::string Scene::near(double value) const {
  return std::isfinite(value) ? number_words(value, core::spacing(model.format, value))
                              : number_words(value);
}

std::string Scene::x_text() const { return number_words(model.x); }

std::string Scene::stored_text() const { return near(model.stored.value); }

Assignments Scene::pick(Code code, std::string_view explained) const {
  Assignments sets = assignments_of(model.format, code);
  sets.emplace_back("explain", std::string(explained));
  return sets;
}

void add_note(Plot& plot, double x, double y, std::string text, const Color& color, TextStyle style,
              int align) {
  plot.add(Note{x, y, std::move(text), color, style, align});
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {line_figure(scene), bits_figure(scene), spacing_figure(scene),
                  formats_figure(scene), facts_figure(scene)};
  page.readouts = readouts(scene);
  page.formula = fmt::format(
      "(-1)^{{\\K{{s}}}} \\cdot 2^{{\\V{{e}} - {}}} \\cdot \\left(1 + "
      "\\frac{{\\Q{{m}}}}{{2^{{{}}}}}\\right)",
      model.format.bias, model.format.mantissa_bits);
  page.explanation = explain(scene);
  page.cards = cards("number_line", context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::number_line
