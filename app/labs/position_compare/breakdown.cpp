#include "app/labs/position_compare/breakdown.h"

#include <algorithm>
#include <cmath>

namespace lab::position_compare {
namespace {

VectorD row(const MatrixD& m, Index i) { return m.row(i).transpose(); }

Part product(PartKind kind, VectorD a, VectorD b, Index table_row = 0) {
  const double value = a.dot(b);
  return {kind, value, std::move(a), std::move(b), table_row, true};
}

void add_parts(const Parameters& p, const Inside& in, const Content& c, Scheme scheme, Index i,
               Index j, std::vector<Part>& parts) {
  const VectorD q = row(c.Q, i), k = row(c.K, j);
  switch (scheme) {
    case Scheme::none:
    case Scheme::urpe:
      break;
    case Scheme::sinusoidal:
    case Scheme::learned:
      parts.push_back(product(PartKind::content_position, q, row(in.Pk, j)));
      parts.push_back(product(PartKind::position_content, row(in.Pq, i), k));
      parts.push_back(product(PartKind::position_position, row(in.Pq, i), row(in.Pk, j)));
      break;
    case Scheme::rotary:
    case Scheme::xpos:
      parts = {product(PartKind::turned, row(in.Q, i), row(in.K, j))};
      break;
    case Scheme::alibi:
      parts.push_back(
          {PartKind::alibi, -in.slope * static_cast<double>(std::abs(i - j)), {}, {}, 0, false});
      break;
    case Scheme::t5: {
      const Index bucket = core::T5Buckets(t5_spec(p))(j - i);
      parts.push_back({PartKind::t5, in.t5(bucket), {}, {}, bucket, false});
      break;
    }
    case Scheme::shaw: {
      const Index at = std::clamp<Index>(j - i, -p.clip, p.clip) + p.clip;
      parts.push_back(product(PartKind::shaw, q, row(in.a_key, at), at));
      break;
    }
    case Scheme::transformer_xl: {
      const VectorD r = row(in.r, c.n() - 1 - (i - j));
      parts.push_back(product(PartKind::xl_distance, q, r));
      parts.push_back(product(PartKind::xl_content, in.u, k));
      parts.push_back(product(PartKind::xl_position, in.v, r));
      break;
    }
    case Scheme::deberta: {
      const Index last = 2 * p.clip - 1;
      const Index to = std::clamp<Index>(i - j + p.clip, 0, last);
      const Index from = std::clamp<Index>(j - i + p.clip, 0, last);
      parts.push_back(product(PartKind::deberta_to_position, q, row(in.Kr, to), to));
      parts.push_back(product(PartKind::deberta_from_position, k, row(in.Qr, from), from));
      break;
    }
  }
}

}  // namespace

Breakdown break_down(const Parameters& p, const Content& content, const Scored& scored, Index i,
                     Index j) {
  Breakdown result;
  result.parts = {product(PartKind::content, row(content.Q, i), row(content.K, j))};
  add_parts(p, scored.inside, content, scored.scheme, i, j, result.parts);
  result.under_root = (scored.scheme == Scheme::deberta ? 3 : 1) * content.d_k();
  double inside = 0, outside = 0;
  for (const Part& part : result.parts) (part.inside ? inside : outside) += part.value;
  result.score = inside / std::sqrt(static_cast<double>(result.under_root)) + outside;
  return result;
}

}  // namespace lab::position_compare
