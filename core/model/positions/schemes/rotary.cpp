// Queries and keys rotated by angles of their positions (Su et al. 2021).
#include "core/position/rotary/rotary.h"
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {
constexpr CostStep kRotarySteps[] = {
    {N_("rotate each pair of q and k: two multiplications and an addition per entry"), "6·n·d",
     "2·n·d"}};
}

// A table of cosines and sines serves all heads and layers.
constinit const SchemeEntry schemes::rotary{
    .name = N_("RoPE"),
    .acts = Acts::queries_and_keys,
    .cost = {.steps = kRotarySteps, .held = "n·d_k", .functions = "n·d_k"},
    .declare_heads =
        [](const Scope& /*scope*/, Index /*layers*/, HeadPositions& p) {
          p.query_rotations = p.key_rotations =
              rotations_of(rotary_angles(all_positions(p.form), frequencies(p.width, p.form.base)));
        },
    .place = rotate_queries_and_keys};

}  // namespace core::model
