// The trajectory of a learned system, added to the input of each layer's self-attention (Liu et al.
// 2020, section 3); one Runge-Kutta step from each position to the next (flow.h).
#include "core/message.h"
#include "core/model/positions/positions.h"

namespace core::model {

namespace {

// Four evaluations for each position: h(tau, p) = tanh([p; tau] W_1 + b_1) W_2 + b_2.
constexpr CostStep kFloaterSteps[] = {
    {N_("follow the system, its first matrix: four slopes for each position"), "8·(n-1)·(d+1)·f",
     "4·(n-1)·(d+1)·f"},
    {N_("follow the system, its second matrix"), "8·(n-1)·d·f", "4·(n-1)·d·f"},
    {N_("combine the slopes: where each is taken, and the next position"), "14·(n-1)·d",
     "7·(n-1)·d"},
    {N_("add the course to the input of each layer's heads"), "n·d", "n·d"}};

}  // namespace

constinit const SchemeEntry schemes::floater{
    .name = N_("FLOATER"),
    .acts = Acts::layers,
    .learns = true,
    .cost = {.steps = kFloaterSteps, .parameters = "(d+1)·f + f + f·d + d + d·L", .held = "n·d"},
    .declare_flow =
        [](const Scope& scope, Index layers, Index d_model, const PositionForm& form) {
          return Flow::declare(
              scope.at("flow"), layers, d_model,
              {.hidden = form.flow_width, .delta = form.flow_delta, .deviation = form.deviation});
        },
    .read_numbers =
        [](const ReadSizes& s) { return ReadNumbers{.floats = s.layers * s.heads * s.width}; }};

}  // namespace core::model
