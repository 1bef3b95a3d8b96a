#include "app/labs/absolute/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lab::absolute {
namespace {

constexpr Index kMostPoints = 4000;  // of one curve

std::vector<figure::Figure> upper(const Scene& scene) {
  std::vector<figure::Figure> figures = {table_figure(scene)};
  switch (scene.p.scheme) {
    case Scheme::sinusoidal:
      figures.push_back(wavelength_figure(scene));
      break;
    case Scheme::grid:
      figures.push_back(grid_figure(scene));
      break;
    case Scheme::learned:
      figures.push_back(learned_figure(scene));
      break;
    case Scheme::floater:
      figures.push_back(flow_figure(scene));
      break;
    case Scheme::complex:
      figures.push_back(turn_figure(scene));
  }
  return figures;
}

std::vector<figure::Figure> lower(const Scene& scene) {
  switch (scene.p.show) {
    case Show::shift:
      return shift_figures(scene);
    case Show::similarity:
      return similarity_figures(scene);
    case Show::collisions:
      return collision_figures(scene);
    case Show::scores:
      return score_figures(scene);
    case Show::order:
      return order_figures(scene);
    case Show::curves:
      break;
  }
  return curve_figures(scene);
}

std::string scheme_words(const Scene& scene) {
  switch (scene.p.scheme) {
    case Scheme::grid:
      return scene.w.format("{} × {} places", scene.p.grid_height, scene.p.grid_width);
    case Scheme::learned:
      return scene.w.format("learned, {} rows", scene.p.rows);
    case Scheme::floater:
      return scene.w("FLOATER");
    case Scheme::complex:
      return scene.w("complex order");
    case Scheme::sinusoidal:
      break;
  }
  return scene.w.format("sinusoidal, base {}", scene.p.base);
}

std::string table_formula(const Parameters& p) {
  switch (p.scheme) {
    case Scheme::grid:
      return "PE(y,x) = [s(" +
             std::string(p.axis_order == core::AxisOrder::width_first ? "x" : "y") + "), s(" +
             (p.axis_order == core::AxisOrder::width_first ? "y" : "x") + ")]";
    case Scheme::learned:
      return "PE(p) = W_{p}";
    case Scheme::floater:
      return "p(t) = p(s) + ∫_{s}^{t} h(τ, p(τ)) dτ";
    case Scheme::complex:
      return "f_{j}(p) = r_{j} e^{i(ω_{j} p + φ_{j})}";
    case Scheme::sinusoidal:
      break;
  }
  if (p.rule == core::FrequencyRule::tensor2tensor) return "θ_{i} = b^{-i/(d/2-1)}";
  return "PE(p, 2i) = \\sin\\left(\\frac{p}{b^{2i/d}}\\right)";
}

}  // namespace

Explain Scene::explained() const {
  const Explain wanted = p.explain;
  bool shown = false;
  switch (p.show) {
    case Show::curves:
      break;
    case Show::shift:
      shown = wanted == Explain::shift;
      break;
    case Show::similarity:
      shown = wanted == Explain::similarity || (wanted == Explain::distance && !p.grid());
      break;
    case Show::collisions:
      shown = wanted == Explain::distance && !model.collisions->records.empty();
      break;
    case Show::scores:
      shown = wanted == Explain::score && model.pairs;
      break;
    case Show::order:
      shown = wanted == Explain::order && model.order;
  }
  return shown ? wanted : Explain::cell;
}

figure::Assignments explained_by(const char* which) { return {{"explain", which}}; }

std::vector<double> doubles(const VectorD& v) { return {v.data(), v.data() + v.size()}; }

figure::Axis value_axis(std::string label, double lo, double hi) {
  figure::Axis axis;
  axis.label = std::move(label);
  axis.lo = lo;
  axis.hi = hi > lo ? hi : lo + 1;
  return axis;
}

figure::Line thinned(const VectorD& y, double first_x) {
  figure::Line line;
  const auto add = [&](Index k) {
    line.x.push_back(first_x + static_cast<double>(k));
    line.y.push_back(y(k));
  };
  if (y.size() <= kMostPoints) {
    for (Index k = 0; k < y.size(); ++k) add(k);
    return line;
  }
  const Index stretches = kMostPoints / 2;
  for (Index s = 0; s < stretches; ++s) {
    const Index begin = s * y.size() / stretches, end = (s + 1) * y.size() / stretches;
    Index low = begin, high = begin;
    for (Index k = begin; k < end; ++k) {
      if (y(k) < y(low)) low = k;
      if (y(k) > y(high)) high = k;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  return line;
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return fmt::format("{:.2e}", value);
  return fmt::format("{:.4g}", value);
}

std::string formula(const Parameters& p) {
  switch (p.show) {
    case Show::shift:
      return "PE(p + k) = M_{k} PE(p)";
    case Show::similarity:
      if (p.scheme == Scheme::sinusoidal) {
        return "PE(p)\\cdot PE(q) = Σ_{i} \\cos((q-p)θ_{i})";
      }
      return "PE(p)\\cdot PE(q) = Σ_{c} PE(p)_{c} PE(q)_{c}";
    case Show::collisions:
      return "|PE(p+t) - PE(p)| = 2\\sqrt{Σ_{i} \\sin^{2}(\\frac{tθ_{i}}{2})}";
    case Show::scores:
      return p.combine == Combine::added ? "\\Q{(x_{i}+p_{i})W_{q}}\\cdot\\K{(x_{j}+p_{j})W_{k}}"
                                         : "\\Q{[x_{i};p_{i}]W_{q}}\\cdot\\K{[x_{j};p_{j}]W_{k}}";
    case Show::order:
      return "f(ΠX) = Π f(X)";
    case Show::curves:
      break;
  }
  return table_formula(p);
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words, context};
  context.cancel.poll();
  Page page;
  page.figures = upper(scene);
  for (figure::Figure& figure : lower(scene)) page.figures.push_back(std::move(figure));
  page.readouts = readouts(scene);
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.cards = cards(scene);
  add_notes(scene, page);
  page.status =
      scene.w.format("n = {} · d = {} · {}", model.table->n, p.width, scheme_words(scene));
  return page;
}

}  // namespace lab::absolute
