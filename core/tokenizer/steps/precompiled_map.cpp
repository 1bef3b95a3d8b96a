#include "core/tokenizer/steps/precompiled_map.h"

#include <cstring>

#include "core/text/utf8.h"

namespace core::subword {
namespace {

// Bits 0 to 7 are the label of the unit's edge, bit 31 marks a value, bit 8 says that a leaf hangs
// below, and the rest is where the children lie, times 256 when bit 9 is set.
std::uint32_t label(std::uint32_t unit) { return unit & 0x800000ff; }
bool has_leaf(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }
std::uint32_t value(std::uint32_t unit) { return unit & 0x7fffffff; }
std::uint32_t offset(std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200) >> 6); }

std::uint32_t read_u32(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t k = 4; k-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[k]);
  return number;
}

}  // namespace

PrecompiledMap::PrecompiledMap(std::string_view blob) {
  if (blob.size() < 4) {
    throw InputError(Message(N_("the precompiled map has {} bytes, too few for the size of its "
                                "trie"),
                             blob.size()));
  }
  const std::uint32_t bytes = read_u32(blob);
  blob.remove_prefix(4);
  if (bytes % 4 != 0 || bytes == 0 || bytes > blob.size()) {
    throw InputError(Message(N_("the precompiled map gives its trie {} bytes, which is not a "
                                "multiple of 4 within the {} that follow"),
                             bytes, blob.size()));
  }
  units_.reserve(bytes / 4);
  for (std::size_t at = 0; at < bytes; at += 4) units_.push_back(read_u32(blob.substr(at, 4)));
  texts_ = blob.substr(bytes);
  check_leaves();
}

// Follows every edge once. Where no unit lies there is no edge.
void PrecompiledMap::check_leaves() const {
  std::vector<bool> seen(units_.size(), false);
  std::vector<std::uint32_t> open{0};
  seen[0] = true;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    const std::uint32_t base = node ^ offset(units_[node]);
    if (base >= units_.size()) {
      throw InputError(Message(N_("the precompiled map has a node whose children lie at {} of its "
                                  "{} units"),
                               base, units_.size()));
    }
    if (has_leaf(units_[node])) check_leaf(base);
    for (std::uint32_t byte = 1; byte < 256; ++byte) {
      const std::uint32_t child = base ^ byte;
      if (child >= units_.size() || label(units_[child]) != byte || seen[child]) continue;
      seen[child] = true;
      open.push_back(child);
    }
  }
}

void PrecompiledMap::check_leaf(std::uint32_t node) const {
  const std::size_t begin = value(units_[node]);
  const std::size_t end = begin < texts_.size() ? texts_.find('\0', begin) : texts_.npos;
  if (end == texts_.npos || invalid_utf8(std::string_view(texts_).substr(begin, end - begin))) {
    throw InputError(Message(N_("the precompiled map has a leaf that points to byte {} of {}, "
                                "where no text begins"),
                             begin, texts_.size()));
  }
}

std::optional<std::string_view> PrecompiledMap::find(std::string_view text) const {
  std::uint32_t node = offset(units_[0]);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) break;
    node ^= byte;
    if (node >= units_.size() || label(units_[node]) != byte) break;
    const std::uint32_t unit = units_[node];
    node ^= offset(unit);
    if (has_leaf(unit)) return std::string_view(texts_.c_str() + value(units_[node]));
  }
  return std::nullopt;
}

}  // namespace core::subword
