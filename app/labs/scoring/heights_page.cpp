// Heights and masses: what five ways of weighing make of the same people.
#include "app/labs/scoring/page.h"
#include "core/attention/scoring.h"
#include "core/enum_array.h"

namespace lab::scoring {
namespace {

// What each way makes of the masses v of people as tall as k.
constexpr const char* kHardmax =
    "\\V{f}(\\Q{q}) = \\sum_{i} \\text{hardmax}_{i}\\left(-|\\Q{q} - \\K{k_{i}}|\\right) "
    "\\V{v_{i}}";
constexpr core::EnumArray<Method> kFormulas{
    {"\\V{f}(\\Q{q}) = \\sum_{i} \\frac{|\\Q{q} - \\K{k_{i}}|}{\\sum_{j} |\\Q{q} - \\K{k_{j}}|} "
     "\\V{v_{i}}",
     kHardmax, kHardmax,
     "\\V{f}(\\Q{q}) = \\sum_{i} \\frac{1 / |\\Q{q} - \\K{k_{i}}|}{\\sum_{j} 1 / |\\Q{q} - "
     "\\K{k_{j}}|} \\V{v_{i}}",
     "\\V{f}(\\Q{q}) = \\sum_{i} \\softmax_{i}\\left(-\\frac{(\\Q{q} - \\K{k_{i}})^2}{2 "
     "b^2}\\right) \\V{v_{i}}"}};

std::size_t method(const Scene& scene) { return to_size(scene.p.method); }
const Guess& guess(const Scene& scene) { return scene.model.heights->guesses[method(scene)]; }
std::string method_name(const Scene& scene, std::size_t k) { return scene.w(kMethods[k].label); }
VectorD distances(const Scene& scene) {
  return (scene.model.heights->keys.array() - scene.p.height).abs();
}

Color color_of(std::size_t k) {
  constexpr core::EnumArray<Method, int> kColors{{0, 1, 4, 9, 0}};
  return static_cast<Method>(k) == Method::document ? Color(Role::bad) : Color::of_head(kColors[k]);
}

// --- figures

Figure people_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Heights& heights = *m.heights;
  Figure figure = new_figure("people", w("A mass guessed from a height"), {.height = 340});
  figure.note = w.format("asked for: {:.5g} cm", p.height);
  figure.caption = w.format(
      "People (green), {} in all, and the predictions of five methods of weighting them for every "
      "height; at {:.5g} cm the picked method predicts {} kg.",
      heights.keys.size(), p.height, fixed(guess(scene).value, 2));
  const double lo = heights.values.minCoeff(), hi = heights.values.maxCoeff();
  const double room = std::max(3.0, 0.2 * (hi - lo));
  Plot plot{.id = "people", .x_param = "height", .points_param = "people"};
  plot.x = {w("height (cm), the key"), heights.at.front(), heights.at.back()};
  plot.y = {w("mass (kg), the value"), lo - room, hi + room};
  // Vertical jumps of one-hot weights are not drawn.
  const auto add_curve = [&scene, &plot](std::size_t k, float width) {
    plot.add(Line{scene.model.heights->at, scene.model.heights->guesses[k].curve, color_of(k),
                  width, false, method_name(scene, k)});
  };
  for (std::size_t k = 0; k < kMethods.size(); ++k)
    if (k != method(scene)) add_curve(k, 1.4f);
  add_curve(method(scene), 3);
  plot.add(Rule{true, p.height, Role::query});
  for (Index i = 0; i < heights.keys.size(); ++i) {
    plot.add(Handle{.x = heights.keys(i),
                    .y = heights.values(i),
                    .also = sets("person", i),
                    .color = i == p.person ? Role::accent : Role::value,
                    .points_param = "people",
                    .point = to_size(i)});
  }
  if (std::isfinite(guess(scene).value)) {
    plot.add(Handle{.x = p.height,
                    .y = guess(scene).value,
                    .x_param = "height",
                    .color = Role::query,
                    .radius = 8});
  }
  return with(std::move(figure), std::move(plot));
}

Figure shares_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("shares", w("Who gets the weight"), {.height = 220, .columns = kMethods.size()});
  figure.note = w("one bar per person");
  figure.caption = w.format(
      "The weight of each person when {:.5g} cm is asked for, by five methods; each adds up to 1.",
      p.height);
  const VectorD distance = distances(scene);
  Index farthest = 0;
  const bool unlike = distance.maxCoeff(&farthest) > distance.minCoeff();
  for (std::size_t k = 0; k < kMethods.size(); ++k) {
    const VectorD& weights = m.heights->guesses[k].weights;
    auto picks =
        each(weights.size(), [&](Index i) { return sets("method", kMethods[k].id, "person", i); });
    Plot plot = bar_plot({.id = fmt::format("share_{}", kMethods[k].id),
                          .title = method_name(scene, k),
                          .values = weights,
                          .color = color_of(k),
                          .picks = std::move(picks),
                          .marked = p.person,
                          .top = kWeightTop,
                          .x = cell_axis("", weights.size())});
    plot.selected = k == method(scene);
    plot.click = sets("method", kMethods[k].id);
    if (unlike && weights(farthest) == weights.maxCoeff()) {
      plot.note = w("most to the farthest");
    }
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

std::string weights_words(const VectorD& weights) {
  constexpr Index kMost = 4;
  std::string text;
  for (Index i = 0; i < std::min(kMost, weights.size()); ++i) {
    text += (i == 0 ? "" : "  ") + weight_text(weights(i));
  }
  return weights.size() > kMost ? text + " …" : text;
}

Figure methods_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("methods", w("Their predictions"), {.height = 250});
  figure.caption = w.format(
      "Weights, prediction and slope of five methods at {:.5g} cm. One-hot weights have slope 0, "
      "except where they jump.",
      p.height);
  figure::Table table{.columns = {{w("weights by"), 1.5f, -1},
                                  {w("weights"), 2, -1},
                                  {w("prediction (kg)"), 1, 1},
                                  {w("slope (kg/cm)"), 1, 1}},
                      .marked = to_int(p.method)};
  for (std::size_t k = 0; k < kMethods.size(); ++k) {
    const Guess& one = m.heights->guesses[k];
    const bool wrong = static_cast<Method>(k) == Method::document;
    const std::string slope =
        std::isnan(one.slope) && std::isfinite(one.value) ? w("jumps here") : fixed(one.slope);
    table.rows.push_back(
        {{{method_name(scene, k), wrong ? Role::bad : Role::text, TextStyle::label}},
         {{weights_words(one.weights), Role::text, TextStyle::mono}},
         {{fixed(one.value, 4), Role::text, TextStyle::mono_bold}},
         {{slope, Role::dim, TextStyle::mono}}});
    table.picks.push_back(sets("method", kMethods[k].id));
  }
  return with_table(std::move(figure), std::move(table));
}

std::vector<Readout> height_readouts(const Scene& scene) {
  std::vector<Readout> out;
  for (std::size_t k = 0; k < kMethods.size(); ++k) {
    const double value = scene.model.heights->guesses[k].value;
    if (!std::isfinite(value)) continue;
    out.push_back({fmt::format("prediction_{}", kMethods[k].id), method_name(scene, k), value,
                   fmt::format("{:.4f} kg", value),
                   scene.w("The mass predicted for the height asked for")});
  }
  return out;
}

// --- why a guessed weight is what it is

// A quotient of what each person counts by their sum.
void write_share(const Scene& scene, const VectorD& counts, const char* formula, Derivation& d) {
  d.begin(fmt::format("p{}", scene.p.person), formula);
  d.about(fmt::format("{} / {}", significant(counts(scene.p.person)), significant(counts.sum())));
  d.about_result(weight_text(guess(scene).weights(scene.p.person)));
}

void write_method(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const VectorD distance = distances(scene);
  const std::string left = fmt::format("p{}", p.person);
  const std::string weight = weight_text(guess(scene).weights(p.person));
  const double least = distance.minCoeff();
  const auto nearest = (distance.array() == least).count();
  switch (p.method) {
    case Method::document:
      if (distance.sum() > 0) {
        write_share(scene, distance, "|q - k| / Σ |q - k|", d);
      } else {
        d.picked(left, "NaN");
      }
      d.say(
          w("The larger the distance, the larger the weight: the least similar person counts most, "
            "and this is not hardmax."));
      break;
    case Method::first:
    case Method::shared:
      d.is(w("nearest"), "≈ " + number(least));
      if (nearest > 1) d.next(w.format("{} people are equally near", nearest));
      d.say(p.method == Method::first
                ? w("Hardmax of -|q - k|: all weight on the first nearest person.")
                : w("Hardmax of -|q - k| with ties shared: the limit of softmax."))
          .about_picked(left, weight);
      break;
    case Method::inverse:
      if (least > 0) {
        write_share(scene, distance.cwiseInverse(), "(1/|q - k|) / Σ 1/|q - k|", d);
      } else {
        d.say(w("People of exactly this height share all the weight.")).about_picked(left, weight);
      }
      break;
    case Method::gaussian: {
      const MatrixD query = MatrixD::Constant(1, 1, p.height);
      d.begin("a(q, k)", fmt::format("-((q - k) / {})² / 2", number(p.bandwidth)));
      d.softmax(
          left,
          written_row(core::gaussian_scores<double>(query, m.heights->keys, 1 / p.bandwidth).row(0),
                      p.person));
    }
  }
}

void write_prediction(const Scene& scene, Derivation& d) {
  const VectorD &weights = guess(scene).weights, &values = scene.model.heights->values;
  d.heading(scene.w("The prediction"));
  if (std::isnan(guess(scene).value)) {
    d.result("NaN");
    return;
  }
  const auto terms = each(weights.size(), [&](Index i) {
    return Derivation::Term{fixed(weights(i) * values(i), 4),
                            fmt::format("{} · {} kg", significant(weights(i)), number(values(i)))};
  });
  d.terms(terms, to_size(scene.p.person)).about_result(fixed(guess(scene).value, 4) + " kg");
}

Explanation explain_guess(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const VectorD &keys = m.heights->keys, distance = distances(scene);
  Derivation d(w);
  std::vector<Derivation::Term> terms;
  for (Index i = 0; i < keys.size(); ++i) {
    terms.push_back({number(distance(i)),
                     fmt::format("|{} - {}|  ({})", number(p.height), number(keys(i)), i)});
  }
  d.begin(w("distances"), "|q - k|").terms(terms, to_size(p.person));
  write_method(scene, d);
  write_prediction(scene, d);
  return {w.format("The weight of person {}: {}", p.person, method_name(scene, method(scene))),
          d.take()};
}

}  // namespace

Page heights_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.formula = kFormulas[method(scene)];
  page.status = w.format("people {} · asked for {:.5g} cm", p.people.size(), p.height);
  if (p.people.empty()) {
    page.explanation = {
        w("No people"),
        {sentence_line(w("There is no one to compare with: add people as height, mass."))}};
    page.notes = {w("There are no people yet: type them as \"175,70 178,76\".")};
    return page;
  }
  page.figures = {people_figure(scene), shares_figure(scene), methods_figure(scene)};
  page.readouts = height_readouts(scene);
  page.explanation = explain_guess(scene);
  if (std::isnan(guess(scene).value)) {
    page.notes = {
        w("Everyone has exactly the height asked for: distances over their sum are 0/0.")};
  }
  return page;
}

}  // namespace lab::scoring
