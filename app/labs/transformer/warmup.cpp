#include "app/labs/transformer/warmup.h"

#include "app/labs/transformer/page.h"
#include "core/attention/softmax.h"

namespace lab::transformer {
namespace {

constexpr std::size_t kTextLetters = 20000;
constexpr Index kPartWindows = 2;  // of a batch, worked on together

std::uint64_t stream_of(int seed, Index step) {
  return core::stream_seed(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(step));
}

Line loss_line(const std::vector<std::vector<double>>& scalars, Color color, std::string label) {
  return {.x = places(std::ssize(scalars)),
          .y = each(scalars, [](const auto& of_step) { return of_step.front(); }),
          .color = color,
          .width = 2,
          .label = std::move(label)};
}

}  // namespace

WarmUp::Made::Made(const Variant& variant, int seed)
    : model(varied(small_form(), variant), kWarmLayers),
      text(letter_text(kTextLetters, static_cast<std::uint64_t>(seed))) {}

WarmUp::WarmUp(const Variant& variant, double rate, int warmup, int seed)
    : variant_(variant),
      rate_(rate),
      warmup_(warmup),
      seed_(seed),
      made_(std::make_shared<Made>(variant, seed)) {}

double WarmUp::loss_of(const std::vector<float>& values, Index step, const Run& run,
                       core::model::Parts& parts) const {
  const Windows windows = draw_windows(made_->text, stream_of(seed_, step));
  const auto loss = [&](core::model::Tape<float>& tape, Index part, Index&) {
    const auto from = part * kPartWindows * kWindow;
    return made_->model.loss(tape, windows.ids.data() + from, windows.next.data() + from,
                             kPartWindows, to_double(kBatch * kWindow));
  };
  return parts
      .gradients(made_->model.layout().size(), values.data(), kBatch / kPartWindows, 0, run.threads,
                 loss)
      .loss;
}

WarmUp::State WarmUp::begin(const Run& run) const {
  const auto& layout = made_->model.layout();
  State state;
  state.values = layout.start<float>(static_cast<std::uint64_t>(seed_));
  state.optimizer = {layout, {.beta2 = 0.98, .decay = 0.01}};
  const core::model::ObjectPool<core::model::Parts>::Use parts(made_->parts);
  state.loss = loss_of(state.values, 0, run, *parts);
  return state;
}

void WarmUp::step(State& state, const Run& run) const {
  const core::model::Schedule schedule{.rate = rate_, .warmup = warmup_};
  const Index step = state.optimizer.steps() + 1;
  const core::model::ObjectPool<core::model::Parts>::Use parts(made_->parts);
  state.loss = loss_of(state.values, step, run, *parts);
  state.optimizer.step(made_->model.layout(), state.values.data(), parts->gradient(),
                       schedule.at(step));
}

core::Message WarmUp::fault(const State& state) const {
  if (std::isfinite(state.loss)) return {};
  return core::Message(N_("the loss is not finite any more"));
}

double letter_entropy(int seed) {
  const std::string text = letter_text(kTextLetters, static_cast<std::uint64_t>(seed));
  VectorD shares = VectorD::Zero(256);
  for (const char letter : text) ++shares(static_cast<unsigned char>(letter));
  return core::entropy<double>(shares / to_double(text.size()));
}

Figure warmup_figure(const Scene& scene) {
  const auto& w = scene.w;
  const WarmUps& runs = *scene.warmups;
  Figure figure = new_figure("warmup", w("Learning with and without warm-up"), {.height = 300});
  figure.note = w.format("{} layers, rate {}", kWarmLayers, scene.p.rate);
  figure.caption = w.format(
      "The loss of a decoder of {} layers that learns to write letters, step by step: its rate at "
      "once, or rising to it over {} steps. Dashed: what it costs to know how often each letter "
      "comes and nothing else; attention has learned nothing while the loss stays there.",
      kWarmLayers, scene.p.warmup);
  figure.plays = "steps";
  Plot plot{.id = "warmup",
            .x = value_axis(w("step"), 0, std::max(1, scene.p.steps)),
            .y = {w("loss (nats)"), 0, 4.5}};
  plot.add(Rule{.vertical = false,
                .at = letter_entropy(scene.p.seed),
                .label = w("letters by how often they come")});
  plot.add(loss_line(runs.without.scalars, Role::bad, w("without warm-up")));
  plot.add(loss_line(runs.with.scalars, Role::good, w("with warm-up")));
  return lab::with(std::move(figure), std::move(plot));
}

}  // namespace lab::transformer
