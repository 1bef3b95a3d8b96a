// Softmax, masked softmax, hardmax, cross-entropy.
#include <cmath>
#include <limits>

#include "core/attention/cross_entropy.h"
#include "core/attention/masked_softmax.h"
#include "core/attention/pooling/distance_weights.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/attention/streaming/online_softmax.h"
#include "core/precision/rounding.h"
#include "registry.h"

namespace core_check {
namespace topic_01_softmax {

using core::EmptyRow;
using core::Index;
using core::Mask;
using core::MatrixD;
using core::VectorD;

// f applied to every row of an array of any rank.
template <class RowFunction>
CaseValue each_row(const CaseValue& x, RowFunction f) {
  MatrixD rows = x.as_rows();
  for (Index i = 0; i < rows.rows(); ++i) {
    rows.row(i) = f(VectorD(rows.row(i).transpose())).transpose();
  }
  return x.like(rows);
}

CaseValue softmax_case(const ReferenceCase& one) {
  const VectorD x = one.inputs.at("x").as_vector();
  if (x.size() == 0) throw core::InputError("x: expected at least one entry, got none");
  const VectorD p = core::softmax(x);
  Index argmax = 0;
  core::hardmax(x).maxCoeff(&argmax);
  CaseValue got = CaseValue::object();
  got.set("softmax", p);
  got.set("log_softmax", core::log_softmax(x));
  got.set("logsumexp", core::logsumexp(x));
  got.set("entropy_nats", core::entropy(p));
  got.set("max", x.maxCoeff());
  got.set("argmax", argmax);
  return got;
}

// The limits are softmax itself at temperatures so far out that nothing is left between.
CaseValue temperature_case(const ReferenceCase& one) {
  const VectorD x = one.inputs.at("x").as_vector();
  std::vector<CaseValue> rows, entropies;
  for (const double T : one.params.at("T").as_vector()) {
    const VectorD p = core::softmax(x, T);
    rows.emplace_back(p);
    entropies.emplace_back(core::entropy(p));
  }
  CaseValue got = CaseValue::object();
  got.set("softmax", CaseValue::stack(rows));
  got.set("entropy_nats", CaseValue::list(entropies));
  got.set("limit_T_to_0", core::softmax(x, std::numeric_limits<double>::min()));
  got.set("limit_T_to_inf", core::softmax(x, std::numeric_limits<double>::max()));
  return got;
}

CaseValue stability_case(const ReferenceCase& one) {
  const CaseValue& x = one.inputs.at("x");
  CaseValue overflow = CaseValue::object();
  overflow.set("float64", std::log(core::max_finite(core::kFloat64)));
  overflow.set("float32", std::log(core::max_finite(core::kFloat32)));
  overflow.set("float16", std::log(core::max_finite(core::kFloat16)));
  overflow.set("bfloat16", std::log(core::max_finite(core::kBFloat16)));
  CaseValue got = CaseValue::object();
  got.set("softmax", x.like(core::softmax_rows(x.as_rows())));
  got.set("naive_softmax_without_max_subtraction",
          each_row(x, [](const VectorD& row) { return core::naive_softmax(row); }));
  got.set("exp_overflow_threshold_ln_max", overflow);
  return got;
}

CaseValue all_minus_inf_case(const ReferenceCase& one) {
  const CaseValue& x = one.inputs.at("x");
  const MatrixD rows = x.as_rows();
  const Mask all = Mask::none(rows.rows(), rows.cols());
  CaseValue got = CaseValue::object();
  got.set("softmax_torch", x.like(core::masked_softmax(rows, all, EmptyRow::nan)));
  got.set("recommended_for_app", x.like(core::softmax_rows(rows)));
  return got;
}

// One set of weights is expected for x and for x + c: whichever is farther from it is held to it.
CaseValue shift_case(const ReferenceCase& one) {
  const CaseValue& x = one.inputs.at("x");
  const CaseValue& shifts = one.params.at("c");
  const bool single =
      shifts.kind() == CaseValue::Kind::real || shifts.kind() == CaseValue::Kind::integer;
  const VectorD all = single ? VectorD::Constant(1, shifts.as_real()) : shifts.as_vector();
  const MatrixD want = one.expected.at("softmax").as_rows();
  MatrixD farthest = core::softmax_rows(x.as_rows());
  if (farthest.size() == 0) throw core::InputError("x: expected at least one entry, got none");
  if (want.rows() != farthest.rows() || want.cols() != farthest.cols()) {
    throw core::InputError("softmax: expected the shape of x, got another");
  }
  for (const double c : all) {
    const MatrixD shifted = core::softmax_rows<double>((x.as_rows().array() + c).matrix());
    const double distance = (shifted - want).cwiseAbs().maxCoeff();
    if (!(distance <= (farthest - want).cwiseAbs().maxCoeff())) farthest = shifted;
  }
  CaseValue got = CaseValue::object();
  got.set("softmax", x.like(farthest));
  return got;
}

CaseValue jacobian_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  got.set("jacobian", core::softmax_jacobian(core::softmax(one.inputs.at("x").as_vector())));
  return got;
}

CaseValue online_case(const ReferenceCase& one) {
  const VectorD x = one.inputs.at("x").as_vector();
  const Index block = one.params.at("block").as_index();
  if (block < 1) throw core::InputError("block: expected at least 1, got less");
  core::OnlineSoftmax<double> state;
  std::vector<CaseValue> running;
  for (Index from = 0; from < x.size(); from += block) {
    state.push(x.segment(from, std::min(block, x.size() - from)));
    running.emplace_back(VectorD(Eigen::Vector2d(state.max(), state.sum())));
  }
  CaseValue got = CaseValue::object();
  got.set("running_max_and_sum_after_each_block", CaseValue::stack(running));
  got.set("softmax", state.weights(x));
  return got;
}

// The mask of one batch entry. valid_lens: none, one length per entry, or one per row of each.
Mask lengths_mask(const ReferenceCase& one, Index entry, Index n, Index m) {
  const CaseValue* lengths = one.inputs.find("valid_lens");
  if (!lengths || lengths->kind() == CaseValue::Kind::null) return Mask::none(n, m);
  const std::vector<CaseValue> entries = lengths->items();
  if (entry >= static_cast<Index>(entries.size())) {
    throw core::InputError("valid_lens: expected one per batch entry, got " + lengths->describe());
  }
  const CaseValue& length = entries[static_cast<size_t>(entry)];
  if (length.kind() == CaseValue::Kind::integer) {
    return core::valid_length_mask(n, m, length.as_index());
  }
  return core::valid_lengths_mask(n, m, length.as_indices());
}

// Every convention for a masked row, under every name that the cases use.
CaseValue masked_case(const ReferenceCase& one) {
  const CaseValue* given = one.params.find("fill");
  const double fill = given ? given->as_real() : core::kD2lFill;
  std::vector<CaseValue> filled, infinite, zeros;
  const std::vector<MatrixD> X = one.inputs.at("X").as_matrices();
  for (size_t b = 0; b < X.size(); ++b) {
    const Mask mask = lengths_mask(one, static_cast<Index>(b), X[b].rows(), X[b].cols());
    filled.emplace_back(core::filled_softmax(X[b], mask, fill));
    infinite.emplace_back(core::masked_softmax(X[b], mask, EmptyRow::nan));
    zeros.emplace_back(core::masked_softmax(X[b], mask, EmptyRow::zeros));
  }
  CaseValue got = CaseValue::object();
  for (const char* key : {"weights", "weights_d2l", "weights_d2l_minus_1e6"}) {
    got.set(key, CaseValue::stack(filled));
  }
  got.set("weights_minus_inf", CaseValue::stack(infinite));
  got.set("weights_zero_row_convention", CaseValue::stack(zeros));
  return got;
}

CaseValue padding_number_case(const ReferenceCase& one) {
  const double fill = one.params.at("fill").as_real();
  const MatrixD X = one.inputs.at("X").as_matrix();
  core::BoolMatrix allowed = core::BoolMatrix::Constant(X.rows(), X.cols(), true);
  for (const Index j : one.inputs.at("masked").as_indices()) {
    if (j < 0 || j >= X.cols()) throw core::InputError("masked: expected columns of X, got others");
    allowed.col(j).setConstant(false);
  }
  CaseValue got = CaseValue::object();
  got.set("weights", core::filled_softmax(X, Mask::dense(allowed), fill));
  got.set("fill_as_float32", core::round_to(core::kFloat32, fill));
  got.set("fill_as_bfloat16", core::round_to(core::kBFloat16, fill));
  got.set("fill_as_float16", core::round_to(core::kFloat16, fill));
  got.set("minus_1e6_as_float16", core::round_to(core::kFloat16, core::kD2lFill));
  got.set("minus_1e6_as_bfloat16", core::round_to(core::kBFloat16, core::kD2lFill));
  return got;
}

CaseValue hardmax_case(const ReferenceCase& one) {
  const VectorD keys = one.inputs.at("keys").as_vector();
  const VectorD values = one.inputs.at("values").as_vector();
  if (keys.size() != values.size()) throw core::InputError("expected as many values as keys");
  const double q = one.params.at("q").as_real();
  const VectorD distance = (keys.array() - q).abs();
  const MatrixD query = MatrixD::Constant(1, 1, q);
  const VectorD scores = core::gaussian_scores<double>(query, keys).row(0);
  CaseValue got = CaseValue::object();
  const auto set = [&](const char* weights_key, const char* prediction_key, const VectorD& p) {
    got.set(weights_key, p);
    got.set(prediction_key, p.dot(values));
  };
  set("seed_hardmax_weights_proportional_to_distance", "seed_hardmax_prediction",
      core::distance_share(q, keys));
  set("true_hardmax_one_hot_first_argmax", "true_hardmax_prediction_first",
      core::hardmax<double>(-distance));
  set("true_hardmax_ties_shared", "true_hardmax_prediction_ties_shared",
      core::hardmax_ties_shared<double>(-distance));
  set("inverse_distance_weights", "inverse_distance_prediction",
      core::inverse_distance_weights(q, keys));
  set("gaussian_softmax_weights", "gaussian_softmax_prediction", core::softmax(scores));
  return got;
}

CaseValue cross_entropy_case(const ReferenceCase& one) {
  const std::string reduction = one.params.at("reduction").as_text();
  if (reduction != "sum" && reduction != "mean") {
    throw core::InputError("reduction: expected sum or mean, got " + reduction);
  }
  const auto result =
      core::cross_entropy(one.inputs.at("logits").as_matrix(), one.inputs.at("labels").as_indices(),
                          reduction == "sum" ? core::Reduction::sum : core::Reduction::mean);
  CaseValue got = CaseValue::object();
  got.set("loss", result.loss);
  got.set("per_row_loss", result.row_loss);
  got.set("probabilities", result.probabilities);
  got.set("grad_logits", result.grad_logits);
  return got;
}

const Topic topic("01_softmax", {{"softmax_temperature*", temperature_case},
                                 {"softmax_stability*", stability_case},
                                 {"softmax_all_minus_inf*", all_minus_inf_case},
                                 {"softmax_shift*", shift_case},
                                 {"softmax_jacobian*", jacobian_case},
                                 {"softmax_*", softmax_case},
                                 {"online_softmax*", online_case},
                                 {"masked_softmax_*", masked_case},
                                 {"seed003_padding_num*", padding_number_case},
                                 {"hardmax_*", hardmax_case},
                                 {"cross_entropy_*", cross_entropy_case}});

}  // namespace topic_01_softmax
}  // namespace core_check
