// Position ids that a format of few bits carries: how many stay exact, how many collide.
#include <string>

#include "core/precision/position_ids.h"
#include "registry.h"

namespace core_check {
namespace topic_06b_position_ids {

using core::Format;
using core::IdFacts;
using core::Index;
using core::InputError;
using core::Rounding;
using core::RoundingRule;
using core::VectorD;

Format format_of(const ReferenceCase& one) {
  const CaseValue* name = one.params.find("format");
  if (!name) return core::kBFloat16;
  const auto format = core::format_named(name->as_text());
  if (!format) throw NotCovered{"no format is called " + name->as_text()};
  return *format;
}

RoundingRule rule_of(const ReferenceCase& one) {
  const CaseValue* mode = one.params.find("mode");
  if (!mode) return {};
  if (mode->as_text() != "truncate") throw NotCovered{"no mode is called " + mode->as_text()};
  return {Rounding::toward_zero};
}

CaseValue or_null(const std::optional<Index>& value) {
  return value ? CaseValue(*value) : CaseValue();
}

CaseValue row_of(const IdFacts& facts) {
  CaseValue row = CaseValue::object();
  row.set("n", facts.n);
  const auto counted = [&](const std::string& name, Index count) {
    row.set(name, count);
    row.set(name + "_over_n", facts.share(count));
  };
  counted("distinct", facts.distinct);
  counted("exact", facts.exact);
  counted("unshared", facts.alone);
  counted("in_a_collision", facts.colliding());
  row.set("exact_and_unshared", facts.alone_and_exact);
  row.set("adjacent_equal_pairs", facts.equal_neighbors());
  row.set("adjacent_equal_pairs_over_n_minus_1",
          static_cast<double>(facts.equal_neighbors()) / static_cast<double>(facts.n - 1));
  row.set("largest_group", facts.largest_group);
  row.set("mean_group_size", facts.mean_group());
  row.set("max_abs_error_finite", facts.max_error);
  row.set("non_finite", facts.not_finite);
  row.set("first_inexact_position", or_null(facts.first_inexact));
  row.set("first_position_equal_to_its_predecessor", or_null(facts.first_collision));
  return row;
}

// The lengths are inputs that some of these cases keep among their expected rows.
CaseValue collisions_case(const ReferenceCase& one) {
  std::vector<CaseValue> rows;
  for (const CaseValue& row : one.expected.at("rows").items()) {
    const Index n = row.at("n").as_index();
    rows.push_back(row_of(core::id_facts(n, format_of(one), rule_of(one))));
  }
  CaseValue got = CaseValue::object();
  got.set("rows", CaseValue::list(std::move(rows)));
  return got;
}

CaseValue ten_percent_case(const ReferenceCase& one) {
  const Index n = one.params.at("n").as_index();
  const Format format = format_of(one);
  const IdFacts facts = core::id_facts(n, format);
  CaseValue got = CaseValue::object();
  got.set("count_exact", facts.exact);
  got.set("fraction_exactly_representable", facts.share(facts.exact));
  got.set("count_distinct", facts.distinct);
  got.set("fraction_distinct_values", facts.share(facts.distinct));
  got.set("count_unshared", facts.alone);
  got.set("fraction_unshared", facts.share(facts.alone));
  got.set("count_exact_and_unshared", facts.alone_and_exact);
  got.set("fraction_exact_and_unshared", facts.share(facts.alone_and_exact));
  const IdFacts half = core::id_facts(n, core::kFloat16);
  got.set("float16_fraction_exact", half.share(half.exact));
  const IdFacts cut = core::id_facts(n, format, {Rounding::toward_zero});
  got.set("truncation_fraction_distinct", cut.share(cut.distinct));
  const std::vector<Index> exact = core::exact_ids_per_binade(n, format);
  std::vector<CaseValue> contributions(exact.begin(), exact.end());
  got.set("binade_contribution_exact", CaseValue::list(std::move(contributions)));
  const Index first = std::min<Index>(256, n);
  got.set("fraction_exact_excluding_first_256",
          static_cast<double>(facts.exact - core::id_facts(first, format).exact) /
              static_cast<double>(n - first));
  return got;
}

CaseValue group_sizes_case(const ReferenceCase& one) {
  std::vector<CaseValue> binades;
  const IdFacts facts = core::id_facts(one.params.at("n").as_index(), format_of(one), rule_of(one));
  for (const core::IdBinade& binade : facts.binades) {
    CaseValue sizes = CaseValue::object();
    for (const core::GroupSize& size : binade.sizes) {
      sizes.set(std::to_string(size.size), size.count);
    }
    CaseValue row = CaseValue::object();
    row.set("value_lo", static_cast<Index>(binade.low));
    row.set("value_hi_exclusive", static_cast<Index>(binade.high));
    row.set("spacing", static_cast<Index>(binade.spacing));
    row.set("distinct_values", binade.distinct);
    row.set("group_size_histogram", sizes);
    binades.push_back(row);
  }
  CaseValue got = CaseValue::object();
  got.set("binades", CaseValue::list(std::move(binades)));
  return got;
}

CaseValue values_case(const ReferenceCase& one) {
  const Index a = one.params.at("a").as_index(), b = one.params.at("b").as_index();
  if (a > b) throw InputError("a: expected at most b");
  const core::Rounder round(format_of(one), rule_of(one));
  CaseValue got = CaseValue::object();
  got.set("values", VectorD(VectorD::NullaryExpr(
                        b - a, [&](Index i) { return round(static_cast<double>(a + i)); })));
  return got;
}

CaseValue distances_case(const ReferenceCase& one) {
  const core::DistanceFacts facts =
      core::distance_facts(one.params.at("n").as_index(), format_of(one), rule_of(one));
  CaseValue got = CaseValue::object();
  got.set("causal_pairs", facts.pairs);
  got.set("distance_exact", facts.exact);
  got.set("distance_wrong_by_more_than_1", facts.wrong_by_more);
  got.set("max_distance_error", facts.max_error);
  got.set("different_tokens_seen_at_distance_0", facts.seem_equal);
  return got;
}

const Topic topic("06b_position_collisions", {{"collisions_*", collisions_case},
                                              {"seed001_claim_*", ten_percent_case},
                                              {"group_sizes_per_binade_*", group_sizes_case},
                                              {"cast_values_*", values_case},
                                              {"relative_distances_*", distances_case}});

}  // namespace topic_06b_position_ids
}  // namespace core_check
