#include "core/task/pair/pair_fit.h"

namespace core::task {
namespace {

const PairTask& checked(const PairTask& task) {
  check(task);
  return task;
}

}  // namespace

std::vector<Encoded> FitOfPairs::draw(const PairModel& model, std::uint64_t seed, Index count,
                                      bool held) {
  std::vector<Encoded> encoded;
  for (const Pair& pair : draw_pairs(model.task, seed, count, held)) {
    encoded.push_back(model.encoded(pair));
  }
  return encoded;
}

PairFit::PairFit(const PairTask& task, const TranslatorForm& form, const FitOptions& options)
    : Fit(options, task, form, symbols(checked(task))), form_(form) {}

std::vector<Pair> PairFit::pairs_of(Index step) const {
  return draw_pairs(task(), batch_seed(step), options().batch, false);
}

}  // namespace core::task
