#include "peer.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace bench {
namespace {

// Nanoseconds that the threads of a process have run so far.
long long time_run(int process) {
  long long sum = 0;
  std::error_code gone;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", gone)) {
    long long run = 0;
    std::ifstream(thread.path() / "schedstat") >> run;
    sum += run;
  }
  return sum;
}

}  // namespace

Peer::Peer(const std::string& script) {
  if (script.empty()) return;
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) return;
  std::signal(SIGPIPE, SIG_IGN);
  process_ = fork();
  if (process_ == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    for (const int end : {down[0], down[1], up[0], up[1]}) close(end);
    setenv("MALLOC_MMAP_MAX_", "0", 1);  // no fresh pages for each large array
    setenv("MALLOC_TRIM_THRESHOLD_", "1000000000000", 1);
    setenv("MALLOC_TOP_PAD_", "100000000", 1);
    setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1);
    unsetenv("OPENBLAS_CORETYPE");
    execl("/usr/bin/python3", "python3", script.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  to_ = down[1];
  from_ = up[0];
  const std::string first = read_line();
  if (first.rfind("ready ", 0) == 0) version_ = first.substr(6);
  if (first.rfind("unfit ", 0) == 0) {
    std::fprintf(stderr, "%s.\n", first.c_str() + 6);
    std::exit(1);
  }
}

Peer::~Peer() {
  if (to_ >= 0) close(to_);  // the end of its input ends it
  if (from_ >= 0) close(from_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

std::string Peer::read_line() {
  std::string line;
  char c = 0;
  while (read(from_, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

std::vector<double> Peer::run(const std::string& name, long n, Setting setting, int repeats) {
  if (version_.empty()) return {};
  std::ostringstream request;
  request << name << ' ' << n << ' ' << setting.torch << ' ' << setting.blas << ' ' << repeats
          << '\n';
  const std::string text = request.str();
  if (write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return {};
  std::istringstream answer(read_line());
  std::vector<double> times;
  for (double seconds = 0; answer >> seconds;) times.push_back(seconds);
  rest();
  return times;
}

void Peer::rest() {
  constexpr auto kStep = std::chrono::milliseconds(20);  // more than the kernel's clock ticks
  constexpr int kMostSteps = 50;
  long long before = time_run(process_);
  for (int step = 0; step < kMostSteps; ++step) {
    std::this_thread::sleep_for(kStep);
    const long long now = time_run(process_);
    // Reading a clock is all that an idle thread may do meanwhile.
    if (now - before < 100'000) return;
    before = now;
  }
}

std::string torch_peer(bool alone) {
  return alone ? "" : ATTNSCOPE_SOURCE_DIR "/tests/bench/torch_peer.py";
}

void tell(const Peer& torch) {
  if (torch.version().empty()) {
    std::puts("own times alone: PyTorch (Debian: python3-torch) is not there, or was left off");
  } else {
    std::printf(
        "beside PyTorch %s: the peer's best setting of as many threads as ours at most, PyTorch's "
        "x OpenBLAS's; its time over ours, so more than 1 is faster\n",
        torch.version().c_str());
  }
  std::fflush(stdout);
}

BestOfPeer::BestOfPeer(Peer& peer, const std::string& name, long n, int threads,
                       Multiplies multiplies)
    : peer_(peer), n_(n) {
  if (name.empty()) return;
  for (int torch = 1; torch <= threads; ++torch) {
    for (int blas = 1; blas <= (multiplies == Multiplies::yes ? threads : 1); ++blas) {
      const Setting setting{torch, blas};
      all_.push_back({name, setting.text(), setting, {}});
    }
  }
}

BestOfPeer::BestOfPeer(Peer& peer, const std::vector<std::string>& flavours, long n, int threads)
    : peer_(peer), n_(n) {
  for (const std::string& name : flavours) {
    all_.push_back({name, name.substr(name.find('.') + 1), {threads, threads}, {}});
  }
}

void BestOfPeer::run(int repeats) {
  for (Tried& one : all_) one.times.add(peer_.run(one.name, n_, one.setting, repeats));
}

const BestOfPeer::Tried* BestOfPeer::best() const {
  const Tried* found = nullptr;
  for (const Tried& one : all_) {
    if (one.times.all.empty()) continue;
    if (!found || one.times.median() < found->times.median()) found = &one;
  }
  return found;
}

double BestOfPeer::min() const {
  double least = none() ? 0 : best()->times.min();
  for (const Tried& one : all_) {
    if (!one.times.all.empty()) least = std::min(least, one.times.min());
  }
  return least;
}

double BestOfPeer::median() const { return none() ? 0 : best()->times.median(); }

}  // namespace bench
