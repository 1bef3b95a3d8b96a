// The mask workbench: sparse patterns composed, painted, and what becomes of attention under them.
#pragma once

#include "app/labs/lab.h"

namespace lab::masks {

Lab lab();

}  // namespace lab::masks
