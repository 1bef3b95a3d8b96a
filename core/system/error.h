// The system's reasons for what it could not do.
#pragma once

#include <system_error>

#include "core/message.h"

namespace core {

// Why the last call of the C or C++ library, or of the system, on this thread failed. Calls that
// succeed may leave an older reason: whoever asks after a call that need not set one forgets first.
std::error_code last_error();
void forget_error();

// A reason in words; what is not known here has the system's own, in its own language.
Message system_reason(const std::error_code& error);

}  // namespace core
