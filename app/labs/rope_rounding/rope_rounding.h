// RoPE under rounding: where a cast may stand, and where it must not.
#pragma once

#include "app/labs/lab.h"

namespace lab::rope_rounding {

Lab lab();

}  // namespace lab::rope_rounding
