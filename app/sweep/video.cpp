#include "app/sweep/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/param/param.h"
#include "app/words/sentence.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace sweep {
namespace {

constexpr int kOutFile = 3;  // its number in the program

[[noreturn]] void refuse_start(int error) {
  words::refuse<paper::IoError>(N_("the ffmpeg program could not be started: {}"),
                                core::system_reason(error));
}

// What makes a film that slides and browsers play. Both kinds want even sides: what that adds has
// the colour of the ground. Players take the colours of BT.709 for granted.
std::vector<std::string> command(bool for_mp4, const FilmFacts& facts, const paper::Pixels& first) {
  const std::string size = fmt::format("{}x{}", first.width, first.height);
  const std::string ground =
      fmt::format("0x{:02x}{:02x}{:02x}", first.rgb[0], first.rgb[1], first.rgb[2]);
  const std::string filter = "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:" + ground +
                             ",scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
  std::vector<std::string> all;
  const auto add = [&](std::initializer_list<std::string> words) { all.insert(all.end(), words); };
  add({"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y"});
  add({"-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", fmt::format("{}", facts.fps)});
  add({"-i", "pipe:0", "-vf", filter});
  add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"});
  add({"-metadata", "title=" + facts.title, "-metadata", "comment=" + facts.comment});
  if (for_mp4) {
    add({"-c:v", "libx264", "-crf", "16", "-preset", "medium", "-f", "mp4"});
  } else {
    add({"-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-cpu-used", "4", "-row-mt", "1"});
    add({"-f", "webm"});
  }
  all.push_back(fmt::format("/proc/self/fd/{}", kOutFile));
  return all;
}

// The child's part after a fork: the program, with these files as its 0, 1, 2 and 3, which ends
// when the thread ends that has made it. `failed` gets the error where it cannot be.
[[noreturn]] void become(const char* program, char* const* words, pid_t parent,
                         const std::array<int, 4>& files, int failed) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  std::signal(SIGPIPE, SIG_DFL);
  for (std::size_t k = 0; k < files.size(); ++k) ::dup2(files[k], static_cast<int>(k));
  ::execv(program, words);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(failed, &error, sizeof error);
  ::_exit(1);
}

// The first line of what it said.
std::string first_line(int file) {
  std::string text(2000, '\0');
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return core::printable(text.substr(0, text.find('\n')), 300);
}

}  // namespace

std::string ffmpeg_program() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = (std::filesystem::path(folder) / "ffmpeg").string();
    std::error_code error;
    if (std::filesystem::is_regular_file(program, error) && ::access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return std::string();
}

Video::Video(const std::filesystem::path& out, FilmFacts facts)
    : file_(out), facts_(std::move(facts)), mp4_(param::has_ending(out.string(), ".mp4")) {}

Video::~Video() {
  if (pipe_ >= 0) ::close(pipe_);
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    wait();
  }
  if (said_ >= 0) ::close(said_);
}

void Video::start(const paper::Pixels& first) {
  // A socket and no pipe: where the program has ended, writing to it is an error and no signal.
  int ends[2] = {-1, -1}, failed[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) refuse_start(errno);
  pipe_ = ends[0];
  said_ = ::memfd_create("said", MFD_CLOEXEC);
  // The temporary's number might be 3 itself: a copy of it has none that is in the way.
  const int out = ::dup(file_.file());
  int error = ::pipe2(failed, O_CLOEXEC) == 0 ? 0 : errno;
  const std::string program = ffmpeg_program();
  std::vector<std::string> words = command(mp4_, facts_, first);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  if (error == 0) process_ = ::fork();
  if (process_ == 0) {
    become(program.c_str(), pointers.data(), parent, {ends[1], said_, said_, out}, failed[1]);
  }
  if (error == 0 && process_ < 0) error = errno;
  ::close(out);
  ::close(ends[1]);
  ::close(failed[1]);
  // Nothing comes where it was started.
  if (error == 0 && ::read(failed[0], &error, sizeof error) > 0) wait();
  ::close(failed[0]);
  if (error != 0) refuse_start(error);
}

void Video::send(const std::uint8_t* bytes, std::size_t size, const core::Cancel& cancel) {
  constexpr int kBetweenPolls = 20;  // ms
  while (size > 0) {
    cancel.poll();
    const ssize_t sent = ::send(pipe_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) {
      pollfd room{pipe_, POLLOUT, 0};
      ::poll(&room, 1, kBetweenPolls);
    }
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) fail();
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

void Video::add(const paper::Pixels& frame, const core::Cancel& cancel) {
  if (process_ < 0) start(frame);
  send(frame.rgb.data(), frame.rgb.size(), cancel);
}

int Video::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void Video::fail() {
  ::close(pipe_);
  pipe_ = -1;
  const int status = process_ > 0 ? wait() : 0;
  std::string said = first_line(said_);
  if (said.empty()) said = fmt::format("status {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  words::refuse<paper::IoError>(N_("the ffmpeg program made no film: {}"), said);
}

void Video::finish(const core::Cancel& cancel) {
  if (process_ < 0) return;
  ::close(pipe_);
  pipe_ = -1;
  // It may take a while over the last frames.
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
      process_ = -1;
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
      break;
    }
    cancel.poll();
    ::poll(nullptr, 0, 10);
  }
  cancel.poll();
  file_.commit();
}

}  // namespace sweep
