// The example that docs/developer/add-a-lab.md begins with.
#pragma once

#include "app/labs/shared/text/text.h"

namespace lab::example {

// With the text beside it, which lives as long as the lab.
Lab lab(const std::vector<text::Place>& text, std::string_view file);

}  // namespace lab::example
