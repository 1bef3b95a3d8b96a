#include "core/text/embed.h"

#include <cmath>
#include <map>
#include <string>

#include "core/random.h"
#include "core/text/utf8.h"

namespace core {
namespace {

constexpr char32_t kBegin = 0x110000, kEnd = 0x110001;  // beyond Unicode: no text has them
constexpr std::size_t kLongest = 3;

void require_width(Index d_model) {
  if (d_model < 1) {
    throw InputError("expected an embedding width of at least 1, got " + std::to_string(d_model));
  }
}

std::uint64_t hash_of(std::u32string_view gram, bool whole) {
  std::string bytes(1, whole ? 'w' : 'g');
  for (const char32_t c : gram) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>((c >> shift) & 0xff));
    }
  }
  return hash64(bytes);
}

void add_random(VectorD& sum, std::uint64_t seed, double weight) {
  Random random(seed);
  for (Index c = 0; c < sum.size(); ++c) sum[c] += weight * random.gaussian();
}

// Scales to length sqrt(d_model) and rounds once.
template <class Row>
void store(Row&& row, const VectorD& sum) {
  const double length = sum.norm();
  const double scale = length > 0 ? std::sqrt(static_cast<double>(sum.size())) / length : 0;
  row = (sum * scale).cast<float>().transpose();
}

VectorD token_vector(const std::u32string& identity, Index d_model, std::uint64_t seed) {
  VectorD sum = VectorD::Zero(d_model);
  const std::u32string marked = kBegin + identity + kEnd;
  for (std::size_t n = 1; n <= kLongest; ++n) {
    const double weight = static_cast<double>(n) / kLongest;
    for (std::size_t at = 0; at + n <= marked.size(); ++at) {
      if (n == 1 && (at == 0 || at + 1 == marked.size())) continue;  // the marks alone
      const std::u32string_view gram = std::u32string_view(marked).substr(at, n);
      add_random(sum, stream_seed(seed, hash_of(gram, false)), weight);
    }
  }
  add_random(sum, stream_seed(seed, hash_of(identity, true)), 1);
  return sum;
}

VectorD random_vector(Index d_model, std::uint64_t seed, std::uint64_t index) {
  VectorD sum = VectorD::Zero(d_model);
  add_random(sum, stream_seed(seed, index), 1);
  return sum;
}

}  // namespace

Matrix embed(const std::vector<Token>& tokens, Index d_model, std::uint64_t seed) {
  require_width(d_model);
  Matrix rows(static_cast<Index>(tokens.size()), d_model);
  std::map<std::u32string_view, Index> first_row;
  for (Index i = 0; i < rows.rows(); ++i) {
    const std::u32string& identity = tokens[static_cast<std::size_t>(i)].identity;
    const auto [known, is_new] = first_row.emplace(identity, i);
    if (is_new) {
      store(rows.row(i), token_vector(identity, d_model, seed));
    } else {
      rows.row(i) = rows.row(known->second);
    }
  }
  return rows;
}

Matrix synthetic_sequence(Sequence kind, Index n, Index d_model, Index period, std::uint64_t seed) {
  require_width(d_model);
  if (n < 0 || period < 1) {
    throw InputError("expected a length of at least 0 and a period of at least 1, got " +
                     std::to_string(n) + " and " + std::to_string(period));
  }
  Matrix rows(n, d_model);
  // The stationary walk x' = r x + sqrt(1 - r^2) noise keeps its variance.
  const double keep = std::exp(-1 / static_cast<double>(period));
  VectorD walk = random_vector(d_model, seed, 0);
  for (Index i = 0; i < n; ++i) {
    const auto index = static_cast<std::uint64_t>(i) + 1;
    switch (kind) {
      case Sequence::random: store(rows.row(i), random_vector(d_model, seed, index)); break;
      case Sequence::repeated:
        if (i < period) {
          store(rows.row(i), random_vector(d_model, seed, index));
        } else {
          rows.row(i) = rows.row(i - period);
        }
        break;
      case Sequence::clusters: {
        const auto center = static_cast<std::uint64_t>((i / period) % kClusters);
        const VectorD own = random_vector(d_model, seed, index + kClusters);
        store(rows.row(i), random_vector(d_model, seed, center + 1) + 0.5 * own);
        break;
      }
      case Sequence::smooth:
        store(rows.row(i), walk);
        walk = keep * walk + std::sqrt(1 - keep * keep) * random_vector(d_model, seed, index);
        break;
    }
  }
  return rows;
}

}  // namespace core
