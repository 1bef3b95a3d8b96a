// The compiled version of the inner loops that runs: chosen once by what the processor can do.
#pragma once

#include <vector>

#include "core/attention/kernels/kernels.h"

namespace core {

enum class Isa {
  best,      // the widest that this processor has; ATTNSCOPE_ISA may name a lesser one
  baseline,  // any processor
  v3,        // AVX2, FMA and F16C
  v4,        // AVX-512
};

// Versions that this build and this processor can run, narrowest first; never empty.
std::vector<Isa> available_isas();

// `isa` itself, or what `best` stands for: the widest, or what the environment variable
// ATTNSCOPE_ISA (baseline, v3 or v4) said on first use. InputError when this machine cannot run it
// or the variable says something else.
Isa chosen_isa(Isa isa = Isa::best);

// The functions for chosen_isa(isa); the same InputErrors.
const kernels::Table& kernels_for(Isa isa);

}  // namespace core
