#include <windows.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "app/system/guard.h"
#include "core/system/windows/wide.h"

namespace sys {
namespace {

// The paths that are to go at the program's end: one, or a series of them that differ in a number
// alone.
struct Guarded {
  bool taken = false;
  int count = 0;
  std::wstring before{}, after{};  // the number
  int digits = 0;                  // 0: it has none
  std::wstring folder{};           // to go with them, where it is empty; or ""
};

// It must outlive whatever ends the program.
std::mutex& guarded_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}
std::vector<Guarded>& guarded() {
  static auto* const all = new std::vector<Guarded>(16);
  return *all;
}

void remove_all() {
  const std::scoped_lock lock(guarded_mutex());
  for (const Guarded& slot : guarded()) {
    if (!slot.taken) continue;
    for (int k = 1; k <= slot.count; ++k) {
      std::wstring number = slot.digits > 0 ? std::to_wstring(k) : std::wstring();
      const auto digits = static_cast<std::size_t>(slot.digits);
      if (number.size() < digits) number.insert(0, digits - number.size(), L'0');
      ::DeleteFileW((slot.before + number + slot.after).c_str());
    }
    if (!slot.folder.empty()) ::RemoveDirectoryW(slot.folder.c_str());
  }
}

// Called on a thread of its own when the person presses Ctrl-C, closes the console or logs off.
BOOL WINAPI on_console_event(DWORD) {
  remove_all();
  return FALSE;  // the program ends as it would have
}

LONG WINAPI on_fault(EXCEPTION_POINTERS*) {
  // A thread that fails inside of the table holds its mutex.
  if (guarded_mutex().try_lock()) {
    guarded_mutex().unlock();
    remove_all();
  }
  return EXCEPTION_CONTINUE_SEARCH;
}

void on_abort(int) { on_fault(nullptr); }

int take_slot(Guarded wanted) {
  static const bool at_exit = std::atexit(remove_all) == 0;
  const std::scoped_lock lock(guarded_mutex());
  for (std::size_t k = 0; at_exit && k < guarded().size(); ++k) {
    if (guarded()[k].taken) continue;
    wanted.taken = true;
    guarded()[k] = std::move(wanted);
    return static_cast<int>(k);
  }
  return -1;
}

}  // namespace

Guard::Guard(const std::filesystem::path& path)
    : slot_(take_slot({.count = 1, .before = core::system_path(path)})) {}

Guard::Guard(const std::filesystem::path& folder, bool made, const std::string& before, int digits,
             const std::string& after)
    : slot_(take_slot({.before = core::system_path(folder / before),
                       .after = core::wide(after),
                       .digits = digits,
                       .folder = made ? core::system_path(folder) : std::wstring()})) {}

Guard::~Guard() {
  const std::scoped_lock lock(guarded_mutex());
  if (slot_ >= 0) guarded()[static_cast<std::size_t>(slot_)].taken = false;
}

void Guard::cover(int count) {
  const std::scoped_lock lock(guarded_mutex());
  if (slot_ >= 0) guarded()[static_cast<std::size_t>(slot_)].count = count;
}

void remove_guarded_on_signals() {
  ::SetConsoleCtrlHandler(on_console_event, TRUE);
  ::SetUnhandledExceptionFilter(on_fault);
  std::signal(SIGABRT, on_abort);
}

}  // namespace sys
