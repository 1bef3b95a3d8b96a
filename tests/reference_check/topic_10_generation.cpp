// From logits to text: beams, filters and how a token is drawn.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/decode/beam.h"
#include "registry.h"

namespace core_check {
namespace topic_10_generation {

using namespace core::decode;
using core::BoolMatrix;
using core::Index;
using core::MatrixD;
using core::VectorD;
using Ids = std::vector<std::int32_t>;

CaseValue list_of(const Ids& ids) {
  std::vector<CaseValue> items;
  for (const std::int32_t id : ids) items.emplace_back(static_cast<Index>(id));
  return CaseValue::list(std::move(items));
}

// [[tokens, score], ...] of some branches.
CaseValue beam_of(const BeamTree& tree, const std::vector<Index>& beam) {
  std::vector<CaseValue> items;
  for (const Index k : beam) {
    const double sum = tree.branches[static_cast<size_t>(k)].sum;
    items.push_back(CaseValue::list({list_of(tree.tokens(k)), sum}));
  }
  return CaseValue::list(std::move(items));
}

CaseValue beams_of(const BeamTree& tree) {
  std::vector<CaseValue> steps;
  for (const std::vector<Index>& beam : tree.beams) steps.push_back(beam_of(tree, beam));
  return CaseValue::list(std::move(steps));
}

// --- beams

// The document's two steps: the rows are given for what the first beam holds.
CaseValue example_case(const ReferenceCase& one) {
  const auto words = one.params.at("vocab").items();
  const NextLogits next = [&](const Ids& before) -> VectorD {
    const std::string key =
        before.empty() ? "P_y1"
                       : "P_y2_given_" + words.at(static_cast<size_t>(before[0])).as_text();
    return one.inputs.at(key).as_vector().array().log();
  };
  const auto all = static_cast<Index>(words.size());
  BeamOptions options{.width = one.params.at("beam").as_index(), .most = 2, .shown = all};
  const BeamTree tree = beam_search(next, {}, options);
  std::vector<Index> second;
  for (Index k = 0; k < static_cast<Index>(tree.branches.size()); ++k) {
    if (tree.branches[static_cast<size_t>(k)].length == 2) second.push_back(k);
  }
  const auto of = [&](Index k) { return tree.branches[static_cast<size_t>(k)]; };
  std::sort(second.begin(), second.end(), [&](Index a, Index b) {
    // The case takes equal products for equal, and sums of logarithms round.
    if (std::abs(of(a).sum - of(b).sum) > 1e-12) return of(a).sum > of(b).sum;
    return tree.tokens(a) < tree.tokens(b);
  });
  std::vector<CaseValue> probabilities;
  for (const Index k : second) probabilities.emplace_back(std::exp(of(k).sum));
  options.width = 1;
  const BeamTree narrow = beam_search(next, {}, options);
  CaseValue got = CaseValue::object();
  got.set("beams_after_step", beams_of(tree));
  got.set("all_second_step_candidates_sorted", beam_of(tree, second));
  got.set("probabilities", CaseValue::list(std::move(probabilities)));
  got.set("greedy", list_of(narrow.tokens(narrow.ranked.front())));
  return got;
}

double log_probability(const BeamTree& tree) {
  return tree.branches[static_cast<size_t>(tree.ranked.front())].sum;
}

CaseValue markov_case(const ReferenceCase& one) {
  const VectorD initial = one.inputs.at("initial").as_vector();
  const MatrixD transition = one.inputs.at("transition").as_matrix();
  const NextLogits next = [&](const Ids& before) -> VectorD {
    if (before.empty()) return initial.array().log();
    return transition.row(before.back()).transpose().array().log();
  };
  const CaseValue& end = one.params.at("eos");
  BeamOptions options{.most = one.params.at("max_steps").as_index()};
  if (end.kind() != CaseValue::Kind::null) options.end = static_cast<std::int32_t>(end.as_index());
  const auto search = [&](Index width) {
    options.width = width;
    return beam_search(next, {}, options);
  };
  CaseValue by_size = CaseValue::object();
  for (const auto& [size, wanted] : one.expected.at("by_beam_size").members()) {
    const BeamTree tree = search(std::stol(size));
    // Of wide beams the case lists the first ones.
    std::vector<Index> listed = tree.ranked;
    listed.resize(std::min(listed.size(), wanted.at("beams").items().size()));
    CaseValue row = CaseValue::object();
    row.set("best", list_of(tree.tokens(tree.ranked.front())));
    row.set("log_prob", log_probability(tree));
    row.set("beams", beam_of(tree, listed));
    row.set("trace", beams_of(tree));
    by_size.set(size, row);
  }
  Index everything = 1;
  for (Index step = 0; step < options.most; ++step) everything *= initial.size();
  const BeamTree exhaustive = search(everything), narrow = search(1), five = search(5);
  const auto penalized = [&](LengthPenalty::Kind kind, double alpha) {
    const LengthPenalty penalty{kind, alpha};
    std::vector<CaseValue> scores;
    for (const Index k : five.ranked) {
      const BeamBranch& branch = five.branches[static_cast<size_t>(k)];
      scores.emplace_back(branch.sum / penalty.at(branch.length));
    }
    return CaseValue::list(std::move(scores));
  };
  CaseValue penalties = CaseValue::object();
  penalties.set("gnmt_alpha_0.6_lp=((5+L)/6)^alpha", penalized(LengthPenalty::Kind::gnmt, 0.6));
  penalties.set("d2l_alpha_0.75_score/L^alpha", penalized(LengthPenalty::Kind::power, 0.75));
  CaseValue got = CaseValue::object();
  got.set("by_beam_size", by_size);
  got.set("greedy", list_of(narrow.tokens(narrow.ranked.front())));
  got.set("exhaustive_best", list_of(exhaustive.tokens(exhaustive.ranked.front())));
  got.set("exhaustive_log_prob", log_probability(exhaustive));
  got.set("length_penalty_beam5", penalties);
  return got;
}

// --- filters

Distribution given(const ReferenceCase& one) {
  if (one.inputs.find("probabilities")) {
    return Distribution::of_probabilities(one.inputs.at("probabilities").as_vector());
  }
  return Distribution::of_logits(one.inputs.at("logits").as_vector());
}

// One row for each value of the filter.
std::vector<double> values_of(const CaseValue& value) {
  if (value.kind() == CaseValue::Kind::real || value.kind() == CaseValue::Kind::integer) {
    return {value.as_real()};
  }
  const VectorD all = value.as_vector();
  return {all.begin(), all.end()};
}

MatrixD distributions(const ReferenceCase& one, const char* key, Filter filter) {
  const Distribution from = given(one);
  const std::vector<double> values = values_of(one.params.at(key));
  MatrixD rows(static_cast<Index>(values.size()), from.logits.size());
  for (Index i = 0; i < rows.rows(); ++i) {
    filter.value = values[static_cast<size_t>(i)];
    rows.row(i) = filtered(from, {filter}).after().probabilities.transpose();
  }
  return rows;
}

CaseValue temperature_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  got.set("distributions", distributions(one, "T", {.kind = Filter::Kind::temperature}));
  return got;
}

CaseValue top_k_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  got.set("distributions", distributions(one, "k", {.kind = Filter::Kind::top_k}));
  return got;
}

BoolMatrix kept(const MatrixD& distributions) { return (distributions.array() > 0).matrix(); }

CaseValue top_k_ties_case(const ReferenceCase& one) {
  Filter filter{.kind = Filter::Kind::top_k};
  CaseValue got = CaseValue::object();
  got.set("exactly_k_lower_index_first", kept(distributions(one, "k", filter)));
  filter.form = Filter::Form::library;
  got.set("keep_all_tied_(HF)", kept(distributions(one, "k", filter)));
  return got;
}

CaseValue top_p_case(const ReferenceCase& one) {
  const MatrixD rows = distributions(one, "p", {.kind = Filter::Kind::top_p});
  std::vector<CaseValue> counts;
  for (Index i = 0; i < rows.rows(); ++i) counts.emplace_back((rows.row(i).array() > 0).count());
  CaseValue got = CaseValue::object();
  got.set("probabilities", given(one).probabilities);
  got.set("distributions", rows);
  got.set("kept", CaseValue::list(counts));
  got.set("kept_count_minimal", CaseValue::list(std::move(counts)));
  return got;
}

BoolMatrix kept_by_top_p(const ReferenceCase& one, Filter::Form form) {
  const VectorD p = given(one).probabilities;
  const std::vector<double> values = values_of(one.params.at("p"));
  BoolMatrix rows(static_cast<Index>(values.size()), p.size());
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto row = core::decode::kept_by_top_p(p, values[static_cast<size_t>(i)], form);
    for (Index j = 0; j < p.size(); ++j) rows(i, j) = row[static_cast<size_t>(j)] != 0;
  }
  return rows;
}

CaseValue boundaries_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  got.set("minimal_set_>=p", kept_by_top_p(one, Filter::Form::paper));
  got.set("hf_drop_when_sum_before_>_p", kept_by_top_p(one, Filter::Form::library));
  return got;
}

CaseValue zero_case(const ReferenceCase& one) {
  const auto row = [&](Filter::Form form) {
    const BoolMatrix rows = kept_by_top_p(one, form);
    std::vector<double> bits;
    for (Index j = 0; j < rows.cols(); ++j) bits.push_back(rows(0, j) ? 1 : 0);
    return CaseValue::array({rows.cols()}, bits, true);
  };
  CaseValue got = CaseValue::object();
  got.set("minimal_set", row(Filter::Form::paper));
  got.set("whole_vocabulary", row(Filter::Form::library));
  return got;
}

CaseValue min_p_case(const ReferenceCase& one) {
  CaseValue got = CaseValue::object();
  const MatrixD rows = distributions(one, "min_p", {.kind = Filter::Kind::min_p});
  got.set("distribution", VectorD(rows.row(0).transpose()));
  return got;
}

CaseValue pipeline_case(const ReferenceCase& one) {
  const VectorD p = filtered(given(one), {{Filter::Kind::temperature, one.params.at("T").as_real()},
                                          {Filter::Kind::top_k, one.params.at("k").as_real()},
                                          {Filter::Kind::top_p, one.params.at("p").as_real()}})
                        .after()
                        .probabilities;
  VectorD sums = p;
  for (Index i = 1; i < sums.size(); ++i) sums(i) += sums(i - 1);
  Ids drawn;
  for (const double u : values_of(one.params.at("u"))) drawn.push_back(inverse_cdf(p, u));
  CaseValue got = CaseValue::object();
  got.set("distribution", p);
  got.set("cdf", sums);
  got.set("tokens", list_of(drawn));
  return got;
}

const Topic topic("10_generation", {{"beam_markov*", markov_case},
                                    {"beam_*", example_case},
                                    {"temperature*", temperature_case},
                                    {"top_k_ties*", top_k_ties_case},
                                    {"top_k*", top_k_case},
                                    {"top_p_exact_boundaries*", boundaries_case},
                                    {"top_p_zero_probability*", zero_case},
                                    {"top_p*", top_p_case},
                                    {"min_p*", min_p_case},
                                    {"pipeline*", pipeline_case}});

}  // namespace topic_10_generation
}  // namespace core_check
