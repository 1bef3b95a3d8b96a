// Codes of float32 numbers in narrower formats, decoding, and what a format can hold.
#include <bit>
#include <cstdint>
#include <string>

#include "core/precision/format.h"
#include "core/precision/rounding.h"
#include "registry.h"

namespace core_check {
namespace topic_06a_casts {

using core::Format;
using core::Index;
using core::InputError;
using core::Overflow;
using core::Rounding;
using core::RoundingRule;
using core::VectorD;

Format named(const std::string& name) {
  const auto format = core::format_named(name);
  if (!format) throw NotCovered{"no format is called " + name};
  return *format;
}

CaseValue casts_case(const ReferenceCase& one) {
  const std::vector<Index> patterns = one.inputs.at("f32_bits").as_indices();
  CaseValue got = CaseValue::object();
  // Codes moved up by `shift`, as TF32's are kept in a float32.
  const auto cast = [&](const char* key, const Format& format, RoundingRule rule, int shift) {
    std::vector<CaseValue> codes;
    for (const Index pattern : patterns) {
      if (pattern < 0 || pattern > 0xffffffff) throw InputError("f32_bits: expected 32 bits");
      const float x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
      const core::Code code = core::encode(format, static_cast<double>(x), rule);
      codes.emplace_back(static_cast<Index>(code << shift));
    }
    got.set(key, CaseValue::list(std::move(codes)));
  };
  const RoundingRule saturating{Rounding::nearest_even, Overflow::saturate};
  cast("bfloat16", core::kBFloat16, {}, 0);
  cast("bfloat16_truncate", core::kBFloat16, {Rounding::toward_zero}, 0);
  cast("float16", core::kFloat16, {}, 0);
  cast("e4m3fn", core::kFp8E4m3, {}, 0);
  cast("e4m3fn_saturating", core::kFp8E4m3, saturating, 0);
  cast("e5m2", core::kFp8E5m2, {}, 0);
  cast("e5m2_saturating", core::kFp8E5m2, saturating, 0);
  cast("tf32_rne_as_f32_bits", core::kTf32, {}, 13);
  cast("tf32_rna_as_f32_bits", core::kTf32, {Rounding::nearest_away}, 13);
  cast("tf32_truncate_as_f32_bits", core::kTf32, {Rounding::toward_zero}, 13);
  return got;
}

// The formats and numbers are inputs that this case keeps among its expected rows. PyTorch casts
// float64 through float32.
CaseValue double_rounding_case(const ReferenceCase& one) {
  std::vector<CaseValue> rows;
  for (const CaseValue& row : one.expected.at("rows").items()) {
    const std::vector<CaseValue> given = row.items();
    if (given.size() != 5) throw InputError("rows: expected five columns");
    const Format format = named(given[0].as_text());
    const double x = given[1].as_real();
    const auto direct = static_cast<Index>(core::encode(format, x));
    const auto through =
        static_cast<Index>(core::encode(format, core::round_to(core::kFloat32, x)));
    rows.push_back(CaseValue::list({given[0], given[1], direct, through, through}));
  }
  CaseValue got = CaseValue::object();
  got.set("rows", CaseValue::list(std::move(rows)));
  return got;
}

CaseValue decode_case(const ReferenceCase& one) {
  const Format format = named(one.params.at("format").as_text());
  const CaseValue& codes = one.inputs.at("codes");
  std::vector<Index> wanted;
  if (codes.kind() == CaseValue::Kind::text) {
    const std::string text = codes.as_text();
    const size_t dots = text.find("..");
    if (dots == std::string::npos) throw InputError("codes: expected FIRST..LAST, got " + text);
    const Index last = std::stol(text.substr(dots + 2));
    for (Index code = std::stol(text.substr(0, dots)); code <= last; ++code) wanted.push_back(code);
  } else {
    wanted = codes.as_indices();
  }
  VectorD values(static_cast<Index>(wanted.size()));
  for (size_t i = 0; i < wanted.size(); ++i) {
    values(static_cast<Index>(i)) = core::number_of(format, static_cast<core::Code>(wanted[i]));
  }
  CaseValue got = CaseValue::object();
  got.set("values", values);
  return got;
}

CaseValue characteristics(const Format& format) {
  const core::FormatFacts facts = core::format_facts(format);
  int unit = 8;
  while (unit < facts.bits) unit *= 2;
  CaseValue got = CaseValue::object();
  if (unit == facts.bits) {
    got.set("bits", facts.bits);
  } else {
    got.set("bits", std::to_string(facts.bits) + " (stored in " + std::to_string(unit) + ")");
  }
  got.set("exponent_bits", format.exponent_bits);
  got.set("mantissa_bits", format.mantissa_bits);
  got.set("bias", format.bias);
  got.set("max", facts.max);
  got.set("min_normal", facts.min_normal ? CaseValue(*facts.min_normal) : CaseValue());
  got.set("min_subnormal", facts.min_positive);
  got.set("epsilon_spacing_at_1", facts.epsilon);
  const auto consecutive = static_cast<Index>(facts.last_consecutive_integer);
  got.set("all_integers_exact_up_to", consecutive);
  got.set("first_integer_not_representable", consecutive + 1);
  got.set("has_infinity", facts.has_infinity);
  got.set("finite_codes", static_cast<Index>(facts.finite_codes));
  return got;
}

CaseValue characteristics_case(const ReferenceCase&) {
  CaseValue got = CaseValue::object();
  for (const auto& [name, format] : core::kNamedFormats) {
    if (format != core::kFloat64) got.set(name, characteristics(format));
  }
  return got;
}

const Topic topic("06a_casts", {{"cast_*", casts_case},
                                {"double_rounding_*", double_rounding_case},
                                {"decode_*", decode_case},
                                {"format_characteristics", characteristics_case}});

}  // namespace topic_06a_casts
}  // namespace core_check
