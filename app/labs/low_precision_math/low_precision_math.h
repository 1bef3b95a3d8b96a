// The lab "Arithmetic in low precision": what few bits do to dot products and to softmax.
#pragma once

#include "app/labs/lab.h"

namespace lab::low_precision_math {

Lab lab();

}  // namespace lab::low_precision_math
