#include "app/labs/absolute/page.h"

#include <fmt/format.h>

#include <cmath>

namespace lab::absolute {
namespace {

std::vector<Figure> figures(const Scene& scene) {
  constexpr Figure (*kScheme[])(const Scene&) = {wavelength_figure, grid_figure, learned_figure,
                                                 flow_figure, turn_figure};
  constexpr std::vector<Figure> (*kQuestion[])(const Scene&) = {
      curve_figures,     shift_figures, similarity_figures,
      collision_figures, score_figures, order_figures};
  std::vector<Figure> all = {table_figure(scene), kScheme[to_size(Index(scene.p.scheme))](scene)};
  for (Figure& figure : kQuestion[to_size(Index(scene.p.show))](scene)) {
    all.push_back(std::move(figure));
  }
  return all;
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
  const bool x_first = p.axis_order == core::AxisOrder::width_first;
  switch (p.scheme) {
    case Scheme::grid:
      return x_first ? "PE(y,x) = [s(x), s(y)]" : "PE(y,x) = [s(y), s(x)]";
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

std::string formula(const Parameters& p) {
  switch (p.show) {
    case Show::shift:
      return "PE(p + k) = M_{k} PE(p)";
    case Show::similarity:
      return p.scheme == Scheme::sinusoidal ? "PE(p)\\cdot PE(q) = Σ_{i} \\cos((q-p)θ_{i})"
                                            : "PE(p)\\cdot PE(q) = Σ_{c} PE(p)_{c} PE(q)_{c}";
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

}  // namespace

Explain Scene::explained() const {
  const bool shown[] = {true,
                        model.shift != nullptr,
                        p.show == Show::similarity,
                        model.decay || (model.collisions && !model.collisions->records.empty()),
                        p.show == Show::scores && model.pairs,
                        model.order.has_value()};
  return shown[to_size(Index(p.explain))] ? p.explain : Explain::cell;
}

bool Scene::has_target() const {
  const Index x = p.grid_x + p.offset;
  return p.grid() ? x >= 0 && x < p.grid_width : table().has(target());
}

figure::Heatmap picked_map(const Scene& scene, Source source, const figure::ColorScale& scale,
                           std::pair<const char*, Index> row, std::pair<const char*, Index> col,
                           std::string_view explained) {
  return {.source = std::move(source),
          .scale = scale,
          .pool = scene.p.pool,
          .row_param = row.first,
          .col_param = col.first,
          .also = explains(explained),
          .pinned = std::pair{row.second, col.second}};
}

std::vector<double> doubles(const VectorD& v) { return {v.data(), v.data() + v.size()}; }

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return fmt::format("{:.2e}", value);
  return fmt::format("{:.4g}", value);
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  context.cancel.poll();
  return {.figures = figures(scene),
          .readouts = readouts(scene),
          .formula = formula(p),
          .explanation = explain(scene),
          .cards = cards(scene),
          .notes = notes(scene),
          .status =
              scene.w.format("n = {} · d = {} · {}", model.table->n, p.width, scheme_words(scene))};
}

}  // namespace lab::absolute
