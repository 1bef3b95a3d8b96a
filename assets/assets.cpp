#include "assets/assets.h"

#include <stdexcept>
#include <string>

namespace assets {
namespace {

const detail::Entry* entry(std::string_view name) {
  for (const std::span<const detail::Entry>* group : detail::groups) {
    for (const detail::Entry& one : *group) {
      if (one.name == name) return &one;
    }
  }
  return nullptr;
}

}  // namespace

std::string_view find(std::string_view name) {
  const detail::Entry* found = entry(name);
  if (!found) throw std::out_of_range("no embedded file named " + std::string(name));
  return found->bytes;
}

bool exists(std::string_view name) { return entry(name) != nullptr; }

std::vector<std::string_view> names(std::string_view begin) {
  std::vector<std::string_view> found;
  for (const std::span<const detail::Entry>* group : detail::groups) {
    for (const detail::Entry& one : *group) {
      if (one.name.starts_with(begin)) found.push_back(one.name);
    }
  }
  return found;
}

bool at_hand(std::string_view) { return true; }

void ask_for(std::string_view) {}

}  // namespace assets
