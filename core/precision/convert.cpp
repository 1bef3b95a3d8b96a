#include "core/precision/convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "core/parallel.h"
#include "core/per_thread.h"
#include "core/precision/kernels/kernels.h"
#include "core/refuse.h"

namespace core {
namespace {

using kernels::Cast;
using kernels::CastRounding;
using kernels::CastShape;
using precision::Layout;

// Numbers that one thread takes at a time: enough to be worth a thread's waking.
constexpr Index kPiece = Index{1} << 15;
// Decoded numbers above this do not stay in the last cache anyway, and are written past it: half
// as many bytes move, for a line that is written whole need not be read first.
constexpr Index kBypassNumbers = Index{4} << 20;

std::uint32_t pattern(double x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }

bool within_float(const Format& format) {
  return format.mantissa_bits <= 23 &&
         max_finite(format) <= static_cast<double>(std::numeric_limits<float>::max()) &&
         min_positive(format) >= 0x1p-149;
}

const kernels::CastTable& casts_for(Isa isa) {
#if defined(ATTNSCOPE_X86_KERNELS)
  switch (chosen_isa(isa)) {
    case Isa::v3: return kernels::kCastV3;
    case Isa::v4: return kernels::kCastV4;
    default: break;
  }
#else
  chosen_isa(isa);
#endif
  return kernels::kCastBaseline;
}

CastRounding cast_rounding(Rounding rounding) {
  if (rounding == Rounding::nearest_away) return CastRounding::nearest_away;
  return rounding == Rounding::toward_zero ? CastRounding::toward_zero : CastRounding::nearest_even;
}

CastShape shape_of(const Format& format, const Cast& cast) {
  if (cast.flush != 0 || cast.past != cast.infinity) return CastShape::any;
  const bool as_float = format.exponent_bits == 8 && format.bias == 127 &&
                        format.specials == Specials::ieee && cast.past == pattern(INFINITY);
  return as_float ? CastShape::upper_part : CastShape::usual;
}

Cast cast_for(const Format& format, RoundingRule rule) {
  const Layout layout(format);
  const Rounder rounder(format, rule);
  const double infinity = std::numeric_limits<double>::infinity();
  // What passes the largest number is the same for all: four times that.
  const double beyond = 4 * layout.magnitude(layout.largest);
  const auto pattern_of = [&](double x) { return pattern(rounder(x)); };
  const auto code_of = [&](double x) {
    return static_cast<std::uint32_t>(rounder.code(x) & (layout.sign - 1));
  };
  const double step = std::ldexp(1.0, layout.least_exponent - format.mantissa_bits);
  const auto leading = static_cast<std::uint32_t>(layout.leading);
  const std::uint32_t least_normal = pattern(layout.magnitude(layout.leading));
  const bool same_range = format.bias == 127;
  const bool ieee = format.specials == Specials::ieee;
  Cast cast{.rounding = cast_rounding(rule.rounding),
            .shape = CastShape::any,
            .drop = 23 - format.mantissa_bits,
            .rebias = static_cast<std::uint32_t>(127 - format.bias) << format.mantissa_bits,
            .small = same_range ? 0 : least_normal,
            .small_code = same_range ? 0 : leading,
            .flush = format.subnormals ? 0 : least_normal,
            .flush_code = format.subnormals ? 0 : leading,
            .largest = pattern(layout.magnitude(layout.largest)),
            .largest_code = static_cast<std::uint32_t>(layout.largest),
            .past = pattern_of(beyond),
            .past_code = code_of(beyond),
            .infinity = pattern_of(infinity),
            .infinite_code = code_of(infinity),
            .infinity_code = ieee ? static_cast<std::uint32_t>(layout.infinity) : 0x80000000U,
            .nan_code = static_cast<std::uint32_t>(layout.nan),
            .sign_code = static_cast<std::uint32_t>(layout.sign),
            .step = static_cast<float>(step),
            .magic = static_cast<float>(step * 0x1p23)};
  cast.shape = shape_of(format, cast);
  return cast;
}

// What rounds and codes by a format and a rule: asked for again at each row or block of a matrix.
struct Conversion {
  Format format;
  RoundingRule rule;
  Rounder rounder;
  bool within_float;
  bool quickly;  // as converts_quickly
  Cast cast;     // where `quickly`

  Conversion(const Format& of, RoundingRule by)
      : format(of),
        rule(by),
        rounder(of, by),
        within_float(core::within_float(of)),
        quickly(converts_quickly(of, by)),
        cast(quickly ? cast_for(of, by) : Cast{}) {}

  bool is_of(const Format& of, RoundingRule by) const {
    return format == of && rule.rounding == by.rounding && rule.overflow == by.overflow;
  }
};

// The last few of each thread are kept. InputError for a format that require_format refuses.
Conversion conversion(const Format& format, RoundingRule rule) {
  thread_local PerThread<std::array<std::optional<Conversion>, 4>> last;
  thread_local PerThread<std::size_t> oldest = 0;
  for (const auto& one : last) {
    if (one && one->is_of(format, rule)) return *one;
  }
  auto& made = last[oldest].emplace(format, rule);
  oldest = (oldest + 1) % last.size();
  return made;
}

// fn(first, count) for blocks that cover [0, count).
template <class Fn>
void for_blocks(Index count, int threads, Fn&& fn) {
  const Index blocks = (count + kPiece - 1) / kPiece;
  parallel_for(blocks, threads, [&](Index block, int) {
    const Index first = block * kPiece;
    fn(first, std::min(kPiece, count - first));
  });
}

void require_count(const char* where, Index count) {
  if (count < 0) refuse(where, "a count of at least 0", std::to_string(count));
}

void require_within_float(const char* where, const Conversion& by) {
  if (!by.within_float) refuse(where, "a format whose numbers are all float32's", "another");
}

template <class Unit>
void require_unit(const char* where, const Format& format) {
  const int most = static_cast<int>(sizeof(Unit)) * 8;
  if (bit_count(format) > most) {
    refuse(where, "a format of at most " + std::to_string(most) + " bits",
           std::to_string(bit_count(format)));
  }
}

std::uint64_t random_for(const ConvertOptions& options, Index i) {
  return options.rule.rounding == Rounding::stochastic ? rounding_bits(options.seed, i) : 0;
}

template <class Unit>
void encode_array(const Format& format, const float* from, Unit* to, Index count,
                  const ConvertOptions& options) {
  const Conversion by = conversion(format, options.rule);
  require_unit<Unit>("encode_floats", format);
  require_count("encode_floats", count);
  // The loops know no refusal, which a format without NaN needs.
  if (by.quickly && format.specials != Specials::none) {
    const kernels::CastTable& casts = casts_for(options.isa);
    for_blocks(count, options.threads, [&](Index first, Index n) {
      if constexpr (sizeof(Unit) == 1) {
        casts.encode8(by.cast, from + first, to + first, n);
      } else {
        casts.encode16(by.cast, from + first, to + first, n);
      }
    });
    return;
  }
  for_blocks(count, options.threads, [&](Index first, Index n) {
    for (Index i = first; i < first + n; ++i) {
      to[i] =
          static_cast<Unit>(by.rounder.code(static_cast<double>(from[i]), random_for(options, i)));
    }
  });
}

template <class Unit>
void decode_array(const Format& format, const Unit* from, float* to, Index count,
                  const ConvertOptions& options) {
  const Conversion by = conversion(format, {});
  require_unit<Unit>("decode_floats", format);
  require_within_float("decode_floats", by);
  require_count("decode_floats", count);
  const kernels::CastTable& casts = casts_for(options.isa);
  for_blocks(count, options.threads, [&](Index first, Index n) {
    if (!by.quickly) {
      for (Index i = first; i < first + n; ++i)
        to[i] = static_cast<float>(number_of(format, from[i]));
    } else if constexpr (sizeof(Unit) == 1) {
      casts.decode8(by.cast, from + first, to + first, n);
    } else {
      casts.decode16(by.cast, from + first, to + first, n, count > kBypassNumbers);
    }
  });
}

}  // namespace

bool converts_quickly(const Format& format, RoundingRule rule) {
  require_format(format);
  const bool plain = rule.rounding == Rounding::nearest_even ||
                     rule.rounding == Rounding::nearest_away ||
                     rule.rounding == Rounding::toward_zero;
  // Below, 2^23 steps are a float's, too.
  return plain && within_float(format) && format.mantissa_bits < 23 && format.mantissa_bits > 0 &&
         min_normal(format).value_or(0) >= 0x1p-126 &&
         1 - format.bias - format.mantissa_bits <= 104;
}

void round_floats(const Format& format, const float* from, float* to, Index count,
                  const ConvertOptions& options) {
  const Conversion by = conversion(format, options.rule);
  require_within_float("round_floats", by);
  require_count("round_floats", count);
  const kernels::CastTable& casts = casts_for(options.isa);
  for_blocks(count, options.threads, [&](Index first, Index n) {
    if (by.quickly) return casts.round(by.cast, from + first, to + first, n);
    for (Index i = first; i < first + n; ++i) {
      to[i] = static_cast<float>(by.rounder(static_cast<double>(from[i]), random_for(options, i)));
    }
  });
}

void encode_floats(const Format& format, const float* from, std::uint16_t* to, Index count,
                   const ConvertOptions& options) {
  encode_array(format, from, to, count, options);
}

void encode_floats(const Format& format, const float* from, std::uint8_t* to, Index count,
                   const ConvertOptions& options) {
  encode_array(format, from, to, count, options);
}

void decode_floats(const Format& format, const std::uint16_t* from, float* to, Index count,
                   const ConvertOptions& options) {
  decode_array(format, from, to, count, options);
}

void decode_floats(const Format& format, const std::uint8_t* from, float* to, Index count,
                   const ConvertOptions& options) {
  decode_array(format, from, to, count, options);
}

Matrix rounded(const Matrix& x, const Format& format, const ConvertOptions& options) {
  Matrix y(x.rows(), x.cols());
  round_floats(format, x.data(), y.data(), x.size(), options);
  return y;
}

MatrixD rounded(const MatrixD& x, const Format& format, RoundingRule rule) {
  if (rule.rounding == Rounding::stochastic) {
    refuse("rounded", "a rounding that needs no random bits", "stochastic");
  }
  const Rounder rounder(format, rule);
  return x.unaryExpr([&](double value) { return rounder(value); });
}

}  // namespace core
