// What tests of the lab of a decoder's inside share.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string_view>

#include "app/labs/gpt_inside/page.h"
#include "trying.h"

namespace gpt_inside_rig {

using namespace lab::gpt_inside;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index, core::MatrixD, core::VectorD;
using lab::to_size;

using Made = Trial<Parameters>;
inline Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Made preset(std::string_view id) {
  return lab::trying::preset<Parameters>("gpt_inside", id);
}

inline std::optional<Shares> shares_in(Made& m) {
  const Model model = m.model();
  return shares_of({m.p, model, m.words});
}

inline double sum_of(const Shares& shares, StreamPart::Kind kind) {
  double sum = 0;
  for (std::size_t k = 0; k < shares.parts->parts.size(); ++k) {
    if (shares.part(static_cast<Index>(k)).kind == kind)
      sum += shares.of_parts(static_cast<Index>(k));
  }
  return sum;
}
inline double share_of(const Shares& shares, const StreamPart& part) {
  for (std::size_t k = 0; k < shares.parts->parts.size(); ++k) {
    if (shares.part(static_cast<Index>(k)) == part) return shares.of_parts(static_cast<Index>(k));
  }
  FAIL("no such part");
  return 0;
}

inline const figure::Boxes& boxes_of(const lab::Page& page, std::string_view plot) {
  return mark_of<figure::Boxes>(plot_of(page, plot));
}

}  // namespace gpt_inside_rig
