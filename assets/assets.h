// Files that travel inside of the program.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace assets {

// The bytes of an embedded file by its name, such as "shaders/heatmap.frag"; a zero byte follows
// them. Throws std::out_of_range for a name that was not embedded: a fault of the build. In a
// browser the largest files lie beside the page: there it waits for them, so that threads alone
// should ask for what is not at hand, and throws std::runtime_error where one cannot be had.
std::string_view find(std::string_view name);
bool exists(std::string_view name);
// Of all embedded files whose names begin so.
std::vector<std::string_view> names(std::string_view begin);

// Whether `find` gives a file at once; it does wherever this is no browser.
bool at_hand(std::string_view name);
// Has a file brought that is not at hand, and returns at once; the window is woken when it is
// there. On the main thread.
void ask_for(std::string_view name);

namespace detail {
struct Entry {
  std::string_view name, bytes;
};
// A table for each folder of names.
extern const std::span<const std::span<const Entry>* const> groups;
// Null: not embedded.
const Entry* entry(std::string_view name);
// Of all entries whose names begin so.
std::vector<std::string_view> entry_names(std::string_view begin);
// Of what lies beside a page.
struct Later {
  std::string_view name;
  std::size_t size;
};
extern const std::span<const Later> later;
}  // namespace detail

}  // namespace assets
