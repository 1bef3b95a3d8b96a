// The lab of ALiBi's biases in few bits.
#pragma once

#include "app/labs/lab.h"

namespace lab::alibi_rounding {

Lab lab();

}  // namespace lab::alibi_rounding
