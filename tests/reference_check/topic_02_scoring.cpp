// Scoring functions.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/attention.h"
#include "core/attention/pooling/pooling.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/random.h"
#include "registry.h"

namespace core_check {
namespace topic_02_scoring {

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

CaseValue average_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  got.set("prediction", core::average_pooling(one.inputs.at("y_train").as_vector()));
  return got;
}

CaseValue nadaraya_watson_case(const ReferenceCase& one) {
  const VectorD x = one.inputs.at("x_train").as_vector(), y = one.inputs.at("y_train").as_vector();
  const VectorD queries = one.inputs.at("x_query").as_vector();
  const core::Pooled pooled = core::nadaraya_watson(queries, x, y);
  const Index row = one.params.at("weights_row").as_index();
  if (row < 0 || row >= queries.size()) throw core::InputError("weights_row: expected a query");
  CaseValue got = CaseValue::object();
  got.set("prediction", pooled.prediction);
  got.set("weights_of_query_row", VectorD(pooled.weights.row(row).transpose()));
  got.set("truth_2sinx_plus_x_pow_0.8",
          VectorD(2 * queries.array().sin() + queries.array().pow(0.8)));
  return got;
}

CaseValue parametric_case(const ReferenceCase& one) {
  const VectorD x = one.inputs.at("x_train").as_vector(), y = one.inputs.at("y_train").as_vector();
  const double rate = one.params.at("lr").as_real();
  double w = one.params.at("w0").as_real();
  const Index epochs = one.params.at("epochs").as_index();
  VectorD losses(epochs), gradients(epochs), after(epochs);
  for (Index k = 0; k < epochs; ++k) {
    const core::SgdStep step = core::parametric_step(x, y, w, rate);
    losses(k) = step.loss;
    gradients(k) = step.gradient;
    after(k) = w = step.w;
  }
  const VectorD queries = one.inputs.at("x_query").as_vector();
  CaseValue got = CaseValue::object();
  got.set("loss_before_step", losses);
  got.set("gradient", gradients);
  got.set("w_after_step", after);
  got.set("prediction_after_training_all_keys",
          core::parametric_pooling(queries, x, y, w).prediction);
  return got;
}

// The third number is what the text estimates: the mean of the two keys nearest to 179.
CaseValue height_case(const ReferenceCase& one) {
  const VectorD keys = one.inputs.at("keys").as_vector();
  const VectorD values = one.inputs.at("values").as_vector();
  const core::Pooled pooled = core::nadaraya_watson(one.inputs.at("q").as_vector(), keys, values);
  std::vector<Index> order(static_cast<size_t>(keys.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(keys(a) - 179) < std::abs(keys(b) - 179);
  });
  if (order.size() < 2) throw core::InputError("keys: expected two or more");
  CaseValue got = CaseValue::object();
  got.set("gaussian_weights", pooled.weights);
  got.set("prediction", pooled.prediction);
  got.set("mean_of_two_neighbours_for_179", (values(order[0]) + values(order[1])) / 2);
  return got;
}

// 20,000 draws of q and k for each width of the expected rows: width, mean and variance of q . k,
// variance of q . k / sqrt(d). Each draw comes with its mirror image, -q and k: the noise of a
// mean, sqrt(256 / 20000) at width 256, would be larger than what the case allows.
CaseValue monte_carlo_case(const ReferenceCase& one) {
  constexpr int kDraws = 20000;
  const MatrixD expected = one.expected.at("rows_d_mean_var_varscaled").as_matrix();
  MatrixD rows(expected.rows(), 4);
  core::Random random(1);
  for (Index r = 0; r < rows.rows(); ++r) {
    const auto d = static_cast<Index>(expected(r, 0));
    double sum = 0, squares = 0;
    for (int k = 0; k < kDraws / 2; ++k) {
      double product = 0;
      for (Index i = 0; i < d; ++i) product += random.gaussian() * random.gaussian();
      for (const double drawn : {product, -product}) {
        sum += drawn;
        squares += drawn * drawn;
      }
    }
    const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
    const double scale = core::attention_scale<double>(d);
    rows.row(r) << expected(r, 0), mean, variance, variance * scale * scale;
  }
  CaseValue got = CaseValue::object();
  got.set("rows_d_mean_var_varscaled", rows);
  return got;
}

const Topic topic("02_scoring_pooling", {{"gaussian_kernel", kernel_case},
                                         {"dot_score*", dot_case},
                                         {"scaled_dot_product_attention*", scaled_dot_case},
                                         {"additive_attention*", additive_case},
                                         {"bilinear_score*", bilinear_case},
                                         {"dot_product_variance_theory", variance_case},
                                         {"scaling_keeps_softmax_unsaturated*", unsaturated_case},
                                         {"dot_product_variance_monte_carlo*", monte_carlo_case},
                                         {"average_pooling*", average_case},
                                         {"nadaraya_watson_nonparametric*", nadaraya_watson_case},
                                         {"nadaraya_watson_parametric_sgd*", parametric_case},
                                         {"height_weight*", height_case}});

}  // namespace topic_02_scoring
}  // namespace core_check
