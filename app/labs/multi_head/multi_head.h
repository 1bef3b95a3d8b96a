// The lab of multi-head attention: what does each head look at, and why?
#pragma once

#include "app/labs/lab.h"

namespace lab::multi_head {

Lab lab();

}  // namespace lab::multi_head
