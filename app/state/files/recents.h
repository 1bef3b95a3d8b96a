// What was opened last: sessions, exported figures, tensors, folders of models, and lessons.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace state {

struct Recent {
  enum class Kind { file, lesson };
  Kind kind = Kind::file;
  std::string name;  // a whole path, or the name of one of the program's lessons
  bool operator==(const Recent&) const = default;
};

class Recents {
 public:
  static constexpr std::size_t kMost = 8;

  // The newest first; none stands twice.
  const std::vector<Recent>& all() const { return all_; }
  void add(Recent recent) {
    std::erase(all_, recent);
    all_.insert(all_.begin(), std::move(recent));
    if (all_.size() > kMost) all_.resize(kMost);
  }
  bool operator==(const Recents&) const = default;

 private:
  std::vector<Recent> all_;
};

}  // namespace state
