// The lab of absolute positions: a number for every place, added to the word that stands there.
#pragma once

#include "app/labs/lab.h"

namespace lab::absolute {

Lab lab();

}  // namespace lab::absolute
