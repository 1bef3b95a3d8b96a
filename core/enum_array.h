// Lists that stand against an enumeration: names, texts, functions, one for each enumerator.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace core {
namespace enumerators {

// g++ and clang tell a value without a name as "(Type)5", one with a name as "Type::name".
template <auto value>
consteval bool has_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  name = name.substr(0, name.rfind(']'));
  while (name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
  return name.back() != ')';
}

template <class Enum, int first = 0>
consteval std::size_t count() {
  if constexpr (has_name<static_cast<Enum>(first)>()) {
    return count<Enum, first + 1>();
  } else {
    return static_cast<std::size_t>(first);
  }
}

}  // namespace enumerators

// How many enumerators there are, which count from 0 without a gap.
template <class Enum>
inline constexpr std::size_t kEnumerators = enumerators::count<Enum>();

// One T for each enumerator, in their order: a list of another length does not compile. Written
// EnumArray<Colour> names{{"red", "green"}}.
template <class Enum, class T = std::string_view>
class EnumArray {
 public:
  template <std::size_t size>
  constexpr EnumArray(const T (&list)[size])  // NOLINT: is written as a list
      : all_(std::to_array(list)) {
    static_assert(size == kEnumerators<Enum>, "one entry for each enumerator");
  }

  constexpr const T& operator[](Enum which) const { return all_[static_cast<std::size_t>(which)]; }
  constexpr const T& operator[](std::size_t k) const { return all_[k]; }
  constexpr std::size_t size() const { return all_.size(); }
  constexpr auto begin() const { return all_.begin(); }
  constexpr auto end() const { return all_.end(); }

 private:
  std::array<T, kEnumerators<Enum>> all_;
};

}  // namespace core
