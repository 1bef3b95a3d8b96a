// What tests of the lab of pooling share.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/pooling/model.h"
#include "app/labs/pooling/page.h"
#include "core/io/case/reference_case.h"
#include "folder.h"
#include "trying.h"

namespace pooling_rig {

using namespace lab::pooling;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

using Made = Trial<Parameters>;
inline Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Made preset(std::string_view id) { return lab::trying::preset<Parameters>("pooling", id); }

// What the explanation says on the right of `left`, up to the next left.
inline std::vector<std::string> said(const lab::Page& page, const std::string& left) {
  std::vector<std::string> lines;
  bool here = false;
  for (const auto& line : page.explanation.lines) {
    if (!line.left.empty()) here = line.left == left;
    const std::string& text = line.right[0].text;
    for (const std::string sign : {"= ", "≈ "}) {
      if (here && text.starts_with(sign)) lines.push_back(text.substr(sign.size()));
    }
  }
  return lines;
}

inline core::VectorD column(const core::ReferenceCase& c, const char* name) {
  return c.inputs.at(name).as_vector();
}

// A file that is gone when the test ends.
class TempFile {
 public:
  TempFile(std::string name, const std::string& text) : name_(std::move(name)) { write(text); }
  void write(const std::string& text) const { folder_.write(name_, text); }
  std::string path() const { return folder_.file(name_); }
  const std::string& name() const { return name_; }

 private:
  test::Folder folder_;
  std::string name_;
};

// Why there is no page, thrown or told by the page itself.
inline std::string refusal(Made& m) {
  try {
    const lab::Page page = m.page();
    if (!page.fault.empty()) return page.fault.in_english();
  } catch (const core::InputError& e) {
    return e.what();
  }
  return "nothing was refused";
}

// The training points of a reference case as a file.
inline std::string csv(const core::ReferenceCase& c) {
  std::string text = "x,y\n";
  const core::VectorD x = column(c, "x_train"), y = column(c, "y_train");
  for (Index i = 0; i < x.size(); ++i) {
    text += std::to_string(x(i)) + "," + std::to_string(y(i)) + "\n";
  }
  return text;
}

inline core::ReferenceFile reference() {
  std::ifstream in(ATTNSCOPE_SOURCE_DIR "/tests/reference/02_scoring_pooling.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return core::parse_reference_file(text, "02");
}

}  // namespace pooling_rig
