#include "app/param/printable.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/utf8.h"

namespace param {

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string result;
  // Where valid UTF-8 ends next, looked for no further than what is shown.
  const std::string_view head = text.substr(0, std::min(text.size(), max_bytes + 4));
  for (std::size_t at = 0; at < head.size();) {
    if (at >= max_bytes) return result + "…";
    const std::size_t valid = core::invalid_utf8(head.substr(at)).value_or(head.size() - at);
    const auto byte = static_cast<unsigned char>(head[at]);
    if (valid == 0 || byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
      ++at;
      continue;
    }
    const std::size_t begin = at;
    core::next_code_point(head, at);
    if (at > max_bytes) return result + "…";
    result += head.substr(begin, at - begin);
  }
  return result;
}

}  // namespace param
