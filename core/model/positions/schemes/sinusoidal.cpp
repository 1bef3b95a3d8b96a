// Fixed rows of sines and cosines added to embeddings (Vaswani et al. 2017, section 3.5).
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/message.h"
#include "core/model/positions/positions.h"

namespace core::model {

namespace {
constexpr CostStep kSinusoidalSteps[] = {
    {N_("add a row of the table to each embedding, once"), "n·d", "n·d", false}};
}

constinit const SchemeEntry schemes::sinusoidal{
    .name = N_("sinusoidal"),
    .acts = Acts::embeddings,
    .cost = {.steps = kSinusoidalSteps, .held = "n·d", .functions = "n·d"},
    .declare_added =
        [](const Scope& /*scope*/, Index d_model, const PositionForm& form, AddedPositions& added) {
          added.fixed = FixedRows(sinusoidal_table(form.longest, d_model, {.base = form.base}));
        },
    .read_numbers = [](const ReadSizes& s) { return ReadNumbers{.floats = s.heads * s.width}; }};

}  // namespace core::model
