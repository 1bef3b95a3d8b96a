// Embeddings as complex numbers, rotated with position at a frequency of each word and dimension
// (Wang et al. 2020).
#include "core/message.h"
#include "core/model/positions/positions.h"
#include "core/refuse.h"

namespace core::model {

namespace {

constexpr CostStep kComplexSteps[] = {
    {N_("multiply the frequencies of each word by its position"), "n·(d/2)", "", false},
    {N_("rotate each complex number of the embeddings"), "3·n·d", "n·d", false}};

Slot declare_frequencies(const Scope& scope, Index words, Index d_model, const PositionForm& form) {
  if (d_model % 2 != 0) refuse("positions", "an even width", std::to_string(d_model));
  return scope.declare("frequency", words, d_model / 2, Start::powers(form.base), false);
}

}  // namespace

// Frequencies differ between words, so each text needs its own sines and cosines.
constinit const SchemeEntry schemes::complex{
    .name = N_("complex-order"),
    .acts = Acts::embeddings,
    .learns = true,
    .cost = {.steps = kComplexSteps, .parameters = "V·(d/2)", .functions = "n·d"},
    .declare_words = declare_frequencies,
    .read_numbers = [](const ReadSizes& s) {
      return ReadNumbers{.floats = s.heads * s.width / 2};
    }};

}  // namespace core::model
