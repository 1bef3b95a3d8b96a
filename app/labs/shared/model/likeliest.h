// The likeliest tokens of a distribution, as bars.
#pragma once

#include "app/labs/shared/parts.h"
#include "core/decode/filters.h"

namespace lab {

struct LikeliestTokens {
  std::string id;
  Index most = 12;
  int marked = -1;
  std::function<std::string(std::int32_t id)> name;
  std::function<Assignments(std::size_t rank, std::int32_t id)> pick;
  // What the pick takes away; null: nothing.
  std::function<figure::Loss(std::int32_t id)> loss = {};
};
// logits: (vocabulary).
inline Plot likeliest_plot(const VectorD& logits, const LikeliestTokens& of, const Words& w) {
  const VectorD probabilities = core::decode::Distribution::of_logits(logits).probabilities;
  Bars bars{.color = Role::value, .marked = of.marked};
  auto names = std::make_shared<std::vector<std::string>>();
  for (const std::int32_t id : core::decode::likeliest(probabilities, of.most)) {
    bars.picks.push_back(of.pick(names->size(), id));
    const bool loses = of.loss && !bars.picks.back().empty();
    bars.losses.push_back(loses ? of.loss(id) : figure::Loss{});
    names->push_back(of.name(id));
    bars.values.push_back(probabilities(id));
  }
  const auto count = to_index(names->size());
  Plot plot{.id = of.id};
  plot.x = cell_axis(w("token"), count, {.labels = std::move(names)});
  plot.y = {.label = w("probability"), .hi = 1.12 * bars.values.front()};
  plot.add(std::move(bars));
  return plot;
}

}  // namespace lab
