// The record of trainings that are compared by length, assets/models/lengths.csv.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/task/sequence/length_score.h"

namespace lengths_record {

struct Row {
  std::string recipe, positions;
  std::uint64_t seed = 0;
  bool shipped = false;
  core::Index parameters = 0;
  core::task::LengthScore score;
};

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

inline std::vector<Row> read() {
  std::ifstream in(std::string(ATTNSCOPE_SOURCE_DIR) + "/assets/models/lengths.csv");
  std::string line;
  REQUIRE(std::getline(in, line));
  const std::vector<std::string> head = cells_of(line);
  constexpr std::size_t kFirst = 5;
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() == head.size());
    Row row{cells[0], cells[1], std::stoull(cells[2]), cells[3] == "1", std::stoll(cells[4]), {}};
    for (std::size_t k = kFirst; k < cells.size() && !cells[k].empty(); ++k) {
      row.score.lengths.push_back(std::stoll(head[k].substr(std::string("right at ").size())));
      row.score.right.push_back(std::stod(cells[k]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lengths_record
