// What heads do, in numbers: where their weights lie on average.
#include "app/labs/checkpoint/model.h"
#include "core/parallel.h"

namespace lab::checkpoint {
namespace {

using core::checkpoint::Kind;

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
  const bool causal = !key.encoder && !key.cross;
  AllStatistics all(stack.layers.size());
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    if (!stack.layers[l]) continue;
    run.cancel.poll();
    const auto& weights = (key.cross ? stack.layers[l]->cross : stack.layers[l]->self).weights;
    const Index window = causal ? reading.facts().positions.window(to_index(l)) : 0;
    all[l].resize(weights.size());
    core::parallel_for(to_index(weights.size()), run.threads, [&](Index head, int) {
      const core::HeadWeights& of_head = weights[to_size(head)];
      HeadStatistics& s = all[l][to_size(head)];
      static_cast<core::heads::HeadStatistics&>(s) = core::heads::head_statistics(
          *core::heads::seen_rows(of_head.matrix(), causal, window), {}, run.cancel);
      if (!causal) return;
      core::task::HeadMeter meter;
      meter.add(sequence, of_head.matrix());
      s.duplicate = meter.scores().duplicate_token.mean;
      s.induction = meter.scores().induction.mean;
    });
    run.cancel.progress(to_float(l + 1) / to_float(all.size()));
  }
  return all;
}

}  // namespace

std::shared_ptr<const AllStatistics> statistics_stage(const Model& model, const Context& context) {
  return context.stage("statistics", measure,
                       StatisticsKey{model.reading, model.place.encoder, model.place.cross});
}

}  // namespace lab::checkpoint
