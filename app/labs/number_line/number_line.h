// The lab "The number line": which numbers a format has, and what becomes of all others.
#pragma once

#include "app/labs/lab.h"

namespace lab::number_line {

Lab lab();

}  // namespace lab::number_line
