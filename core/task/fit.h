// What trainings of all tasks have in common: how they are made, how a step goes, and what is
// remembered of it. The same description and the same steps give the same bits, whatever the number
// of threads: batches follow from the seed and the number of the step.
#pragma once

#include <memory>
#include <vector>

#include "core/model/learning/optimizer.h"
#include "core/model/learning/parts.h"
#include "core/task/fit_state.h"

namespace core::task {

// What a batch makes of a pass, and the targets that the loss holds against it, as
// model::cross_entropy takes them.
struct Guesses {
  model::Tensor<float> logits;
  const std::int32_t* targets;
};

// Training of one kind. `Of` says what is trained:
//   types Model, Example, Batch and Held
//   std::vector<Example> draw(const Model&, std::uint64_t seed, Index count, bool held)
//   const model::Layout& layout(const Model&)
//   Guesses guesses(const Model&, model::Tape<float>&, const Batch&)
//   Held look(const Model&, const float* values, const std::vector<Example>& held, int threads)
//   double right(score)   the share that FitState::right has
// and where less than the options say is to be looked at, Index looked_at(const Model&, const
// FitOptions&).
// A batch has fill(examples, first, count) and counted(), how many guesses the loss counts;
// score(model, values, examples, threads) gives a score, of which a Held is one: its loss and
// accuracy() are remembered, and `more` where it has that.
template <class Of>
class Fit {
 public:
  using Model = typename Of::Model;
  using Example = typename Of::Example;
  using State = FitState<typename Of::Held>;

  // Step 0: it has the first batch's loss.
  State begin(int threads) const;
  void step(State& state, int threads) const;
  static Milestone milestone(const State& state) {
    Milestone m{state.optimizer.steps(), state.loss,           state.gradient_norm, state.rate,
                state.held.loss,         state.held.accuracy()};
    if constexpr (requires { state.held.more; }) m.more = state.held.more;
    return m;
  }
  static std::size_t bytes(const State& state) {
    return state.values.size() * sizeof(float) + state.optimizer.bytes();
  }

  const FitOptions& options() const { return options_; }
  // Lives on without this.
  std::shared_ptr<const Model> model() const { return {made_, &made_->model}; }

 protected:
  // `of` is what a model is made of.
  template <class... Args>
  explicit Fit(const FitOptions& options, const Args&... of)
      : options_(options), made_(std::make_shared<Made>(of...)) {
    const std::uint64_t seed = stream_seed(options.seed, fit_streams::kHeld);
    Index count = options.looked_at;
    if constexpr (requires { Of::looked_at(made_->model, options); }) {
      count = Of::looked_at(made_->model, options);
    }
    made_->held = Of::draw(made_->model, seed, count, true);
  }
  // What the batch of step number `step` + 1 is drawn from.
  std::uint64_t batch_seed(Index step) const {
    return stream_seed(options_.seed, fit_streams::kBatches + static_cast<std::uint64_t>(step));
  }
  // What that step learns from.
  std::vector<Example> batch_of(Index step) const {
    return Of::draw(made_->model, batch_seed(step), options_.batch, false);
  }

 private:
  // Where a step is made. The batch of the next is drawn beside it, for the step to find.
  struct Work {
    model::Parts parts;
    Index drawn = -1;  // of the step after this one
    std::vector<typename Of::Batch> batches;
  };
  // What follows from the description, and room to work in; copies of a fit share it.
  struct Made {
    Model model;
    std::vector<Example> held = {};
    model::ObjectPool<Work> work = {};
    template <class... Args>
    explicit Made(const Args&... of) : model(of...) {}
  };

  void look(State& state, int threads) const {
    state.held = Of::look(made_->model, state.values.data(), made_->held, threads);
  }

  FitOptions options_;
  std::shared_ptr<Made> made_;
};

// Parts that a batch is cut into.
Index parts_of(Index batch);

// Those parts of examples.
template <class Batch, class Example>
std::vector<Batch> cut(const std::vector<Example>& examples) {
  const auto all = static_cast<Index>(examples.size());
  const Index parts = parts_of(all);
  std::vector<Batch> batches(static_cast<std::size_t>(parts));
  for (Index k = 0, first = 0; k < parts; ++k) {
    const Index last = all * (k + 1) / parts;
    batches[static_cast<std::size_t>(k)].fill(examples, first, last - first);
    first = last;
  }
  return batches;
}

// What of a step's loss does not depend on the kind.
struct FitLoss {
  Index counted = 0;
  double smoothing = 0;
  model::Tensor<float> operator()(model::Tape<float>& tape, const Guesses& guesses,
                                  Index& hits) const;
};

template <class Of>
typename Fit<Of>::State Fit<Of>::begin(int threads) const {
  const model::Layout& layout = Of::layout(made_->model);
  State state;
  state.values = layout.start<float>(stream_seed(options_.seed, fit_streams::kStarts));
  state.optimizer = model::Optimizer<float>(layout, options_.optimizer);
  const auto first = score(made_->model, state.values.data(), batch_of(0), threads);
  state.loss = first.loss;
  state.right = Of::right(first);
  look(state, threads);
  return state;
}

template <class Of>
void Fit<Of>::step(State& state, int threads) const {
  const Index step = state.optimizer.steps();
  const typename model::ObjectPool<Work>::Use work(made_->work);
  const auto drawn = [&](Index after) { return cut<typename Of::Batch>(batch_of(after)); };
  const auto batches = work->drawn == step ? std::move(work->batches) : drawn(step);
  work->drawn = -1;
  FitLoss loss{.smoothing = options_.smoothing};
  for (const auto& batch : batches) loss.counted += batch.counted();
  const std::uint64_t dropout = stream_seed(stream_seed(options_.seed, fit_streams::kDropout),
                                            static_cast<std::uint64_t>(step));
  const model::Layout& layout = Of::layout(made_->model);
  const model::Parts::Sum sum = work->parts.gradients(
      layout.size(), state.values.data(), static_cast<Index>(batches.size()), dropout, threads,
      [&](model::Tape<float>& tape, Index part, Index& hits) {
        const auto& batch = batches[static_cast<std::size_t>(part)];
        return loss(tape, Of::guesses(made_->model, tape, batch), hits);
      },
      [&] { work->batches = drawn(step + 1); });
  work->drawn = step + 1;
  state.rate = options_.schedule.at(step + 1);
  state.loss = sum.loss;
  state.right = static_cast<double>(sum.hits) / static_cast<double>(loss.counted);
  state.gradient_norm = state.optimizer.step(layout, state.values.data(), work->parts.gradient(),
                                             state.rate, threads);
  if ((step + 1) % options_.looks_every == 0) look(state, threads);
}

}  // namespace core::task
