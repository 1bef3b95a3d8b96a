// The lab of rotary position embedding: why does the score depend on the distance only?
#pragma once

#include "app/labs/lab.h"

namespace lab::rotary {

Lab lab();

}  // namespace lab::rotary
