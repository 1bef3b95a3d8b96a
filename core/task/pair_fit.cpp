#include "core/task/pair_fit.h"

#include <algorithm>

#include "core/model/cross_entropy.h"

namespace core::task {
namespace {

using namespace fit_streams;

// Parts that a batch is cut into.
Index parts_of(Index batch) { return std::clamp<Index>(batch / 8, 1, 8); }

}  // namespace

PairFit::Made::Made(const PairTask& task, const TranslatorForm& form, const FitOptions& options)
    : model(task, form, symbols(task)) {
  const std::uint64_t seed = stream_seed(options.seed, kHeld);
  for (const Pair& pair : draw_pairs(model.task, seed, options.looked_at, true)) {
    held.push_back(model.encoded(pair));
  }
}

PairFit::PairFit(const PairTask& task, const TranslatorForm& form, const FitOptions& options)
    : form_(form), options_(options) {
  check(task);
  made_ = std::make_shared<Made>(task, form_, options_);
}

std::vector<Pair> PairFit::pairs_of(Index step) const {
  const std::uint64_t seed =
      stream_seed(options_.seed, kBatches + static_cast<std::uint64_t>(step));
  return draw_pairs(task(), seed, options_.batch, false);
}

std::vector<Encoded> PairFit::batch_of(Index step) const {
  std::vector<Encoded> encoded;
  for (const Pair& pair : pairs_of(step)) encoded.push_back(made_->model.encoded(pair));
  return encoded;
}

PairFit::State PairFit::begin(int threads) const {
  const model::Layout& layout = made_->model.translator.layout();
  State state;
  state.values = layout.start<float>(stream_seed(options_.seed, kStarts));
  state.optimiser = model::Optimiser<float>(layout, options_.optimiser);
  const Score first = score(made_->model, state.values.data(), batch_of(0), threads);
  state.progress.loss = first.loss;
  state.progress.tokens_right = first.token_accuracy();
  look(state, threads);
  return state;
}

Milestone PairFit::milestone(const State& state) {
  const FitProgress& now = state.progress;
  return {state.optimiser.steps(), now.loss,           now.gradient_norm, now.rate,
          now.held.loss,           now.held.accuracy()};
}

void PairFit::look(State& state, int threads) const {
  state.progress.held = score(made_->model, state.values.data(), made_->held, threads);
}

void PairFit::step(State& state, int threads) const {
  const Index step = state.optimiser.steps();
  const std::vector<Encoded> pairs = batch_of(step);
  const Index parts = parts_of(options_.batch);
  std::vector<PairBatch> batches(static_cast<std::size_t>(parts));
  Index counted = 0;
  for (Index k = 0, first = 0; k < parts; ++k) {
    const Index last = options_.batch * (k + 1) / parts;
    PairBatch& batch = batches[static_cast<std::size_t>(k)];
    batch.fill(pairs, first, last - first);
    counted += batch.counted();
    first = last;
  }
  const model::Layout& layout = made_->model.translator.layout();
  const model::Lent<model::Parts>::Use work(made_->parts);
  const model::Parts::Sum sum = work->gradients(
      layout.size(), state.values.data(), parts,
      stream_seed(stream_seed(options_.seed, kDropout), static_cast<std::uint64_t>(step)), threads,
      [&](model::Tape<float>& tape, Index part, Index& hits) {
        const PairBatch& batch = batches[static_cast<std::size_t>(part)];
        const model::Tensor<float> logits = made_->model.translator.logits(tape, batch);
        hits = model::hits(logits, batch.next_ids());
        return model::cross_entropy(tape, logits, batch.next_ids(), static_cast<float>(counted),
                                    static_cast<float>(options_.smoothing));
      });
  FitProgress& now = state.progress;
  now.rate = options_.schedule.at(step + 1);
  now.loss = sum.loss;
  now.tokens_right = static_cast<double>(sum.hits) / static_cast<double>(counted);
  now.gradient_norm =
      state.optimiser.step(layout, state.values.data(), work->gradient(), now.rate, threads);
  if ((step + 1) % options_.looks_every == 0) look(state, threads);
}

}  // namespace core::task
