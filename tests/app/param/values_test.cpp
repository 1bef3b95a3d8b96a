#include <cmath>
#include <limits>

#include "app/param/reading.h"
#include "samples.h"

namespace values_test {

using core::InputError;
using namespace param_samples;

TEST_CASE("Several values are set in the order of description, whatever order they come in") {
  Sample s;
  param::assign(describer(s), {{"head", "20"}, {"heads", "32"}, {"mask", "none"}});
  CHECK(s.head == 20);
  CHECK(s.heads == 32);
  param::assign(describer(s), {{"heads", "4"}});
  CHECK(s.head == 4);  // settled
  param::assign(describer(s), {{"heads", "5"}, {"heads", "6"}});
  CHECK(s.heads == 6);  // the last one counts
}

TEST_CASE("a difference holds what the others have not, in whatever order they stand") {
  const param::Values some{{"n", "3"}, {"d", "8"}, {"text", "a"}};
  CHECK(param::difference(some, some).empty());
  CHECK(param::difference(some, {{"text", "a"}, {"n", "4"}, {"d", "8"}}) ==
        param::Values{{"n", "3"}});
  CHECK(param::difference(some, {{"n", "3"}}) == param::Values{{"d", "8"}, {"text", "a"}});
  CHECK(param::difference(some, {}) == some);
  CHECK(param::difference({}, some).empty());
}

TEST_CASE("A refused assignment changes nothing at all") {
  Sample s;
  s.head = 8;
  const param::Values before = param::values(describer(s));
  CHECK_THROWS_WITH_AS(param::assign(describer(s), {{"heads", "4"}, {"head", "5"}}),
                       "head: expected an integer from 1 to 4, got 5", InputError);
  CHECK(param::values(describer(s)) == before);
  CHECK_THROWS_WITH_AS(
      param::assign(describer(s), {{"heads", "4"}, {"text", "\xff"}}),
      "text: expected UTF-8 text of at most 20 bytes, got the byte 0xff at offset 0", InputError);
  CHECK(param::values(describer(s)) == before);
  CHECK_THROWS_WITH_AS(
      param::assign(describer(s), {{"heads", "4"}, {"haeds", "5"}}),
      "expected a parameter (one of scaled, heads, head, block, temperature, base, "
      "mask, text), got haeds",
      InputError);
  CHECK(param::values(describer(s)) == before);
}

TEST_CASE("Settling brings numbers back and leaves good ones alone") {
  Sample s;
  s.heads = 400;
  s.head = 40;
  s.block = 7;
  s.temperature = std::numeric_limits<double>::quiet_NaN();
  s.base = 12345.678;
  param::settle(describer(s));
  CHECK(s.heads == 32);
  CHECK(s.head == 32);  // against the settled number of heads
  CHECK(s.block == 8);
  CHECK(s.temperature == 0.05);
  CHECK(s.base == 12345.678);
  s.temperature = 0.123;  // off the slider's step, typed by hand
  s.base = std::numeric_limits<double>::infinity();
  param::settle(describer(s));
  CHECK(s.temperature == 0.123);
  CHECK(s.base == 1e7);
}

TEST_CASE("A refused assignment gives names back, too") {
  Drawn d;
  d.column = "height";
  CHECK_FALSE(refused(d, "column", std::string("a\0b", 3)).empty());
  CHECK_THROWS_AS(param::assign(describer(d), {{"points", "1,0"}, {"column", "a\nb"}}),
                  core::InputError);
  CHECK(d.column == "height");
  CHECK(d.points.empty());
}

TEST_CASE("numbers are brought near, one after the other, and all or nothing is set") {
  Sample s;
  param::assign_near(describer(s), {{"mask", "none"}}, {{"block", 9.4}, {"temperature", 1.234}});
  CHECK(s.mask == Mask::none);
  CHECK(s.block == 8);
  CHECK(s.temperature == doctest::Approx(1.25));
  // The range of the second follows from the first.
  param::assign_near(describer(s), {}, {{"heads", 4.4}, {"head", 99}});
  CHECK(s.heads == 4);
  CHECK(s.head == 4);
  param::assign_near(describer(s), {}, {{"base", 1e99}, {"head", -5}});
  CHECK(s.base == 1e7);
  CHECK(s.head == 1);
  const param::Values before = param::values(describer(s));
  CHECK_THROWS_AS(param::assign_near(describer(s), {{"heads", "9"}}, {{"mask", 1}}), InputError);
  CHECK_THROWS_AS(param::assign_near(describer(s), {{"heads", "9"}}, {{"none", 1}}), InputError);
  CHECK_THROWS_AS(param::assign_near(describer(s), {{"heads", "99"}}, {{"head", 1}}), InputError);
  CHECK(param::values(describer(s)) == before);
}

TEST_CASE("digits of a Chinese keyboard are numbers as others are") {
  CHECK(param::whole<int>("－１２") == -12);
  CHECK(param::whole<double>("０．５") == 0.5);
  CHECK(param::halfwidth("２５％，ｅ１／４") == "25%,e1/4");
  CHECK(param::halfwidth("汉字。\xef\xbc") == "汉字。\xef\xbc");  // cut, or others: as they are
  CHECK_FALSE(param::whole<int>("一"));
}

}  // namespace values_test
