// The lab of scores: how well does a key answer a query, and what follows from it?
#pragma once

#include "app/labs/lab.h"

namespace lab::scoring {

Lab lab();

}  // namespace lab::scoring
