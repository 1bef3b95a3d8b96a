// A program of its own that runs the other side's cases on request.
#pragma once

#include <string>
#include <vector>

namespace bench {

class Peer {
 public:
  // Starts /usr/bin/python3 with `script`, which answers as torch_peer.py does.
  explicit Peer(const std::string& script);
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  // Empty when there is none.
  const std::string& version() const { return version_; }
  // Seconds of each repetition; empty when the peer is not there or has gone. Returns when the peer
  // is at rest: its threads spin on for tens of milliseconds after their work, on cores that
  // whoever is measured next would miss.
  std::vector<double> run(const std::string& name, long n, int threads, int repeats);

 private:
  std::string read_line();
  void rest();

  int process_ = -1, to_ = -1, from_ = -1;
  std::string version_;
};

}  // namespace bench
