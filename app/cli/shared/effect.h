// Settings that a person gave and that change nothing: each is refused with what would give it an
// effect.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"

namespace cli {

// Throws core::InputError for the first of the parameters that has no effect in all of the states.
// It names the setting, or else the two settings, with which it would have one in the first state,
// where there are such among its choices, switches, files and numbers.
void require_effect(const std::vector<const lab::State*>& states,
                    const std::vector<std::string>& given);

}  // namespace cli
