#include "app/labs/shared/number_format.h"

#include <doctest/doctest.h>

#include <limits>

#include "app/param/values.h"

namespace number_format_test {

using namespace lab;  // NOLINT: the box under test

namespace {

struct Described {
  NumberFormat format;
  NumberRounding rounding;
  OfferStochastic offer = OfferStochastic::yes;

  param::Describe describing() {
    return [this] {
      param::List list;
      list.group("Format");
      describe_format(format, list);
      describe_rounding(rounding, list, offer);
      return list;
    };
  }
};

}  // namespace

TEST_CASE("Each choice is the format that its name says") {
  Described d;
  for (const ListedFormat& listed : listed_formats()) {
    param::assign(d.describing(), {{"format", std::string(listed.id)}});
    CHECK(format_of(d.format) == *core::format_named(listed.id));
    CHECK(format_name(d.format) == listed.name);
  }
  param::assign(d.describing(), {{"format", "custom"}, {"specials", "nan_only"}});
  CHECK(format_of(d.format) == core::kFp8E4m3);
  CHECK(format_name(d.format) == "1+4+3 (b = 7)");
  param::assign(
      d.describing(),
      {{"specials", "none"}, {"exponent_bits", "2"}, {"mantissa_bits", "1"}, {"bias", "1"}});
  CHECK(format_of(d.format) == core::kFp4E2m1);
}

TEST_CASE("Every custom format that can be set is sound, its numbers are float32's") {
  const auto float_max = static_cast<double>(std::numeric_limits<float>::max());
  for (const char* specials : {"ieee", "nan_only", "none"}) {
    Described d;
    param::assign(d.describing(), {{"format", "custom"}, {"specials", specials}});
    for (int e = 2; e <= static_cast<int>(d.describing()().find("exponent_bits")->info.max); ++e) {
      for (const bool high : {false, true}) {
        for (const bool fine : {false, true}) {
          d.format.exponent_bits = e;
          const param::List list = d.describing()();
          const auto end = [](param::List all, const char* id, bool most) {
            const param::Info& info = all.find(id)->info;
            return static_cast<int>(most ? info.max : info.min);
          };
          d.format.mantissa_bits = end(list, "mantissa_bits", fine);
          d.format.bias = end(list, "bias", high);
          CAPTURE(e);
          CAPTURE(d.format.bias);
          CAPTURE(d.format.mantissa_bits);
          CHECK_NOTHROW(core::require_format(format_of(d.format)));
          CHECK(core::max_finite(format_of(d.format)) <= float_max);
          CHECK(core::min_positive(format_of(d.format)) >= 0x1p-149);
        }
      }
    }
  }
}

TEST_CASE("Fields of a custom format are out of use elsewhere, and so is the seed") {
  Described d;
  CHECK_FALSE(d.describing()().find("bias")->info.active);
  CHECK_FALSE(d.describing()().find("rounding_seed")->info.active);
  param::assign(d.describing(), {{"format", "custom"}, {"rounding", "stochastic"}});
  CHECK(d.describing()().find("bias")->info.active);
  CHECK(d.describing()().find("rounding_seed")->info.active);
  CHECK(d.rounding.rounding == core::Rounding::stochastic);
  d.offer = OfferStochastic::no;
  CHECK(d.describing()().find("rounding_seed") == nullptr);
  CHECK_THROWS_AS(param::assign(d.describing(), {{"rounding", "stochastic"}}), core::InputError);
}

TEST_CASE("Numbers are written so that they can be told apart") {
  CHECK(number_words(-0.0) == "-0");
  CHECK(number_words(-std::numeric_limits<double>::infinity()) == "-∞");
  CHECK(number_words(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(number_words(0.10009765625, 0x1p-11) == "0.10009765625");
  const double tenth = static_cast<double>(0.1f), next = tenth + 0x1p-27;
  CHECK(number_words(tenth, 0x1p-27) == "0.10000000149");
  CHECK(number_words(next, 0x1p-27) != number_words(tenth, 0x1p-27));
  CHECK(number_words(tenth, 0) == "0.10000000149011612");
  CHECK(number_words(0.1 + 0.2, std::nan("")) != "");
}

}  // namespace number_format_test
