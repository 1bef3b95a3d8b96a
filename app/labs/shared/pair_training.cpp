#include "app/labs/shared/pair_training.h"

#include "app/labs/shared/opened_model.h"
#include "app/labs/shared/training_curves.h"
#include "assets/assets.h"

namespace lab {
namespace {

using core::task::Kind, core::task::Language, core::task::Milestone, core::task::PairFit;

}  // namespace

std::string asset_name(std::string_view model, const PairKnobs& task) {
  std::string name = fmt::format("models/{}-", model);
  if (task.task == Kind::dates) name += "dates";
  if (task.task == Kind::numbers) name += "numbers";
  if (task.task == Kind::reversal) name += "reversal";
  if (task.speaks()) name += task.language == Language::english ? "-english" : "-chinese";
  return name + ".safetensors";
}

namespace {

// A training as the house's runs know it.
struct PairRun {
  PairFit fit;
  using State = PairFit::State;

  bool operator==(const PairRun& other) const { return fit == other.fit; }
  State begin(const Run& run) const { return fit.begin(run.threads); }
  void step(State& state, const Run& run) const { fit.step(state, run.threads); }
  std::vector<double> scalars(const State& state) const {
    const Milestone m = PairFit::milestone(state);
    return {m.loss, m.gradient_norm, m.rate, m.held_loss, m.held_accuracy};
  }
  std::size_t bytes(const State& state) const { return PairFit::bytes(state); }
  core::Message fault(const State& state) const {
    const bool finite = std::isfinite(state.loss) && std::isfinite(state.gradient_norm);
    return finite ? core::Message()
                  : core::Message(N_("the loss is not finite; a smaller learning rate helps"));
  }
};

core::task::OpenedTranslator open(const OpenedModel& from, const Run& run) {
  return core::task::read_translator(from.tensors(run.cancel), from.name(), run.cancel);
}

Learned read_learned(const std::string& name, const OpenedModel& from, const Context& context) {
  const auto opened = context.stage(name + " opened", open, from);
  Learned out{.name = name,
              .model = opened->model,
              .form = opened->form,
              .values = {opened, &opened->values},
              .history = opened->history,
              .weights = from.asset.empty() ? Weights::file : Weights::shipped};
  if (!out.history.empty()) out.step = out.steps = out.history.back().step;
  return out;
}

}  // namespace

core::task::TranslatorForm recurrent_form(int hidden, int embedding, int width) {
  core::task::TranslatorForm form;
  form.kind = core::task::TranslatorForm::Kind::recurrent;
  form.recurrent.embedding = embedding;
  // Both directions together are as wide as the decoder, so that their product can be taken.
  form.recurrent.encoder_hidden = hidden / 2;
  form.recurrent.decoder.hidden = hidden;
  form.recurrent.decoder.attention.width = width;
  return form;
}

core::task::FitOptions fit_options(const TrainingKnobs& knobs) {
  core::task::FitOptions options;
  options.schedule.rate = knobs.rate;
  options.schedule.warmup = knobs.warmup;
  if (knobs.cosine) {
    options.schedule.kind = core::model::Schedule::Kind::cosine;
    options.schedule.steps = knobs.steps;
    options.schedule.last = 0.05;
  }
  options.batch = knobs.batch;
  options.smoothing = knobs.smoothing;
  options.seed = static_cast<std::uint64_t>(knobs.seed);
  return options;
}

namespace {

// Made once for a task, a model and a way to train it: it draws what is held out.
struct FitKey {
  core::task::PairTask task;
  core::task::TranslatorForm form;
  core::task::FitOptions options;
  bool operator==(const FitKey&) const = default;
};

}  // namespace

bool is_shipped(std::string_view model, const PairKnobs& task) {
  return assets::exists(asset_name(model, task));
}

Weights weights_of(const TrainingKnobs& knobs, std::string_view model, const PairKnobs& task) {
  if (!knobs.file.empty()) return Weights::file;
  return knobs.weights == Weights::shipped && is_shipped(model, task) ? Weights::shipped
                                                                      : Weights::here;
}

void describe_weights(TrainingKnobs& knobs, std::string_view file, std::string_view model,
                      const PairKnobs& task, param::List& list) {
  list.choice(knobs.weights, "weights", N_("Weights"),
              N_("Trained before you came, or trained here from nothing while you watch"),
              {{"shipped", N_("trained before")}, {"here", N_("train here")}},
              {.active = is_shipped(model, task) && knobs.file.empty()});
  list.file(
      knobs.file, file, N_("Model from a file"),
      N_("A model that was saved here, its task and vocabulary with it; empty: none. Drop the "
         "file on the window"),
      ".safetensors");
}

void describe_training(TrainingKnobs& knobs, bool trains_here, param::List& list) {
  const param::Info when{.active = trains_here};
  list.group(N_("Training"));
  list.real(
      knobs.rate, "rate", N_("Learning rate"),
      N_("How far a step goes at most; AdamW divides it among the parameters"),
      {.min = 1e-5, .max = 1, .scale = param::Scale::log, .slides_to = 0.1, .active = trains_here});
  list.integer(knobs.warmup, "warmup", N_("Warm-up steps"),
               N_("Over so many steps the rate rises from 0"),
               {.min = 0, .max = 1000, .active = trains_here});
  list.flag(knobs.cosine, "cosine", N_("Rate falls"),
            N_("After the warm-up the rate falls along half a cosine, to a twentieth at the last "
               "step; otherwise it stays"),
            when);
  list.integer(knobs.batch, "batch", N_("Batch"), N_("Pairs that a step learns from"),
               {.min = 1, .max = 256, .scale = param::Scale::log, .active = trains_here});
  list.real(knobs.smoothing, "smoothing", N_("Label smoothing"),
            N_("The share of the target that is spread evenly over the vocabulary"),
            {.min = 0, .max = 0.5, .step = 0.01, .active = trains_here});
  list.integer(knobs.seed, "seed", N_("Seed"),
               N_("Chooses the numbers that training begins with, and its pairs"),
               {.min = 0, .max = 9999, .active = trains_here});
  list.integer(knobs.steps, "steps", N_("Steps"),
               N_("How long it trains; the rate falls over as many"),
               {.min = 1, .max = kMostSteps, .scale = param::Scale::log, .active = trains_here});
  list.integer(
      knobs.step, "step", N_("Step"), N_("Which step of the training is shown"),
      {.min = 0, .max = static_cast<double>(knobs.steps), .active = trains_here, .plays = 60});
}

const Milestone* Learned::milestone() const {
  const Milestone* last = nullptr;
  for (const Milestone& m : history) {
    if (m.step <= step) last = &m;
  }
  return last;
}

Index Learned::parameters() const {
  Index count = 0;
  for (const auto& p : model->translator.layout().parameters()) count += p.slot.size();
  return count;
}

Learned learned(const std::string& name, std::string_view model, const PairKnobs& task,
                const core::task::TranslatorForm& form, const TrainingKnobs& knobs,
                const Context& context) {
  const Weights weights = weights_of(knobs, model, task);
  if (weights == Weights::shipped) {
    return read_learned(name, OpenedModel::from_asset(asset_name(model, task)), context);
  }
  if (weights == Weights::file) {
    return read_learned(name, OpenedModel::from_file(knobs.file), context);
  }
  const auto asked = pair_task(task, context);
  const auto fit = context.stage(
      name + " fit",
      [](const FitKey& key, const Run&) { return PairFit(key.task, key.form, key.options); },
      FitKey{*asked, form, fit_options(knobs)});
  const auto run = context.trained(name, PairRun{*fit}, knobs.steps, knobs.step);
  Learned out{.name = name,
              .model = fit->model(),
              .form = form,
              .step = run.step,
              .steps = knobs.steps,
              .going = run.going,
              .fault = run.fault,
              .fit = fit};
  // Before the run has its beginning: that is quickly made.
  const auto state =
      run.state ? run.state : std::make_shared<const PairFit::State>(fit->begin(context.threads));
  out.values = {state, &state->values};
  out.state = state;
  for (const std::vector<double>& s : run.scalars) {
    const auto step = static_cast<Index>(out.history.size());
    out.history.push_back({step, s[0], s[1], s[2], s[3], s[4]});
  }
  return out;
}

std::string model_bytes(const Learned& learned) {
  const core::task::PairModel& model = *learned.model;
  core::task::TranslatorFacts facts{model.task, learned.form, model.vocabulary.symbols(), {}};
  // Up to the shown step; of long trainings those at which held-out pairs were looked at.
  const Index every = core::task::FitOptions().looks_every;
  for (const Milestone& m : learned.history) {
    const bool last = m.step == learned.step;
    if (m.step <= learned.step && (m.step % every == 0 || last)) facts.history.push_back(m);
  }
  return core::task::translator_bytes(facts, model.translator, learned.numbers(),
                                      core::NumberType::float32);
}

Figure training_figure(const Learned& learned, const Words& w, const Learned* beside,
                       const std::string& beside_name) {
  const bool alike = beside && learned.form.kind == beside->form.kind;
  const std::string name = !beside ? "" : alike ? w("attention") : "Transformer";
  return training_curves(
      {.history = learned.history,
       .step = learned.step,
       .steps = learned.steps,
       .here = learned.weights == Weights::here,
       .loss = w("loss (nats a token)"),
       .accuracy = w("texts right, held out"),
       .caption = w.format(
           "Over {} steps: the loss on the pairs of each step and on pairs that are held out; the "
           "share of held-out texts that are written without a mistake, looked at every ten steps; "
           "and the length of the gradient before it is clipped to 1.",
           learned.steps),
       .name = alike ? w("attention") : "",
       .beside = beside ? &beside->history : nullptr,
       .beside_steps = beside ? beside->steps : 0,
       .beside_name = beside_name},
      w);
}

core::task::Score held_out_score(const Learned& learned, Index count, const Context& context) {
  using core::task::PairModel, core::task::Score;
  using Numbers = std::shared_ptr<const std::vector<float>>;
  const auto make = [](const std::shared_ptr<const PairModel>& model, const Numbers& values,
                       Index pairs, const Run& run) {
    constexpr std::uint64_t kSeed = 77;
    if (model->task.kind == Kind::own && !model->task.own) return Score();
    std::vector<core::task::Encoded> held;
    for (const auto& pair : core::task::draw_pairs(model->task, kSeed, pairs, true)) {
      held.push_back(model->encoded(pair));
    }
    return core::task::score(*model, values->data(), held, run.threads);
  };
  return *context.stage(learned.name + " score", make, learned.model, learned.values, count);
}

void add_training_readouts(const Learned& learned, const core::task::Score& score, const Words& w,
                           std::vector<Readout>& list) {
  if (score.pairs > 0) {
    list.push_back(
        {"accuracy", w("Held-out texts right"), score.accuracy(), percent(score.accuracy(), 1),
         w.format("Written without any mistake, of {} that were never trained on", score.pairs)});
    list.push_back({"held_loss", w("Held-out loss"), score.loss, fixed(score.loss, 4),
                    w("Cross-entropy a token, in nats")});
  }
  list.push_back({"parameters", w("Parameters"), to_double(learned.parameters()),
                  grouped(learned.parameters()), w("Numbers that are learned")});
}

void add_training_notes(const Learned& learned, const Words& w, std::vector<std::string>& notes) {
  if (!learned.fault.empty()) {
    notes.push_back(
        w.format("Training stopped after step {}: {}.", learned.step, learned.fault.in(w)));
  }
  const bool listed = learned.task().kind == Kind::own && learned.task().own;
  if (listed && !core::task::can_hold_out(learned.task())) {
    notes.push_back(
        w("With fewer than 20 pairs none is held out: the accuracy is that on what was learned."));
  }
}

}  // namespace lab
