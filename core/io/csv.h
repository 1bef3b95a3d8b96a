// Two columns of numbers from a text file: (x, y) pairs for regression.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "core/types.h"

namespace core {

struct NumberPairs {
  VectorD x, y;                // (rows) each, in the order of the file; all finite
  std::string x_name, y_name;  // of the header line
  bool header = false;         // the first line is one
  char separator = ',';
  bool decimal_comma = false;  // some number is written as 1,5
};

struct CsvLimits {
  Index rows = 1'000'000;
  Index line_bytes = 4096;
};

// Reads lines of two numbers. Strict: the separator is the first of tab, semicolon and comma that
// the first line has; every line has two cells; a first line of which neither cell is a number, nor
// begins like one, is a header. Numbers are finite and written with a point, or, where the
// separator is no comma, all with a comma. Spaces and double quotes around a cell, a byte order
// mark, CRLF and empty lines at the end are read over. Stops at the first row beyond the limit: a
// file of any size is refused without reading it all. Throws InputError, which names the file (as
// `name`) and the line and can be told in every language. `cancel` is polled every few thousand
// lines.
NumberPairs read_number_pairs(std::istream& in, const std::string& name,
                              const CsvLimits& limits = {}, const Cancel& cancel = {});
NumberPairs read_number_pairs(const std::filesystem::path& path, const CsvLimits& limits = {},
                              const Cancel& cancel = {});

}  // namespace core
