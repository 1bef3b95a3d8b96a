#include "app/labs/extrapolation/page.h"
#include "app/labs/extrapolation/losses.h"
#include "app/labs/shared/text/text.h"
#include "core/enum_array.h"

namespace lab::extrapolation {
namespace {

// In the small TeX of app/figure/formula.h; it follows the knobs.
std::string formula(const Parameters& p) {
  switch (p.method) {
    case Method::none: return "θ′_{i} = θ_{i} = b^{-2i/d}";
    case Method::interpolation: return "θ′_{i} = \\frac{θ_{i}}{s}";
    case Method::ntk: return "θ′_{i} = (b s^{d/(d-2)})^{-2i/d}";
    case Method::dynamic:
      return p.dynamic == core::DynamicNtk::factor
                 ? "θ′_{i} = \\left(b \\left(s \\frac{n}{L} - (s - "
                   "1)\\right)^{d/(d-2)}\\right)^{-2i/d}"
                 : "θ′_{i} = \\left(b \\left(\\frac{n}{L}\\right)^{d/(d-2)}\\right)^{-2i/d}";
    case Method::yarn: return "θ′_{i} = (1 - γ_{i}) \\frac{θ_{i}}{s} + γ_{i} θ_{i}";
    case Method::alibi: break;
  }
  return "\\softmax\\left(\\frac{\\Q{q}\\K{K}^{⊤}}{\\sqrt{d}} - m_{h} |i - j|\\right)";
}

std::vector<Readout> angle_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rotation& rotation = scene.rotation();
  const double reached = rotation.turns(p.pair), trained = model.trained_turns(p.pair);
  const Index last = rotation.theta.size() - 1;
  const double longest = kTurn / rotation.theta(last);
  return {{"s", w("Stretch s"), model.s, number(model.s),
           w("How many times the trained length the frequencies are made for")},
          {"unseen", w("Pairs out of range"), rotation.unseen,
           w.format("{} of {}", rotation.unseen, p.d / 2),
           w("Pairs that had not finished a turn in training and now turn further. For the chosen "
             "method; with ALiBi, for plain RoPE")},
          {"turns", w.format("Turns of pair {}", p.pair), reached,
           w.format("{}, {} in training", number(reached), number(trained)),
           w("How far the chosen pair turns within the context, and within the trained length")},
          {"base", w("Base in use"), rotation.base, number(rotation.base),
           w("NTK-aware and dynamic NTK change the base and nothing else")},
          {"first_step", w("First pair, per step"), rotation.theta(0),
           w.format("{} radians", number(rotation.theta(0))),
           w("The angle by which the fastest pair separates neighbouring tokens. Interpolation "
             "divides it by s")},
          {"longest", w("Longest wavelength"), longest, w.format("{} positions", number(longest)),
           w("Positions per turn of the slowest pair")}};
}

std::vector<Readout> other_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double factor = model.attention_factor;
  const double score = model.logit(p, p.method, p.distance);
  const auto reach = to_double(core::alibi_reach(model.slope(p)));
  return {{"attention_factor", w("YaRN's √(1/t)"), factor, fmt::format("{:.4f}", factor),
           w("Multiplies queries and keys in YaRN")},
          {"temperature", w("YaRN's temperature t"), 1 / (factor * factor),
           fmt::format("{:.4f}", 1 / (factor * factor)),
           w("The scores are divided by it: below 1 the softmax is sharper")},
          {"logit", w.format("Score at distance {}", p.distance), score, fixed(score),
           w("For the chosen method, as it enters the softmax")},
          {"slope", w.format("Slope of head {}", p.head), model.slope(p), number(model.slope(p)),
           w("ALiBi's penalty per position")},
          {"reach", w.format("Reach of head {}", p.head), reach,
           reach == 1 ? w("1 position") : w.format("{} positions", reach),
           w("The distance that holds 99 % of ALiBi's weight when all contents are equal")}};
}

void add_notes(const Scene& scene, Page& page) {
  const auto& [p, model, w] = scene;
  if (p.length <= p.trained) {
    page.note(
        w.format("The context of {} is no longer than the trained {}: nothing is out of range.",
                 p.length, p.trained));
  }
  const double needed = to_double(p.length) / p.trained;
  if (p.stretch == Stretch::fixed && needed > model.s) {
    page.note(
        w.format("The context is {} times as long as trained, s only {}: what interpolation "
                 "squeezes no longer fits.",
                 number(needed), number(model.s)));
  }
  if (model.s > 1 && p.length > p.trained && p.dynamic == core::DynamicNtk::ratio &&
      p.stretch == Stretch::context) {
    page.note(
        w("Dynamic NTK without s and NTK-aware scaling coincide here: s is n / L, and so do their "
          "curves."));
  }
  if (p.distance_axis == DistanceAxis::log && p.distance == 0) {
    page.note(w("Distance 0 is left of the logarithmic axis; its values are among the numbers."));
  }
}

}  // namespace

std::string number(double value) {
  const double size = std::abs(value);
  return size >= 1000 && size < 1e7 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

Color method_color(Method method, float alpha) {
  // Colours from the palette for heads that are far from each other on both themes.
  static constexpr core::EnumArray<Method, int> kColors{{-1, 1, 3, 10, 4, 9}};
  if (method == Method::none) return {Role::dim, alpha};
  return Color::of_head(kColors[method], alpha);
}

std::string Scene::name(Method method) const {
  constexpr core::EnumArray<Method> kMethodNames{{N_("plain RoPE"), N_("interpolation"),
                                                  N_("NTK-aware"), N_("dynamic NTK"), N_("YaRN"),
                                                  N_("ALiBi")}};
  return w(kMethodNames[method]);
}

Line over_cells(const VectorD& values, const Style& style) {
  const VectorD x = cell_middles(values.size());
  return {{x.begin(), x.end()}, {values.begin(), values.end()},
          style.color,          style.width,
          style.dashed,         style.label};
}

void add_discs(const VectorD& x, const VectorD& y, const Color& color, std::string_view param,
               int first, int chosen, std::string_view explained, Plot& plot) {
  Points points{{x.begin(), x.end()}, {y.begin(), y.end()}, color, x.size() > 64 ? 1.5f : 2.5f};
  for (Index i = 0; i < x.size(); ++i) {
    points.picks.push_back(sets(std::string(param), i + first, "explain", explained));
  }
  plot.add(std::move(points));
  plot.add(picked_point(x(chosen), y(chosen), 4.5f));
}

VectorD cell_middles(Index count) {
  return VectorD::LinSpaced(count, 0, to_double(count - 1)).array() + 0.5;
}

Labels head_names(int heads) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (int head = 1; head <= heads; ++head) names->push_back(fmt::format("{}", head));
  return names;
}

namespace {

Page measured_page(const Parameters& p, const Context& context) {
  const auto show = [&](const Measured& partial) {
    if (context.publish) context.publish(losses_page({p, partial, context.words}));
  };
  const Measured measured = measure(p, context, show);
  return losses_page({p, measured, context.words});
}

}  // namespace

Page compute(const Parameters& p, const Context& context) {
  if (p.measured()) return measured_page(p, context);
  const Model model = make_model(p, context);
  const Scene scene{p, model, context.words};
  Page page;
  page.figures = {scene.alibi() ? penalties_figure(scene) : angles_figure(scene),
                  scores_figure(scene),
                  waves_figure(scene),
                  ramp_figure(scene),
                  cells_figure(scene),
                  bias_figure(scene)};
  page.readouts = angle_readouts(scene);
  for (Readout& readout : other_readouts(scene)) page.readouts.push_back(std::move(readout));
  page.formula = formula(p);
  page.explanation = explain(scene);
  page.made_up =
      p.vectors == Vectors::ones
          ? scene.w("q and k are all ones: the angles are real, the scores come from no model")
          : scene.w("random q and k: the angles are real, the scores come from no model");
  page.cards = cards("extrapolation", context.words);
  add_notes(scene, page);
  page.status =
      context.words.format("{} · L = {} · n = {} · s = {} · d {} · base {}", scene.chosen_name(),
                           p.trained, p.length, number(model.s), p.d, number(p.base));
  return page;
}

}  // namespace lab::extrapolation
