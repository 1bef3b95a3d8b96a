#include "assets/assets.h"

#include <stdexcept>
#include <string>

namespace assets {
namespace {

const detail::Entry* entry(std::string_view name) {
  for (int i = 0; i < detail::kCount; ++i) {
    if (name == detail::kEntries[i].name) return &detail::kEntries[i];
  }
  return nullptr;
}

}  // namespace

std::string_view find(std::string_view name) {
  const detail::Entry* found = entry(name);
  if (!found) throw std::out_of_range("no embedded file named " + std::string(name));
  return {found->begin, static_cast<std::size_t>(found->end - found->begin)};
}

bool exists(std::string_view name) { return entry(name) != nullptr; }

}  // namespace assets
