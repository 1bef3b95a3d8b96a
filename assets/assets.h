// Files that travel inside of the program.
#pragma once

#include <string_view>

namespace assets {

// The bytes of an embedded file by its name, such as "shaders/heatmap.frag"; a zero byte follows
// them. Throws std::out_of_range for a name that was not embedded: a fault of the build.
std::string_view find(std::string_view name);
bool exists(std::string_view name);

namespace detail {
struct Entry {
  const char* name;
  const char* begin;
  const char* end;
};
extern const Entry kEntries[];
extern const int kCount;
}  // namespace detail

}  // namespace assets
