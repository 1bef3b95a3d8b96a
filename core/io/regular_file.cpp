#include "core/io/regular_file.h"

#include <system_error>

#include "core/system/error.h"
#include "core/text/printable.h"

namespace core {

Message regular_fault(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error, no_link;
  const fs::file_type type = fs::status(path, error).type();
  if (error) {
    const fs::path target = fs::read_symlink(path, no_link);
    if (error != std::errc::no_such_file_or_directory || no_link) return system_reason(error);
    return Message(N_("it is a link to {}, which is not there"), printable(target.string(), 400));
  }
  if (type == fs::file_type::directory) {
    return system_reason(std::make_error_code(std::errc::is_a_directory));
  }
  if (type != fs::file_type::regular) return Message(N_("it is a pipe, a socket or a device"));
  return {};
}

Message open_regular(const std::filesystem::path& path, std::ifstream& in) {
  if (Message fault = regular_fault(path); !fault.empty()) return fault;
  forget_error();
  in.open(path, std::ios::binary);
  return in ? Message() : system_reason(last_error());
}

}  // namespace core
