#include "core/system/error.h"

#include <cerrno>

namespace core {
namespace {

constexpr struct {
  std::errc error;
  const char* words;
} kReasons[] = {
    {std::errc::no_such_file_or_directory, N_("there is no such file or folder")},
    {std::errc::permission_denied, N_("permission denied")},
    {std::errc::operation_not_permitted, N_("permission denied")},
    {std::errc::is_a_directory, N_("it is a folder")},
    {std::errc::not_a_directory, N_("a part of the path is not a folder")},
    {std::errc::no_space_on_device, N_("the disk is full")},
    {std::errc::read_only_file_system, N_("the disk is read-only")},
    {std::errc::filename_too_long, N_("the name is too long")},
    {std::errc::too_many_symbolic_link_levels, N_("its links form a loop")},
    {std::errc::file_too_large, N_("the file would be larger than allowed")},
    {std::errc::bad_file_descriptor, N_("it is closed")},
    {std::errc::broken_pipe, N_("nothing reads it any more")},
    {std::errc::too_many_files_open, N_("too many files are open")},
    {std::errc::too_many_files_open_in_system, N_("too many files are open")},
    {std::errc::device_or_resource_busy, N_("it is in use")},
    {std::errc::text_file_busy, N_("it is in use")},
    {std::errc::io_error, N_("the disk reported an error")},
};

}  // namespace

std::error_code last_error() { return {errno, std::generic_category()}; }
void forget_error() { errno = 0; }

Message system_reason(const std::error_code& error) {
  for (const auto& [known, words] : kReasons) {
    if (error == known) return Message(words);
  }
#ifdef EDQUOT  // C++ has no name for it
  if (error.value() == EDQUOT) return Message(N_("the disk is full"));
#endif
  return Message::plain(error.message());
}

}  // namespace core
