#include "app/paper/temporaries.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace paper {
namespace {

constexpr std::string_view kTemporaryMark = ".attnscope-", kTemporaryEnd = ".tmp";

// The paths that are to go at the program's end: one, or a series of them that differ in a number
// alone. A signal's handler may only read memory and unlink (POSIX.1-2017, 2.4.3), so that they lie
// in a table of fixed size; what is beyond it is not guarded.
struct Guarded {
  std::atomic<int> state{0};  // 0 free, 1 being written, 2 paths
  std::atomic<int> count{0};
  std::size_t number = 0, behind = 0;  // where the number begins and ends; the same: there is none
  char path[4096], folder[4096];       // the folder: to go with them, where it is empty; or ""
};
std::array<Guarded, 16>& guarded() {
  static std::array<Guarded, 16> slots;
  return slots;
}
static_assert(std::atomic<int>::is_always_lock_free);

void remove_all() {
  for (Guarded& slot : guarded()) {
    for (int k = 1; slot.state.load() == 2 && k <= slot.count.load(); ++k) {
      std::size_t at = slot.behind;
      for (int rest = k; at > slot.number; rest /= 10) {
        slot.path[--at] = static_cast<char>('0' + rest % 10);
      }
      ::unlink(slot.path);
    }
    if (slot.state.load() == 2 && slot.folder[0] != '\0') ::rmdir(slot.folder);
  }
}

void on_signal(int signal) {
  const int kept = errno;
  remove_all();
  errno = kept;
  // Blocked until the handler returns, and then it ends the program as it would have.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// The end of the X server, among others, comes as a call of exit.
bool removed_at_exit() {
  static const bool at_exit = [] {
    guarded();
    return std::atexit(remove_all) == 0;
  }();
  return at_exit;
}

// The slot of so many paths, the number in them the `digits` characters from `number` on; -1 where
// there is none.
int guard(const std::filesystem::path& path, int count, std::size_t number = 0, int digits = 0,
          const std::string& folder = {}) {
  std::error_code error;
  const std::string whole = std::filesystem::absolute(path, error).string();
  if (error || !removed_at_exit() || whole.size() >= sizeof Guarded::path) return -1;
  for (std::size_t k = 0; k < guarded().size(); ++k) {
    Guarded& slot = guarded()[k];
    int expected = 0;
    if (!slot.state.compare_exchange_strong(expected, 1)) continue;
    std::memcpy(slot.path, whole.c_str(), whole.size() + 1);
    std::memcpy(slot.folder, folder.c_str(), folder.size() + 1);
    slot.number = number, slot.behind = number + static_cast<std::size_t>(digits);
    slot.count = count;
    slot.state = 2;
    return static_cast<int>(k);
  }
  return -1;
}

void release(int slot) {
  if (slot >= 0) guarded()[static_cast<std::size_t>(slot)].state = 0;
}

// The process in a temporary's name; 0 when it is the name of none.
pid_t process_of(std::string_view name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  if (!name.starts_with('.') || !name.ends_with(kTemporaryEnd) || mark == name.npos) return 0;
  std::string_view rest = name.substr(mark + kTemporaryMark.size());
  rest.remove_suffix(kTemporaryEnd.size());
  const std::size_t dash = rest.find('-');
  if (dash == rest.npos || rest.size() != dash + 17 ||
      rest.find_first_not_of("0123456789abcdef", dash + 1) != rest.npos) {
    return 0;
  }
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + dash, pid);
  return error == std::errc{} && end == rest.data() + dash && pid > 0 ? pid : 0;
}

// Removes a file whose writer is gone. Its number may mean another process here than where it was
// written (containers, shared disks), so that nobody may hold the writer's lock either.
void remove_if_left(const std::filesystem::path& path, pid_t writer) {
  if (::kill(writer, 0) == 0 || errno != ESRCH) return;
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  const bool ours =
      ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
  if (ours && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

void sweep(const std::filesystem::path& folder) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> swept;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(folder, error);
  const std::scoped_lock lock(mutex);
  if (error || !swept.insert(whole).second) return;
  for (std::filesystem::directory_iterator at(whole, error), end; !error && at != end;
       at.increment(error)) {
    if (const pid_t pid = process_of(at->path().filename().string())) {
      remove_if_left(at->path(), pid);
    }
  }
}

// Behind the hidden name of a file that this process writes.
std::string new_mark() {
  static thread_local std::mt19937_64 random(std::random_device{}());
  return fmt::format("{}{}-{:016x}{}", kTemporaryMark, ::getpid(), random(), kTemporaryEnd);
}

std::filesystem::path name_beside(const std::filesystem::path& target) {
  // The target's name is cut so that the temporary's stays within the usual 255 bytes.
  const std::string name = target.filename().string().substr(0, 190);
  return target.parent_path() / fmt::format(".{}{}", name, new_mark());
}

// A path to an open file, also to one that has no name.
std::string path_of(int file) { return fmt::format("/proc/self/fd/{}", file); }

}  // namespace

Temporary::Temporary(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  sweep(folder);
  file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (file_ >= 0 && ::access(path_of(file_).c_str(), F_OK) != 0) ::close(std::exchange(file_, -1));
  if (file_ < 0) {
    take_name(target);
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  // Best effort: a disk without locks is no reason to lose an export.
  if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0) errno = 0;
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (file_ >= 0) ::close(file_);  // the lock goes last
  release(slot_);
}

// Before there is a file of this name that would have to be removed.
void Temporary::take_name(const std::filesystem::path& target) {
  path_ = name_beside(target);
  slot_ = guard(path_, 1);
}

int Temporary::rename_to(const std::filesystem::path& target) {
  if (path_.empty()) {
    take_name(target);
    if (::linkat(AT_FDCWD, path_of(file_).c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW)) {
      return errno;
    }
  }
  if (::close(std::exchange(file_, -1)) != 0) return errno;
  if (::rename(path_.c_str(), target.c_str()) != 0) return errno;
  path_.clear();
  return 0;
}

TemporarySeries::TemporarySeries(const std::filesystem::path& folder, bool made,
                                 std::string_view name, int digits)
    : folder_(folder), made_(made), mark_(new_mark()), digits_(digits) {
  const std::size_t number = name.find("{}");
  before_ = name.substr(0, number), after_ = name.substr(number + 2);
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(folder, error).lexically_normal();
  const std::string prefix = (whole / ("." + before_)).string();
  const std::string zeros(static_cast<std::size_t>(digits), '0');
  if (!error) {
    slot_ = guard(prefix + zeros + after_ + mark_, 0, prefix.size(), digits,
                  made ? whole.string() : "");
  }
}

TemporarySeries::~TemporarySeries() {
  std::error_code error;
  for (int k = 1; k <= count_; ++k) std::filesystem::remove(hidden(k), error);
  if (made_) std::filesystem::remove(folder_, error);  // where it is empty
  release(slot_);
}

std::filesystem::path TemporarySeries::hidden(int number) const {
  return folder_ / fmt::format(".{}{:0{}}{}{}", before_, number, digits_, after_, mark_);
}

std::filesystem::path TemporarySeries::next() {
  ++count_;
  if (slot_ >= 0) guarded()[static_cast<std::size_t>(slot_)].count = count_;
  return hidden(count_);
}

int TemporarySeries::rename_all() {
  for (int k = 1; k <= count_; ++k) {
    const std::filesystem::path place =
        folder_ / fmt::format("{}{:0{}}{}", before_, k, digits_, after_);
    if (::rename(hidden(k).c_str(), place.c_str()) != 0) return errno;
  }
  count_ = 0;
  made_ = false;
  return 0;
}

void remove_temporaries_on_signals() {
  guarded();
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
                           SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU}) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction wanted {};
    wanted.sa_handler = on_signal;
    wanted.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigemptyset(&wanted.sa_mask);
    ::sigaction(signal, &wanted, nullptr);
  }
  struct sigaction now {};
  if (::sigaction(SIGXFSZ, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
    std::signal(SIGXFSZ, SIG_IGN);
  }
}

}  // namespace paper
