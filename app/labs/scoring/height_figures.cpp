// Heights and weights: what five ways of weighing make of the same people.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/layout.h"
#include "app/labs/scoring/page.h"

namespace lab::scoring {
namespace {

using figure::Assignments;
using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;
using figure::TextStyle;

Color color_of(Method method) {
  constexpr std::array<int, kMethods> kColors{0, 1, 4, 9, 0};
  return method == Method::document ? Color(Role::bad)
                                    : Color::of_head(kColors[static_cast<std::size_t>(method)]);
}

Assignments method_pick(Method method) { return {{"method", std::string(method_id(method))}}; }

// The prediction of a method against the height; vertical jumps of one-hot weights are not drawn.
figure::Line curve(const Scene& scene, Method method) {
  const Guess& guess = scene.heights().guesses[static_cast<std::size_t>(method)];
  const bool chosen = method == scene.p.method;
  figure::Line line{scene.heights().at, guess.curve, color_of(method), chosen ? 3.0f : 1.4f};
  line.label = scene.method_name(method);
  return line;
}

std::string kilograms(double value, int digits) {
  return std::isnan(value) ? "NaN" : fixed(value, digits);
}

std::string slope_words(const Scene& scene, const Guess& guess) {
  if (std::isnan(guess.value)) return "NaN";
  if (std::isnan(guess.slope)) return scene.w("jumps here");
  return fmt::format("{:.3f}", guess.slope);
}

std::string weights_words(const VectorD& weights) {
  constexpr Index kMost = 4;
  std::string text;
  for (Index i = 0; i < std::min(kMost, weights.size()); ++i) {
    text += (i == 0 ? "" : "  ") + weight_text(weights(i));
  }
  return weights.size() > kMost ? text + " …" : text;
}

}  // namespace

Figure people_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Heights& heights = scene.heights();
  Figure figure = new_figure("people", w("A weight guessed from a height"), {.height = 340});
  figure.note = w.format("asked for: {:.5g} cm", p.height);
  figure.caption = w.format(
      "{} people (green) and what five ways of weighing them predict for every height; at {:.5g} "
      "cm the picked one says {} kg.",
      heights.keys.size(), p.height, kilograms(scene.guess().value, 2));
  Plot plot{.id = "people"};
  plot.x.label = w("height (cm), the key");
  plot.y.label = w("weight (kg), the value");
  plot.points_param = "people";
  plot.x_param = "height";
  plot.x.lo = heights.at.front();
  plot.x.hi = heights.at.back();
  const double lo = heights.values.minCoeff(), hi = heights.values.maxCoeff();
  const double room = std::max(3.0, 0.2 * (hi - lo));
  plot.y.lo = lo - room;
  plot.y.hi = hi + room;
  for (int k = 0; k < kMethods; ++k) {
    if (static_cast<Method>(k) != p.method) {
      plot.marks.emplace_back(curve(scene, static_cast<Method>(k)));
    }
  }
  plot.marks.emplace_back(curve(scene, p.method));
  plot.marks.emplace_back(figure::Rule{true, p.height, Role::query, true, {}});
  for (Index i = 0; i < heights.keys.size(); ++i) {
    figure::Handle handle;
    handle.x = heights.keys(i);
    handle.y = heights.values(i);
    handle.points_param = "people";
    handle.point = static_cast<std::size_t>(i);
    handle.also = {{"person", fmt::format("{}", i)}};
    handle.color = i == p.person ? Color(Role::accent) : Color(Role::value);
    plot.marks.emplace_back(std::move(handle));
  }
  if (std::isfinite(scene.guess().value)) {
    figure::Handle here;
    here.x = p.height;
    here.y = scene.guess().value;
    here.x_param = "height";
    here.color = Role::query;
    here.radius = 8;
    plot.marks.emplace_back(std::move(here));
  }
  return with(std::move(figure), std::move(plot));
}

Figure shares_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Heights& heights = scene.heights();
  Figure figure =
      new_figure("shares", w("Who is listened to"), {.height = 220, .columns = kMethods});
  figure.note = w("one bar a person");
  figure.caption = w.format(
      "The weight of each person when {:.5g} cm is asked for, by five ways; each adds up to 1.",
      p.height);
  const Index farthest = [&] {
    Index at = 0;
    (heights.keys.array() - scene.p.height).abs().maxCoeff(&at);
    return at;
  }();
  for (int k = 0; k < kMethods; ++k) {
    const auto method = static_cast<Method>(k);
    const VectorD& weights = heights.guesses[static_cast<std::size_t>(k)].weights;
    std::vector<Assignments> picks;
    for (Index i = 0; i < weights.size(); ++i) {
      picks.push_back(method_pick(method));
      picks.back().emplace_back("person", fmt::format("{}", i));
    }
    Plot plot = weight_bars(fmt::format("share_{}", method_id(method)), scene.method_name(method),
                            weights, color_of(method), p.person, std::move(picks));
    plot.selected = method == p.method;
    plot.click = method_pick(method);
    if (weights(farthest) == weights.maxCoeff() && weights.size() > 1) {
      plot.note = w("the farthest weighs most");
    }
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

Figure methods_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("methods", w("What they predict"), {.height = 250});
  figure.caption = w.format(
      "Weights, prediction and slope of five ways at {:.5g} cm. One-hot weights have slope 0, "
      "except where they jump.",
      p.height);
  figure::Table table;
  table.columns = {{w("weights by"), 1.5f, -1},
                   {w("weights"), 2, -1},
                   {w("prediction (kg)"), 1, 1},
                   {w("slope (kg/cm)"), 1, 1}};
  for (int k = 0; k < kMethods; ++k) {
    const auto method = static_cast<Method>(k);
    const Guess& guess = scene.heights().guesses[static_cast<std::size_t>(k)];
    const bool wrong = method == Method::document;
    table.rows.push_back(
        {{{scene.method_name(method), wrong ? Role::bad : Role::text, TextStyle::label}},
         {{weights_words(guess.weights), Role::text, TextStyle::mono}},
         {{kilograms(guess.value, 4), Role::text, TextStyle::mono_bold}},
         {{slope_words(scene, guess), Role::dim, TextStyle::mono}}});
    table.picks.push_back(method_pick(method));
  }
  table.marked = static_cast<int>(p.method);
  Plot plot{.id = "methods"};
  plot.marks.emplace_back(std::move(table));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::scoring
