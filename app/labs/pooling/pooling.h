// The lab of attention pooling as regression.
#pragma once

#include "app/labs/lab.h"

namespace lab::pooling {

Lab lab();

}  // namespace lab::pooling
