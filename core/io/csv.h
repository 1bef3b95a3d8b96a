// Two columns of numbers from a text file: (x, y) pairs for regression.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "core/types.h"

namespace core {

struct NumberPairs {
  VectorD x, y;                // (rows) each, in the order of the file; all finite
  std::string x_name, y_name;  // of the header line; empty without one
};

// What is wrong with a file of pairs, in parts, so that it can be told in any language; what() is
// the sentence in English.
struct CsvError : InputError {
  enum class Problem {
    missing,       // there is no such file
    not_a_file,    // a directory, a device
    unreadable,    // it cannot be opened or read on
    empty,         // no row of numbers
    not_utf8,      // `got` names the byte
    too_long,      // a line of more than `most` bytes
    ragged,        // `got` columns where 2 were expected; empty: an empty line
    not_a_number,  // `got` is the cell
    not_finite,    // the same: NaN, an infinity, or beyond what a double can hold
    too_many       // more than `most` rows
  };
  CsvError(Problem problem, std::string file, Index line, std::string got, Index most);
  Problem problem;
  std::string file;
  Index line;  // counts from 1; 0: of no line
  std::string got;
  Index most;
};

struct CsvLimits {
  Index rows = 1'000'000;
  Index line_bytes = 4096;
};

// Reads lines of two numbers. Strict: the separator is the first of tab, semicolon and comma that
// the first line has; every line has two cells; a first line of which neither cell is a number is a
// header. Numbers are written with a point, and are finite. Spaces and double quotes around a cell,
// a byte order mark, CRLF and empty lines at the end are read over. Stops at the first row beyond
// the limit: a file of any size is refused without reading it all. Throws CsvError; `name` is what
// it calls the file. `cancel` is polled every few thousand lines.
NumberPairs read_number_pairs(std::istream& in, const std::string& name,
                              const CsvLimits& limits = {}, const Cancel& cancel = {});
NumberPairs read_number_pairs(const std::filesystem::path& path, const CsvLimits& limits = {},
                              const Cancel& cancel = {});

}  // namespace core
