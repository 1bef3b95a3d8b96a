// The header of an .npy file, or of one in an .npz archive.
//
// Source: NumPy's NEP 1, "A simple file format for NumPy arrays", and numpy.lib.format for the
// versions 2.0 and 3.0: eight bytes of magic and version, the header's length in 2 bytes (version
// 1) or 4, and a Python dictionary of 'descr', 'fortran_order' and 'shape'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/byte_source.h"
#include "core/io/tensor/number_type.h"

namespace core {

struct NpyHeader {
  NumberType type = NumberType::float64;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<Index> shape;
  std::uint64_t bytes = 0;  // of the header; the numbers follow
};

inline constexpr std::uint64_t kMostNpyHeaderBytes = std::uint64_t{1} << 20;

// The header of the array in `size` bytes from `begin` on, which it and the numbers must fill.
// InputError, which begins with `where`, for anything else: Python objects (never unpickled),
// structured types, texts, dates and complex numbers among it. Takes no more memory than the
// header, whose length is checked first.
NpyHeader read_npy_header(const ByteSource& source, std::uint64_t begin, std::uint64_t size,
                          const Message& where, const Cancel& cancel = {});

// The texts of an array of NumPy's type U (code points in 4 bytes each, ended by zeros), in UTF-8
// and in row-major order. None where it holds something else. InputError, which begins with
// `where`, for a damaged one, for other than one axis that is longer than 1, for what is no code
// point, and for more than kMostNpyTextBytes.
inline constexpr std::uint64_t kMostNpyTextBytes = std::uint64_t{1} << 26;
std::optional<std::vector<std::string>> read_npy_texts(const ByteSource& source,
                                                       std::uint64_t begin, std::uint64_t size,
                                                       const Message& where,
                                                       const Cancel& cancel = {});

}  // namespace core
