// The lab of relative positions: how does the distance between two tokens enter their score?
#pragma once

#include "app/labs/lab.h"

namespace lab::relative {

Lab lab();

}  // namespace lab::relative
