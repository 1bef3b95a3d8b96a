// The lab of position ids: when rounding makes two of them one.
#pragma once

#include "app/labs/lab.h"

namespace lab::position_ids {

Lab lab();

}  // namespace lab::position_ids
