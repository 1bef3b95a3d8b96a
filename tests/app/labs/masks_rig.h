// What tests of the lab of masks share.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/labs/masks/page.h"
#include "trying.h"

// As the trial calls it.
namespace lab::masks {
inline Model make_model(const Parameters& p, const Context& context) {
  return make_model(p, make_content(p, context), context);
}
}  // namespace lab::masks

namespace masks_rig {

using namespace lab::masks;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

using Made = Trial<Parameters>;
inline Parameters with(const param::Values& values) {
  return lab::trying::made<Parameters>(values).p;
}
inline Parameters preset(std::string_view id) {
  return lab::trying::preset<Parameters>("masks", id).p;
}

using Allows = std::function<bool(Index, Index)>;

inline Index count(Index n, const Allows& rule) {
  Index kept = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) kept += rule(i, j);
  }
  return kept;
}

// Pairs kept by a stack over 42 words, as the readout counts them.
inline double kept(Made& made, const std::string& stack, const param::Values& more = {}) {
  param::Values values{{"stack", stack}};
  values.insert(values.end(), more.begin(), more.end());
  return readout(made.page(with(values)), "kept");
}

// Every item of the catalogue, with several arguments each.
inline std::vector<param::StackItem> many_items() {
  std::vector<param::StackItem> items;
  const auto& entries = catalogue()->entries;
  for (int entry = 0; entry < static_cast<int>(entries.size()); ++entry) {
    const auto& arguments = entries[static_cast<std::size_t>(entry)].arguments;
    for (const int shift : {0, 1, 5, 40}) {
      param::StackItem item = param::initial_item(*catalogue(), entry);
      for (std::size_t a = 0; a < arguments.size(); ++a) {
        const int wanted = shift == 40 && a > 0 ? arguments[a].min : item.arguments[a] + shift;
        item.arguments[a] = std::min(wanted, arguments[a].max);
      }
      items.push_back(item);
      if (arguments.empty()) break;
    }
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      param::StackItem item = param::initial_item(*catalogue(), entry);
      item.arguments[a] = arguments[a].min;
      items.push_back(item);
    }
  }
  return items;
}

}  // namespace masks_rig
