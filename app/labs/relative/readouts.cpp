// The numbers of the page.
#include "app/labs/relative/page.h"
#include "core/position/curve.h"

namespace lab::relative {
namespace {

// -Σ w ln w in nats.
double entropy(const std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) {
    if (w > 0) sum -= w * std::log(w);
  }
  return sum;
}

// Of the pairs that are not masked, the share of those whose distance is `lost`.
Readout share_readout(const Scene& scene, std::string label, std::string help,
                      const std::function<bool(Index)>& lost) {
  const Index n = scene.model.n();
  double of_these = 0, all = 0;
  for (Index r = 1 - n; r < (scene.model.pairs->causal ? 1 : n); ++r) {
    const double count = to_double(n - std::abs(r));
    all += count;
    if (lost(r)) of_these += count;
  }
  return {"beyond", std::move(label), of_these / all, fmt::format("{:.1f} %", 100 * of_these / all),
          std::move(help)};
}

// A distance that reads the row of a nearer one.
Readout clipped_readout(const Scene& scene, std::string label) {
  const auto& row_of = scene.scheme().row_of;
  return share_readout(
      scene, std::move(label),
      scene.w("Share of the pairs that are not masked whose distance reads the "
              "row of a nearer one"),
      [&](Index r) { return r != 0 && row_of(r) == row_of(r < 0 ? r + 1 : r - 1); });
}

std::vector<Readout> pair_readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Row& row = model.row;
  const std::size_t j = to_size(model.key);
  const double before = entropy(row.plain), after = entropy(row.weights);
  return {
      {"plain_score", w("Score before"), row.plain_scores[j], fixed(row.plain_scores[j]),
       w("q·k / √d_k of the pair, without positions")},
      {"score", w("Score after"), row.scores[j],
       scene.allowed() ? fixed(row.scores[j]) : w("masked"),
       w("The score of the pair under the scheme")},
      {"plain_weight", w("Weight before"), row.plain[j], fixed(row.plain[j]),
       w("The weight of the pair, without positions")},
      {"weight", w("Weight after"), row.after[j], fixed(row.after[j]),
       w("The weight of the pair under the scheme; under URPE times c")},
      {"entropy", w("Entropy of the row"), after, w.format("{:.3f} → {:.3f} nats", before, after),
       w("-Σ w ln w of the query's weights, before and after")},
      {"moved", w("Weight moved, mean of the rows"), model.survey->moved,
       fmt::format("{:.1f} %", 100 * model.survey->moved),
       w("Half the sum of |after - before| over the keys: the share that goes elsewhere")}};
}

// Whether the curve falls all the way to the far keys before the query.
Readout rise_readout(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD before = model.far->curves.back().values.head(p.extent).reverse();
  const core::CurveFacts facts = core::curve_facts(before);
  return {"first_rise", w("First rise with distance"),
          facts.first_rise ? to_double(*facts.first_rise) : 0.0,
          facts.first_rise ? w.format("at {}, {} in all", *facts.first_rise, facts.rises)
                           : w("none: it never rises"),
          w("The least distance before the query that is worth more than the one nearer by one; of "
            "the last curve, over its whole extent")};
}

std::vector<Readout> bucket_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const Index bucket = (*scene.scheme().buckets)(scene.p.distance);
  const core::T5Buckets& buckets = *scene.scheme().buckets;
  constexpr Index kFar = Index{1} << 40;
  const auto in_last = [&](Index r) {
    return (r <= 0 && buckets(r) == buckets(-kFar)) || (r >= 0 && buckets(r) == buckets(kFar));
  };
  return {share_readout(scene, w("Pairs in a last bucket"),
                        w("Share of the pairs that are not masked whose distance is told from no "
                          "greater one of its side"),
                        in_last),
          {"bucket", w("Bucket of the distance"), to_double(bucket), fmt::format("{}", bucket),
           w("Of the chosen j - i, by whole numbers")}};
}

std::vector<Readout> reach_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const double slope = scene.scheme().slope, reach = std::log(1 / scene.p.epsilon) / slope;
  const Index held = reach_of(slope, scene.p.epsilon);
  return {{"reach", w("Effective reach"), reach, w.format("{:.1f} tokens", reach),
           w("ln(1/ε) / m: where an equal key has ε times the weight of one at the query's place")},
          {"reach_share", w("Reach that holds 1 - ε"), to_double(held), w.format("{} tokens", held),
           w("With all contents equal and an endless past, the keys up to here hold the share 1 - "
             "ε of the weight")}};
}

std::vector<Readout> sum_readouts(const Scene& scene) {
  const auto& w = scene.w;
  const VectorD& sums = scene.model.survey->row_sum;
  const double own = sums(scene.model.query), least = sums.minCoeff(), most = sums.maxCoeff();
  return {
      {"row_sum", w("Row sum of the query"), own, fixed(own), w("Σ w c: softmax alone gives 1")},
      {"row_sum_range", w("Row sums, least to largest"), most - least,
       fmt::format("{} … {}", fixed(least), fixed(most)), w("Over all queries")}};
}

}  // namespace

std::vector<Readout> readouts(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Scheme& scheme = scene.scheme();
  std::vector<Readout> all = pair_readouts(scene);
  const auto add = [&](std::vector<Readout> more) {
    for (Readout& one : more) all.push_back(std::move(one));
  };
  if (!model.far->curves.empty()) all.push_back(rise_readout(scene));
  all.push_back({"learned", w("Learned numbers of a head"), scheme.learned,
                 fmt::format("{:.0f}", scheme.learned),
                 w("How many numbers a head learns for positions with these knobs, with those that "
                   "heads share; ALiBi none")});
  if (p.is(SchemeName::shaw)) all.push_back(clipped_readout(scene, w("Pairs clipped")));
  if (p.is(SchemeName::deberta)) {
    all.push_back(clipped_readout(scene, w("Pairs beyond the span")));
  }
  if (scheme.buckets) add(bucket_readouts(scene));
  if (p.uses_alibi()) {
    all.push_back({"slope", w("Slope m"), scheme.slope, significant(scheme.slope),
                   w("How much the bias falls per token in the chosen head")});
  }
  if (p.is(SchemeName::alibi)) add(reach_readouts(scene));
  if (p.is(SchemeName::urpe)) add(sum_readouts(scene));
  return all;
}

}  // namespace lab::relative
