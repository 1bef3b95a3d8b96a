#include "core/checkpoint/inside/head_statistics.h"

#include "core/parallel.h"
#include "core/task/inside/head_scores.h"

namespace core::checkpoint {

AllStatistics head_statistics(const Trace<float>& trace, const WhichHeads& which,
                              const PositionFacts& positions, const std::vector<std::int32_t>& ids,
                              int threads, const Cancel& cancel) {
  const auto& stack = which.encoder ? trace.encoder : trace.decoder;
  const std::vector<std::int32_t> none(ids.size(), -1);
  const task::Sequence sequence{ids, none, std::vector<std::uint8_t>(ids.size(), 0), none};
  const bool causal = !which.encoder && !which.cross;
  AllStatistics all(stack.layers.size());
  for (std::size_t l = 0; l < stack.layers.size(); ++l) {
    if (!stack.layers[l]) continue;
    cancel.poll();
    const auto& weights = (which.cross ? stack.layers[l]->cross : stack.layers[l]->self).weights;
    const Index window = causal ? positions.window(static_cast<Index>(l)) : 0;
    all[l].resize(weights.size());
    parallel_for(static_cast<Index>(weights.size()), threads, [&](Index head, int) {
      const HeadWeights& of_head = weights[static_cast<std::size_t>(head)];
      HeadStatistics& s = all[l][static_cast<std::size_t>(head)];
      static_cast<heads::HeadStatistics&>(s) =
          heads::head_statistics(*heads::seen_rows(of_head.matrix(), causal, window), {}, cancel);
      if (!causal) return;
      task::HeadMeter meter;
      meter.add(sequence, of_head.matrix());
      s.duplicate = meter.scores().duplicate_token.mean;
      s.induction = meter.scores().induction.mean;
    });
    cancel.progress(static_cast<float>(l + 1) / static_cast<float>(all.size()));
  }
  return all;
}

}  // namespace core::checkpoint
