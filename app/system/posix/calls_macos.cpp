#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <deque>

#include "app/system/atomic_file.h"
#include "app/system/guard.h"
#include "app/system/posix/calls.h"
#include "app/system/temporary.h"

namespace sys::posix {
namespace {

bool close_in_programs(const int (&ends)[2]) {
  return ::fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

}  // namespace

int nameless_file() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "attnscope-XXXXXX";
  const int file = ::mkstemp(name.data());
  if (file < 0) return -1;
  ::unlink(name.c_str());
  ::fcntl(file, F_SETFD, FD_CLOEXEC);
  return file;
}

int nameless_file_in(const std::filesystem::path&) {
  errno = ENOTSUP;
  return -1;
}

std::string path_of(int file) { return "/dev/fd/" + std::to_string(file); }

std::string path_of_bytes(std::string_view bytes) {
  static auto& removed_at_end = *new std::deque<Guard>;  // by the end of the program, not before
  std::error_code error;
  const std::filesystem::path path =
      std::filesystem::temp_directory_path(error) / ("attnscope" + new_mark());
  try {
    removed_at_end.emplace_back(path);
    write_atomically(path, bytes);
  } catch (const IoError&) {
    return {};
  }
  return path.string();
}

bool make_sockets(int (&ends)[2]) {
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  const int on = 1;
  ::setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return close_in_programs(ends);
}

bool make_pipe(int (&ends)[2]) { return ::pipe(ends) == 0 && close_in_programs(ends); }

std::ptrdiff_t send_now(int socket, const void* bytes, std::size_t size) {
  return ::send(socket, bytes, size, MSG_DONTWAIT);
}

// There is no such wish.
void end_with_parent() {}

}  // namespace sys::posix
