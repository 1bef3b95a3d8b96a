// What temperature does: to the odds of two logits, to all weights, to entropy and slope.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/labs/softmax/page.h"
#include "core/attention/softmax.h"

namespace lab::softmax {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

constexpr std::array<double, 4> kOthers{0.25, 0.5, 2, 4};
constexpr int kPoints = 161;

// The first weight of a row of two logits.
double first_of_two(double difference, double T) {
  return core::softmax(VectorD{{difference, 0}}, T)(0);
}

Line curve(double reach, double T, Color color, float width) {
  Line line;
  for (int k = 0; k < kPoints; ++k) {
    line.x.push_back(reach * (2.0 * k / (kPoints - 1) - 1));
    line.y.push_back(first_of_two(line.x.back(), T));
  }
  line.color = color;
  line.width = width;
  line.label = fmt::format("T = {:.3g}", T);
  return line;
}

void mark_temperature(const Scene& scene, double y, Plot& plot) {
  plot.marks.emplace_back(figure::Rule{true, scene.p.temperature, Role::accent, true, {}});
  figure::Handle handle;
  handle.x = scene.p.temperature;
  handle.y = y;
  handle.x_param = "temperature";
  handle.radius = 5;
  plot.marks.emplace_back(std::move(handle));
}

}  // namespace

Figure pair_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const double difference = m.row.x(scene.weight()) - m.row.x(scene.logit());
  const double share = first_of_two(difference, p.temperature);
  Figure figure =
      new_figure("pair", w("Two logits: only their difference counts"), {.span = 4, .height = 300});
  figure.caption = w.format(
      "The share of the first of two logits in their common weight against their difference, at "
      "several temperatures; dashed: hardmax, the limit. Logits {} and {} at T = {:.4g}.",
      p.weight, p.logit, p.temperature);
  Plot plot{.id = "pair"};
  plot.x.label = w.format("difference x{} - x{}", p.weight, p.logit);
  plot.y.label = w.format("p{0} / (p{0} + p{1})", p.weight, p.logit);
  const double reach = std::max(5.0, std::ceil(1.2 * std::abs(difference)));
  plot.x.lo = -reach;
  plot.x.hi = reach;
  plot.y.hi = 1;
  plot.click = {{"explain", "pair"}};
  plot.marks.emplace_back(Line{{-reach, 0, 0, reach}, {0, 0, 1, 1}, Role::dim, 1, true, {}});
  for (const double T : kOthers) {
    plot.marks.emplace_back(curve(reach, T, Role::dim, 1.2f));
  }
  plot.marks.emplace_back(curve(reach, p.temperature, Role::accent, 2.5f));
  plot.marks.emplace_back(figure::Rule{true, difference, Color(Role::accent, 0.5f), true, {}});
  figure::Points here{{difference}, {share}, Role::accent, 5, {{{"explain", "pair"}}}};
  plot.marks.emplace_back(std::move(here));
  figure.footer = {{w.format("difference {:.3f} → share {}", difference, weight_text(share)),
                    Role::accent, figure::TextStyle::label}};
  return with(std::move(figure), std::move(plot));
}

Figure melting_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure =
      new_figure("melting", w("From one winner to all alike"), {.span = 4, .height = 300});
  figure.caption = w.format(
      "Each of {} weights against the temperature: hardmax at the left, all equal at the right.",
      p.count);
  Plot plot = temperature_plot(scene, "melting");
  plot.y.label = w("weights p");
  plot.y.hi = 1;
  plot.click = {{"explain", "weight"}};
  const Sweep& sweep = *m.sweep;
  for (std::size_t k = 0; k < sweep.weights.size(); ++k) {
    const bool picked = static_cast<Index>(k) == scene.weight();
    plot.marks.emplace_back(Line{sweep.temperatures, sweep.weights[k],
                                 picked ? Color(Role::accent) : Color::of_head(kWeightColor, 0.8f),
                                 picked ? 2.5f : 1.3f, false, fmt::format("p{}", k + 1)});
  }
  plot.marks.emplace_back(
      figure::Rule{false, 1.0 / p.count, Role::dim, true, fmt::format("1/{}", p.count)});
  mark_temperature(scene, m.row.p(scene.weight()), plot);
  return with(std::move(figure), std::move(plot));
}

Figure entropy_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sweep& sweep = *m.sweep;
  Figure figure = new_figure("entropy", w("Entropy"), {.span = 4, .height = 300});
  figure.note = w.format("{:.3f} nats", m.row.entropy);
  figure.caption = w.format(
      "The entropy of the weights against the temperature. It rises from ln of the number of "
      "largest logits ({:.3f}) to ln {} = {:.3f}.",
      sweep.tie_entropy, p.count, std::log(p.count));
  Plot plot = temperature_plot(scene, "entropy");
  plot.y.label = w("entropy (nats)");
  plot.y.hi = 1.15 * std::log(p.count);
  plot.click = {{"explain", "entropy"}};
  plot.marks.emplace_back(
      figure::Rule{false, std::log(p.count), Role::dim, true, fmt::format("ln {}", p.count)});
  plot.marks.emplace_back(
      Line{sweep.temperatures, sweep.entropy, Color::of_head(kWeightColor), 2, false, {}});
  mark_temperature(scene, m.row.entropy, plot);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::softmax
