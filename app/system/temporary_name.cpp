#include <charconv>

#include "app/system/temporary.h"

namespace sys {

std::uint32_t process_of(std::string_view name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  if (!name.starts_with('.') || !name.ends_with(kTemporaryEnd) || mark == name.npos) return 0;
  std::string_view rest = name.substr(mark + kTemporaryMark.size());
  rest.remove_suffix(kTemporaryEnd.size());
  const std::size_t dash = rest.find('-');
  if (dash == rest.npos || rest.size() != dash + 17 ||
      rest.find_first_not_of("0123456789abcdef", dash + 1) != rest.npos) {
    return 0;
  }
  std::uint32_t process = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + dash, process);
  return error == std::errc{} && end == rest.data() + dash ? process : 0;
}

}  // namespace sys
