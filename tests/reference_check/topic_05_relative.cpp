// Relative position encodings and biases. Weights in this file are (in, out).
#include <algorithm>
#include <string>

#include "core/attention/scoring.h"
#include "core/position/learned/absolute_terms.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/t5.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/relative/urpe.h"
#include "registry.h"

namespace core_check {
namespace topic_05_relative {

using core::Index;
using core::InputError;
using core::Mask;
using core::MatrixD;
using core::VectorD;
using Masked = std::optional<Mask>;

// One head's projections of x.
struct Projected {
  MatrixD x, Q, K, V;

  explicit Projected(const ReferenceCase& one)
      : x(one.inputs.at("x").as_matrix()),
        Q(times(one, "Wq")),
        K(times(one, "Wk")),
        V(times(one, "Wv")) {}

  MatrixD times(const ReferenceCase& one, const char* weight) const {
    const MatrixD W = one.inputs.at(weight).as_matrix();
    if (W.rows() != x.cols()) throw InputError(std::string(weight) + ": expected rows for x");
    return x * W;
  }
  double scale() const { return core::attention_scale<double>(Q.cols()); }
  Index n() const { return x.rows(); }
};

CaseValue of_indices(const core::IndexMatrix& m) { return CaseValue(MatrixD(m.cast<double>())); }

CaseValue absolute_case(const ReferenceCase& one) {
  const Projected in(one);
  const MatrixD p = one.inputs.at("p").as_matrix();
  const core::AbsoluteTerms terms = core::absolute_terms(in.x, p, one.inputs.at("Wq").as_matrix(),
                                                         one.inputs.at("Wk").as_matrix());
  const core::ScoredAttention attended =
      core::attend_scored(in.scale() * terms.sum(), (in.x + p) * one.inputs.at("Wv").as_matrix());
  CaseValue got = CaseValue::object();
  got.set("content_content", terms.content_content);
  got.set("content_position", terms.content_position);
  got.set("position_content", terms.position_content);
  got.set("position_position", terms.position_position);
  got.set("sum", terms.sum());
  got.set("weights_scaled", attended.weights);
  got.set("output", attended.output);
  return got;
}

CaseValue shaw_case(const ReferenceCase& one) {
  const Projected in(one);
  const core::ShawTables tables{one.inputs.at("aK").as_matrix(), one.inputs.at("aV").as_matrix()};
  if (tables.clip() != one.params.at("clip_k").as_index()) {
    throw InputError("aK: expected 2 clip_k + 1 rows, got " + std::to_string(tables.key.rows()));
  }
  const std::string& kind = one.params.at("mask").as_text();
  if (kind != "causal" && kind != "bidirectional") {
    throw NotCovered{"no mask is called " + kind};
  }
  const Masked mask = kind == "causal" ? Masked(Mask::causal(in.n(), in.n())) : std::nullopt;
  const core::ShawAttention shaw = core::shaw_attention(in.Q, in.K, in.V, tables, mask);
  const core::ShawAttention unscaled = core::shaw_attention(in.Q, in.K, in.V, tables, mask, 1.0);
  CaseValue got = CaseValue::object();
  got.set("index", of_indices(shaw.index));
  got.set("scores", shaw.attention.scores);
  got.set("weights", shaw.attention.weights);
  got.set("output", shaw.attention.output);
  got.set("weights_without_sqrt_d_as_seed_writes", unscaled.attention.weights);
  return got;
}

MatrixD columns_of_head(const MatrixD& all, Index head, Index width) {
  if ((head + 1) * width > all.cols()) throw InputError("expected d_head columns for each head");
  return all.middleCols(head * width, width);
}

// Heads lie side by side in the columns of the projections.
CaseValue transformer_xl_case(const ReferenceCase& one) {
  const MatrixD x = one.inputs.at("x").as_matrix();
  const MatrixD u = one.inputs.at("u").as_matrix(), v = one.inputs.at("v").as_matrix();
  const Index n = x.rows(), heads = one.params.at("heads").as_index();
  const Index d = one.params.at("d_head").as_index();
  const MatrixD R = core::relative_sinusoids(n, 0, one.params.at("d_R").as_index());
  const auto project = [&](const MatrixD& rows, const char* name) {
    const MatrixD W = one.inputs.at(name).as_matrix();
    if (W.rows() != rows.cols()) throw InputError(std::string(name) + ": expected other rows");
    return MatrixD(rows * W);
  };
  const MatrixD Q = project(x, "Wq"), K = project(x, "Wk_E"), V = project(x, "Wv");
  const MatrixD positions = project(R, "Wk_R");
  if (u.rows() != heads || v.rows() != heads)
    throw InputError("u, v: expected a row for each head");
  const Mask mask = Mask::causal(n, n);
  std::vector<CaseValue> scores, weights, outputs;
  for (Index h = 0; h < heads; ++h) {
    const core::RelativeTerms terms =
        core::relative_terms(columns_of_head(Q, h, d), columns_of_head(K, h, d),
                             columns_of_head(positions, h, d), u.row(h), v.row(h));
    const core::ScoredAttention head = core::attend_scored(
        core::attention_scale<double>(d) * terms.sum(), columns_of_head(V, h, d), mask);
    scores.emplace_back(MatrixD(head.scores.triangularView<Eigen::Lower>()));
    weights.emplace_back(head.weights);
    outputs.emplace_back(head.output);
  }
  CaseValue got = CaseValue::object();
  got.set("R_rows_distance_n-1_to_0", R);
  got.set("scores_masked_zero", CaseValue::stack(scores));
  got.set("weights", CaseValue::stack(weights));
  got.set("head_outputs", CaseValue::stack(outputs));
  return got;
}

CaseValue xlnet_case(const ReferenceCase& one) {
  const Projected in(one);
  const MatrixD Wk_R = one.inputs.at("Wk_R").as_matrix();
  const MatrixD Wq = one.inputs.at("Wq").as_matrix();
  const MatrixD Wq_for_v = one.inputs.at("Wq_for_v").as_matrix();
  const VectorD u = one.inputs.at("u").as_vector(), v = one.inputs.at("v").as_vector();
  if (u.size() != Wq.rows() || v.size() != Wq_for_v.rows()) {
    throw InputError("u, v: expected as many entries as their matrices have rows");
  }
  const MatrixD R = core::relative_sinusoids(in.n(), 1 - in.n(), Wk_R.rows());
  const core::RelativeTerms terms =
      core::relative_terms(in.Q, in.K, R * Wk_R, Wq.transpose() * u, Wq_for_v.transpose() * v);
  const core::ScoredAttention attended = core::attend_scored(terms.sum(), in.V);
  CaseValue got = CaseValue::object();
  got.set("scores", attended.scores);
  got.set("weights", attended.weights);
  got.set("weights_with_sqrt_d", core::attend_scored(in.scale() * terms.sum(), in.V).weights);
  got.set("output", attended.output);
  return got;
}

// Where the bucket by logarithms in Scalar is not the one by whole numbers.
template <class Scalar>
std::pair<CaseValue, CaseValue> by_logarithm(const core::T5Buckets& exact,
                                             const std::vector<Index>& relative) {
  std::vector<CaseValue> buckets, differs;
  for (const Index r : relative) {
    const Index bucket = core::t5_bucket_by_logarithm<Scalar>(exact.spec(), r);
    buckets.emplace_back(bucket);
    if (bucket != exact(r)) differs.emplace_back(r);
  }
  return {CaseValue::list(buckets), CaseValue::list(differs)};
}

CaseValue buckets_case(const ReferenceCase& one) {
  const core::T5Buckets exact({.bidirectional = one.params.at("bidirectional").as_bool(),
                               .buckets = one.params.at("num_buckets").as_index(),
                               .max_distance = one.params.at("max_distance").as_index()});
  const std::vector<Index> relative =
      one.inputs.at("relative_position_key_minus_query").as_indices();
  std::vector<CaseValue> buckets;
  for (const Index r : relative) buckets.emplace_back(exact(r));
  const auto [single, single_differs] = by_logarithm<float>(exact, relative);
  CaseValue got = CaseValue::object();
  got.set("bucket_exact", CaseValue::list(buckets));
  got.set("bucket_float32_reference", single);
  got.set("positions_where_float32_differs", single_differs);
  got.set("positions_where_float64_log_differs", by_logarithm<double>(exact, relative).second);
  return got;
}

MatrixD entry(const ReferenceCase& one, const char* key, Index h) {
  const std::vector<MatrixD> all = one.inputs.at(key).as_matrices();
  if (h >= static_cast<Index>(all.size())) throw InputError(std::string(key) + ": expected heads");
  return all[static_cast<size_t>(h)];
}

// The case's name says in which direction it looks.
CaseValue t5_case(const ReferenceCase& one) {
  const bool causal = one.name.ends_with("causal");
  const MatrixD table = one.inputs.at("bias_table").as_matrix();
  core::T5BucketSpec spec{.bidirectional = !causal, .buckets = table.rows()};
  if (const CaseValue* furthest = one.params.find("max_distance")) {
    spec.max_distance = furthest->as_index();
  }
  const Index n = one.params.at("n").as_index();
  const core::IndexMatrix buckets = core::T5Buckets(spec)(core::relative_positions(n, n));
  const Masked mask = causal ? Masked(Mask::causal(n, n)) : std::nullopt;
  std::vector<CaseValue> weights, outputs;
  for (Index h = 0; h < one.params.at("heads").as_index(); ++h) {
    const core::ScoredAttention head =
        core::t5_attention(entry(one, "q", h), entry(one, "k", h), entry(one, "v", h),
                           core::t5_bias(table, h, buckets), mask);
    weights.emplace_back(head.weights);
    outputs.emplace_back(head.output);
  }
  CaseValue got = CaseValue::object();
  got.set("buckets", of_indices(buckets));
  got.set("weights", CaseValue::stack(weights));
  got.set("output", CaseValue::stack(outputs));
  return got;
}

CaseValue deberta_case(const ReferenceCase& one) {
  const Projected in(one);
  const core::DebertaTerms terms = core::deberta_terms(in.Q, in.K, one.inputs.at("K_r").as_matrix(),
                                                       one.inputs.at("Q_r").as_matrix());
  const core::ScoredAttention attended = core::attend_scored(terms.scores(), in.V);
  CaseValue got = CaseValue::object();
  got.set("delta", of_indices(terms.delta));
  got.set("c2c", terms.content_to_content);
  got.set("c2p", terms.content_to_position);
  got.set("p2c", terms.position_to_content);
  got.set("scores", attended.scores);
  got.set("weights", attended.weights);
  got.set("output", attended.output);
  return got;
}

CaseValue urpe_case(const ReferenceCase& one) {
  const Projected in(one);
  const bool causal = one.name.ends_with("causal");
  MatrixD scores = core::scaled_dot_scores(in.Q, in.K);
  if (const CaseValue* b = one.inputs.find("b")) {
    scores += core::toeplitz(in.n(), in.n(), b->as_vector());
  }
  const core::UrpeAttention urpe =
      core::urpe_attention(scores, one.inputs.at("c").as_vector(), in.V,
                           causal ? Masked(Mask::causal(in.n(), in.n())) : std::nullopt);
  CaseValue got = CaseValue::object();
  got.set("softmax", urpe.softmax);
  got.set("C", urpe.C);
  got.set("product", urpe.product);
  got.set("row_sums_of_product", VectorD(urpe.product.rowwise().sum()));
  got.set("output", urpe.output);
  return got;
}

// Equal tokens have equal scores, which a softmax does not see; any constant will do.
CaseValue cannot_count_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index();
  const MatrixD Wv = one.inputs.at("Wv").as_matrix();
  const VectorD x = one.inputs.at("x_row").as_vector();
  if (Wv.rows() != x.size()) throw InputError("Wv: expected as many rows as x_row has entries");
  const MatrixD V = (x.transpose() * Wv).replicate(n, 1);
  const MatrixD bias = core::toeplitz(n, n, one.inputs.at("b").as_vector());
  CaseValue got = CaseValue::object();
  got.set("rpe_output_rows", core::attend_scored(bias, V).output);
  got.set("urpe_output_rows", core::urpe_attention(bias, one.inputs.at("c").as_vector(), V).output);
  return got;
}

CaseValue slopes_case(const ReferenceCase& one) {
  CaseValue slopes = CaseValue::object();
  for (const Index h : one.params.at("heads").as_indices()) {
    slopes.set(std::to_string(h), core::alibi_slopes(h));
  }
  CaseValue got = CaseValue::object();
  got.set("slopes", slopes);
  return got;
}

CaseValue alibi_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index(), heads = one.params.at("heads").as_index();
  const bool causal = one.name == "alibi_causal";
  const VectorD slopes = core::alibi_slopes(heads);
  std::vector<CaseValue> biases, weights, outputs;
  for (Index h = 0; h < heads; ++h) {
    const MatrixD bias = core::alibi_bias(
        slopes(h), n, n, causal ? core::AlibiForm::causal : core::AlibiForm::symmetric);
    const MatrixD scores = core::scaled_dot_scores<double>(entry(one, "q", h), entry(one, "k", h));
    if (scores.rows() != n || scores.cols() != n) throw InputError("q, k: expected n rows");
    const core::ScoredAttention head = core::attend_scored(
        scores + bias, entry(one, "v", h), causal ? Masked(Mask::causal(n, n)) : std::nullopt);
    biases.emplace_back(bias);
    weights.emplace_back(head.weights);
    outputs.emplace_back(head.output);
  }
  CaseValue got = CaseValue::object();
  got.set("slopes", slopes);
  got.set("bias", CaseValue::stack(biases));
  got.set("weights", CaseValue::stack(weights));
  got.set("output", CaseValue::stack(outputs));
  return got;
}

const Topic topic("05_relative", {{"absolute_four_terms", absolute_case},
                                  {"shaw_*", shaw_case},
                                  {"transformer_xl_causal", transformer_xl_case},
                                  {"xlnet_single_head_as_seed_writes", xlnet_case},
                                  {"t5_buckets_*", buckets_case},
                                  {"t5_attention_*", t5_case},
                                  {"deberta_disentangled", deberta_case},
                                  {"urpe*", urpe_case},
                                  {"rpe_cannot_count", cannot_count_case},
                                  {"alibi_slopes", slopes_case},
                                  {"alibi_*", alibi_case}});

}  // namespace topic_05_relative
}  // namespace core_check
