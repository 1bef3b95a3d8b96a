// The numbers of the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

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

// Pairs that read the same row as every farther pair of their side, as a share of those that are
// not masked.
double share_beyond(const Scene& scene, const std::function<Index(Index)>& row_of) {
  constexpr Index kFar = Index{1} << 40;
  const Index n = scene.model.n();
  double beyond = 0, all = 0;
  for (Index r = 1 - n; r < (scene.model.pairs->causal ? 1 : n); ++r) {
    const auto count = static_cast<double>(n - std::abs(r));
    all += count;
    const bool before = r <= 0 && row_of(r) == row_of(-kFar);
    if (before || (r >= 0 && row_of(r) == row_of(kFar))) beyond += count;
  }
  return all > 0 ? beyond / all : 0;
}

void add_pair(const Scene& scene, std::vector<Readout>& list) {
  const auto& w = scene.w;
  const Row& row = scene.model.row;
  const auto j = static_cast<std::size_t>(scene.model.key);
  const bool seen = scene.allowed();
  list.push_back({"plain_score", w("Score before"), row.plain_scores[j], fixed(row.plain_scores[j]),
                  w("q·k / √d_k of the pair, without positions")});
  list.push_back({"score", w("Score after"), row.scores[j],
                  seen ? fixed(row.scores[j]) : w("masked"),
                  w("The score of the pair under the scheme")});
  list.push_back({"plain_weight", w("Weight before"), row.plain[j], fixed(row.plain[j]),
                  w("The weight of the pair, without positions")});
  list.push_back({"weight", w("Weight after"), row.after[j], fixed(row.after[j]),
                  w("The weight of the pair under the scheme; under URPE times c")});
  const double before = entropy(row.plain), after = entropy(row.weights);
  list.push_back({"entropy", w("Entropy of the row"), after,
                  w.format("{:.3f} → {:.3f} nats", before, after),
                  w("-Σ w ln w of the query's weights, before and after")});
  list.push_back(
      {"moved", w("Weight moved, mean of the rows"), scene.model.survey->moved,
       fmt::format("{:.1f} %", 100 * scene.model.survey->moved),
       w("Half the sum of |after - before| over the keys: the share that goes elsewhere")});
}

// Whether the curve falls all the way to the far keys before the query.
void add_curve(const Scene& scene, std::vector<Readout>& list) {
  if (scene.model.far->curves.empty()) return;
  const auto& w = scene.w;
  const VectorD& values = scene.model.far->curves.back().values;
  const VectorD before = values.head(scene.p.extent).reverse();
  const core::CurveFacts facts = core::curve_facts(before);
  list.push_back({"first_rise", w("First rise with distance"),
                  facts.first_rise ? static_cast<double>(*facts.first_rise) : 0.0,
                  facts.first_rise ? w.format("at {}, {} in all", *facts.first_rise, facts.rises)
                                   : w("none: it never rises"),
                  w("The least distance before the query that is worth more than the one nearer by "
                    "one; of the last curve, over its whole extent")});
}

void add_scheme(const Scene& scene, std::vector<Readout>& list) {
  const auto& w = scene.w;
  const Scheme& scheme = scene.scheme();
  const auto limit = [&](const std::function<Index(Index)>& row_of, std::string label) {
    const double share = share_beyond(scene, row_of);
    list.push_back({"beyond", std::move(label), share, fmt::format("{:.1f} %", 100 * share),
                    w("Share of the pairs that are not masked whose distance is told from no "
                      "greater one of its side")});
  };
  list.push_back({"learned", w("Learned numbers of a head"), scheme.learned,
                  fmt::format("{:.0f}", scheme.learned),
                  w("How many numbers a head learns for positions with these knobs; ALiBi none")});
  if (scene.p.scheme == SchemeName::shaw) limit(scheme.row_of, w("Pairs clipped"));
  if (scene.p.scheme == SchemeName::deberta) limit(scheme.row_of, w("Pairs beyond the span"));
  if (scheme.buckets) {
    limit(*scheme.buckets, w("Pairs in a last bucket"));
    const Index bucket = (*scheme.buckets)(scene.p.distance);
    list.push_back({"bucket", w("Bucket of the distance"), static_cast<double>(bucket),
                    fmt::format("{}", bucket), w("Of the chosen j - i, by whole numbers")});
  }
  if (uses_alibi(scene.p)) {
    list.push_back({"slope", w("Slope m"), scheme.slope, fmt::format("{:.6g}", scheme.slope),
                    w("How much the bias falls per token in the chosen head")});
  }
  if (scene.p.scheme == SchemeName::alibi) {
    const double reach = std::log(1 / scene.p.epsilon) / scheme.slope;
    list.push_back(
        {"reach", w("Effective reach"), reach, w.format("{:.1f} tokens", reach),
         w("ln(1/ε) / m: where an equal key has ε times the weight of one beside the query")});
    const Index held = reach_of(scheme.slope, scene.p.epsilon);
    list.push_back({"reach_share", w("Reach that holds 1 - ε"), static_cast<double>(held),
                    w.format("{} tokens", held),
                    w("With all contents equal and an endless past, the keys up to here hold the "
                      "share 1 - ε of the weight")});
  }
  if (scene.p.scheme == SchemeName::urpe) {
    const VectorD& sums = scene.model.survey->row_sum;
    list.push_back({"row_sum", w("Row sum of the query"), sums(scene.model.query),
                    fixed(sums(scene.model.query)), w("Σ w c: softmax alone gives 1")});
    list.push_back({"row_sum_range", w("Row sums, least to largest"),
                    sums.maxCoeff() - sums.minCoeff(),
                    fmt::format("{} … {}", fixed(sums.minCoeff()), fixed(sums.maxCoeff())),
                    w("Over all queries")});
  }
}

}  // namespace

std::vector<Readout> readouts(const Scene& scene) {
  std::vector<Readout> list;
  add_pair(scene, list);
  add_curve(scene, list);
  add_scheme(scene, list);
  return list;
}

}  // namespace lab::relative
