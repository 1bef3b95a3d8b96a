#include "app/labs/rope_rounding/page.h"
#include "app/labs/shared/text/text.h"

#include "app/figure/layout.h"

namespace lab::rope_rounding {
namespace {

std::vector<Readout> table_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto rows = to_double(model.rows->count());
  const core::AngleErrors& errors = *model.errors;
  const auto lost = to_double(errors.lost());
  return {{"distinct_rows", w("Distinct rows"), rows,
           w.format("{} of {}", model.rows->count(), p.length),
           w("Rows of the table that differ in at least one cosine or sine. All may differ and "
             "still be wrong")},
          {"largest_phase_error", w("Largest phase error"), errors.largest,
           w.format("{} = {} turns", radians(errors.largest),
                    short_number(errors.largest / (2 * std::numbers::pi))),
           w("|rounded angle - mθ| over all pairs and positions with finite angles")},
          {"lost_angles", w("Hands without an angle"), lost, fmt::format("{:.0f}", lost),
           w("Where an id or a product exceeds the largest number of the format, so there is no "
             "cosine and no sine, or where both are rounded to 0")},
          {"phase_error", w("Phase error, picked"),
           std::isfinite(model.entry.error()) ? model.entry.error() : 0,
           w.format("{} at {}", error_text(scene), p.query),
           w("Rounded angle minus mθ of the picked pair and position; 0 where it is not finite")}};
}

std::vector<Readout> attention_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  const double exact = model.exact_score(p.query - p.key);
  const double rounded = model.rounded_score(p.query, p.key);
  const bool finite = std::isfinite(rounded);
  return {
      {"largest_weight_change", w("Largest change of a weight"), window.largest,
       window.missing > 0 ? w.format("{}, and {} NaN", short_number(window.largest), window.missing)
                          : short_number(window.largest),
       w("In the attention shown, rounded against exact, over weights that are numbers")},
      {"missing_weights", w("Weights not numbers"), to_double(window.missing),
       fmt::format("{}", window.missing),
       w("A row with an angle that is not finite has no weights")},
      {"score_error", w("Score error, picked"), finite ? rounded - exact : 0,
       finite ? w.format("{} of {}", short_number(rounded - exact), short_number(exact))
              : std::string("NaN"),
       w("Rounded minus exact q·k/√d of the picked query and key; 0 where it is not a number")},
      {"distance_error", w("Score error over distance"), model.by_distance->largest,
       short_number(model.by_distance->largest),
       w("The largest |error| of the curve over distance, among numbers")},
      {"position_error", w("Score error over position"), model.by_position->largest,
       short_number(model.by_position->largest),
       w("The largest |error| of the curve over position, among numbers: an exact score would not "
         "depend on the position at all")}};
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  if (p.repair) {
    page.note(
        w.format("Repaired: angles are computed in {}, cosines and sines are cast to {} last.",
                 scene.carrier(), scene.format()));
  }
  if (effective_steps(p) == RoundedSteps{}) {
    page.note(w.format("Nothing is rounded to {}: the only rounding is that of {}.", scene.format(),
                       scene.carrier()));
  } else if (format_of(p.format) == core::kFloat32 && p.carrier == Carrier::float32) {
    page.note(w("Everything is already computed in float32: rounding to it changes nothing."));
  }
  if (p.length > kMostCompared) {
    page.note(w.format("Each step by itself is examined over the first {} of {} positions.",
                       kMostCompared, p.length));
  }
  if (model.by_position->sampled) {
    page.note(
        w.format("The score over position is computed at {} places of {} neighbours each; "
                 "positions between are skipped.",
                 model.by_position->at.size(), model.by_position->neighbors));
  }
  const Index pointless = model.errors->without_hand;
  if (pointless > 0) {
    page.note(
        w.format("Hands without an angle: {}. Their cosine and sine are both rounded to 0, or one "
                 "of them exceeds the largest number of {}.",
                 pointless, scene.format()));
  }
  const Index lost = model.errors->lost() - pointless;
  if (lost > 0) {
    page.note(w.format(
        "Angles that are not finite: {}. Ids or products exceed the largest number of {}, {}.",
        lost, scene.format(), short_number(core::max_finite(format_of(p.format)))));
  }
}

// With fl( ) around what is rounded.
std::string formula(const Scene& scene) {
  const RoundedSteps rounded_steps = effective_steps(scene.p);
  const auto fl = [](bool rounded, const std::string& what) {
    return rounded ? "\\accent{\\text{fl}(}" + what + "\\accent{)}" : what;
  };
  const std::string angle = fl(rounded_steps.product, fl(rounded_steps.id, "m") + "·" +
                                                          fl(rounded_steps.frequency, "θ_{i}"));
  return "\\bar{c}_{mi} = " + fl(rounded_steps.table, "\\cos(" + angle + ")") +
         ", \\quad θ_{i} = b^{-2i/d}";
}

std::string status(const Scene& scene) {
  const auto& p = scene.p;
  return scene.w.format("{} · rounded: {} · n = {} · d {} · base {}", scene.format(),
                        scene.rounded(), p.length, p.d, short_number(p.base));
}

}  // namespace

std::string Scene::carrier() const {
  return p.carrier == Carrier::float32 ? std::string("float32") : w("double");
}

std::string Scene::place(std::string_view id) const {
  if (id == "id") return w("the id m");
  if (id == "frequency") return w("the frequency θ");
  if (id == "product") return w("the product m·θ");
  if (id == "table") return w("the finished cos, sin");
  return w("all four");
}

std::string Scene::rounded() const {
  const RoundedSteps rounded_steps = effective_steps(p);
  if (rounded_steps == RoundedSteps{}) return w("nothing");
  if (rounded_steps == RoundedSteps{true, true, true, true}) return place("all");
  std::vector<std::string> names;
  const auto add = [&](bool given, std::string name) {
    if (given) names.push_back(std::move(name));
  };
  add(rounded_steps.id, "m");
  add(rounded_steps.frequency, "θ");
  add(rounded_steps.product, "m·θ");
  add(rounded_steps.table, w.list({"cos", "sin"}));
  return w.list(names);
}

std::string short_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  return figure::number_text(value, 4);
}

std::string error_text(const Scene& scene) {
  const double error = scene.model.entry.error();
  return std::isfinite(error) ? radians(error) : scene.w("no angle");
}

std::string radians(double angle) { return short_number(angle) + " rad"; }

Color exact_color(float alpha) { return {Role::text, alpha}; }
Color rounded_color(float alpha) { return {Role::bad, alpha}; }

Assignments explained_by(std::string_view what) { return {{"explain", std::string(what)}}; }

std::vector<Readout> readouts(const Scene& scene) {
  std::vector<Readout> all = table_readouts(scene);
  for (Readout& more : attention_readouts(scene)) all.push_back(std::move(more));
  return all;
}

Page compute(const Parameters& given, const Context& context) {
  const Parameters p = settled(given);
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {attention_figure(scene), phase_figure(scene),    dial_figure(scene),
                  bits_figure(scene),      steps_figure(scene),    curves_figure(scene),
                  rows_figure(scene),      distance_figure(scene), position_figure(scene)};
  page.readouts = readouts(scene);
  page.formula = formula(scene);
  page.explanation = explain(scene);
  page.made_up = scene.w("random q and k: the rounding is real, the attention comes from no model");
  page.cards = cards("rope_rounding", context.words);
  add_notes(scene, page);
  page.status = status(scene);
  return page;
}

}  // namespace lab::rope_rounding
