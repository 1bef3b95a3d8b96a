#include "app/page/temporaries.h"

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

namespace page {
namespace {

constexpr int kTries = 16;  // of names
constexpr std::string_view kTemporaryMark = ".attnscope-", kTemporaryEnd = ".tmp";

// The paths that are to go at the program's end. A signal's handler may only read memory and unlink
// (POSIX.1-2017, 2.4.3), so that they lie in a table of fixed size; a file beyond it is not
// guarded.
struct Guarded {
  std::atomic<int> state{0};  // 0 free, 1 being written, 2 a path
  char path[4096];
};
constexpr std::size_t kSlots = 16;
std::array<Guarded, kSlots>& guarded() {
  static std::array<Guarded, kSlots> slots;
  return slots;
}
static_assert(std::atomic<int>::is_always_lock_free);

// The same of a series, whose paths differ in a number alone.
struct GuardedSeries {
  std::atomic<int> state{0};  // as above
  std::atomic<int> count{0};
  bool made = false;
  std::size_t number = 0, behind = 0;  // where the number begins and ends in the path
  char path[4096], folder[4096];
};
std::array<GuardedSeries, 2>& guarded_series() {
  static std::array<GuardedSeries, 2> slots;
  return slots;
}

void remove_series(GuardedSeries& series) {
  for (int k = 1; k <= series.count.load(); ++k) {
    std::size_t at = series.behind;
    for (int rest = k; at > series.number; rest /= 10) {
      series.path[--at] = static_cast<char>('0' + rest % 10);
    }
    ::unlink(series.path);
  }
  if (series.made) ::rmdir(series.folder);  // where it is empty
}

void remove_all() {
  for (Guarded& slot : guarded()) {
    if (slot.state.load() == 2) ::unlink(slot.path);
  }
  for (GuardedSeries& series : guarded_series()) {
    if (series.state.load() == 2) remove_series(series);
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
    guarded(), guarded_series();
    return std::atexit(remove_all) == 0;
  }();
  return at_exit;
}

int guard(const std::filesystem::path& path) {
  const bool at_exit = removed_at_exit();
  std::error_code error;
  const std::string text = std::filesystem::absolute(path, error).string();
  for (std::size_t k = 0; at_exit && !error && k < kSlots; ++k) {
    Guarded& slot = guarded()[k];
    int expected = 0;
    if (text.size() >= sizeof slot.path || !slot.state.compare_exchange_strong(expected, 1)) {
      continue;
    }
    std::memcpy(slot.path, text.c_str(), text.size() + 1);
    slot.state = 2;
    return static_cast<int>(k);
  }
  return -1;
}

void release(int slot) {
  if (slot >= 0) guarded()[static_cast<std::size_t>(slot)].state = 0;
}

// The path's number is the last run of `digits` characters that begins at `number`.
int guard_series(const std::string& path, std::size_t number, int digits, const std::string& folder,
                 bool made) {
  if (!removed_at_exit() || path.size() >= sizeof GuardedSeries::path) return -1;
  for (std::size_t k = 0; k < guarded_series().size(); ++k) {
    GuardedSeries& series = guarded_series()[k];
    int expected = 0;
    if (!series.state.compare_exchange_strong(expected, 1)) continue;
    std::memcpy(series.path, path.c_str(), path.size() + 1);
    std::memcpy(series.folder, folder.c_str(), folder.size() + 1);
    series.number = number, series.behind = number + static_cast<std::size_t>(digits);
    series.made = made;
    series.count = 0;
    series.state = 2;
    return static_cast<int>(k);
  }
  return -1;
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

}  // namespace

Temporary::Temporary(const std::filesystem::path& target) {
  sweep(target.has_parent_path() ? target.parent_path() : ".");
  for (int k = 0; k < kTries && file_ < 0; ++k) {
    path_ = name_beside(target);
    slot_ = guard(path_);  // before there is anything to remove
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = errno;
    if (file_ < 0) release(slot_);
    errno = error;
    if (file_ >= 0) break;
    path_.clear();
    slot_ = -1;
    if (error != EEXIST) return;
  }
  // Best effort: a disk without locks is no reason to lose an export.
  if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0) errno = 0;
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (file_ >= 0) ::close(file_);  // the lock goes last
  release(slot_);
}

int Temporary::close() {
  const int closed = ::close(file_);
  file_ = -1;
  return closed == 0 ? 0 : errno;
}

int Temporary::rename_to(const std::filesystem::path& target) {
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
    slot_ =
        guard_series(prefix + zeros + after_ + mark_, prefix.size(), digits, whole.string(), made);
  }
}

TemporarySeries::~TemporarySeries() {
  std::error_code error;
  for (int k = 1; k <= count_; ++k) std::filesystem::remove(hidden(k), error);
  if (made_) std::filesystem::remove(folder_, error);  // where it is empty
  if (slot_ >= 0) guarded_series()[static_cast<std::size_t>(slot_)].state = 0;
}

std::filesystem::path TemporarySeries::hidden(int number) const {
  return folder_ / fmt::format(".{}{:0{}}{}{}", before_, number, digits_, after_, mark_);
}

std::filesystem::path TemporarySeries::next() {
  ++count_;
  if (slot_ >= 0) guarded_series()[static_cast<std::size_t>(slot_)].count = count_;
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
  guarded(), guarded_series();
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

}  // namespace page
