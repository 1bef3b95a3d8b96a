// A number for everything a page says, so that two pages can be compared.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/random.h"
#include "page_fields.h"
#include "sampled.h"

namespace contract {

class PageHash {
 public:
  // Of a page, or of a part of one.
  template <class T>
  std::uint64_t of(const T& part) {
    add(part);
    return hash_;
  }

 private:
  void word(std::uint64_t value) { hash_ = core::mix64(hash_ + value + 0x9e3779b97f4a7c15u); }

  template <HasFields T>
  void add(const T& value) {
    each_field(value, [this](std::string_view, const auto& field) { this->add(field); });
  }
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T value) {
    if constexpr (std::is_same_v<T, double>) {
      word(std::bit_cast<std::uint64_t>(value));
    } else if constexpr (std::is_same_v<T, float>) {
      word(std::bit_cast<std::uint32_t>(value));
    } else {
      word(static_cast<std::uint64_t>(value));
    }
  }
  void add(const figure::Number& number) { add(number.value); }
  void add(const std::string& text) { word(core::hash64(text)); }
  void add(const core::Message& message) { add(message.in_english()); }
  void add(const param::Facts& facts) {
    for (const auto& [id, found] : facts) {
      add(id);
      add(found);
    }
  }
  template <class A, class B>
  void add(const std::pair<A, B>& pair) {
    add(pair.first);
    add(pair.second);
  }
  template <class T>
  void add(const std::vector<T>& all) {
    word(all.size());
    for (const T& one : all) add(one);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    word(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const std::shared_ptr<const T>& value) {
    word(value != nullptr);
    if (value) add(*value);
  }
  void add(const std::function<std::string()>& bytes) {
    if (bytes) add(bytes());
  }
  template <class... T>
  void add(const std::variant<T...>& value) {
    word(value.index());
    std::visit([this](const auto& held) { this->add(held); }, value);
  }
  void add(const figure::TileSource& source) {
    const Sampled sampled = sample(source);
    word(static_cast<std::uint64_t>(sampled.rows));
    word(static_cast<std::uint64_t>(sampled.cols));
    add(sampled.values);
    add(sampled.pooled);
  }

  std::uint64_t hash_ = 0;
};

}  // namespace contract
