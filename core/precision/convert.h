// Whole arrays of float32 to another format and back, by loops that are chosen for this processor
// at run time (core/attention/fast/isa.h). Every entry becomes exactly what
// core/precision/rounding.h makes of it, whatever the processor and the number of threads.
#pragma once

#include <cstdint>

#include "core/attention/fast/isa.h"
#include "core/precision/format.h"
#include "core/precision/rounding.h"

namespace core {

struct ConvertOptions {
  RoundingRule rule = {};
  std::uint64_t seed = 0;  // of stochastic rounding: entry i has rounding_bits(seed, i)
  int threads = 0;         // 0 = all cores
  Isa isa = Isa::best;
};

// Whether the loops for the processor do it; other formats and rules go one by one, some ten times
// slower. They take formats of 1 to 22 mantissa bits whose normal numbers are normal in float32,
// and the rounding rules that are neither directed nor stochastic.
bool converts_quickly(const Format& format, RoundingRule rule = {});

// float -> format -> float, count numbers; `to` may be `from`. Every number of the format must be a
// float32's, else InputError. NaN becomes the quiet NaN of its sign.
void round_floats(const Format& format, const float* from, float* to, Index count,
                  const ConvertOptions& options = {});

// To codes and back, one in each unit of storage. A format of more bits than the unit has, or, for
// decoding, one with numbers that are no float32's, is an InputError; so is a NaN where the format
// has none. A NaN is encoded as the format's own, of its sign, and decoded to the quiet one; but a
// bfloat16 or another upper part of a float32 is decoded to that float32, its payload included.
void encode_floats(const Format& format, const float* from, std::uint16_t* to, Index count,
                   const ConvertOptions& options = {});
void encode_floats(const Format& format, const float* from, std::uint8_t* to, Index count,
                   const ConvertOptions& options = {});
void decode_floats(const Format& format, const std::uint16_t* from, float* to, Index count,
                   const ConvertOptions& options = {});
void decode_floats(const Format& format, const std::uint8_t* from, float* to, Index count,
                   const ConvertOptions& options = {});

// round_floats of a whole matrix, (n, m).
Matrix rounded(const Matrix& x, const Format& format, const ConvertOptions& options = {});
// The same from double in one rounding, each entry by the formula. Stochastic: InputError.
MatrixD rounded(const MatrixD& x, const Format& format, RoundingRule rule = {});

}  // namespace core
