// Files that travel inside of the program.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace assets {

// The bytes of an embedded file by its name, such as "shaders/heatmap.frag"; a zero byte follows
// them. Throws std::out_of_range for a name that was not embedded: a fault of the build.
std::string_view find(std::string_view name);
bool exists(std::string_view name);
// Of all embedded files whose names begin so.
std::vector<std::string_view> names(std::string_view begin);

namespace detail {
struct Entry {
  std::string_view name, bytes;
};
// A table for each folder of names.
extern const std::span<const std::span<const Entry>* const> groups;
}  // namespace detail

}  // namespace assets
