#include "core/task/document_fit.h"

#include <algorithm>

#include "core/model/cross_entropy.h"

namespace core::task {
namespace {

using namespace fit_streams;

// Of the words that do not tell, as many are read as unknown, so that a word never seen later is
// nothing to go by.
constexpr std::uint32_t kUnknownOneIn = 30;

// Parts that a batch is cut into.
Index document_parts(Index batch) { return std::clamp<Index>(batch / 8, 1, 8); }

void forget_some(const Document& document, EncodedDocument& encoded, Random& random) {
  for (std::size_t s = 0; s < encoded.sentences.size(); ++s) {
    const bool tells =
        std::any_of(document.telling.begin(), document.telling.end(),
                    [&](const auto& place) { return place.sentence == static_cast<Index>(s); });
    for (std::int32_t& id : encoded.sentences[s]) {
      if (random.below(kUnknownOneIn) == 0 && !tells) id = Vocabulary::kUnknown;
    }
  }
}

}  // namespace

DocumentFit::Made::Made(const DocumentTask& task, const DocumentForm& form,
                        const FitOptions& options)
    : model(task, form, words_of(task)) {
  const std::uint64_t seed = stream_seed(options.seed, kHeld);
  for (const Document& document : draw_documents(task, seed, options.looked_at, true)) {
    held.push_back(model.encoded(document));
  }
}

DocumentFit::DocumentFit(const DocumentTask& task, const DocumentForm& form,
                         const FitOptions& options)
    : options_(options), made_(std::make_shared<Made>(task, form, options)) {}

std::vector<EncodedDocument> DocumentFit::batch_of(Index step) const {
  const std::uint64_t seed =
      stream_seed(options_.seed, kBatches + static_cast<std::uint64_t>(step));
  Random random(stream_seed(seed, kDropout));
  std::vector<EncodedDocument> batch;
  for (const Document& one : draw_documents(made_->model.task, seed, options_.batch, false)) {
    batch.push_back(made_->model.encoded(one));
    forget_some(one, batch.back(), random);
  }
  return batch;
}

DocumentFit::State DocumentFit::begin(int threads) const {
  const model::Layout& layout = made_->model.layout;
  State state;
  state.values = layout.start<float>(stream_seed(options_.seed, kStarts));
  state.optimiser = model::Optimiser<float>(layout, options_.optimiser);
  state.loss = score(made_->model, state.values.data(), batch_of(0), threads).loss;
  state.held = score(made_->model, state.values.data(), made_->held, threads);
  return state;
}

Milestone DocumentFit::milestone(const State& state) {
  return {state.optimiser.steps(), state.loss,           state.gradient_norm, state.rate,
          state.held.loss,         state.held.accuracy()};
}

void DocumentFit::step(State& state, int threads) const {
  const Index step = state.optimiser.steps();
  const std::vector<EncodedDocument> documents = batch_of(step);
  const Index parts = document_parts(options_.batch);
  std::vector<DocumentBatch> batches(static_cast<std::size_t>(parts));
  for (Index k = 0, first = 0; k < parts; ++k) {
    const Index last = options_.batch * (k + 1) / parts;
    batches[static_cast<std::size_t>(k)].fill(documents, first, last - first);
    first = last;
  }
  const DocumentModel& model = made_->model;
  const model::Lent<model::Parts>::Use work(made_->parts);
  const auto total = static_cast<float>(options_.batch);
  const model::Parts::Sum sum = work->gradients(
      model.layout.size(), state.values.data(), parts, 0, threads,
      [&](model::Tape<float>& tape, Index part, Index& hits) {
        const DocumentBatch& batch = batches[static_cast<std::size_t>(part)];
        const model::Tensor<float> z = model.net(tape, batch.ids(), batch.documents()).logits;
        hits = model::hits(z, batch.labels());
        return model::cross_entropy(tape, z, batch.labels(), total,
                                    static_cast<float>(options_.smoothing));
      });
  state.loss = sum.loss;
  state.rate = options_.schedule.at(step + 1);
  state.gradient_norm = state.optimiser.step(model.layout, state.values.data(), work->gradient(),
                                             state.rate, threads);
  if ((step + 1) % options_.looks_every == 0) {
    state.held = score(model, state.values.data(), made_->held, threads);
  }
}

}  // namespace core::task
