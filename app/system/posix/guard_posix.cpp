#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "app/system/guard.h"

namespace sys {
namespace {

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
int take_slot(const std::filesystem::path& path, int count, std::size_t number, int digits,
              const std::string& folder) {
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

}  // namespace

Guard::Guard(const std::filesystem::path& path) : slot_(take_slot(path, 1, 0, 0, "")) {}

Guard::Guard(const std::filesystem::path& folder, bool made, const std::string& before, int digits,
             const std::string& after) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(folder, error).lexically_normal();
  if (error) return;
  const std::string prefix = (whole / before).string();
  const std::string zeros(static_cast<std::size_t>(digits), '0');
  slot_ = take_slot(prefix + zeros + after, 0, prefix.size(), digits, made ? whole.string() : "");
}

Guard::~Guard() {
  if (slot_ >= 0) guarded()[static_cast<std::size_t>(slot_)].state = 0;
}

void Guard::cover(int count) {
  if (slot_ >= 0) guarded()[static_cast<std::size_t>(slot_)].count = count;
}

void remove_guarded_on_signals() {
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

}  // namespace sys
