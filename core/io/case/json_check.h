// What is asked of every JSON text before it is read.
#pragma once

#include <string_view>

#include "core/message.h"

namespace core {

// What is wrong with a text, ready to follow a name and a colon: it is no JSON (and from which line
// and column on), is nested deeper than `deepest` levels, or has a key twice in one object. Empty:
// a JSON text. The deepest file of this program has 6 levels. Takes no more of the stack for deep
// texts than for flat ones.
Message json_fault(std::string_view text, int deepest = 32);

}  // namespace core
