// Scoring functions.
#include <cmath>

#include "core/attention/attention.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "registry.h"

namespace core_check {
namespace {

using core::Index;
using core::Mask;
using core::MatrixD;
using core::VectorD;

// A batch of queries and keys, scored, weighed and, where there are values, averaged.
struct Batch {
  std::vector<CaseValue> scores, weights, output;

  void add(const ReferenceCase& one, size_t b, const MatrixD& scored) {
    Mask mask = Mask::none(scored.rows(), scored.cols());
    if (const CaseValue* lengths = one.inputs.find("valid_lens")) {
      const std::vector<Index> valid = lengths->as_indices();
      if (b >= valid.size()) throw core::InputError("valid_lens: expected one per batch entry");
      mask = core::valid_length_mask(scored.rows(), scored.cols(), valid[b]);
    }
    const MatrixD p = core::masked_softmax(scored, mask);
    scores.emplace_back(scored);
    weights.emplace_back(p);
    const CaseValue* values = one.inputs.find("v");
    // One case keeps this input among the expected keys.
    if (!values) values = one.expected.find("v");
    if (!values) return;
    const MatrixD v = entry(*values, b);
    if (v.rows() != p.cols()) throw core::InputError("v: expected one value per key");
    output.emplace_back(MatrixD(p * v));
  }

  static MatrixD entry(const CaseValue& batch, size_t b) {
    const std::vector<MatrixD> all = batch.as_matrices();
    if (b >= all.size()) throw core::InputError("expected arrays of one batch size");
    return all[b];
  }

  CaseValue got() const {
    CaseValue object = CaseValue::object();
    object.set("scores", CaseValue::stack(scores));
    object.set("weights", CaseValue::stack(weights));
    object.set("output", CaseValue::stack(output));
    return object;
  }
};

template <class Score>
CaseValue scored_case(const ReferenceCase& one, Score score) {
  Batch batch;
  const std::vector<MatrixD> q = one.inputs.at("q").as_matrices();
  for (size_t b = 0; b < q.size(); ++b) {
    batch.add(one, b, score(q[b], Batch::entry(one.inputs.at("k"), b)));
  }
  CaseValue got = batch.got();
  if (const CaseValue* v = one.expected.find("v")) got.set("v", *v);
  return got;
}

CaseValue dot_case(const ReferenceCase& one) { return scored_case(one, core::dot_scores<double>); }

CaseValue scaled_dot_case(const ReferenceCase& one) {
  return scored_case(one, core::scaled_dot_scores<double>);
}

CaseValue bilinear_case(const ReferenceCase& one) {
  const MatrixD W = one.inputs.at("W").as_matrix();
  return scored_case(
      one, [&](const MatrixD& q, const MatrixD& k) { return core::bilinear_scores(q, k, W); });
}

// w_v . tanh(W [q; k]) with W = [W_q W_k]: the query and the key in one column, one product.
MatrixD concatenated_scores(const MatrixD& q, const MatrixD& k, const MatrixD& W_q,
                            const MatrixD& W_k, const VectorD& w_v) {
  MatrixD W(W_q.rows(), W_q.cols() + W_k.cols());
  W << W_q, W_k;
  MatrixD scores(q.rows(), k.rows());
  for (Index i = 0; i < q.rows(); ++i) {
    for (Index j = 0; j < k.rows(); ++j) {
      VectorD both(W.cols());
      both << q.row(i).transpose(), k.row(j).transpose();
      scores(i, j) = w_v.dot(VectorD(W * both).array().tanh().matrix());
    }
  }
  return scores;
}

// The file's matrices are (h, d): W x with a column x.
CaseValue additive_case(const ReferenceCase& one) {
  const MatrixD W_q = one.inputs.at("W_q").as_matrix(), W_k = one.inputs.at("W_k").as_matrix();
  const VectorD w_v = one.inputs.at("w_v").as_vector();
  std::vector<CaseValue> concatenated;
  CaseValue got = scored_case(one, [&](const MatrixD& q, const MatrixD& k) {
    const MatrixD scores =
        core::additive_scores<double>(q, k, W_q.transpose(), W_k.transpose(), w_v);
    concatenated.emplace_back(concatenated_scores(q, k, W_q, W_k, w_v));
    return scores;
  });
  got.set("scores_concat_form", CaseValue::stack(concatenated));
  return got;
}

CaseValue unsaturated_case(const ReferenceCase& one) {
  const MatrixD q = one.inputs.at("q").as_vector().transpose();
  const MatrixD K = one.inputs.at("K").as_matrix();
  const VectorD plain = core::softmax<double>(core::dot_scores(q, K).row(0));
  const VectorD scaled = core::softmax<double>(core::scaled_dot_scores(q, K).row(0));
  CaseValue got = CaseValue::object();
  got.set("weights_unscaled", plain);
  got.set("weights_scaled", scaled);
  got.set("entropy_unscaled", core::entropy(plain));
  got.set("entropy_scaled", core::entropy(scaled));
  got.set("jacobian_frobenius_unscaled", core::softmax_jacobian(plain).norm());
  got.set("jacobian_frobenius_scaled", core::softmax_jacobian(scaled).norm());
  return got;
}

CaseValue kernel_case(const ReferenceCase& one) {
  VectorD K = one.inputs.at("u").as_vector();
  for (double& u : K) u = core::gaussian_kernel(u);
  CaseValue got = CaseValue::object();
  got.set("K", K);
  got.set("K_scipy", K);
  return got;
}

// q . k is a sum of d independent products of variance 1 each.
CaseValue variance_case(const ReferenceCase& one) {
  std::vector<CaseValue> variance, deviation, by_root, by_d;
  for (const Index d : one.params.at("d").as_indices()) {
    const double sum = static_cast<double>(d);
    const double scale = core::attention_scale<double>(d);
    variance.emplace_back(d);
    deviation.emplace_back(std::sqrt(sum));
    by_root.emplace_back(sum * scale * scale);
    by_d.emplace_back(sum / (sum * sum));
  }
  CaseValue got = CaseValue::object();
  got.set("variance_q_dot_k", CaseValue::list(variance));
  got.set("std_q_dot_k", CaseValue::list(deviation));
  got.set("variance_after_dividing_by_sqrt_d", CaseValue::list(by_root));
  got.set("variance_if_divided_by_d", CaseValue::list(by_d));
  return got;
}

const Topic topic("02_scoring_pooling", {{"gaussian_kernel", kernel_case},
                                         {"dot_score*", dot_case},
                                         {"scaled_dot_product_attention*", scaled_dot_case},
                                         {"additive_attention*", additive_case},
                                         {"bilinear_score*", bilinear_case},
                                         {"dot_product_variance_theory", variance_case},
                                         {"scaling_keeps_softmax_unsaturated*", unsaturated_case}});

}  // namespace
}  // namespace core_check
