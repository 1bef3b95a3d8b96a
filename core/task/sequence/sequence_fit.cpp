#include "core/task/sequence/sequence_fit.h"

#include <algorithm>

#include "core/task/inside/head_scores.h"

namespace core::task {

SequenceLook FitOfSequences::look(const SequenceModel& model, const float* values,
                                  const std::vector<Sequence>& held, int threads) {
  // So many show what a head does; to look at the weights of more takes its time.
  constexpr Index kLookedInto = 8, kTokens = 512;
  const Index enough = std::clamp<Index>(kTokens / longest_sequence(model.task), 1, kLookedInto);
  const auto some = std::min<std::ptrdiff_t>(enough, std::ssize(held));
  SequenceLook look{score(model, values, held, threads)};
  look.more.assign(kLookedHeads, 0);
  for (const auto& layer :
       head_scores(model, values, {held.begin(), held.begin() + some}, threads)) {
    for (const HeadScores& head : layer) {
      const double means[] = {head.previous_token.mean, head.induction.mean,
                              head.right_position.mean};
      for (std::size_t k = 0; k < kLookedHeads; ++k) {
        look.more[k] = std::max(look.more[k], means[k]);
      }
    }
  }
  return look;
}

}  // namespace core::task
