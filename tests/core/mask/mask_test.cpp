#include "core/mask/mask.h"

#include <doctest/doctest.h>

#include <string>

namespace mask_test {

namespace {

std::string picture(const core::Mask& mask) {
  std::string text;
  for (core::Index i = 0; i < mask.rows(); ++i) {
    for (core::Index j = 0; j < mask.cols(); ++j) text += mask.allowed(i, j) ? '1' : '0';
    text += ' ';
  }
  return text;
}

}  // namespace

TEST_CASE("masks by hand") {
  using core::Mask;
  CHECK(picture(Mask::none(2, 3)) == "111 111 ");
  CHECK(picture(Mask::causal(3, 3)) == "100 110 111 ");
  CHECK(picture(Mask::causal(2, 4)) == "1110 1111 ");
  CHECK(picture(Mask::local(4, 4, 1)) == "1100 1110 0111 0011 ");
  CHECK(picture(Mask::key_padding(2, 3, 1)) == "100 100 ");
  CHECK(picture(Mask::query_padding(3, 2, 1)) == "11 00 00 ");
  CHECK(picture(Mask::causal(3, 3) & Mask::local(3, 3, 0)) == "100 010 001 ");
}

TEST_CASE("an intersection of masks allows what both allow, and counts it") {
  using core::Mask;
  core::BoolMatrix bits(3, 3);
  bits << true, false, true, true, true, false, false, true, true;
  const Mask both = Mask::dense(bits) & Mask::causal(3, 3);
  CHECK(picture(both) == "100 110 011 ");
  CHECK(both.kept() == 5);
  const auto range = [&](core::Index i) {
    return std::pair(both.range(i).begin, both.range(i).end);
  };
  CHECK(range(0) == std::pair<core::Index, core::Index>(0, 1));
  CHECK(range(2) == std::pair<core::Index, core::Index>(1, 3));
  CHECK(Mask::dense(core::BoolMatrix::Constant(1, 4, false)).range(0).size() == 0);
  CHECK(Mask::causal(100, 100).kept() == 5050);
  CHECK(Mask::none(0, 0).kept() == 0);
}

TEST_CASE("masks refuse nonsense with a sentence") {
  using core::Mask;
  CHECK_THROWS_AS(Mask::none(-1, 2), core::InputError);
  CHECK_THROWS_AS(Mask::local(2, 2, -1), core::InputError);
  CHECK_THROWS_WITH(Mask::key_padding(2, 3, 4),
                    "mask: expected a number of valid keys from 0 to m, got 4");
  CHECK_THROWS_AS(Mask::none(2, 3) & Mask::none(3, 2), core::InputError);
}

}  // namespace mask_test
