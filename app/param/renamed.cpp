#include "app/param/renamed.h"

#include <algorithm>

namespace param {
namespace {

// The lab of documents counted from 0; -1 was the strongest.
constexpr Renamed kAll[] = {{"sentence", "at_sentence", 1}, {"word", "at_word", 1}};

bool has(const List& list, std::string_view id) {
  const auto& items = list.items();
  return std::any_of(items.begin(), items.end(),
                     [&](const Parameter& one) { return one.info.id == id; });
}

}  // namespace

std::optional<Renamed> renamed_to(std::string_view id, const List& list) {
  if (has(list, id)) return {};
  for (const Renamed& one : kAll) {
    if (id == one.was && has(list, one.is)) return one;
  }
  return {};
}

}  // namespace param
