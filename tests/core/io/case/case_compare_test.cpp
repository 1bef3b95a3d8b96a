#include "core/io/case/case_compare.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace case_compare_test {

namespace {

using core::CaseValue;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool agree(const CaseValue& want, const CaseValue& got, double atol = 0, double rtol = 0) {
  return core::compare_values(want, got, {atol, rtol}).agrees();
}

CaseValue numbers(std::vector<double> data) {
  const auto size = static_cast<core::Index>(data.size());
  return CaseValue::array({size}, std::move(data));
}

}  // namespace

TEST_CASE("numbers agree within atol + rtol |want|") {
  CHECK(agree(1.0, 1.0));
  CHECK(agree(100.0, 101.0, 0.5, 0.005));
  CHECK_FALSE(agree(100.0, 101.5, 0.5, 0.005));
  CHECK_FALSE(agree(1.0, std::nextafter(1.0, 2.0)));
  CHECK_FALSE(agree(0.0, -0.0));  // not the same bits
  CHECK(agree(0.0, -0.0, 1e-300));
}

TEST_CASE("NaN and infinity are compared, never skipped") {
  for (const double tolerance : {0.0, 1e-12, 1.0}) {
    CAPTURE(tolerance);
    CHECK(agree(kNaN, kNaN, tolerance, tolerance));
    CHECK(agree(-kInf, -kInf, tolerance, tolerance));
    CHECK_FALSE(agree(kNaN, 0.0, tolerance, tolerance));
    CHECK_FALSE(agree(0.0, kNaN, tolerance, tolerance));
    CHECK_FALSE(agree(kInf, 1e308, tolerance, tolerance));
    CHECK_FALSE(agree(1e308, kInf, tolerance, tolerance));
    CHECK_FALSE(agree(kInf, -kInf, tolerance, tolerance));
    CHECK_FALSE(agree(numbers({1, kNaN}), numbers({1, 2}), tolerance, tolerance));
  }
}

TEST_CASE("integers, texts, booleans and shapes must be equal") {
  CHECK(agree(3, 3.0));
  CHECK_FALSE(agree(3, 3.0001, 1, 1));
  CHECK_FALSE(agree("a", "b", 1, 1));
  CHECK_FALSE(agree(true, false, 1, 1));
  CHECK_FALSE(agree(true, 1, 1, 1));
  CHECK_FALSE(agree("1", 1, 1, 1));
  CHECK(agree(CaseValue(), CaseValue()));
  CHECK_FALSE(agree(CaseValue(), 0.0, 1, 1));
  CHECK_FALSE(agree(CaseValue::array({1}, {3}, true), numbers({4}), 9, 9));
  CHECK_FALSE(agree(CaseValue::array({2, 1}, {1, 2}), numbers({1, 2}), 9, 9));
  CHECK_FALSE(agree(numbers({1}), 1.0, 9, 9));
  CHECK_FALSE(agree(core::BoolMatrix(core::BoolMatrix::Constant(1, 2, true)),
                    core::BoolMatrix(core::BoolMatrix::Constant(1, 2, false)), 9, 9));
  CHECK_FALSE(agree(CaseValue::complex({1}, {1}, {2}), CaseValue::complex({1}, {1}, {3})));
}

TEST_CASE("lists agree with arrays of the same numbers, ragged ones with lists") {
  CHECK(agree(CaseValue::list({1.0, 2.0}), numbers({1, 2})));
  CHECK(agree(numbers({1, 2}), CaseValue::list({1.0, 2.0})));
  CHECK_FALSE(agree(CaseValue::list({1.0, 2.0}), numbers({1, 2, 3})));
  const CaseValue ragged = CaseValue::list({CaseValue::list({1}), CaseValue::list({2, 3})});
  CHECK(agree(ragged, ragged));
  CHECK_FALSE(agree(ragged, CaseValue::list({CaseValue::list({1}), CaseValue::list({2})})));
}

TEST_CASE("a key without a computed value is a disagreement, at any depth") {
  CaseValue want = CaseValue::object(), inner = CaseValue::object(), got = CaseValue::object();
  inner.set("b", 1.0);
  want.set("a", inner);
  CHECK(core::compare_values(want, got, {}).message == "key a not compared");
  got.set("a", CaseValue::object());
  CHECK(core::compare_values(want, got, {}).message == "key a.b not compared");
  got = CaseValue::object();
  got.set("a", inner);
  got.set("more", 2.0);
  CHECK(agree(want, got));
}

TEST_CASE("the message names the path, the index and the worst pair") {
  CaseValue want = CaseValue::object(), got = CaseValue::object();
  want.set("w", CaseValue::array({2, 2}, {1, 2, 3, 4}));
  got.set("w", CaseValue::array({2, 2}, {1, 2.5, 5, 4}));
  const auto found = core::compare_values(want, got, {0.25, 0});
  CHECK(found.message ==
        "w[1, 0]: got 5, want 3, difference 2, allowed 0.25 (atol 0.25, rtol 0); 2 of 4 values "
        "disagree, largest difference 2");
  CHECK(found.compared == 4);
  CHECK(found.largest == 2.0);
}

}  // namespace case_compare_test
