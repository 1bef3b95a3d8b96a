// Reads the case files of tests/reference, whose README.md gives the format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/case/case_compare.h"
#include "core/io/case/case_value.h"

namespace core {

struct ReferenceCase {
  std::string name;
  CaseValue params, inputs, expected;  // objects
  CaseTolerance tolerance;
  // What is wrong with the case itself, one sentence; the others of its file can still be used.
  std::string broken;
};

struct ReferenceFile {
  std::string topic, title;
  std::filesystem::path folder;  // where the file lies, for what its cases name beside it
  std::vector<ReferenceCase> cases;
};

// InputError, one sentence that begins with `name`, when the text is not JSON or not laid out as a
// file of cases. A case that misses a key or holds a malformed array is returned as `broken`.
ReferenceFile parse_reference_file(std::string_view text, const std::string& name);

// The same of a file; InputError also when it cannot be read.
ReferenceFile read_reference_file(const std::filesystem::path& path);

}  // namespace core
