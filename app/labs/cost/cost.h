// The lab of what attention costs, counted and measured.
#pragma once

#include "app/labs/lab.h"

namespace lab::cost {

Lab lab();

}  // namespace lab::cost
