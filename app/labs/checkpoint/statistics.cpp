// What heads do, in numbers: where their weights lie on average.
#include "app/labs/checkpoint/model.h"
#include "core/parallel.h"

namespace lab::checkpoint {
namespace {

using core::checkpoint::Kind;

// Of every token but the first, which can look nowhere else; of a text that looks at another no
// token stands before another.
HeadStatistics statistics_of(const core::HeadWeights& weights, bool one_text) {
  HeadStatistics s;
  const Index n = weights.rows();
  const double later = to_double(std::max<Index>(n - 1, 1));  // tokens but the first
  for (Index i = 1; i < n; ++i) {
    double entropy = 0;
    Index seen = 0;
    for (Index j = 0; j < weights.cols(); ++j) {
      const double w = to_double(weights(i, j));
      if (!(w > 0)) continue;
      ++seen;
      entropy -= w * std::log(w);
      if (one_text) s.distance += w * to_double(std::abs(i - j)) / later;
    }
    if (one_text) s.self += to_double(weights(i, i)) / later;
    if (one_text) s.previous += to_double(weights(i, i - 1)) / later;
    s.first += to_double(weights(i, 0)) / later;
    if (seen > 1) s.entropy += entropy / std::log(to_double(seen)) / later;
  }
  return s;
}

struct StatisticsKey {
  std::shared_ptr<const Reading> reading;
  bool encoder = false, cross = false;
  bool operator==(const StatisticsKey&) const = default;
};

core::task::Sequence sequence_of(const std::vector<std::int32_t>& ids) {
  const std::vector<std::int32_t> none(ids.size(), -1);
  return {ids, none, std::vector<std::uint8_t>(ids.size(), 0), none};
}

AllStatistics measure(const StatisticsKey& key, const Run& run) {
  const Reading& reading = *key.reading;
  const auto& stack = key.encoder ? reading.trace.encoder : reading.trace.decoder;
  const bool two = reading.facts().kind == Kind::encoder_decoder;
  const auto sequence = sequence_of(two ? reading.tokens->decoder : reading.tokens->ids);
  AllStatistics all(stack.layers.size());
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    if (!stack.layers[l]) continue;
    run.cancel.poll();
    const auto& weights = (key.cross ? stack.layers[l]->cross : stack.layers[l]->self).weights;
    all[l].resize(weights.size());
    core::parallel_for(static_cast<Index>(weights.size()), run.threads, [&](Index head, int) {
      HeadStatistics& s = all[l][to_size(head)];
      s = statistics_of(weights[to_size(head)], !key.cross);
      if (key.encoder || key.cross) return;
      core::task::HeadMeter meter;
      meter.add(sequence, weights[to_size(head)].matrix());
      s.duplicate = meter.scores().duplicate_token.mean;
      s.induction = meter.scores().induction.mean;
    });
    run.cancel.progress(static_cast<float>(l + 1) / static_cast<float>(all.size()));
  }
  return all;
}

}  // namespace

std::shared_ptr<const AllStatistics> statistics_stage(const Model& model, const Context& context) {
  return context.stage("statistics", measure,
                       StatisticsKey{model.reading, model.place.encoder, model.place.cross});
}

}  // namespace lab::checkpoint
