#include "core/precision/convert.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "core/types.h"

namespace convert_test {

using core::Code;
using core::ConvertOptions;
using core::Format;
using core::Index;
using core::Isa;
using core::Overflow;
using core::Rounder;
using core::Rounding;
using core::RoundingRule;
using core::Specials;

namespace {

using Floats = std::vector<float>;

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

// Patterns of all exponents, ties and near ties of narrow mantissas, and everything special.
Floats all_kinds(Index count) {
  Floats x = {0.0F, -0.0F, INFINITY, -INFINITY, NAN, -NAN, 464.0F, 480.0F, 65520.0F, 3.4e38F};
  x.push_back(std::bit_cast<float>(0x7f800001U));  // a signalling NaN
  std::mt19937_64 random(4);
  while (static_cast<Index>(x.size()) < count) {
    const auto word = random();
    std::uint32_t pattern = static_cast<std::uint32_t>(word >> 32);
    const int keep = static_cast<int>(word % 24);
    if (word & 0x100) pattern &= ~((1U << keep) - 1);                   // short mantissas make ties
    if (word & 0x200) pattern = (pattern & 0x8fffffffU) | 0x38000000U;  // near 1
    if (word & 0x400) pattern += static_cast<std::uint32_t>(word >> 62) - 1;
    x.push_back(std::bit_cast<float>(pattern));
  }
  return x;
}

std::vector<Format> formats() {
  std::vector<Format> out;
  for (const auto& [name, format] : core::kNamedFormats) {
    if (format != core::kFloat64) out.push_back(format);
  }
  out.insert(out.end(), {{5, 10, 15, Specials::ieee, false},
                         {8, 7, 127, Specials::ieee, false},
                         {8, 7, 128, Specials::nan_only},
                         {7, 8, 60, Specials::nan_only},
                         {6, 9, 40},
                         {8, 4, 135},
                         {4, 3, -100},
                         {4, 2, -110},
                         {3, 4, 127},
                         {1, 6, 0},
                         {5, 0, 15, Specials::none}});
  return out;
}

constexpr Rounding kAll[] = {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero,
                             Rounding::upward,       Rounding::downward,     Rounding::stochastic};

int wrong_rounded(const Format& format, const Floats& x, const ConvertOptions& options) {
  const Rounder round(format, options.rule);
  Floats y(x.size());
  core::round_floats(format, x.data(), y.data(), static_cast<Index>(x.size()), options);
  int wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto bits = core::rounding_bits(options.seed, static_cast<Index>(i));
    wrong += bits_of(y[i]) != bits_of(static_cast<float>(round(static_cast<double>(x[i]), bits)));
  }
  return wrong;
}

// An upper part of a float32 stays one, whatever NaN it is.
std::uint32_t decoded_bits(const Format& format, Code code) {
  const bool upper = format.exponent_bits == 8 && format.bias == 127 && format.subnormals &&
                     format.specials == Specials::ieee;
  if (upper) return static_cast<std::uint32_t>(code) << (23 - format.mantissa_bits);
  return bits_of(static_cast<float>(core::number_of(format, code)));
}

// Codes of x, and what they decode to.
template <class Unit>
int wrong_codes(const Format& format, Floats x, const ConvertOptions& options) {
  if (format.specials == Specials::none) {
    for (float& value : x) value = std::isnan(value) ? 0 : value;
  }
  const Rounder round(format, options.rule);
  std::vector<Unit> codes(x.size());
  Floats back(x.size());
  const auto count = static_cast<Index>(x.size());
  core::encode_floats(format, x.data(), codes.data(), count, options);
  core::decode_floats(format, codes.data(), back.data(), count, options);
  int wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto bits = core::rounding_bits(options.seed, static_cast<Index>(i));
    wrong += codes[i] != round.code(static_cast<double>(x[i]), bits);
    wrong += bits_of(back[i]) != decoded_bits(format, codes[i]);
  }
  return wrong;
}

}  // namespace

TEST_CASE("arrays are converted as single numbers are, by every instruction set" *
          doctest::test_suite("long")) {
  const Floats x = all_kinds(20001);
  for (const Isa isa : core::available_isas()) {
    for (const Format& format : formats()) {
      for (const Rounding rounding : kAll) {
        for (const Overflow overflow : {Overflow::ieee, Overflow::saturate}) {
          const ConvertOptions options{{rounding, overflow}, 5, 2, isa};
          CAPTURE(static_cast<int>(isa));
          CAPTURE(format.exponent_bits);
          CAPTURE(format.mantissa_bits);
          CAPTURE(static_cast<int>(rounding));
          CHECK(wrong_rounded(format, x, options) == 0);
          const int width = core::bit_count(format);
          if (width <= 16) CHECK(wrong_codes<std::uint16_t>(format, x, options) == 0);
          if (width <= 8) CHECK(wrong_codes<std::uint8_t>(format, x, options) == 0);
        }
      }
    }
  }
}

TEST_CASE("the loops for the processor take the formats that matter") {
  for (const Format& format : {core::kBFloat16, core::kFloat16, core::kTf32, core::kFp8E4m3,
                               core::kFp8E5m2, core::kFp4E2m1}) {
    CHECK(core::converts_quickly(format));
  }
  CHECK_FALSE(core::converts_quickly(core::kFloat64));
  CHECK_FALSE(core::converts_quickly(core::kFloat16, {Rounding::stochastic}));
}

TEST_CASE("every code of 16 and 8 bits is decoded as a single one is") {
  std::vector<std::uint16_t> codes(65536);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  for (const Isa isa : core::available_isas()) {
    for (const Format& format : {core::kBFloat16, core::kFloat16}) {
      Floats values(codes.size());
      ConvertOptions options;
      options.isa = isa;
      core::decode_floats(format, codes.data(), values.data(), 65536, options);
      int wrong = 0;
      for (const std::uint16_t code : codes) {
        wrong += bits_of(values[code]) != decoded_bits(format, code);
        wrong += values[code] != static_cast<float>(core::number_of(format, code)) &&
                 !(std::isnan(values[code]) && std::isnan(core::number_of(format, code)));
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("codes beyond the cache are decoded as the others, wherever they lie") {
  // Just past the number from which on they are written past the cache; every code comes up.
  constexpr Index kCount = (Index{4} << 20) + 77;
  std::vector<std::uint16_t> codes(kCount + 3);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i * 40503);
  Floats values(codes.size());
  for (const Isa isa : core::available_isas()) {
    for (const Format& format : {core::kBFloat16, core::kFloat16}) {
      std::vector<std::uint32_t> want(65536);
      for (size_t code = 0; code < want.size(); ++code) want[code] = decoded_bits(format, code);
      for (const size_t shift : {0u, 1u, 3u}) {
        std::fill(values.begin(), values.end(), -1.F);
        ConvertOptions options;
        options.isa = isa;
        core::decode_floats(format, codes.data() + (3 - shift), values.data() + shift, kCount,
                            options);
        int wrong = 0;
        for (size_t i = 0; i < static_cast<size_t>(kCount); ++i) {
          wrong += bits_of(values[i + shift]) != want[codes[i + 3 - shift]];
        }
        CHECK(wrong == 0);
        for (size_t i = 0; i < shift; ++i) CHECK(values[i] == -1);
        for (size_t i = kCount + shift; i < values.size(); ++i) CHECK(values[i] == -1);
      }
    }
  }
}

TEST_CASE("stochastic rounding does not depend on the threads, and in place is allowed") {
  const Floats x = all_kinds(200000);
  const auto count = static_cast<Index>(x.size());
  Floats one(x.size()), three = x;
  ConvertOptions options{{Rounding::stochastic}, 9, 1};
  core::round_floats(core::kFp8E5m2, x.data(), one.data(), count, options);
  options.threads = 3;
  core::round_floats(core::kFp8E5m2, three.data(), three.data(), count, options);
  CHECK(std::memcmp(one.data(), three.data(), one.size() * sizeof(float)) == 0);
  options.seed = 10;
  core::round_floats(core::kFp8E5m2, x.data(), three.data(), count, options);
  CHECK(std::memcmp(one.data(), three.data(), one.size() * sizeof(float)) != 0);
  Floats plain = x, place = x;
  core::round_floats(core::kFloat16, x.data(), plain.data(), count);
  core::round_floats(core::kFloat16, place.data(), place.data(), count);
  CHECK(std::memcmp(plain.data(), place.data(), plain.size() * sizeof(float)) == 0);
}

TEST_CASE("matrices, and what is refused") {
  core::Matrix x(2, 2);
  x << 257, 1, -0.1F, 3e38F;
  CHECK(core::rounded(x, core::kBFloat16)(0, 0) == 256);
  CHECK(core::rounded(x, core::kBFloat16)(1, 0) == -0.10009765625F);
  CHECK(core::rounded(x, core::kFloat16)(1, 1) == INFINITY);
  CHECK(core::rounded(core::MatrixD(x.cast<double>()), core::kFp8E4m3)(0, 0) == 256);
  std::uint8_t small[4] = {};
  std::uint16_t large[4] = {};
  CHECK_THROWS_AS(core::encode_floats(core::kFloat16, x.data(), small, 4), core::InputError);
  CHECK_THROWS_AS(core::encode_floats(core::kTf32, x.data(), large, 4), core::InputError);
  CHECK_THROWS_AS(core::round_floats(core::kFloat64, x.data(), x.data(), 4), core::InputError);
  CHECK_THROWS_AS(core::round_floats(core::kFloat16, x.data(), x.data(), -1), core::InputError);
  x(0, 0) = NAN;
  CHECK_THROWS_AS(core::encode_floats(core::kFp4E2m1, x.data(), small, 4), core::InputError);
}

#if defined(__x86_64__)
namespace {

bool processor_has_f16c() {
  unsigned a, b, c, d;
  return core::available_isas().size() >= 2 && __get_cpuid(1, &a, &b, &c, &d) && (c >> 29 & 1);
}

bool processor_has_bfloat16() {
  unsigned a, b, c, d;
  return core::available_isas().size() >= 3 && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
         (a >> 5 & 1);
}

__attribute__((target("f16c"))) std::uint16_t half_by_processor(float x, bool toward_zero) {
  return static_cast<std::uint16_t>(
      toward_zero ? _cvtss_sh(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
                  : _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

__attribute__((target("f16c"))) float float_by_processor(std::uint16_t code) {
  return _cvtsh_ss(code);
}

__attribute__((target("avx512bf16,avx512f"))) void sixteen_bfloat16_by_processor(
    const float* from, std::uint16_t* to) {
  const __m256bh codes = _mm512_cvtneps_pbh(_mm512_loadu_ps(from));
  std::memcpy(to, &codes, sizeof codes);
}

}  // namespace

TEST_CASE("float16 codes are the processor's own, subnormal numbers included") {
  if (!processor_has_f16c()) {
    MESSAGE("not compared: this processor has no F16C");
    return;
  }
  const Floats x = all_kinds(3000000);
  const auto count = static_cast<Index>(x.size());
  std::vector<std::uint16_t> codes(x.size());
  for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero}) {
    core::encode_floats(core::kFloat16, x.data(), codes.data(), count, {{rounding}});
    int wrong = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const std::uint16_t want = half_by_processor(x[i], rounding == Rounding::toward_zero);
      // Of a NaN the processor keeps the upper payload, we the sign alone.
      wrong += std::isnan(x[i]) ? (codes[i] & 0x7fff) != 0x7e00 || (want & 0x7fff) <= 0x7c00
                                : codes[i] != want;
    }
    CHECK(wrong == 0);
  }
  int wrong = 0;
  for (unsigned code = 0; code < 65536; ++code) {
    const auto want = static_cast<double>(float_by_processor(static_cast<std::uint16_t>(code)));
    const double got = core::number_of(core::kFloat16, code);
    wrong += std::isnan(want) ? !std::isnan(got) : got != want;
  }
  CHECK(wrong == 0);
}

// The instruction takes subnormal float32 numbers for zero and never makes subnormal results,
// whatever the control register says (Intel's manual, VCVTNEPS2BF16).
TEST_CASE("bfloat16 codes are the processor's own, but for subnormal numbers") {
  if (!processor_has_bfloat16()) {
    MESSAGE("not compared: this processor has no AVX512-BF16");
    return;
  }
  const Floats x = all_kinds(3000000 / 16 * 16);
  std::vector<std::uint16_t> codes(x.size()), want(x.size());
  core::encode_floats(core::kBFloat16, x.data(), codes.data(), static_cast<Index>(x.size()));
  for (size_t i = 0; i < x.size(); i += 16) sixteen_bfloat16_by_processor(&x[i], &want[i]);
  int wrong = 0, subnormal = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::fpclassify(x[i]) == FP_SUBNORMAL) {
      ++subnormal;
      wrong += (want[i] & 0x7fff) != 0 || (codes[i] & 0x7fff) > 0x80;
    } else if (std::isnan(x[i])) {
      wrong += (codes[i] & 0x7fff) != 0x7fc0 || (want[i] & 0x7fff) <= 0x7f80;
    } else {
      wrong += codes[i] != want[i];
    }
  }
  CHECK(wrong == 0);
  CHECK(subnormal > 1000);
}
#endif

}  // namespace convert_test
