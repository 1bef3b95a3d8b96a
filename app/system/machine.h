// What this machine is, for a report of a fault.
#pragma once

#include <string>

namespace sys {

// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0, x86_64": no name of the machine or of a person.
std::string system_name();

}  // namespace sys
