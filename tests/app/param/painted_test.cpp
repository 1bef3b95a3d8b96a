#include "app/param/painted.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "app/param/param.h"
#include "core/random.h"

namespace painted_test {

namespace {

using param::CellSet;

constexpr int kRows = 12, kColumns = 20;

CellSet read(std::string_view text) { return param::read_cells(text, kRows, kColumns); }

std::string canonical(std::string_view text) { return param::serialize_cells(read(text)); }

using Bits = std::vector<bool>;

Bits bits(const CellSet& cells) {
  Bits all(kRows * kColumns);
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      all[static_cast<std::size_t>(row * kColumns + column)] = param::contains(cells, row, column);
    }
  }
  return all;
}

param::CellSpan span(core::Random& random, int count) {
  const int a = static_cast<int>(random.next() % static_cast<unsigned>(count));
  const int b = static_cast<int>(random.next() % static_cast<unsigned>(count));
  return {std::min(a, b), std::max(a, b)};
}

// Rising, apart, no empty bands, no equal bands that touch.
bool is_canonical(const CellSet& cells) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (cells[k].columns.empty() || cells[k].rows.first > cells[k].rows.last) return false;
    if (k > 0) {
      const int gap = cells[k].rows.first - cells[k - 1].rows.last;
      if (gap < 1 || (gap == 1 && cells[k].columns == cells[k - 1].columns)) return false;
    }
    for (std::size_t c = 0; c < cells[k].columns.size(); ++c) {
      if (cells[k].columns[c].first > cells[k].columns[c].last) return false;
      if (c > 0 && cells[k].columns[c].first < cells[k].columns[c - 1].last + 2) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("Painted cells are written as rows with their columns, in one way") {
  CHECK(canonical("0:3-7,9;4:0-2") == "0:3-7,9;4:0-2");
  CHECK(canonical(" 4:0-2 ; 0: 9 , 3-5,5-7 ") == "0:3-7,9;4:0-2");
  CHECK(canonical("0:3;1:3;2:3") == "0-2:3");
  CHECK(canonical("0-5:1-2;3:2-4") == "0-2:1-2;3:1-4;4-5:1-2");
  CHECK(canonical("0:1,2,3") == "0:1-3");
  CHECK(canonical("") == "");
  CHECK(param::contains(read("0:3-7,9;4:0-2"), 4, 2));
  CHECK_FALSE(param::contains(read("0:3-7,9;4:0-2"), 4, 3));
  CHECK_FALSE(param::contains(read("0:3-7,9;4:0-2"), 3, 0));
  CHECK(param::span_count(read("0:3-7,9;4:0-2")) == 3);
}

TEST_CASE("Painting and erasing blocks does to the cells what it does to bits") {
  core::Random random(11);
  CellSet cells;
  Bits wanted(kRows * kColumns);
  for (int k = 0; k < 2000; ++k) {
    const param::CellBlock block{span(random, kRows), span(random, kColumns)};
    const bool erase = random.next() % 2 == 0;
    cells = param::with_block(cells, block, erase);
    for (int row = block.rows.first; row <= block.rows.last; ++row) {
      for (int column = block.columns.first; column <= block.columns.last; ++column) {
        wanted[static_cast<std::size_t>(row * kColumns + column)] = !erase;
      }
    }
    REQUIRE(bits(cells) == wanted);
    REQUIRE(is_canonical(cells));
    REQUIRE(read(param::serialize_cells(cells)) == cells);
  }
}

TEST_CASE("Sets are united and subtracted as sets are") {
  core::Random random(12);
  for (int k = 0; k < 200; ++k) {
    CellSet a, b;
    for (int n = 0; n < 5; ++n) {
      a = param::with_block(a, {span(random, kRows), span(random, kColumns)}, n % 2 == 1);
      b = param::with_block(b, {span(random, kRows), span(random, kColumns)}, n % 3 == 2);
    }
    CHECK(param::united(a, b) == param::united(b, a));
    CHECK(param::united(param::subtracted(a, b), b) == param::united(a, b));
    CHECK(param::subtracted(a, a).empty());
    CHECK(param::subtracted(a, {}) == a);
    CHECK(is_canonical(param::subtracted(a, b)));
  }
}

TEST_CASE("Cells that are none are refused in one sentence") {
  CellSet cells = read("1:1");
  param::List list;
  list.painted({&cells, kRows, kColumns}, "cells", "Cells", "");
  const param::Parameter& p = list.items()[0];
  const auto refused = [&](const std::string& text) -> std::string {
    try {
      param::parse(p, text);
    } catch (const param::Refusal& error) {
      return error.what();
    }
    return "";
  };
  const std::string wanted =
      "cells: expected cells such as 0:3-7,9;4:0-2 with rows from 0 to 11, columns from 0 to 19 "
      "and at most 65536 ranges, got ";
  CHECK(refused("nan") == wanted + "nan");
  CHECK(refused("0:3;12:1") == wanted + "\"12:1\"");
  CHECK(refused("0:20") == wanted + "\"0:20\"");
  CHECK(refused("0:7-3") == wanted + "\"0:7-3\"");
  CHECK(refused("0:-3") == wanted + "\"0:-3\"");
  CHECK(refused("-1:3") == wanted + "\"-1:3\"");
  for (const char* bad : {"0", "0:", ":3", "0:3-", "0:a", "0:3:4", ";", "0:1;;1:1", "0 1:3",
                          "99999999999:1", "\xff\xfe"}) {
    CAPTURE(bad);
    CHECK_FALSE(refused(bad).empty());
  }
  std::string many;
  for (int k = 0; k <= 65536 / 10; ++k) many += "0:0,2,4,6,8,10,12,14,16,18;";
  CHECK(refused(many + "0:1") == wanted + "65540");
  CHECK(param::serialize(p) == "1:1");
  CHECK(param::kind_name(p) == "painted");
  CHECK(param::is_text(p));
  CHECK(param::to_json(p) == "1:1");
  param::from_json(p, "2:3-4;2:5");
  CHECK(param::serialize(p) == "2:3-5");
  CHECK_THROWS_AS(param::from_json(p, nlohmann::json::array()), param::Refusal);
}

}  // namespace painted_test
