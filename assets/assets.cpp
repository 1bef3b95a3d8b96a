#include "assets/assets.h"

#include <stdexcept>
#include <string>

namespace assets {

std::string_view find(std::string_view name) {
  const detail::Entry* found = detail::entry(name);
  if (!found) throw std::out_of_range("no embedded file named " + std::string(name));
  return found->bytes;
}

bool exists(std::string_view name) { return detail::entry(name) != nullptr; }

std::vector<std::string_view> names(std::string_view begin) { return detail::entry_names(begin); }

bool at_hand(std::string_view) { return true; }

void ask_for(std::string_view) {}

}  // namespace assets
