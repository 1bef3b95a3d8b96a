// The lab of contexts longer than trained: which angles are new, and what is done about it?
#pragma once

#include "app/labs/lab.h"

namespace lab::extrapolation {

Lab lab();

}  // namespace lab::extrapolation
