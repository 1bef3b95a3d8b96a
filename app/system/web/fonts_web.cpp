#include "app/system/fonts.h"

namespace sys {

// A page cannot read the fonts of its machine.
FontFile installed_chinese() { return {}; }
std::vector<std::string> installed_families() { return {}; }

}  // namespace sys
