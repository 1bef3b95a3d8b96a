// What is computed of shipped models, which never change: kept for the program's life.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace lab {

// The value of this key: the kept one, or what make() returns now; of each type the newest few.
template <class Value>
Value kept_value(const std::string& key, const std::function<Value()>& make) {
  constexpr std::size_t kMost = 16;
  static std::mutex mutex;
  static std::deque<std::pair<std::string, Value>> kept;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [of, value] : kept) {
      if (of == key) return value;
    }
  }
  Value value = make();
  const std::lock_guard lock(mutex);
  kept.emplace_back(key, value);
  if (kept.size() > kMost) kept.pop_front();
  return value;
}

}  // namespace lab
