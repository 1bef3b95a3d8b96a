// Parameters that had another id once: what sessions, links and commands of then say of them goes
// on meaning the same.
#pragma once

#include <optional>
#include <string_view>

#include "app/param/param.h"

namespace param {

struct Renamed {
  std::string_view was, is;
  int more = 0;  // by how much a whole number is larger now
};

// How a parameter that was called `id` is called in this list; none: the list has one of that id,
// or none that had it.
std::optional<Renamed> renamed_to(std::string_view id, const List& list);

}  // namespace param
