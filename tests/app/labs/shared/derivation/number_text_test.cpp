#include "app/labs/shared/derivation/number_text.h"

#include <doctest/doctest.h>

namespace number_text_test {

using lab::equals;
using lab::fixed;
using lab::grouped;
using lab::percent_text;
using lab::short_count;

TEST_CASE("What reads as zero has no sign") {
  CHECK(fixed(-0.0, 3) == "0.000");
  CHECK(fixed(-4e-7, 6) == "0.000000");
  CHECK(fixed(-0.4, 0) == "0");
  CHECK(fixed(-6e-7, 6) == "-0.000001");
  CHECK(equals(-4e-7, fixed(-4e-7, 6)) == "≈ ");
}

TEST_CASE("Counts for people") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(short_count(0) == "0");
  CHECK(short_count(999) == "999");
  CHECK(short_count(999.9) == "1 k");
  CHECK(short_count(37748736) == "37.7 M");
  CHECK(percent_text(0.00146484375) == "0.15");
  CHECK(percent_text(0.9949) == "99");
  CHECK(percent_text(0.9964) == "100");
  CHECK(percent_text(31.7) == "3,170");
}

}  // namespace number_text_test
