// Numbers of a figure: made of whatever they come as, an index, a float, a vector of Eigen, so that
// what draws has no conversions.
#pragma once

#include <concepts>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "core/types.h"

namespace figure {

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

// A coordinate.
struct Number {
  double value = 0;

  template <Arithmetic T>
  constexpr Number(T number) : value(static_cast<double>(number)) {}
  constexpr operator double() const { return value; }
};

// Coordinates one after the other.
class Numbers : public std::vector<double> {
 public:
  Numbers() = default;
  Numbers(std::vector<double> numbers) : std::vector<double>(std::move(numbers)) {}
  Numbers(std::initializer_list<Number> numbers)
      : std::vector<double>(numbers.begin(), numbers.end()) {}
  template <std::input_iterator At>
  Numbers(At first, At last) : std::vector<double>(first, last) {}
  template <Arithmetic T>
  Numbers(const std::vector<T>& numbers) {
    reserve(numbers.size());
    for (const T number : numbers) push_back(number);
  }
  // A row, a column, a part of either or of a matrix, row by row.
  template <class Derived>
  Numbers(const Eigen::DenseBase<Derived>& numbers) {
    reserve(static_cast<std::size_t>(numbers.size()));
    for (core::Index r = 0; r < numbers.rows(); ++r) {
      for (core::Index c = 0; c < numbers.cols(); ++c) push_back(numbers.derived()(r, c));
    }
  }

  void push_back(Number number) { std::vector<double>::push_back(number); }
};

}  // namespace figure
