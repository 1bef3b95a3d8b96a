// The ordered list of labs: the story the sidebar tells.
#pragma once

#include "app/labs/lab.h"

namespace lab {

const std::vector<Lab>& all();
// Throws core::InputError naming the labs there are.
const Lab& find(std::string_view id);
// The one that a window opens with: multi-head attention, the heart of the story; in a list without
// it, the first. `labs` is not empty.
const Lab& opening(const std::vector<Lab>& labs);

}  // namespace lab
