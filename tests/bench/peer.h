// A program of its own that runs the other side's cases on request.
#pragma once

#include <string>
#include <vector>

#include "timing.h"

namespace bench {

// How many threads PyTorch and the BLAS that it multiplies by may use; neither listens to the
// other. Of other peers the first alone counts.
struct Setting {
  int torch = 1, blas = 1;
  // "2x1": PyTorch 2, BLAS 1.
  std::string text() const { return std::to_string(torch) + "x" + std::to_string(blas); }
};

// Whether a case multiplies matrices: BLAS's threads are of no consequence to the others.
enum class Multiplies { no, yes };

class Peer {
 public:
  // Starts /usr/bin/python3 with `script`, which answers as torch_peer.py does, in an environment
  // in which the allocator keeps what is freed and gives it out on huge pages, as ours does, and no
  // kind of processor is forced on OpenBLAS. Where it says that it would be no fair peer, prints
  // why and ends the program with status 1. An empty script is no peer.
  explicit Peer(const std::string& script);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  // Empty when there is none.
  const std::string& version() const { return version_; }
  // Seconds of each repetition; empty when the peer is not there or has gone. Returns when the peer
  // is at rest: its threads spin on for tens of milliseconds after their work, on cores that
  // whoever is measured next would miss.
  std::vector<double> run(const std::string& name, long n, Setting setting, int repeats);
  // What the first runs of a case begun anew return, a number each; empty as above.
  std::vector<double> values(const std::string& name, long n, Setting setting, int repeats) {
    return run("values " + name, n, setting, repeats);
  }

 private:
  std::string read_line();
  void rest();

  int process_ = -1, to_ = -1, from_ = -1;
  std::string version_;
};

// The script of the peer that PyTorch answers; none where own times are wanted alone.
std::string torch_peer(bool alone = false);
// Says above a table whom its ratios stand beside and how its columns read, or that there is
// nobody.
void tell(const Peer& torch);

// A peer's case at its best: every setting and every flavour takes its turn in every round, and the
// quickest counts.
class BestOfPeer {
 public:
  // At most `threads` threads each; an empty name is nobody's case.
  BestOfPeer(Peer& peer, const std::string& name, long n, int threads, Multiplies multiplies);
  // The same case in several flavours, "case.flavour"; each with `threads` threads.
  BestOfPeer(Peer& peer, const std::vector<std::string>& flavours, long n, int threads);

  void run(int repeats);
  bool none() const { return !best(); }  // nobody ran
  // Seconds, each of the setting or flavour that has the least of it.
  double min() const;
  double median() const;
  // Whose median that is, "2x1" or the flavour.
  std::string text() const { return none() ? "-" : best()->text; }

 private:
  struct Tried {
    std::string name, text;
    Setting setting;
    Times times;
  };
  const Tried* best() const;

  Peer& peer_;
  long n_;
  std::vector<Tried> all_;
};

}  // namespace bench
