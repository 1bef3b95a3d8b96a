// The ordered list of labs: the story the sidebar tells.
#pragma once

#include <string_view>
#include <vector>

#include "app/labs/lab.h"

namespace lab {

const std::vector<Lab>& all();
// Throws core::InputError naming the labs there are.
const Lab& find(std::string_view id);

}  // namespace lab
