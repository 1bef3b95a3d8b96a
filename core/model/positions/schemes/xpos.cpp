// Queries and keys rotated, and shrunk with distance (Sun et al. 2022); for causal attention.
#include "core/position/rotary/xpos.h"
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {
constexpr CostStep kXposSteps[] = {
    {N_("rotate each pair of q and k: two multiplications and an addition per entry"), "6·n·d",
     "2·n·d"}};
}

// The tables include its factors, one for queries and one for keys.
constinit const SchemeEntry schemes::xpos{
    .name = N_("xPos"),
    .acts = Acts::queries_and_keys,
    .in_encoders = false,
    .grows = true,
    .cost = {.steps = kXposSteps, .held = "2·n·d_k", .functions = "n·d_k"},
    .declare_heads =
        [](const Scope& /*scope*/, Index /*layers*/, HeadPositions& p) {
          const XposTables tables =
              xpos_tables(all_positions(p.form), frequencies(p.width, p.form.base),
                          {.scale_base = p.form.scale_base});
          p.query_rotations = rotations_of(tables.query);
          p.key_rotations = rotations_of(tables.key);
        },
    .place = rotate_queries_and_keys};

}  // namespace core::model
