#include "core/decode/memory_reader.h"

#include <numeric>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core::decode {
namespace {

constexpr Index kReaderCols = 1024;

Index rows_of(Index bytes) {
  if (bytes < 1) refuse("memory reader", "at least one byte", std::to_string(bytes));
  return ceil_div(bytes, kReaderCols * static_cast<Index>(sizeof(float)));
}

}  // namespace

MemoryReader::MemoryReader(Index bytes, int threads)
    : threads_(threads),
      rows_(rows_of(bytes), kReaderCols),
      x_(kReaderCols, 1.F),
      y_(static_cast<std::size_t>(rows_.rows())),
      rooms_(static_cast<std::size_t>(rows_.room() * thread_count(threads))) {
  for (Index i = 0; i < rows_.rows(); ++i) rows_.put(i, x_.data());
}

float MemoryReader::add_up() {
  constexpr Index kPiece = 256, kSums = 32;  // a MiB
  const Index pieces = ceil_div(rows_.rows(), kPiece);
  parallel_for(pieces, threads_, [&](Index piece, int) {
    const Index first = piece * kPiece, count = std::min(kPiece, rows_.rows() - first);
    float sums[kSums] = {};
    const float* from = rows_.floats() + first * kReaderCols;
    for (Index i = 0; i < count * kReaderCols; i += kSums) {
      for (Index k = 0; k < kSums; ++k) sums[k] += from[i + k];
    }
    y_[static_cast<std::size_t>(piece)] = std::accumulate(sums, sums + kSums, 0.F);
  });
  return std::accumulate(y_.begin(), y_.begin() + pieces, 0.F);
}

float MemoryReader::multiply() {
  decode::multiply(rows_, nullptr, model::View<const float>(x_.data(), 1, kReaderCols),
                   model::View<float>(y_.data(), 1, rows_.rows()), threads_, rooms_.data());
  return std::accumulate(y_.begin(), y_.end(), 0.F);
}

}  // namespace core::decode
