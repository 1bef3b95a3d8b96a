#include "core/position/scheme_cost.h"

#include <algorithm>

#include "core/position/checks.h"
#include "core/refuse.h"

namespace core {
namespace {

// The letters of the formulas.
struct Letters {
  Index n, d, h, layers, d_head, pairs, distances;
};

Letters letters_of(const SchemeSize& size) {
  const auto [n, d, heads, layers] = size.model;
  const Index least = std::min({n, d, heads, layers, size.learned_rows, size.buckets, size.clip});
  position::require_at_least("scheme_cost", "sizes", 1, least);
  if (d % heads != 0) {
    refuse("scheme_cost", "a number of heads that divides d_model = " + std::to_string(d),
           std::to_string(heads));
  }
  const Index pairs = size.causal ? n * (n + 1) / 2 : n * n;
  return {n, d, heads, layers, d / heads, pairs, size.causal ? n : 2 * n - 1};
}

// `count` inner products of vectors `width` long.
StepCost products(CostStep step, Index count, Index width) {
  return {step, true, count * (width - 1), count * width};
}

StepCost additions(CostStep step, Index count, bool every_layer = true) {
  return {step, every_layer, count, 0};
}

SchemeCost shaw_cost(const Letters& l, Index rows) {
  SchemeCost cost;
  cost.steps = {products(CostStep::key_table, l.h * l.n * rows, l.d_head),
                additions(CostStep::add_to_score, l.h * l.pairs),
                additions(CostStep::sum_weights, l.h * l.pairs),
                products(CostStep::value_table, l.n * l.d, rows),
                additions(CostStep::add_to_output, l.n * l.d)};
  cost.parameters = 2 * rows * l.d_head * l.layers;
  cost.held = l.h * l.n * rows;  // the products; the sums of weights come after them
  return cost;
}

SchemeCost transformer_xl_cost(const Letters& l) {
  SchemeCost cost;
  cost.steps = {products(CostStep::project_distances, l.distances * l.d, l.d),
                additions(CostStep::add_u_and_v, 2 * l.n * l.d),
                products(CostStep::distance_product, l.h * l.pairs, l.d_head),
                additions(CostStep::add_to_score, l.h * l.pairs)};
  cost.parameters = l.layers * l.d * l.d + 2 * l.d;
  cost.held = 2 * l.distances * l.d;  // the sinusoids and what W_{k,R} makes of them
  cost.functions = l.distances * l.d;
  return cost;
}

SchemeCost deberta_cost(const Letters& l, Index rows) {
  SchemeCost cost;
  cost.steps = {products(CostStep::project_table, 2 * rows * l.d, l.d),
                products(CostStep::content_to_position, l.h * l.n * rows, l.d_head),
                products(CostStep::position_to_content, l.h * l.n * rows, l.d_head),
                additions(CostStep::add_to_score, 2 * l.h * l.pairs)};
  cost.parameters = rows * l.d + 2 * l.layers * l.d * l.d;
  cost.held = 2 * rows * l.d + 2 * l.h * l.n * rows;
  return cost;
}

SchemeCost rotary_cost(const Letters& l, Index tables) {
  SchemeCost cost;
  cost.steps = {{CostStep::rotate, true, 2 * l.n * l.d, 4 * l.n * l.d}};
  cost.held = tables * l.n * l.d_head;
  cost.functions = l.n * l.d_head;
  return cost;
}

SchemeCost steps_of(PositionScheme scheme, const SchemeSize& size, const Letters& l) {
  SchemeCost cost;
  switch (scheme) {
    case PositionScheme::none: break;
    case PositionScheme::sinusoidal:
      cost.steps = {additions(CostStep::add_position, l.n * l.d, false)};
      cost.held = cost.functions = l.n * l.d;
      break;
    case PositionScheme::learned:
      cost.steps = {additions(CostStep::add_position, l.n * l.d, false)};
      cost.parameters = size.learned_rows * l.d;
      break;
    case PositionScheme::rotary: return rotary_cost(l, 1);
    case PositionScheme::xpos: return rotary_cost(l, 2);
    case PositionScheme::alibi:
    case PositionScheme::t5:
      cost.steps = {additions(CostStep::add_bias, l.h * l.pairs)};
      cost.held = l.h * l.distances;
      cost.parameters = scheme == PositionScheme::t5 ? size.buckets * l.h : 0;
      break;
    case PositionScheme::shaw: return shaw_cost(l, 2 * size.clip + 1);
    case PositionScheme::transformer_xl: return transformer_xl_cost(l);
    case PositionScheme::deberta: return deberta_cost(l, 2 * size.clip);
    case PositionScheme::urpe:
      cost.steps = {{CostStep::multiply_weight, true, 0, l.h * l.pairs}};
      cost.parameters =
          (size.causal ? size.learned_rows : 2 * size.learned_rows - 1) * l.h * l.layers;
      break;
  }
  return cost;
}

}  // namespace

SchemeCost scheme_cost(PositionScheme scheme, const SchemeSize& size) {
  const Letters l = letters_of(size);
  SchemeCost cost = steps_of(scheme, size, l);
  for (const StepCost& step : cost.steps) {
    const Index times = step.every_layer ? l.layers : 1;
    cost.additions += times * step.additions;
    cost.multiplications += times * step.multiplications;
  }
  return cost;
}

}  // namespace core
