// Rotary embeddings: both pairings, their laws, longer contexts, xPos, and what they cost.
#include <cmath>
#include <string>

#include "core/attention/scoring.h"
#include "core/position/cost.h"
#include "core/position/curve.h"
#include "core/position/rotary/rotary.h"
#include "core/position/rotary/rotary_decay.h"
#include "core/position/rotary/rotary_scaling.h"
#include "core/position/rotary/xpos.h"
#include "registry.h"

namespace core_check {
namespace topic_04b_rope {

using core::Index;
using core::InputError;
using core::MatrixD;
using core::RotaryPairing;
using core::VectorD;

double base_of(const ReferenceCase& one) {
  const CaseValue* base = one.params.find("base");
  return base ? base->as_real() : 10000;
}

VectorD theta_of(const ReferenceCase& one) {
  return core::frequencies(one.params.at("d").as_index(), base_of(one));
}

struct Rotated {
  MatrixD q, k;
  MatrixD scores() const { return core::dot_scores(q, k); }
};

Rotated rotate(const ReferenceCase& one, const core::RotaryTableD& table, RotaryPairing pairing) {
  return {core::rotated(one.inputs.at("q").as_matrix(), table, pairing),
          core::rotated(one.inputs.at("k").as_matrix(), table, pairing)};
}

CaseValue both_pairings_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one), positions = one.inputs.at("positions").as_vector();
  if (positions.size() == 0) throw InputError("positions: expected at least one");
  const core::RotaryTableD table = core::rotary_angles(positions, theta);
  const Rotated neighbors = rotate(one, table, RotaryPairing::neighbors);
  const Rotated halves = rotate(one, table, RotaryPairing::halves);
  CaseValue got = CaseValue::object();
  got.set("theta", theta);
  got.set("q_interleaved", neighbors.q);
  got.set("k_interleaved", neighbors.k);
  got.set("scores_interleaved", neighbors.scores());
  got.set("q_half", halves.q);
  got.set("k_half", halves.k);
  got.set("scores_half", halves.scores());
  got.set("matrix_interleaved_of_last_position",
          core::rotary_matrix(positions(positions.size() - 1), theta));
  return got;
}

// The positions are inputs that this case keeps among its expected rows: m, n.
CaseValue invariance_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one);
  const MatrixD q = one.inputs.at("q").as_vector().transpose();
  const MatrixD k = one.inputs.at("k").as_vector().transpose();
  const char* key = "rows_m_n_delta_scoreInterleaved_scoreHalf";
  MatrixD rows = one.expected.at(key).as_matrix();
  if (rows.cols() != 5) throw InputError(std::string(key) + ": expected five columns");
  for (Index r = 0; r < rows.rows(); ++r) {
    const double m = rows(r, 0), n = rows(r, 1);
    const auto score = [&](RotaryPairing pairing) {
      const auto at = [&](double position) {
        return core::rotary_angles(VectorD::Constant(1, position), theta);
      };
      return core::rotated(q, at(m), pairing).row(0).dot(core::rotated(k, at(n), pairing).row(0));
    };
    rows.row(r) << m, n, m - n, score(RotaryPairing::neighbors), score(RotaryPairing::halves);
  }
  CaseValue got = CaseValue::object();
  got.set(key, rows);
  return got;
}

CaseValue partial_case(const ReferenceCase& one) {
  const VectorD theta = core::frequencies(one.params.at("rotary_dim").as_index(), base_of(one));
  const auto table = core::rotary_angles(one.inputs.at("positions").as_vector(), theta);
  CaseValue got = CaseValue::object();
  got.set("q_rotated", core::rotated(one.inputs.at("q").as_matrix(), table, RotaryPairing::halves));
  return got;
}

CaseValue decay_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one);
  const Index furthest = one.params.at("max_distance").as_index();
  const VectorD q = one.inputs.at("q").as_vector(), k = one.inputs.at("k").as_vector();
  const VectorD ones = VectorD::Ones(q.size());
  const VectorD mean = core::mean_partial_sum_curve(theta, furthest);
  const core::CurveFacts facts = core::curve_facts(mean);
  CaseValue got = CaseValue::object();
  got.set("mean_abs_S", mean);
  got.set("first_rise", facts.first_rise ? CaseValue(*facts.first_rise) : CaseValue());
  got.set("number_of_rises", facts.rises);
  got.set("score_of_q_k", core::rotary_score_curve(q, k, theta, furthest));
  got.set("upper_bound_for_q_k", core::rotary_bound_curve(q, k, theta, furthest));
  got.set("score_for_all_ones", core::rotary_score_curve(ones, ones, theta, furthest));
  return got;
}

// What all cases with other frequencies have in common. `factor` multiplies q and k.
CaseValue scaled_case(const ReferenceCase& one, const VectorD& theta, double factor = 1) {
  core::RotaryTableD table = core::rotary_angles(one.inputs.at("positions").as_vector(), theta);
  table.cos *= factor;
  table.sin *= factor;
  const Rotated rotated = rotate(one, table, RotaryPairing::neighbors);
  const double scale = core::attention_scale<double>(rotated.q.cols());
  CaseValue got = CaseValue::object();
  got.set("inv_freq", theta);
  got.set("q_rotated", rotated.q);
  got.set("scores", rotated.scores());
  got.set("logits_over_sqrt_d", MatrixD(scale * rotated.scores()));
  return got;
}

core::RotaryScaling scaling_of(const ReferenceCase& one) {
  return {.d = one.params.at("d").as_index(),
          .base = base_of(one),
          .trained_length = one.params.at("trained_length").as_real(),
          .s = one.params.at("scale_s").as_real()};
}

CaseValue unscaled_case(const ReferenceCase& one) { return scaled_case(one, theta_of(one)); }

CaseValue interpolation_case(const ReferenceCase& one) {
  const core::RotaryScaling p = scaling_of(one);
  CaseValue got = scaled_case(one, core::interpolated_frequencies(p.d, p.base, p.s));
  got.set("position_factor", 1 / p.s);
  return got;
}

CaseValue ntk_case(const ReferenceCase& one) {
  const core::RotaryScaling p = scaling_of(one);
  const double base = core::ntk_aware_base(p.d, p.base, p.s);
  CaseValue got = scaled_case(one, core::frequencies(p.d, base));
  got.set("new_base", base);
  return got;
}

// The current length is an input that this case keeps among its expected keys.
CaseValue dynamic_ntk_case(const ReferenceCase& one) {
  const core::RotaryScaling p = scaling_of(one);
  const CaseValue* given = one.params.find("sequence_length");
  const CaseValue& length = given ? *given : one.expected.at("sequence_length");
  const auto base = [&](core::DynamicNtk form) {
    return core::dynamic_ntk_base(p.d, p.base, p.s, p.trained_length, length.as_real(), form);
  };
  CaseValue got = scaled_case(one, core::frequencies(p.d, base(core::DynamicNtk::factor)));
  got.set("sequence_length", length);
  got.set("new_base", base(core::DynamicNtk::factor));
  got.set("variant_s_equals_seq_over_L_base", base(core::DynamicNtk::ratio));
  return got;
}

CaseValue yarn_paper_case(const ReferenceCase& one) {
  const core::RotaryScaling p = scaling_of(one);
  const core::YarnPaper yarn = core::yarn_paper(p);
  const double factor = core::yarn_attention_factor(p.s);
  CaseValue got = scaled_case(one, yarn.frequencies, factor);
  got.set("r", yarn.turns);
  got.set("gamma", yarn.ramp);
  got.set("sqrt_1_over_t", factor);
  got.set("t", 1 / (factor * factor));
  got.set("logit_multiplier_1_over_t", factor * factor);
  return got;
}

CaseValue yarn_code_case(const ReferenceCase& one) {
  const core::RotaryScaling p = scaling_of(one);
  const core::YarnCode yarn = core::yarn_code(p);
  const double factor = core::yarn_attention_factor(p.s);
  CaseValue got = scaled_case(one, yarn.frequencies, factor);
  got.set("low", yarn.low);
  got.set("high", yarn.high);
  got.set("extrapolation_mask", yarn.ramp);
  got.set("attention_factor", factor);
  return got;
}

CaseValue yarn_large_case(const ReferenceCase& one) {
  const core::RotaryScaling p = scaling_of(one);
  const core::YarnPaper paper = core::yarn_paper(p);
  const core::YarnCode code = core::yarn_code(p);
  CaseValue got = CaseValue::object();
  got.set("gamma_paper", paper.ramp);
  got.set("inv_freq_paper", paper.frequencies);
  got.set("low", code.low);
  got.set("high", code.high);
  got.set("extrapolation_mask_code", code.ramp);
  got.set("inv_freq_code", code.frequencies);
  got.set("sqrt_1_over_t", core::yarn_attention_factor(p.s));
  return got;
}

CaseValue xpos_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one), positions = one.inputs.at("positions").as_vector();
  const core::XposOptions options{.gamma = one.params.at("gamma").as_real(),
                                  .scale_base = one.params.at("scale_base").as_real()};
  const core::XposTables tables = core::xpos_tables(positions, theta, options);
  const Rotated rotated{core::rotated(one.inputs.at("q").as_matrix(), tables.query),
                        core::rotated(one.inputs.at("k").as_matrix(), tables.key)};
  CaseValue got = CaseValue::object();
  got.set("zeta", core::xpos_decay(theta.size(), options.gamma));
  got.set("q_rotated", rotated.q);
  got.set("k_rotated", rotated.k);
  got.set("scores", rotated.scores());
  got.set("scores_rope_only",
          rotate(one, core::rotary_angles(positions, theta), RotaryPairing::neighbors).scores());
  return got;
}

// Which model sizes are asked for are inputs that this case keeps among its expected rows.
CaseValue cost_case(const ReferenceCase& one) {
  const std::vector<CaseValue> names = one.params.at("columns").items();
  MatrixD rows = one.expected.at("rows").as_matrix();
  if (static_cast<Index>(names.size()) != rows.cols()) {
    throw InputError("rows: expected one column for each of the names in `columns`");
  }
  const auto column = [&](const std::string& name) {
    for (size_t c = 0; c < names.size(); ++c) {
      if (names[c].as_text() == name) return static_cast<Index>(c);
    }
    throw InputError("columns: expected one called " + name);
  };
  for (Index r = 0; r < rows.rows(); ++r) {
    const auto given = [&](const char* name) { return static_cast<Index>(rows(r, column(name))); };
    const core::PositionCost cost =
        core::position_cost({given("n"), given("d_model"), given("heads"), given("layers")});
    const auto set = [&](const char* name, Index value) {
      rows(r, column(name)) = static_cast<double>(value);
    };
    set("additive_pe_flops", cost.additive_flops);
    set("rope_elementwise_flops", cost.rotary_flops);
    set("rope_dense_matrix_flops", cost.rotary_matrix_flops);
    set("qkvo_projection_flops", cost.projection_flops);
    set("sinusoidal_table_floats", cost.sinusoidal_table_size);
    set("rope_cos_sin_table_floats", cost.rotary_table_size);
  }
  CaseValue got = CaseValue::object();
  got.set("rows", rows);
  return got;
}

const Topic topic("04b_rope", {{"rope_relative_invariance", invariance_case},
                               {"rope_partial", partial_case},
                               {"rope_long_term_decay_*", decay_case},
                               {"rope_no_scaling", unscaled_case},
                               {"rope_position_interpolation", interpolation_case},
                               {"rope_ntk_aware", ntk_case},
                               {"rope_dynamic_ntk", dynamic_ntk_case},
                               {"rope_yarn_paper", yarn_paper_case},
                               {"rope_yarn_released_code", yarn_code_case},
                               {"rope_yarn_large", yarn_large_case},
                               {"rope_cost_question_of_seed001", cost_case},
                               {"xpos_*", xpos_case},
                               {"rope_*", both_pairings_case}});

}  // namespace topic_04b_rope
}  // namespace core_check
