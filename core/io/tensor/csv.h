// Two columns of numbers from a text file: (x, y) pairs for regression.
#pragma once

#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "core/types.h"

namespace core {

// A column by its name: the header's, or "column 3", counted from 1, where there is no header, or
// none of its own (the cell is empty, or a column before has the same).
struct CsvColumn {
  std::string name;
  bool from_header = false;
  bool operator==(const CsvColumn&) const = default;
};

// Names of the columns to read; empty: the first is x, the second y.
struct CsvChoice {
  std::string x = {}, y = {};
};

struct NumberPairs {
  VectorD x, y;                // (rows) each, in the order of the file; all finite
  std::string x_name, y_name;  // of the header line
  bool header = false;         // the first line is one
  char separator = ',';
  bool decimal_comma = false;  // some number is written as 1,5
};

struct CsvLimits {
  Index rows = 1'000'000;
  Index line_bytes = 65'536;
};

// Reads two columns of lines that all have as many cells, two or more. Strict: the separator is the
// first of tab, semicolon and comma that the first line has; a first line of which no cell is a
// number, nor begins like one, is a header. The numbers of both columns are finite and written with
// a point, or, where the separator is no comma, all with a comma; what other columns hold does not
// matter. Spaces and double quotes around a cell, a byte order mark, CRLF and empty lines at the
// end are read over. Stops at the first row beyond the limit: a file of any size is refused without
// reading it all. Throws InputError, which names the file (as `name`) and the line and can be told
// in every language. `cancel` is polled every few thousand lines.
NumberPairs read_number_pairs(std::istream& in, const std::string& name,
                              const CsvChoice& choice = {}, const CsvLimits& limits = {},
                              const Cancel& cancel = {});
NumberPairs read_number_pairs(const std::filesystem::path& path, const CsvChoice& choice = {},
                              const CsvLimits& limits = {}, const Cancel& cancel = {});

// The columns that such a file has, after its first line; their names differ from each other.
// Throws InputError as above for what that line shows.
std::vector<CsvColumn> csv_columns(std::istream& in, const std::string& name,
                                   const CsvLimits& limits = {});
std::vector<CsvColumn> csv_columns(const std::filesystem::path& path, const CsvLimits& limits = {});

}  // namespace core
