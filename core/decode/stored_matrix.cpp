#include "core/decode/stored_matrix.h"

#include <algorithm>
#include <cstring>

#include "core/model/kernels/kernels.h"
#include "core/parallel.h"
#include "core/precision/convert.h"
#include "core/refuse.h"

namespace core::decode {
namespace {

constexpr ConvertOptions kOneThread{.threads = 1};

}  // namespace

Index stored_bytes(const Format& format) {
  require_format(format);
  if (format.mantissa_bits > 23 || max_finite(format) >= 0x1p128 ||
      min_positive(format) < 0x1p-149) {
    refuse("stored matrix", "a format whose numbers are float32's",
           std::to_string(bit_count(format)) + " bits");
  }
  return bit_count(format) <= 8 ? 1 : bit_count(format) <= 16 ? 2 : 4;
}

Index stored_bits(const Format& format) {
  return stored_bytes(format) == 4 ? 32 : bit_count(format);
}

Index packed_bytes(Index count, const Format& format) {
  return ceil_div(count * stored_bits(format), 8);
}

StoredMatrix::StoredMatrix(Index rows, Index cols, const Format& format)
    : format_(format), rows_(rows), cols_(cols), bytes_each_(stored_bytes(format)) {
  kind_ = bytes_each_ == 4 ? Kind::floats : format == kBFloat16 ? Kind::bfloats : Kind::decoded;
  buffer_.reserve(ceil_div(bytes(), 4));
}

void StoredMatrix::put(Index row, const float* values) {
  if (format_ == kFloat32) {
    std::memcpy(at(row), values, static_cast<std::size_t>(cols_) * sizeof(float));
  } else if (bytes_each_ == 4) {
    round_floats(format_, values, reinterpret_cast<float*>(at(row)), cols_, kOneThread);
  } else if (bytes_each_ == 2) {
    encode_floats(format_, values, reinterpret_cast<std::uint16_t*>(at(row)), cols_, kOneThread);
  } else {
    encode_floats(format_, values, reinterpret_cast<std::uint8_t*>(at(row)), cols_, kOneThread);
  }
}

void StoredMatrix::read(Index row, float* to) const { decode(row, 1, to); }

void StoredMatrix::read(Index first, Index count, Index col, Index cols, float* to) const {
  for (Index i = 0; i < count; ++i, to += cols) {
    const char* from = at(first + i) + col * bytes_each_;
    decode_codes(from, cols, to);
  }
}

void StoredMatrix::decode(Index row, Index count, float* to) const {
  decode_codes(at(row), count * cols_, to);
}

void StoredMatrix::decode_codes(const char* from, Index count, float* to) const {
  if (bytes_each_ == 4) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
  } else if (bytes_each_ == 2) {
    decode_floats(format_, reinterpret_cast<const std::uint16_t*>(from), to, count, kOneThread);
  } else {
    decode_floats(format_, reinterpret_cast<const std::uint8_t*>(from), to, count, kOneThread);
  }
}

template <class Fn>
void StoredMatrix::in_pieces(Index first, Index count, float* room, Fn f) const {
  if (kind_ != Kind::decoded) return f(at(first), 0, count);
  const Index most = std::max<Index>(1, kRoom / cols_);
  for (Index done = 0; done < count; done += most) {
    const Index rows = std::min(most, count - done);
    decode(first + done, rows, room);
    f(reinterpret_cast<const char*>(room), done, rows);
  }
}

void StoredMatrix::dots(Index first, Index count, const model::View<const float>& x,
                        const model::View<float>& y, float* room) const {
  const model::kernels::Table& table = model::kernels::table();
  in_pieces(first, count, room, [&](const char* rows, Index done, Index some) {
    const model::kernels::Dots dots{rows,   some,     cols_,         x.data,
                                    x.rows, x.stride, y.data + done, y.stride};
    kind_ == Kind::bfloats ? table.dots_bfloat16(dots) : table.dots(dots);
  });
}

void StoredMatrix::add_mixture(Index first, Index count, const float* p, float* y,
                               float* room) const {
  const model::kernels::Table& table = model::kernels::table();
  in_pieces(first, count, room, [&](const char* rows, Index done, Index some) {
    const model::kernels::StoredMixture mixture{rows, some, cols_, p + done, y};
    kind_ == Kind::bfloats ? table.add_mixture_bfloat16(mixture) : table.add_mixture(mixture);
  });
}

void multiply(const StoredMatrix& matrix, const float* bias, const model::View<const float>& x,
              const model::View<float>& y, int threads, float* rooms) {
  // What is read is soon enough read by one: waking others would take longer.
  constexpr Index kChunkBytes = 1 << 17;
  const Index row_bytes = std::max<Index>(1, matrix.bytes() / std::max<Index>(1, matrix.rows()));
  const Index rows = std::max<Index>(1, kChunkBytes / row_bytes);
  parallel_for(ceil_div(matrix.rows(), rows), threads, [&](Index chunk, int worker) {
    const Index first = chunk * rows, count = std::min(rows, matrix.rows() - first);
    const model::View<float> part = y.columns(first, count);
    matrix.dots(first, count, x, part, rooms + worker * matrix.room());
    for (Index k = 0; bias && k < x.rows; ++k) {
      model::kernels::table().add(bias + first, count, part.row(k));
    }
  });
}

}  // namespace core::decode
