// What tests of the lab of one's own tensors share.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/tensors/page.h"
#include "folder.h"
#include "trying.h"

namespace tensors_rig {

using namespace lab::tensors;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
namespace fs = std::filesystem;

using Made = Trial<Parameters>;
inline Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Made preset(std::string_view id) { return lab::trying::preset<Parameters>("tensors", id); }

using test::Folder;

inline std::string npy(const std::string& type, const std::string& shape, std::string_view bytes) {
  const std::string said =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(said.size() & 0xff);
  out += static_cast<char>(said.size() >> 8);
  return out + said + std::string(bytes);
}
inline std::string npy(const std::string& shape, const std::vector<float>& numbers) {
  return npy("<f4", shape,
             {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
}

// 2 layers, 3 heads, 4 by 4; each number tells its place: rows add up to 1 nowhere.
inline std::vector<float> counted() {
  std::vector<float> all(2 * 3 * 4 * 4);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<float>(k) / 100;
  return all;
}

inline std::string fault(Made& m) { return m.page().fault.in_english(); }

}  // namespace tensors_rig
