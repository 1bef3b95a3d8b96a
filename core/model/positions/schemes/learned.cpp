// A learned row added to each embedding (Gehring et al. 2017).
#include "core/message.h"
#include "core/model/positions/positions.h"

namespace core::model {

namespace {
constexpr CostStep kLearnedSteps[] = {
    {N_("add a row of the table to each embedding, once"), "n·d", "n·d", false}};
}

constinit const SchemeEntry schemes::learned{
    .name = N_("learned"),
    .acts = Acts::embeddings,
    .learns = true,
    .cost = {.steps = kLearnedSteps, .parameters = "N·d"},
    .declare_added =
        [](const Scope& scope, Index d_model, const PositionForm& form, AddedPositions& added) {
          added.table = scope.declare("position", form.longest, d_model,
                                      Start::normal(form.deviation), false);
        },
    .read_numbers = [](const ReadSizes& s) { return ReadNumbers{.stored = s.heads * s.width}; }};

}  // namespace core::model
