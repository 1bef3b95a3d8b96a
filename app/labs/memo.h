// Stages of a computation that are not run again while what they depend on stays the same.
#pragma once

#include <any>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace lab {

// Whether two keys are equal; of matrices and vectors Eigen compares what has the same size alone.
template <class T>
bool same_key(const T& a, const T& b) {
  if constexpr (requires { a.rows(), a.cols(); }) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
  } else {
    return a == b;
  }
}
template <class... Parts>
bool same_key(const std::tuple<Parts...>& a, const std::tuple<Parts...>& b) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return (same_key(std::get<k>(a), std::get<k>(b)) && ...);
  }
  (std::index_sequence_for<Parts...>());
}

// Keeps the newest value of each named stage under a key made of all its inputs. One memo belongs
// to one lab on one worker; values are immutable and shared.
class Memo {
 public:
  // The value of `stage` for `key` (a tuple of the parameters it depends on, see same_key):
  // the kept one, or what `make` returns now.
  template <class Key, class Make>
  auto get(const std::string& stage, Key key, Make&& make) {
    using Value = std::decay_t<decltype(make())>;
    struct Kept {
      Key key;
      std::shared_ptr<const Value> value;
    };
    if (const Kept* kept = std::any_cast<Kept>(find(stage)); kept && same_key(kept->key, key)) {
      return kept->value;
    }
    auto value = std::make_shared<const Value>(make());
    keep(stage, Kept{std::move(key), value});
    return value;
  }

  // Room that a computation uses again the next time; it says nothing about what was computed.
  template <class Room>
  std::shared_ptr<Room> room(const std::string& name) {
    std::any& kept = stages_[name + " (room)"];
    if (!kept.has_value()) kept = std::make_shared<Room>();
    return std::any_cast<std::shared_ptr<Room>>(kept);
  }

  // How often a stage really ran; for tests.
  int runs(const std::string& stage) const;

 private:
  const std::any* find(const std::string& stage) const;  // null: there is none
  void keep(const std::string& stage, std::any kept);

  std::map<std::string, std::any> stages_;
  std::map<std::string, int> runs_;
};

// The memo of every lab, by its id.
class Memos {
 public:
  // It is then the one used last.
  Memo& of(const std::string& lab) {
    std::erase(used_, lab);
    used_.push_back(lab);
    return memos_[lab];
  }
  // Forgets what the lab that was used longest ago has kept; never that of the one used last. False
  // when there is none.
  bool forget_oldest() {
    if (used_.size() < 2) return false;
    memos_.erase(used_.front());
    used_.erase(used_.begin());
    return true;
  }

 private:
  std::map<std::string, Memo> memos_;
  std::vector<std::string> used_;  // the one used last at the end
};

}  // namespace lab
