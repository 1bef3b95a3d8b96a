// The lab of softmax and masks: how do scores become weights, and what does a mask really do?
#pragma once

#include "app/labs/lab.h"

namespace lab::softmax {

Lab lab();

}  // namespace lab::softmax
