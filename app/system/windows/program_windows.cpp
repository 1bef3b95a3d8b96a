#include <fmt/format.h>
#include <windows.h>
// After it.
#include <shellapi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <sstream>
#include <utility>

#include "app/system/program.h"
#include "core/system/environment.h"
#include "core/system/windows/wide.h"

namespace sys {
namespace {

namespace fs = std::filesystem;

HANDLE handle_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }
std::intptr_t number_of(HANDLE handle) { return reinterpret_cast<std::intptr_t>(handle); }

void close_and_forget(std::intptr_t& handle) {
  if (handle != -1) ::CloseHandle(handle_of(std::exchange(handle, -1)));
}

SECURITY_ATTRIBUTES inherited() { return {sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE}; }

// A word as a program's start makes it of the one text that it is given: between quotes, with
// backslashes doubled where a quote follows them.
std::wstring quoted(const std::wstring& word) {
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == word.npos) return word;
  std::wstring out = L"\"";
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') out.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    out += c;
  }
  return out.append(backslashes, L'\\') + L'"';
}

std::wstring command_line(const std::vector<std::string>& words) {
  std::wstring line;
  for (const std::string& word : words) {
    line += (line.empty() ? L"" : L" ") + quoted(core::wide(word));
  }
  return line;
}

// What is in it ends with this program, whatever ends that: the system closes its last handle then.
HANDLE job() {
  static const HANDLE made = [] {
    const HANDLE one = ::CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    ::SetInformationJobObject(one, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return one;
  }();
  return made;
}

// Starts a program with these three streams, of which it inherits nothing else; null: last error.
HANDLE start_program(const fs::path& program, const std::vector<std::string>& words,
                     std::array<HANDLE, 3> streams) {
  SIZE_T size = 0;
  ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<std::byte> memory(size);
  const auto list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
  if (!::InitializeProcThreadAttributeList(list, 1, 0, &size)) return nullptr;
  // Each of them once.
  std::vector<HANDLE> handles(streams.begin(), streams.end());
  std::sort(handles.begin(), handles.end());
  handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
  ::UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(),
                              handles.size() * sizeof(HANDLE), nullptr, nullptr);
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = streams[0];
  start.StartupInfo.hStdOutput = streams[1];
  start.StartupInfo.hStdError = streams[2];
  start.lpAttributeList = list;
  PROCESS_INFORMATION made{};
  std::wstring line = command_line(words);
  const bool started =
      ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE,
                       CREATE_NO_WINDOW | CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT, nullptr,
                       nullptr, &start.StartupInfo, &made);
  const DWORD error = ::GetLastError();
  ::DeleteProcThreadAttributeList(list);
  ::SetLastError(error);
  if (!started) return nullptr;
  ::AssignProcessToJobObject(job(), made.hProcess);
  ::ResumeThread(made.hThread);
  ::CloseHandle(made.hThread);
  return made.hProcess;
}

// A file for what a program says, which is gone with its last handle.
HANDLE nameless_file() {
  std::array<wchar_t, MAX_PATH + 1> folder{}, name{};
  if (::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()) == 0 ||
      ::GetTempFileNameW(folder.data(), L"att", 0, name.data()) == 0) {
    return INVALID_HANDLE_VALUE;
  }
  SECURITY_ATTRIBUTES attributes = inherited();
  return ::CreateFileW(name.data(), GENERIC_READ | GENERIC_WRITE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &attributes,
                       CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
                       nullptr);
}

// Both ends of a pipe. Writing to the first may be begun and ended later, which pipes that have no
// name cannot.
std::pair<HANDLE, HANDLE> pipe() {
  static std::atomic<int> number{0};
  const std::wstring name =
      core::wide(fmt::format(R"(\\.\pipe\attnscope-{}-{})", ::GetCurrentProcessId(), ++number));
  constexpr DWORD kPipe = 1 << 20;
  const HANDLE write = ::CreateNamedPipeW(
      name.c_str(), PIPE_ACCESS_OUTBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, kPipe, kPipe, 0, nullptr);
  if (write == INVALID_HANDLE_VALUE) return {write, write};
  SECURITY_ATTRIBUTES attributes = inherited();
  const HANDLE read = ::CreateFileW(name.c_str(), GENERIC_READ, 0, &attributes, OPEN_EXISTING,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
  return {write, read};
}

// The path of an open file.
std::string path_of(std::intptr_t file) {
  std::wstring path(1 << 15, L'\0');
  const DWORD units = ::GetFinalPathNameByHandleW(
      handle_of(file), path.data(), static_cast<DWORD>(path.size()), FILE_NAME_NORMALIZED);
  path.resize(units);
  // Programs of other systems know nothing of the mark.
  constexpr std::wstring_view kMark = LR"(\\?\)";
  if (path.starts_with(kMark) && path.size() < MAX_PATH) path.erase(0, kMark.size());
  return core::utf8(path);
}

}  // namespace

fs::path find_program(const std::string& name) {
  std::istringstream folders(core::environment("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ';');) {
    std::erase(folder, '"');
    if (!fs::path(folder).is_absolute()) continue;  // never what lies where one happens to be
    const fs::path program = fs::path(folder) / (name + ".exe");
    std::error_code error;
    if (fs::is_regular_file(program, error)) return program;
  }
  return {};
}

// What main is given is in the system's own letters, and has gone through the C library.
std::vector<std::string> own_words(int, char**) {
  int count = 0;
  wchar_t** const all = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  std::vector<std::string> words;
  for (int k = 1; k < count; ++k) words.push_back(core::utf8(all[k]));
  ::LocalFree(all);
  return words;
}

bool run_quietly(const std::string& name, std::vector<std::string> words) {
  const fs::path program = find_program(name);
  if (program.empty()) return false;
  words.insert(words.begin(), name);
  SECURITY_ATTRIBUTES attributes = inherited();
  const HANDLE nothing =
      ::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                    &attributes, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  const HANDLE process = start_program(program, words, {nothing, nothing, nothing});
  ::CloseHandle(nothing);
  if (!process) return false;
  DWORD status = 1;
  ::WaitForSingleObject(process, INFINITE);
  ::GetExitCodeProcess(process, &status);
  ::CloseHandle(process);
  return status == 0;
}

Program::~Program() {
  close_and_forget(input_);
  if (process_ != -1) {
    ::TerminateProcess(handle_of(process_), 1);
    wait();
  }
  close_and_forget(said_);
}

std::error_code Program::start(const fs::path& program, std::vector<std::string> words,
                               const Temporary& out) {
  words.push_back(path_of(out.handle()));
  const auto [write, read] = pipe();
  input_ = number_of(write);
  if (write == INVALID_HANDLE_VALUE || read == INVALID_HANDLE_VALUE) {
    return core::last_system_error();
  }
  said_ = number_of(nameless_file());
  std::error_code error;
  if (said_ == -1) error = core::last_system_error();
  if (!error) {
    const HANDLE said = handle_of(said_);
    const HANDLE process = start_program(program, words, {read, said, said});
    if (process) process_ = number_of(process);
    if (!process) error = core::last_system_error();
  }
  ::CloseHandle(read);
  return error;
}

bool Program::send(const std::uint8_t* bytes, std::size_t size, const core::Cancel& cancel) {
  constexpr DWORD kBetweenPolls = 20;     // ms
  constexpr std::size_t kMost = 1 << 20;  // so that it is asked often
  struct Event {
    HANDLE handle = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
    Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { ::CloseHandle(handle); }
  } event;
  const HANDLE input = handle_of(input_);
  while (size > 0) {
    cancel.poll();
    OVERLAPPED under_way{};
    under_way.hEvent = event.handle;
    DWORD sent = 0;
    if (!::WriteFile(input, bytes, static_cast<DWORD>(std::min(size, kMost)), nullptr,
                     &under_way) &&
        ::GetLastError() != ERROR_IO_PENDING) {
      return false;
    }
    while (::WaitForSingleObject(event.handle, kBetweenPolls) == WAIT_TIMEOUT) {
      try {
        cancel.poll();
      } catch (...) {
        // The bytes must not go away while the system still reads them.
        ::CancelIoEx(input, &under_way);
        ::GetOverlappedResult(input, &under_way, &sent, TRUE);
        throw;
      }
    }
    if (!::GetOverlappedResult(input, &under_way, &sent, FALSE)) return false;
    bytes += sent;
    size -= sent;
  }
  return true;
}

// What was sent is read to its end: a pipe's last handle leaves it to the reader.
void Program::end_of_input() { close_and_forget(input_); }

std::optional<int> Program::ended() {
  if (::WaitForSingleObject(handle_of(process_), 0) == WAIT_TIMEOUT) return std::nullopt;
  return wait();
}

int Program::wait() {
  DWORD status = 0;
  ::WaitForSingleObject(handle_of(process_), INFINITE);
  ::GetExitCodeProcess(handle_of(process_), &status);
  close_and_forget(process_);
  // What a fault of its own ended has an error of the system's for its status.
  return status >= 0x80000000u ? -1 : static_cast<int>(status);
}

std::string Program::said(std::size_t most) const {
  std::string text(most, '\0');
  OVERLAPPED from_begin{};
  DWORD bytes = 0;
  if (!::ReadFile(handle_of(said_), text.data(), static_cast<DWORD>(most), &bytes, &from_begin)) {
    bytes = 0;
  }
  text.resize(bytes);
  return text;
}

}  // namespace sys
