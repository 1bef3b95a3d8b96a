// Sinusoidal and learned absolute positions, their algebra and their limits.
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/position/curve.h"
#include "core/position/learned/learned.h"
#include "core/position/learned/taylor.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/position/sinusoidal/sinusoidal_2d.h"
#include "core/position/sinusoidal/sinusoidal_shift.h"
#include "core/position/sinusoidal/sinusoidal_similarity.h"
#include "registry.h"

namespace core_check {
namespace topic_04a_sinusoidal {

using core::Index;
using core::InputError;
using core::MatrixD;
using core::VectorD;

double base_of(const ReferenceCase& one) {
  const CaseValue* base = one.params.find("base");
  return base ? base->as_real() : 10000;
}

CaseValue table_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  got.set("P", core::sinusoidal_table(one.params.at("n").as_index(), one.params.at("d").as_index(),
                                      {.base = base_of(one)}));
  return got;
}

CaseValue large_case(const ReferenceCase& one) {
  const Index d = one.params.at("d").as_index();
  const MatrixD rows =
      core::sinusoidal_rows(one.params.at("positions").as_vector(), d, {.base = base_of(one)});
  const std::vector<Index> columns = one.params.at("columns").as_indices();
  MatrixD chosen(rows.rows(), static_cast<Index>(columns.size()));
  for (size_t c = 0; c < columns.size(); ++c) {
    if (columns[c] < 0 || columns[c] >= d) throw InputError("columns: expected some below d");
    chosen.col(static_cast<Index>(c)) = rows.col(columns[c]);
  }
  CaseValue got = CaseValue::object();
  got.set("P", chosen);
  got.set("row_squared_norms", VectorD(rows.rowwise().squaredNorm()));
  return got;
}

CaseValue layouts_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index(), d = one.params.at("d").as_index();
  core::SinusoidalOptions options{.base = base_of(one)};
  CaseValue got = CaseValue::object();
  got.set("interleaved", core::sinusoidal_table(n, d, options));
  options.layout = core::SinusoidalLayout::concatenated;
  got.set("concatenated", core::sinusoidal_table(n, d, options));
  options.rule = core::FrequencyRule::tensor2tensor;
  got.set("tensor2tensor", core::sinusoidal_table(n, d, options));
  return got;
}

CaseValue float_error_case(const ReferenceCase& one) {
  const Index d = one.params.at("d").as_index();
  const VectorD positions = one.params.at("positions").as_vector();
  const MatrixD exact = core::sinusoidal_rows(positions, d, {.base = base_of(one)});
  const MatrixD single = core::sinusoidal_rows_in_float(positions, d, base_of(one)).cast<double>();
  VectorD worst = VectorD::Zero(positions.size());
  for (Index c = 0; c < d; c += 2) {
    worst = worst.cwiseMax((exact.col(c) - single.col(c)).cwiseAbs());
  }
  CaseValue got = CaseValue::object();
  got.set("max_abs_error_of_sin", worst);
  return got;
}

// The table has one row a place, the case the layout (d, height, width).
CaseValue grid_case(const ReferenceCase& one) {
  const Index d = one.params.at("d_model").as_index();
  const Index height = one.params.at("height").as_index();
  const Index width = one.params.at("width").as_index();
  const MatrixD planes = core::sinusoidal_2d(height, width, d, {.base = base_of(one)}).transpose();
  CaseValue got = CaseValue::object();
  got.set("pe_chw",
          CaseValue::array({d, height, width}, {planes.data(), planes.data() + planes.size()}));
  return got;
}

CaseValue shift_case(const ReferenceCase& one) {
  const Index d = one.params.at("d").as_index();
  const core::SinusoidalOptions options{.base = base_of(one)};
  const MatrixD M = core::sinusoidal_shift(one.params.at("k").as_real(), d, options);
  const MatrixD rows = core::sinusoidal_rows(one.inputs.at("positions").as_vector(), d, options);
  CaseValue got = CaseValue::object();
  got.set("M", M);
  got.set("PE_pos", rows);
  got.set("PE_pos_plus_k", MatrixD(rows * M.transpose()));
  return got;
}

CaseValue decay_case(const ReferenceCase& one) {
  const VectorD theta = core::frequencies(one.params.at("d").as_index(), base_of(one));
  const VectorD dot = core::dot_product_curve(theta, one.params.at("max_distance").as_index());
  const core::CurveFacts facts = core::curve_facts(dot);
  CaseValue got = CaseValue::object();
  got.set("dot", dot);
  got.set("first_distance_where_dot_increases",
          facts.first_rise ? CaseValue(*facts.first_rise) : CaseValue());
  got.set("number_of_increases", facts.rises);
  got.set("minimum", facts.minimum);
  got.set("argmin", facts.argmin);
  got.set("largest_rebound", facts.largest_rebound);
  return got;
}

CaseValue similarity_case(const ReferenceCase& one) {
  const VectorD theta = core::frequencies(one.params.at("d").as_index(), base_of(one));
  CaseValue got = CaseValue::object();
  got.set("PPt", core::similarity_matrix(theta, one.params.at("n").as_index()));
  return got;
}

// The number that stands in a key after `beginning`, such as 44 in "distance_of_lag_44".
double number_in(const std::string& key, const std::string& beginning) {
  try {
    return std::stod(key.substr(beginning.size()));
  } catch (const std::exception&) {
    throw NotCovered{"no number in the key " + key};
  }
}

CaseValue wavelengths_case(const ReferenceCase& one) {
  const VectorD lambda =
      core::wavelengths(core::frequencies(one.params.at("d").as_index(), base_of(one)));
  CaseValue got = CaseValue::object();
  got.set("wavelengths", lambda);
  got.set("shortest", lambda.minCoeff());
  got.set("longest", lambda.maxCoeff());
  if (lambda.size() > 1) got.set("ratio_between_neighbours", lambda(1) / lambda(0));
  for (const auto& [key, value] : one.expected.members()) {
    if (key.ends_with("*2pi")) got.set(key, number_in(key, "") * 2 * std::numbers::pi);
  }
  return got;
}

// Which lags and which width are asked for stands in the keys.
CaseValue collisions_case(const ReferenceCase& one) {
  const Index max_lag = one.params.at("max_lag").as_index();
  const VectorD fastest = VectorD::Ones(1);
  CaseValue got = CaseValue::object();
  std::vector<CaseValue> lags;
  std::vector<double> distances;
  for (const core::Lag& lag : core::closest_lags(fastest, max_lag, 6)) {
    lags.emplace_back(lag.lag);
    distances.push_back(lag.distance);
  }
  got.set("six_closest_lags", CaseValue::list(lags));
  got.set("their_distances", CaseValue::array({static_cast<Index>(distances.size())}, distances));
  for (const auto& [key, value] : one.expected.members()) {
    const std::string lag = "distance_of_lag_", least = "min_full_distance_d",
                      where = "argmin_full_distance_d";
    if (key.starts_with(lag)) {
      got.set(key, core::encoding_distance(fastest, number_in(key, lag)));
    } else if (key.starts_with(least) || key.starts_with(where)) {
      const bool distance = key.starts_with(least);
      const auto d = static_cast<Index>(number_in(key, distance ? least : where));
      const core::Lag closest =
          core::closest_lags(core::frequencies(d, base_of(one)), max_lag, 1).front();
      got.set(key, distance ? CaseValue(closest.distance) : CaseValue(closest.lag));
    }
  }
  return got;
}

CaseValue learned_case(const ReferenceCase& one) {
  const MatrixD tokens = one.inputs.at("token_embedding").as_matrix();
  const MatrixD table = one.inputs.at("position_embedding").as_matrix();
  const std::vector<Index> ids = one.inputs.at("ids").as_indices();
  std::vector<Index> positions;
  for (size_t p = 0; p < ids.size(); ++p) positions.push_back(static_cast<Index>(p));
  CaseValue got = CaseValue::object();
  got.set("sum", MatrixD(core::one_hot(ids, tokens.rows()) * tokens +
                         core::learned_positions(table, positions)));
  got.set("concat_product", core::embed_by_concatenation(tokens, ids, table, positions));
  return got;
}

// f(z) = b . tanh(A z) + 0.3 |A z|^2, its gradient and its Hessian.
struct TestFunction {
  MatrixD A;
  VectorD b;

  double value(const VectorD& z) const {
    const VectorD y = A * z;
    return b.dot(VectorD(y.array().tanh())) + 0.3 * y.squaredNorm();
  }
  VectorD gradient(const VectorD& z) const {
    const VectorD y = A * z;
    const Eigen::ArrayXd t = y.array().tanh();
    return A.transpose() * VectorD(b.array() * (1 - t * t) + 0.6 * y.array());
  }
  MatrixD hessian(const VectorD& z) const {
    const Eigen::ArrayXd t = (A * z).array().tanh();
    const VectorD curvature = -2 * b.array() * t * (1 - t * t) + 0.6;
    return A.transpose() * curvature.asDiagonal() * A;
  }
};

CaseValue taylor_case(const ReferenceCase& one) {
  const TestFunction f{one.inputs.at("A").as_matrix(), one.inputs.at("b").as_vector()};
  const VectorD x_m = one.inputs.at("x_m").as_vector(), x_n = one.inputs.at("x_n").as_vector();
  const VectorD p_m = one.inputs.at("p_m").as_vector(), p_n = one.inputs.at("p_n").as_vector();
  VectorD z(x_m.size() + x_n.size()), p(z.size());
  z << x_m, x_n;
  p << p_m, p_n;
  if (f.A.cols() != z.size() || f.A.rows() != f.b.size()) {
    throw InputError("A: expected one row for each b and one column for each entry of x_m and x_n");
  }
  // The step sizes are inputs that this case keeps among its expected rows.
  MatrixD rows = one.expected.at("rows_eps_exact_correct_seed").as_matrix();
  if (rows.cols() != 4) throw InputError("rows_eps_exact_correct_seed: expected four columns");
  for (Index r = 0; r < rows.rows(); ++r) {
    const double eps = rows(r, 0);
    const core::PairExpansion terms =
        core::expand_pair(f.value(z), f.gradient(z), f.hessian(z), eps * p_m, eps * p_n);
    rows.row(r) << eps, f.value(z + eps * p), terms.second_order(), terms.without_halves();
  }
  CaseValue got = CaseValue::object();
  got.set("gradient", f.gradient(z));
  got.set("hessian", f.hessian(z));
  got.set("rows_eps_exact_correct_seed", rows);
  return got;
}

const Topic topic("04a_sinusoidal", {{"sinusoidal_1d_large_*", large_case},
                                     {"sinusoidal_1d_*", table_case},
                                     {"sinusoidal_layouts", layouts_case},
                                     {"sinusoidal_float32_error", float_error_case},
                                     {"sinusoidal_2d_*", grid_case},
                                     {"linear_map_M_*", shift_case},
                                     {"dot_product_decay_*", decay_case},
                                     {"similarity_matrix*", similarity_case},
                                     {"wavelengths_*", wavelengths_case},
                                     {"single_frequency_near_collisions", collisions_case},
                                     {"learned_pe_is_concat_onehot", learned_case},
                                     {"taylor_second_order", taylor_case}});

}  // namespace topic_04a_sinusoidal
}  // namespace core_check
