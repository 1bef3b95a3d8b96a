#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

#include "app/system/posix/calls.h"

namespace sys::posix {

int nameless_file() { return ::memfd_create("attnscope", MFD_CLOEXEC); }

int nameless_file_in(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0 || ::access(path_of(file).c_str(), F_OK) == 0) return file;
  ::close(file);
  return -1;
}

std::string path_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

// It stays open as long as the program.
std::string path_of_bytes(std::string_view bytes) {
  const int file = nameless_file();
  if (file < 0) return {};
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0) {
      ::close(file);
      return {};
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return path_of(file);
}

bool make_sockets(int (&ends)[2]) {
  return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
}

bool make_pipe(int (&ends)[2]) { return ::pipe2(ends, O_CLOEXEC) == 0; }

std::ptrdiff_t send_now(int socket, const void* bytes, std::size_t size) {
  return ::send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

}  // namespace sys::posix
