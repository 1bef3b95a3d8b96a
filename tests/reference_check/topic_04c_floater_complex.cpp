// Positions as a dynamical system, and complex-order embeddings.
#include <cmath>
#include <string>

#include "core/position/learned/complex_order.h"
#include "core/position/learned/floater.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "registry.h"

namespace core_check {
namespace topic_04c_floater_complex {

using core::Index;
using core::InputError;
using core::Integrator;
using core::MatrixD;
using core::VectorD;

// The file's matrices are (out, in), the program's (in, out).
core::FloaterMlp mlp_of(const CaseValue& inputs) {
  core::FloaterMlp mlp;
  mlp.W1 = inputs.at("W1").as_matrix().transpose();
  mlp.b1 = inputs.at("b1").as_vector();
  mlp.W2 = inputs.at("W2").as_matrix().transpose();
  mlp.b2 = inputs.at("b2").as_vector();
  mlp.check();
  return mlp;
}

MatrixD increments(const MatrixD& rows) {
  return rows.bottomRows(rows.rows() - 1) - rows.topRows(rows.rows() - 1);
}

CaseValue sinusoidal_case(const ReferenceCase& one) {
  const Index d = one.params.at("d").as_index(), n = one.params.at("n").as_index();
  const double c = one.params.at("c").as_real();
  if (n < 1) throw InputError("n: expected at least 1, got " + std::to_string(n));
  const MatrixD table = core::sinusoidal_table(n, d, {.base = 1 / c});
  const core::TimeGrid grid{.intervals = n - 1, .substeps = 16};
  const auto course = [&](core::DerivativeFactor factor) {
    return core::integrate_accurately(core::sinusoidal_dynamics(d, c, factor), table.row(0), grid);
  };
  const MatrixD right = course(core::DerivativeFactor::frequency);
  const MatrixD wrong = course(core::DerivativeFactor::inverse_frequency);
  // Each column's wrong factor over the right one, read off the dynamics where neither is 0.
  const double tau = 0.5;
  const VectorD derivative = core::sinusoidal_dynamics(d, c)(tau, {});
  const VectorD wrong_derivative =
      core::sinusoidal_dynamics(d, c, core::DerivativeFactor::inverse_frequency)(tau, {});
  CaseValue got = CaseValue::object();
  got.set("increments", increments(right));
  got.set("positions_from_integral", right);
  got.set("sinusoidal", table);
  got.set("increments_with_seed_prefactor_c_pow_minus", increments(wrong));
  got.set("ratio_seed_over_true", VectorD(wrong_derivative.cwiseQuotient(derivative)));
  return got;
}

// The course of one case's network at its times, by any method.
struct Course {
  core::FloaterMlp mlp;
  VectorD p0;
  core::TimeGrid grid;

  Course(const ReferenceCase& one, double delta_t)
      : mlp(mlp_of(one.inputs)),
        p0(one.inputs.at("p0").as_vector()),
        grid{.intervals = one.params.at("n_steps").as_index(), .delta_t = delta_t} {
    if (p0.size() != mlp.d()) throw InputError("p0: expected as many entries as b2");
  }
  MatrixD by(Integrator method, Index substeps) const {
    core::TimeGrid finer = grid;
    finer.substeps = substeps;
    return core::integrate(mlp, method, p0, finer);
  }
  MatrixD accurately() const { return core::integrate_accurately(mlp, p0, grid); }
};

CaseValue trajectory_case(const ReferenceCase& one) {
  const Course course(one, one.params.at("delta_t").as_real());
  CaseValue got = CaseValue::object();
  got.set("times", VectorD(VectorD::NullaryExpr(course.grid.intervals + 1, [&](Index i) {
            return static_cast<double>(i) * course.grid.delta_t;
          })));
  got.set("reference", course.accurately());
  got.set("rk4_one_step_per_interval", course.by(Integrator::rk4, 1));
  got.set("rk4_four_steps_per_interval", course.by(Integrator::rk4, 4));
  got.set("midpoint_four_steps_per_interval", course.by(Integrator::midpoint, 4));
  got.set("euler_four_steps_per_interval", course.by(Integrator::euler, 4));
  return got;
}

// Keys are METHOD_subSTEPS. The network is that of the trajectory case.
CaseValue order_case(const ReferenceCase& one, const ReferenceFile& file) {
  const bool own = one.inputs.find("W1") != nullptr;
  const Course course(own ? one : sibling(file, "floater_mlp_trajectory"),
                      one.params.at("delta_t").as_real());
  const MatrixD reference = course.accurately();
  CaseValue errors = CaseValue::object();
  for (const auto& [key, value] : one.expected.at("max_abs_error").members()) {
    const size_t at = key.find("_sub");
    const std::string name = key.substr(0, at);
    if (at == std::string::npos || (name != "euler" && name != "midpoint" && name != "rk4")) {
      throw NotCovered{"no method is called " + key};
    }
    const Integrator method = name == "euler"      ? Integrator::euler
                              : name == "midpoint" ? Integrator::midpoint
                                                   : Integrator::rk4;
    const MatrixD rows = course.by(method, std::stol(key.substr(at + 4)));
    errors.set(key, (rows - reference).cwiseAbs().maxCoeff());
  }
  CaseValue got = CaseValue::object();
  got.set("max_abs_error", errors);
  return got;
}

CaseValue adjoint_case(const ReferenceCase& one) {
  const core::FloaterMlp mlp = mlp_of(one.inputs);
  const VectorD g = one.inputs.at("g").as_vector();
  const double T = one.params.at("T").as_real();
  const MatrixD course = core::integrate_accurately(mlp, one.inputs.at("p0").as_vector(),
                                                    {.intervals = 1, .delta_t = T, .substeps = 64});
  const VectorD p_end = course.row(1);
  // The error of RK4 falls with the fourth power: 1e-8 at 64 steps of such a network, 1e-12 here.
  const core::FloaterGradients grad = core::floater_adjoint(mlp, p_end, g, T, 1024);
  CaseValue got = CaseValue::object();
  got.set("loss", g.dot(p_end));
  got.set("dW1", MatrixD(grad.parameters.W1.transpose()));
  got.set("db1", grad.parameters.b1);
  got.set("dW2", MatrixD(grad.parameters.W2.transpose()));
  got.set("db2", grad.parameters.b2);
  got.set("dp0", grad.p0);
  return got;
}

CaseValue complex_value(const core::MatrixC& m) {
  std::vector<double> re, im;
  for (Index k = 0; k < m.size(); ++k) {
    re.push_back(m.data()[k].real());
    im.push_back(m.data()[k].imag());
  }
  return CaseValue::complex({m.rows(), m.cols()}, re, im);
}

CaseValue complex_case(const ReferenceCase& one) {
  const core::ComplexOrderTable table{
      one.inputs.at("amplitude").as_matrix(),
      core::frequency_of_period(one.inputs.at("period").as_matrix()),
      one.inputs.at("initial_phase").as_matrix()};
  const std::vector<Index> ids = one.inputs.at("ids").as_indices();
  const core::MatrixC embedding =
      core::complex_order_embedding(table, ids, one.inputs.at("positions").as_vector());
  CaseValue got = CaseValue::object();
  got.set("embedding", complex_value(embedding));
  got.set("modulus", MatrixD(embedding.cwiseAbs()));
  got.set("offset_factor_per_position",
          complex_value(core::complex_order_offset(table, ids, one.params.at("offset").as_real())));
  return got;
}

CaseValue contains_sinusoidal_case(const ReferenceCase& one) {
  const VectorD theta = core::frequencies(one.params.at("D").as_index());
  const auto n = one.params.at("n").as_index();
  // One word with amplitude 1 and phase 0, at every position.
  const core::ComplexOrderTable table{MatrixD::Ones(1, theta.size()), theta.transpose(),
                                      MatrixD::Zero(1, theta.size())};
  const core::MatrixC embedding = core::complex_order_embedding(
      table, std::vector<Index>(static_cast<size_t>(n), 0),
      VectorD::NullaryExpr(n, [](Index p) { return static_cast<double>(p); }));
  CaseValue got = CaseValue::object();
  got.set("embedding", complex_value(embedding));
  got.set("sinusoidal", core::interleaved_parts(embedding));
  return got;
}

const Topic topic("04c_floater_complex",
                  {{"floater_sinusoidal_dynamics", sinusoidal_case},
                   {"floater_mlp_trajectory", trajectory_case},
                   {"floater_integrator_order", order_case},
                   {"floater_adjoint_gradient", adjoint_case},
                   {"complex_order_embedding", complex_case},
                   {"complex_order_contains_sinusoidal", contains_sinusoidal_case}});

}  // namespace topic_04c_floater_complex
}  // namespace core_check
