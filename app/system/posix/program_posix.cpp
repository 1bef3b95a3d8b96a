#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <utility>

#include "app/system/posix/calls.h"
#include "app/system/program.h"
#include "core/system/environment.h"
#include "core/system/error.h"

extern "C" char** environ;

namespace sys {
namespace {

constexpr int kOutFile = 3;  // its number in the program

// The child's part after a fork: the program, with these files as its 0, 1, 2 and 3, which ends
// when the thread ends that has made it. `failed` gets the error where it cannot be.
[[noreturn]] void become(const char* program, char* const* words, pid_t parent,
                         const std::array<int, 4>& files, int failed) {
  posix::end_with_parent();
  if (::getppid() != parent) ::_exit(1);
  std::signal(SIGPIPE, SIG_DFL);
  for (std::size_t k = 0; k < files.size(); ++k) ::dup2(files[k], static_cast<int>(k));
  ::execv(program, words);
  const int error = errno;
  [[maybe_unused]] const ssize_t output = ::write(failed, &error, sizeof error);
  ::_exit(1);
}

void close_and_forget(std::intptr_t& file) {
  if (file >= 0) ::close(static_cast<int>(std::exchange(file, -1)));
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

}  // namespace

std::filesystem::path find_program(const std::string& name) {
  std::istringstream folders(core::environment("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(program, error) && ::access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return {};
}

std::vector<std::string> own_words(int count, char** words) {
  return {words + std::min(count, 1), words + count};
}

bool run_quietly(const std::string& name, std::vector<std::string> words) {
  const std::filesystem::path program = find_program(name);
  if (program.empty()) return false;
  words.insert(words.begin(), name);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int stream : {0, 1, 2}) {
    ::posix_spawn_file_actions_addopen(&files, stream, "/dev/null",
                                       stream == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, program.c_str(), &files, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  int status = -1;
  while (error == 0 && ::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return error == 0 && exit_status(status) == 0;
}

Program::~Program() {
  close_and_forget(input_);
  if (process_ > 0) {
    ::kill(static_cast<pid_t>(process_), SIGKILL);
    wait();
  }
  close_and_forget(said_);
}

std::error_code Program::start(const std::filesystem::path& program, std::vector<std::string> words,
                               const Temporary& out) {
  words.push_back(posix::path_of(kOutFile));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // A socket and no pipe: where the program has ended, writing to it is an error and no signal.
  int ends[2] = {-1, -1}, failed[2] = {-1, -1};
  if (!posix::make_sockets(ends)) return core::last_error();
  input_ = ends[0];
  said_ = posix::nameless_file();
  // The temporary's number might be 3 itself: a copy of it has none that is in the way.
  const int out_copy = ::dup(static_cast<int>(out.handle()));
  int error = posix::make_pipe(failed) ? 0 : errno;
  const pid_t parent = ::getpid();
  if (error == 0) process_ = ::fork();
  if (process_ == 0) {
    const int output = static_cast<int>(said_);
    become(program.c_str(), pointers.data(), parent, {ends[1], output, output, out_copy},
           failed[1]);
  }
  if (error == 0 && process_ < 0) error = errno;
  ::close(out_copy);
  ::close(ends[1]);
  ::close(failed[1]);
  // Nothing comes where it was started.
  if (error == 0 && ::read(failed[0], &error, sizeof error) > 0) wait();
  ::close(failed[0]);
  return {error, std::generic_category()};
}

bool Program::send(const std::uint8_t* bytes, std::size_t size, const core::Cancel& cancel) {
  constexpr int kBetweenPolls = 20;  // ms
  const int input = static_cast<int>(input_);
  while (size > 0) {
    cancel.poll();
    const std::ptrdiff_t sent = posix::send_now(input, bytes, size);
    if (sent < 0 && errno == EAGAIN) {
      pollfd room{input, POLLOUT, 0};
      ::poll(&room, 1, kBetweenPolls);
      continue;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

void Program::end_of_input() { close_and_forget(input_); }

std::optional<int> Program::ended() {
  int status = 0;
  if (::waitpid(static_cast<pid_t>(process_), &status, WNOHANG) != process_) return std::nullopt;
  process_ = -1;
  return exit_status(status);
}

int Program::wait() {
  int status = 0;
  while (::waitpid(static_cast<pid_t>(process_), &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return exit_status(status);
}

std::string Program::said(std::size_t most) const {
  std::string text(most, '\0');
  const ssize_t size = ::pread(static_cast<int>(said_), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

}  // namespace sys
