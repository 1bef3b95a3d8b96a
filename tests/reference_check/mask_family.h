// The patterns of topics 07a and 07b by the names that their cases have.
#pragma once

#include <string>

#include "core/mask/patterns/patterns.h"
#include "registry.h"

namespace core_check {

// `family` is the case's name without "mask_" or "reach_"; parameters come from the case alone.
core::SparseMask mask_of_family(const std::string& family, const CaseValue& params, core::Index n);

}  // namespace core_check
