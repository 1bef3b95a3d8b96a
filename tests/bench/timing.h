// Wall-clock times of repeated work.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench {

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Fn>
double time_once(Fn&& fn) {
  const double start = seconds();
  fn();
  return seconds() - start;
}

struct Times {
  std::vector<double> all;

  void add(const std::vector<double>& more) { all.insert(all.end(), more.begin(), more.end()); }
  double min() const { return all.empty() ? 0 : *std::min_element(all.begin(), all.end()); }
  double median() const {
    if (all.empty()) return 0;
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

}  // namespace bench
