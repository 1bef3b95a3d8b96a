#include "assets/assets.h"

namespace assets::detail {

const Entry* entry(std::string_view name) {
  for (const std::span<const Entry>* group : groups) {
    for (const Entry& one : *group) {
      if (one.name == name) return &one;
    }
  }
  return nullptr;
}

std::vector<std::string_view> entry_names(std::string_view begin) {
  std::vector<std::string_view> found;
  for (const std::span<const Entry>* group : groups) {
    for (const Entry& one : *group) {
      if (one.name.starts_with(begin)) found.push_back(one.name);
    }
  }
  return found;
}

}  // namespace assets::detail
