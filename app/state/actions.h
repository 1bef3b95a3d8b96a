// What the window can do that is no knob: the one table that Ctrl K lists, with the keys for it.
// Shell::act does it.
#pragma once

#include <string_view>
#include <vector>

namespace state {

struct Action {
  std::string_view id;
  std::string_view title;      // a message
  std::string_view keys = {};  // as the help has them; may be empty
  std::string_view also = {};  // a message with other words that it is looked for by
};
const std::vector<Action>& actions();

}  // namespace state
