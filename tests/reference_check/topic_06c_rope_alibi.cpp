// RoPE tables, ALiBi biases and scores when ids, angles or results are rounded to few bits.
#include <cmath>
#include <string>

#include "core/position/relative/alibi.h"
#include "core/precision/alibi_rounding.h"
#include "core/precision/position_ids.h"
#include "core/precision/rope_rounding.h"
#include "registry.h"

namespace core_check {
namespace topic_06c_rope_alibi {

using core::Format;
using core::Index;
using core::InputError;
using core::MatrixD;
using core::RotaryRounder;
using core::RotaryRounding;
using core::RotaryStep;
using core::VectorD;

struct Kind {
  const char* name;
  RotaryRounding rounding;
};

// Where the file rounds: `low` goes through float32, which everything else of a table is.
std::vector<Kind> table_kinds(const Format& low) {
  return {
      {"float32_reference", {.low = low}},
      {"ids_low_table_float32", {.low = low, .steps = {RotaryStep::id}}},
      {"ids_low_table_low", {.low = low, .steps = {RotaryStep::id, RotaryStep::table}}},
      {"angle_low_table_low", {.low = low, .steps = {RotaryStep::angle, RotaryStep::table}}},
      {"only_result_low", {.low = low, .steps = {RotaryStep::table}}},
      {"everything_low",
       {.low = low,
        .steps = {RotaryStep::id, RotaryStep::frequency, RotaryStep::angle, RotaryStep::table}}}};
}

RotaryRounding kind_called(const std::string& name, const Format& low) {
  for (const Kind& kind : table_kinds(low)) {
    if (name == kind.name) return kind.rounding;
  }
  throw NotCovered{"no rounding is called " + name};
}

VectorD theta_of(const ReferenceCase& one) {
  return core::frequencies(one.params.at("d").as_index(), one.params.at("base").as_real());
}

Format format_of(const ReferenceCase& one) {
  const CaseValue* name = one.params.find("format");
  if (!name) return core::kBFloat16;
  const auto format = core::format_named(name->as_text());
  if (!format) throw NotCovered{"no format is called " + name->as_text()};
  return *format;
}

// How many entries of a table are others when its cosines and sines come from the float
// functions of the mathematics library and not, rounded, from those for double.
Index other_entries(const RotaryRounder& rounder, Index n) {
  const auto low = [&](float x) {
    return core::round_to(rounder.rounding().low, static_cast<double>(x));
  };
  Index others = 0;
  for (Index p = 0; p < n; ++p) {
    const auto position = static_cast<double>(p);
    for (Index i = 0; i < rounder.pairs(); ++i) {
      const auto angle = static_cast<float>(rounder.angle(position, i));
      others += low(std::cos(angle)) != rounder.cos(position, i);
      others += low(std::sin(angle)) != rounder.sin(position, i);
    }
  }
  return others;
}

CaseValue table_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one);
  const Index n = one.params.at("n").as_index();
  const Format low = format_of(one);
  CaseValue got = CaseValue::object(), angles = CaseValue::object();
  for (const auto& [name, rounding] : table_kinds(low)) {
    const RotaryRounder rounder(theta, rounding);
    const core::RotaryRoundingFacts facts = core::rotary_rounding_facts(rounder, n);
    std::vector<CaseValue> pairs(facts.distinct_pairs.begin(), facts.distinct_pairs.end());
    CaseValue kind = CaseValue::object();
    kind.set("distinct_rows", facts.distinct_rows);
    kind.set("distinct_cos_sin_pairs_per_frequency", CaseValue::list(std::move(pairs)));
    kind.set("max_abs_error", facts.max_error);
    kind.set("mean_abs_error", facts.mean_error);
    got.set(name, kind);
    const std::string text = name;
    angles.set(text.substr(0, text.find("_table")), facts.max_angle_error);
  }
  got.set("angle_error_radians", angles);
  const RotaryRounder stored(theta, kind_called("everything_low", low));
  got.set("table_entries_where_torch_float32_cos_gives_another_value", other_entries(stored, n));
  return got;
}

CaseValue sample_rows_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one);
  const std::vector<Index> positions = one.params.at("positions").as_indices();
  const Format low = format_of(one);
  const Index pairs = theta.size(), rows = static_cast<Index>(positions.size());
  CaseValue got = CaseValue::object(), angles = CaseValue::object();
  for (const auto& [name, rounding] : table_kinds(low)) {
    const RotaryRounder rounder(theta, rounding);
    MatrixD table(rows, 2 * pairs), angle(rows, pairs);
    for (Index r = 0; r < rows; ++r) {
      const auto position = static_cast<double>(positions[static_cast<size_t>(r)]);
      for (Index i = 0; i < pairs; ++i) {
        table(r, i) = rounder.cos(position, i);
        table(r, pairs + i) = rounder.sin(position, i);
        angle(r, i) = rounder.angle(position, i);
      }
    }
    got.set(name, table);
    const std::string text = name;
    angles.set(text.substr(0, text.find("_table")), angle);
  }
  got.set("angles", angles);
  return got;
}

CaseValue alibi_case(const ReferenceCase& one) {
  const VectorD slopes = core::alibi_slopes(one.params.at("heads").as_index());
  const core::AlibiRounding once{};
  const core::AlibiRounding all{.slope = true, .distance = true, .bias = true};
  MatrixD rows = one.expected.at("rows").as_matrix();
  if (rows.cols() != 8) throw InputError("rows: expected eight columns");
  // n and the head are inputs that this case keeps among its expected rows.
  for (Index r = 0; r < rows.rows(); ++r) {
    const auto n = static_cast<Index>(rows(r, 0)), head = static_cast<Index>(rows(r, 1));
    if (head < 0 || head >= slopes.size()) throw InputError("rows: expected one of the heads");
    const core::AlibiRoundingFacts one_step = core::alibi_rounding_facts(n, slopes(head), once);
    const core::AlibiRoundingFacts every = core::alibi_rounding_facts(n, slopes(head), all);
    // Subtracting all ids from the last one's keeps different values different.
    const Index distances = core::id_facts(n, core::kBFloat16).distinct;
    rows.row(r).tail(6) << slopes(head), static_cast<double>(one_step.distinct),
        static_cast<double>(every.distinct), static_cast<double>(distances), every.max_error,
        one_step.max_error;
  }
  CaseValue got = CaseValue::object();
  got.set("rows", rows);
  return got;
}

CaseValue biased_case(const ReferenceCase& one) {
  const VectorD scores = one.inputs.at("scores").as_vector();
  const VectorD bias = one.inputs.at("bias").as_vector();
  CaseValue got = CaseValue::object();
  got.set("bf16_sum", core::biased_scores(scores, bias, core::kBFloat16));
  got.set("exact_sum", core::biased_scores(scores, bias, core::kFloat64, core::kFloat64));
  return got;
}

// Ids, frequencies and angles are float32, cosines and sines double, unless rounded low.
RotaryRounding score_rounding(const std::string& kind) {
  RotaryRounding rounding{.unrounded_table = core::UnroundedTable::float64};
  if (kind == "exact") {
    rounding.carrier = core::kFloat64;
  } else if (kind == "ids") {
    rounding.steps = {RotaryStep::id};
  } else if (kind == "angle") {
    rounding.steps = {RotaryStep::angle};
  } else if (kind == "result") {
    rounding.steps = {RotaryStep::table, RotaryStep::vector};
  } else if (kind == "all") {
    rounding = {.steps = {RotaryStep::id, RotaryStep::frequency, RotaryStep::angle,
                          RotaryStep::table, RotaryStep::vector, RotaryStep::rotated}};
  } else {
    throw NotCovered{"no rounding is called " + kind};
  }
  return rounding;
}

CaseValue score_case(const ReferenceCase& one) {
  const VectorD theta = theta_of(one);
  const VectorD q = one.inputs.at("q").as_vector(), k = one.inputs.at("k").as_vector();
  const VectorD distances = one.inputs.at("distances_with_key_at_0").as_vector();
  const VectorD keys = one.inputs.at("key_positions").as_vector();
  std::vector<RotaryRounder> rounders;
  for (const CaseValue& kind : one.params.at("kinds").items()) {
    rounders.emplace_back(theta, score_rounding(kind.as_text()));
  }
  const auto kinds = static_cast<Index>(rounders.size());
  const auto scores = [&](Index count, const auto& query_at, const auto& key_at) {
    return MatrixD(MatrixD::NullaryExpr(kinds, count, [&](Index r, Index c) {
      return rounders[static_cast<size_t>(r)].score(q, k, query_at(c), key_at(c));
    }));
  };
  const MatrixD by_distance = scores(
      distances.size(), [&](Index c) { return distances(c); }, [](Index) { return 0.0; });
  CaseValue got = CaseValue::object(), by_position = CaseValue::object();
  got.set("score_by_distance", by_distance);
  got.set("abs_error_by_distance",
          MatrixD((by_distance.rowwise() - by_distance.row(0)).cwiseAbs()));
  // The distances that are kept fixed are this object's keys.
  for (const auto& [key, value] :
       one.expected.at("score_by_position_at_fixed_distance").members()) {
    const double distance = std::stod(key);
    by_position.set(key, scores(
                             keys.size(), [&](Index c) { return keys(c) + distance; },
                             [&](Index c) { return keys(c); }));
  }
  got.set("score_by_position_at_fixed_distance", by_position);
  return got;
}

const Topic topic("06c_rope_alibi_low_precision", {{"rope_table_sample_rows_*", sample_rows_case},
                                                   {"rope_table_*", table_case},
                                                   {"alibi_bias_collisions_*", alibi_case},
                                                   {"alibi_score_plus_bias_*", biased_case},
                                                   {"rope_score_error_*", score_case}});

}  // namespace topic_06c_rope_alibi
}  // namespace core_check
