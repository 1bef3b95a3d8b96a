// What heads do, in numbers: where their weights lie on average.
#include "app/labs/checkpoint/model.h"

namespace lab::checkpoint {
namespace {

struct StatisticsKey {
  std::shared_ptr<const Reading> reading;
  core::checkpoint::WhichHeads which;
  bool operator==(const StatisticsKey&) const = default;
};

AllStatistics measure(const StatisticsKey& key, const Run& run) {
  const Reading& reading = *key.reading;
  const bool two = reading.facts().kind == core::checkpoint::Kind::encoder_decoder;
  return core::checkpoint::head_statistics(reading.trace, key.which, reading.facts().positions,
                                           two ? reading.tokens->decoder : reading.tokens->ids,
                                           run.threads, run.cancel);
}

}  // namespace

std::shared_ptr<const AllStatistics> statistics_stage(const Model& model, const Context& context) {
  return context.stage("statistics", measure,
                       StatisticsKey{model.reading, {model.place.encoder, model.place.cross}});
}

}  // namespace lab::checkpoint
