// What schemes bring to one head, and the scores it makes: core's own functions.
#include "app/labs/position_compare/schemes.h"

#include "app/labs/shared/parts.h"
#include "core/attention/scoring.h"
#include "core/random_matrix.h"
#include "core/refuse.h"

namespace lab::position_compare {

const Compared& compared_as(Scheme scheme) {
  static constexpr std::array<const Compared*, kCompared.size()> kAll{
#define ATTNSCOPE_COMPARED(id) &compared::id,
#include "app/labs/position_compare/schemes/list.inc"
#undef ATTNSCOPE_COMPARED
  };
  const auto at = std::find(kCompared.begin(), kCompared.end(), scheme);
  if (at == kCompared.end()) core::refuse("position_compare", "a scheme of its list", "another");
  return *kAll[static_cast<std::size_t>(at - kCompared.begin())];
}

std::string_view id_of(Scheme scheme) {
  const Compared& of = compared_as(scheme);
  return of.id.empty() ? core::model::scheme_id(scheme) : of.id;
}

std::string_view name_of(Scheme scheme) {
  const Compared& of = compared_as(scheme);
  return of.name.empty() ? core::model::entry(scheme).name : of.name;
}

Inside make_inside(const SchemeKnobs& p, Scheme scheme, const std::shared_ptr<const Content>& of,
                   const Run&) {
  const Content& content = *of;
  Inside inside;
  if (const auto bring = compared_as(scheme).bring) bring(p, content, inside);
  if (inside.Q.size() == 0) {
    inside.Q = content.Q;
    inside.K = content.K;
  }
  return inside;
}

MatrixD make_scores(const SchemeKnobs& p, Scheme scheme, const Content& content,
                    const Inside& inside) {
  const auto scores = compared_as(scheme).scores;
  return scores ? scores(p, content, inside) : plain_scores(inside);
}

MatrixD random_table(TableKind which, Index rows, Index cols, double size, int seed, Index head) {
  // Streams of projections (shared/tokens.h) end below this.
  constexpr std::uint64_t kFirstStream = 4096;
  core::Random random(core::stream_seed(
      static_cast<std::uint64_t>(seed),
      kFirstStream + 64 * static_cast<std::uint64_t>(which) + static_cast<std::uint64_t>(head)));
  return core::gaussian_matrix(rows, cols, size, random);
}

core::T5BucketSpec t5_spec(const SchemeKnobs& p) {
  return {.bidirectional = p.mask == MaskKind::full,
          .buckets = p.buckets,
          .max_distance = p.max_distance};
}

VectorD row(const MatrixD& m, Index i) { return m.row(i).transpose(); }

VectorD places(Index n) {
  return VectorD::NullaryExpr(n, [](Index p) { return to_double(p); });
}

Part product(std::vector<Span> symbol, VectorD a, VectorD b, std::string note) {
  const double value = a.dot(b);
  return {std::move(symbol), value, std::move(a), std::move(b), std::move(note)};
}

Part number(const char* symbol, double value, std::string note) {
  return {{plain(symbol)}, value, {}, {}, std::move(note), false};
}

MatrixD plain_scores(const Inside& inside) {
  return core::attention_scale<double>(inside.Q.cols()) * (inside.Q * inside.K.transpose());
}

void bring_added(const MatrixD& P, const Content& content, Inside& inside) {
  inside.Pq = P * content.W_q;
  inside.Pk = P * content.W_k;
  inside.Q = content.Q + inside.Pq;
  inside.K = content.K + inside.Pk;
}

void added_parts(const Pair& pair, std::vector<Part>& parts) {
  const VectorD pq = row(pair.inside.Pq, pair.i), pk = row(pair.inside.Pk, pair.j);
  parts.push_back(product({kQ, plain("·p_j"), kWk}, pair.q(), pk));
  parts.push_back(product({plain("p_i"), kWq, plain("·"), kK}, pq, pair.k()));
  parts.push_back(product({plain("p_i"), kWq, plain("·p_j"), kWk}, pq, pk));
}

void rotated_parts(const Pair& pair, std::vector<Part>& parts) {
  parts = {product({plain("R_i"), kQ, plain("·R_j"), kK}, row(pair.inside.Q, pair.i),
                   row(pair.inside.K, pair.j))};
}

}  // namespace lab::position_compare
