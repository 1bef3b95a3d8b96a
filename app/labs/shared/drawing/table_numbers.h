// The numbers that the cells of a table tell as people read them ("n²·d = 537 M"), for programs.
#pragma once

#include <string_view>
#include <utility>

#include "app/labs/lab.h"

namespace lab {

// Adds the numbers of the row that was added last: names in English with their units, as
// figure::Table::numbers holds them. NaN: this row has none.
inline void add_numbers(figure::Table& table,
                        std::initializer_list<std::pair<std::string_view, double>> numbers) {
  const std::size_t row = table.rows.size() - 1;
  for (const auto& [name, value] : numbers) {
    auto at = std::find_if(table.numbers.begin(), table.numbers.end(),
                           [&, &named = name](const auto& one) { return one.name == named; });
    if (at == table.numbers.end()) {
      at = table.numbers.insert(at, figure::Table::Quantity{.name = std::string(name)});
    }
    at->values.resize(row, std::numeric_limits<double>::quiet_NaN());
    at->values.push_back(value);
  }
}

}  // namespace lab
