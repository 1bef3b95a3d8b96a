// The lab that puts position schemes side by side: what do they change, and what do they cost?
#pragma once

#include "app/labs/lab.h"

namespace lab::position_compare {

Lab lab();

}  // namespace lab::position_compare
