// A value that copies share, compared by what it holds.
#pragma once

#include <memory>
#include <utility>

namespace core {

template <class T>
class SharedValue {
 public:
  SharedValue() = default;
  SharedValue(T value) : held_(std::make_shared<const T>(std::move(value))) {}  // NOLINT: is one
  SharedValue(std::shared_ptr<const T> held) : held_(std::move(held)) {}        // NOLINT: is one

  explicit operator bool() const { return held_ != nullptr; }
  const T& operator*() const { return *held_; }
  const T* operator->() const { return held_.get(); }
  bool operator==(const SharedValue& other) const {
    return held_ == other.held_ || (held_ && other.held_ && *held_ == *other.held_);
  }

 private:
  std::shared_ptr<const T> held_;
};

}  // namespace core
