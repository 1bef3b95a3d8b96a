// A set of cells of a table, as a person paints it: few rectangles, in a table of any size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/words/sentence.h"

namespace param {

// First and last index, both included.
struct CellSpan {
  int first = 0, last = 0;
  bool operator==(const CellSpan&) const = default;
};

// Rows that have the same cells: disjoint spans of columns in rising order, never two that touch.
struct CellBand {
  CellSpan rows;
  std::vector<CellSpan> columns;
  bool operator==(const CellBand&) const = default;
};

// Bands in rising order, none empty, and never two that touch and have the same columns: equal sets
// are equal values. Memory and time follow the bands.
using CellSet = std::vector<CellBand>;

struct CellBlock {
  CellSpan rows, columns;
};

// The kind of parameter: cells of `rows` x `columns`.
struct Painted {
  static constexpr std::size_t kMostSpans = 65536;
  CellSet* value;
  int rows, columns;
};

CellSet united(const CellSet& a, const CellSet& b);
CellSet subtracted(const CellSet& a, const CellSet& b);
// The set with a block painted, or erased.
CellSet with_block(const CellSet& cells, const CellBlock& block, bool erase = false);
bool contains(const CellSet& cells, int row, int column);
std::size_t span_count(const CellSet& cells);

// "0:3-7,9;4-6:0-2": rows, then their columns. Canonical.
std::string serialize_cells(const CellSet& cells);
// The texts that `read_cells` accepts, for messages.
words::Sentence expected_cells(int rows, int columns);
// Reads that text, in any order and with overlaps. Throws core::InputError in one sentence.
CellSet read_cells(std::string_view text, int rows, int columns);

}  // namespace param
