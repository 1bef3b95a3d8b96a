#include "app/labs/scoring/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lab::scoring {
namespace {

using figure::Figure;

std::vector<Figure> figures(const Scene& scene) {
  switch (scene.p.view) {
    case View::heights:
      if (scene.heights().keys.size() == 0) return {};
      return {people_figure(scene), shares_figure(scene), methods_figure(scene)};
    case View::width:
      return {spread_figure(scene), variance_figure(scene), saturation_figure(scene)};
    case View::plane:
      break;
  }
  return {plane_figure(scene), compare_figure(scene), fields_figure(scene)};
}

std::string formula(const Parameters& p) {
  if (p.view == View::width) {
    return "\\text{Var}\\left(\\Q{q} \\cdot \\K{k}\\right) = d \\quad "
           "\\text{Var}\\left(\\frac{\\Q{q} \\cdot \\K{k}}{\\sqrt{d}}\\right) = 1";
  }
  if (p.view == View::heights) {
    return "\\V{f}(\\Q{q}) = \\sum_{i} \\softmax_{i}\\left(-\\frac{(\\Q{q} - \\K{k_{i}})^2}{2 "
           "b^2}\\right) \\V{v_{i}}";
  }
  switch (p.scoring) {
    case Scoring::dot:
      return "a(\\Q{q}, \\K{k}) = \\Q{q} \\cdot \\K{k}";
    case Scoring::scaled:
      return "a(\\Q{q}, \\K{k}) = \\frac{\\Q{q} \\cdot \\K{k}}{\\sqrt{d}}";
    case Scoring::additive:
      return "a(\\Q{q}, \\K{k}) = w_{v} \\cdot \\tanh\\left(\\Q{q} W_{q} + \\K{k} W_{k}\\right)";
    case Scoring::bilinear:
      return "a(\\Q{q}, \\K{k}) = \\Q{q} W \\K{k}^{⊤}";
    case Scoring::gaussian:
      break;
  }
  return "a(\\Q{q}, \\K{k}) = -\\frac{\\left(w |\\Q{q} - \\K{k}|\\right)^2}{2}";
}

std::string status(const Scene& scene) {
  const auto& [p, m, w] = scene;
  switch (p.view) {
    case View::heights:
      return w.format("{} people · asked for {:.5g} cm", p.people.size(), p.height);
    case View::width:
      return w.format("d = {} · {} queries · {} keys each · seed {}", p.d, p.rows, p.row_keys,
                      p.seed);
    case View::plane:
      break;
  }
  return w.format("{} keys · d = 2 · {}", p.keys.size(), scene.score_name(p.scoring));
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, m, w] = scene;
  if (p.view == View::plane && p.keys.empty()) {
    page.notes.emplace_back(
        w("There is no key: the output is 0. Click into the plane to add one."));
  }
  if (p.view == View::plane && p.values.size() > p.keys.size()) {
    page.notes.push_back(
        w.format("{} values have no key and are not used.", p.values.size() - p.keys.size()));
  }
  if (p.view == View::heights && p.people.empty()) {
    page.notes.emplace_back(w("Nobody is known yet: type people as \"175,70 178,76\"."));
  }
  if (p.view == View::heights && !p.people.empty() && std::isnan(scene.guess().value)) {
    page.notes.emplace_back(
        w("Everyone is exactly as tall as asked for: distances over their sum are 0/0."));
  }
}

}  // namespace

std::string Scene::score_name(Scoring scoring) const {
  switch (scoring) {
    case Scoring::dot:
      return w("dot");
    case Scoring::scaled:
      return w("scaled dot");
    case Scoring::additive:
      return w("additive");
    case Scoring::bilinear:
      return w("bilinear");
    case Scoring::gaussian:
      break;
  }
  return w("Gaussian");
}

std::string Scene::method_name(Method method) const {
  switch (method) {
    case Method::document:
      return w("distance / Σ");
    case Method::first:
      return w("nearest, first");
    case Method::shared:
      return w("nearest, shared");
    case Method::inverse:
      return w("1 / distance");
    case Method::gaussian:
      break;
  }
  return w("Gaussian");
}

std::string Scene::key_name(Index key) const { return fmt::format("k{}", key); }

std::string_view scoring_id(Scoring scoring) {
  constexpr std::array<std::string_view, kScorings> kIds{"dot", "scaled", "additive", "bilinear",
                                                         "gaussian"};
  return kIds[static_cast<std::size_t>(scoring)];
}

std::string_view method_id(Method method) {
  constexpr std::array<std::string_view, kMethods> kIds{"document", "first", "shared", "inverse",
                                                        "gaussian"};
  return kIds[static_cast<std::size_t>(method)];
}

std::vector<Card> cards(const words::Words& w) {
  return {
      {w("Hardmax weighs by |q - k| / Σ |q - k|."),
       w("That grows with the distance: asked for 179 cm it gives 4/6 to whoever is 175 cm tall, "
         "and says 72.83 kg. Hardmax puts all weight on the nearest."),
       w("Preset: height and weight")},
      {w("The variance of q·k is √d."),
       w("It is d; √d is its standard deviation. That is why dividing by √d makes the variance 1."),
       w("Preset: why divide by √d?")},
      {w("Dot products are linear, so additive attention was invented later to be non-linear."),
       w("The dot product is bilinear, and additive attention (2014) is older than the scaled dot "
         "product (2017). It also takes queries and keys of different widths."),
       "Bahdanau et al. 2014; Vaswani et al. 2017"},
      {w("Dot-product attention has a lower complexity than additive attention."),
       w("In theory they are alike; the dot product is faster and leaner in practice, because it "
         "is one matrix product."),
       "Vaswani et al. 2017, section 3.2.1"},
      {w("A longer key fits better."),
       w("By dot product it does: twice as long is twice the score, whatever the query near it. By "
         "Gaussian score the nearest key wins."),
       w("Preset: a long key takes all")},
      {w("The score is a probability."),
       w("A score can be any number. Softmax over all scores makes weights of them, and those add "
         "up to 1."),
       w("Figure: five scoring functions")}};
}

Page compute(const Parameters& p, const Context& context) {
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = figures(scene);
  page.readouts = readouts(scene);
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.cards = cards(context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::scoring
