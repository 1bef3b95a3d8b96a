// The numbers behind figures in memory: whole arrays for another program, and texts.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/paper/numbers/numbers.h"

namespace paper {

// An array as an .npz has it (numbers.h), in C order.
struct NamedArray {
  std::string name;
  std::vector<core::Index> shape;
  std::vector<double> values;  // a masked cell is a NaN
};

// Every array of the figures, none or many. Throws core::InputError when the ids are unknown or the
// arrays have more than kMostTextCells numbers together.
std::vector<NamedArray> named_arrays(const lab::Page& page,
                                     const std::vector<std::string>& figure_ids,
                                     const core::Cancel& cancel = {});

// What export_numbers writes into a file of that ending, ".json", ".csv", ".npy" or ".npz". Throws
// as that does; an array may be no larger than what becomes text.
std::string numbers_bytes(const lab::Page& page, const std::vector<std::string>& figure_ids,
                          const std::string& session, const std::string& ending,
                          const core::Cancel& cancel = {}, const NumbersOptions& options = {});

}  // namespace paper
