#include "core/position/learned/complex_order.h"

#include <cmath>
#include <numbers>

#include "core/position/checks.h"
#include "core/random.h"

namespace core {
namespace {

void check(const char* where, const ComplexOrderTable& table, const std::vector<Index>& ids) {
  const Index words = table.amplitude.rows(), d = table.amplitude.cols();
  position::require_shape(where, "frequencies", table.frequency, words, d);
  position::require_shape(where, "phases", table.phase, words, d);
  for (const Index id : ids) {
    if (id < 0 || id >= words) {
      refuse(where, "ids from 0 to below " + std::to_string(words), std::to_string(id));
    }
  }
}

}  // namespace

MatrixD frequency_of_period(const MatrixD& period) {
  if ((period.array() == 0).any()) refuse("frequency_of_period", "periods that are not 0", "0");
  return 2 * std::numbers::pi * period.cwiseInverse();
}

MatrixC complex_order_embedding(const ComplexOrderTable& table, const std::vector<Index>& ids,
                                const VectorD& positions) {
  check("complex_order_embedding", table, ids);
  const auto n = static_cast<Index>(ids.size());
  position::require_shape("complex_order_embedding", "positions", positions, n, 1);
  return MatrixC::NullaryExpr(n, table.amplitude.cols(), [&](Index k, Index j) {
    const Index id = ids[static_cast<size_t>(k)];
    const double angle = table.frequency(id, j) * positions(k) + table.phase(id, j);
    // Not std::polar: an amplitude may be negative.
    return table.amplitude(id, j) * std::complex<double>(std::cos(angle), std::sin(angle));
  });
}

MatrixC complex_order_offset(const ComplexOrderTable& table, const std::vector<Index>& ids,
                             double offset) {
  check("complex_order_offset", table, ids);
  const auto n = static_cast<Index>(ids.size());
  return MatrixC::NullaryExpr(n, table.amplitude.cols(), [&](Index k, Index j) {
    return std::polar(1.0, table.frequency(ids[static_cast<size_t>(k)], j) * offset);
  });
}

MatrixD interleaved_parts(const MatrixC& embedding) {
  MatrixD parts(embedding.rows(), 2 * embedding.cols());
  for (Index i = 0; i < embedding.cols(); ++i) {
    parts.col(2 * i) = embedding.col(i).imag();
    parts.col(2 * i + 1) = embedding.col(i).real();
  }
  return parts;
}

ComplexOrderTable spread_words(Index words, const VectorD& theta, const WordSpread& spread,
                               std::uint64_t seed) {
  position::require_at_least("spread_words", "a number of words", 0, words);
  ComplexOrderTable table;
  table.amplitude = table.frequency = table.phase = MatrixD(words, theta.size());
  Random amplitude(stream_seed(seed, 103)), frequency(stream_seed(seed, 104)),
      phase(stream_seed(seed, 105));
  const auto within = [](double size, Random& random) { return size * (2 * random.uniform() - 1); };
  for (Index word = 0; word < words; ++word) {
    for (Index i = 0; i < theta.size(); ++i) {
      table.amplitude(word, i) = 1 + within(spread.amplitude, amplitude);
      table.frequency(word, i) = theta(i) * (1 + within(spread.frequency, frequency));
      table.phase(word, i) = within(spread.phase * std::numbers::pi, phase);
    }
  }
  return table;
}

}  // namespace core
