#include "core/io/regular_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "core/text/printable.h"

namespace core {

Message system_reason(int error) {
  switch (error) {
    case ENOENT: return Message(N_("there is no such file or folder"));
    case EACCES:
    case EPERM: return Message(N_("permission denied"));
    case EISDIR: return Message(N_("it is a folder"));
    case ENOTDIR: return Message(N_("a part of the path is no folder"));
    case ENOSPC:
    case EDQUOT: return Message(N_("the disk is full"));
    case EROFS: return Message(N_("the disk is read-only"));
    case ENAMETOOLONG: return Message(N_("the name is too long"));
    case ELOOP: return Message(N_("its links lead in a circle"));
    case EFBIG: return Message(N_("the file would be larger than may be"));
    case EBADF: return Message(N_("it is closed"));
    case EPIPE: return Message(N_("nobody reads it any more"));
    case EMFILE:
    case ENFILE: return Message(N_("too many files are open"));
    case EBUSY:
    case ETXTBSY: return Message(N_("it is in use"));
    case EIO: return Message(N_("the disk reported an error"));
    default: return Message::plain(std::generic_category().message(error));
  }
}

Message regular_fault(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    const int error = errno;
    std::error_code no_link;
    const std::filesystem::path target = std::filesystem::read_symlink(path, no_link);
    if (error != ENOENT || no_link) return system_reason(error);
    return Message(N_("it is a link to {}, which is not there"), printable(target.string(), 400));
  }
  if (S_ISDIR(status.st_mode)) return system_reason(EISDIR);
  if (!S_ISREG(status.st_mode)) return Message(N_("it is a pipe, a socket or a device"));
  return {};
}

Message open_regular(const std::filesystem::path& path, std::ifstream& in) {
  if (Message fault = regular_fault(path); !fault.empty()) return fault;
  errno = 0;
  in.open(path, std::ios::binary);
  return in ? Message() : system_reason(errno);
}

}  // namespace core
