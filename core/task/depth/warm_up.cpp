#include "core/task/depth/warm_up.h"

#include "core/task/depth/letter_model.h"

namespace core::task {
namespace {

constexpr std::size_t kTextLetters = 20000;
constexpr Index kPartWindows = 2;  // of a batch, worked on together

}  // namespace

struct WarmUpFit::Made {
  LetterModel model;
  std::string text;
  model::ObjectPool<model::Parts> parts;

  Made(const StackVariant& variant, std::uint64_t seed)
      : model(varied(small_form(), variant), kWarmUpLayers),
        text(letter_text(kTextLetters, seed)) {}
};

WarmUpFit::WarmUpFit(const StackVariant& variant, double rate, Index warmup, std::uint64_t seed)
    : variant_(variant),
      rate_(rate),
      warmup_(warmup),
      seed_(seed),
      made_(std::make_shared<Made>(variant, seed)) {}

const std::string& WarmUpFit::text() const { return made_->text; }

double WarmUpFit::loss_of(const std::vector<float>& values, Index step, int threads,
                          model::Parts& parts) const {
  const LetterWindows windows =
      draw_windows(made_->text, stream_seed(seed_, static_cast<std::uint64_t>(step)));
  const auto loss = [&](model::Tape<float>& tape, Index part, Index&) {
    const auto from = part * kPartWindows * kLetterWindow;
    return made_->model.loss(tape, windows.ids.data() + from, windows.next.data() + from,
                             kPartWindows, static_cast<double>(kLetterBatch * kLetterWindow));
  };
  return parts
      .gradients(made_->model.layout().size(), values.data(), kLetterBatch / kPartWindows, 0,
                 threads, loss)
      .loss;
}

WarmUpFit::State WarmUpFit::begin(int threads) const {
  const model::Layout& layout = made_->model.layout();
  State state;
  state.values = layout.start<float>(seed_);
  state.optimizer = {layout, {.beta2 = 0.98, .decay = 0.01}};
  const model::ObjectPool<model::Parts>::Use parts(made_->parts);
  state.loss = loss_of(state.values, 0, threads, *parts);
  return state;
}

void WarmUpFit::step(State& state, int threads) const {
  const model::Schedule schedule{.rate = rate_, .warmup = warmup_};
  const Index step = state.optimizer.steps() + 1;
  const model::ObjectPool<model::Parts>::Use parts(made_->parts);
  state.loss = loss_of(state.values, step, threads, *parts);
  state.optimizer.step(made_->model.layout(), state.values.data(), parts->gradient(),
                       schedule.at(step));
}

}  // namespace core::task
