#include "app/labs/shared/model/pair_training.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/model/opened_model.h"
#include "app/labs/shared/model/training_curves.h"
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

struct ReadTranslator {
  core::task::OpenedTranslator operator()(const core::Safetensors& file, const std::string& name,
                                          const core::Cancel& cancel) const {
    return core::task::read_translator(file, name, cancel);
  }
};

Learned read_learned(const std::string& name, const OpenedModel& from, const Context& context) {
  const auto [course, opened] = trained_before<PairFit>(name, from, context, ReadTranslator());
  return {course, opened->form};
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

bool is_shipped(std::string_view model, const PairKnobs& task) {
  return assets::exists(asset_name(model, task));
}

Weights weights_of(const TrainingKnobs& knobs, std::string_view model, const PairKnobs& task) {
  return weights_of(knobs, is_shipped(model, task));
}

std::string opened_pairs(param::List& list, std::string_view file) {
  return values_of(list, {"task", "language", "letters", "shortest", "longest", "pairs",
                          "pairs_file", "unit", "weights", file});
}

std::string written_pair(param::List& list) {
  return values_of(list, {"example", "source", "next_token", "rate", "warmup", "cosine", "batch",
                          "smoothing", "seed", "steps", "step"});
}

Index Learned::parameters() const { return model->translator.layout().learned(); }

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
  return {trained_here<PairFit>(name, knobs, context, *asked, form), form};
}

std::string model_bytes(const Learned& learned) {
  const core::task::PairModel& model = *learned.model;
  const core::task::TranslatorFacts facts{model.task, learned.form, model.vocabulary.symbols(),
                                          learned.kept()};
  return core::task::translator_bytes(facts, model.translator, learned.numbers(),
                                      core::NumberType::float32);
}

Figure training_figure(const Learned& learned, const Words& w, const Learned* beside,
                       const std::string& beside_name) {
  const bool alike = beside && learned.form.kind == beside->form.kind;
  const std::string name = !beside ? "" : alike ? w("attention") : "Transformer";
  return training_curves(
      {.course = learned,
       .loss = w("loss (nats per token)"),
       .accuracy = w("accuracy of texts (held out)"),
       .caption =
           w.format("Training (steps: {}): the loss on the pairs of each step and on held-out "
                    "pairs; the share of held-out texts written without a mistake, every ten "
                    "steps; and the norm of the gradient before it is clipped to 1.",
                    learned.steps),
       .name = alike ? w("attention") : "",
       .beside = beside,
       .beside_name = beside_name},
      w);
}

core::task::Score held_out_score(const Learned& learned, Index count, const Context& context) {
  using core::task::PairModel, core::task::Score;
  using KeptNumbers = std::shared_ptr<const std::vector<float>>;
  const auto make = [](const std::shared_ptr<const PairModel>& model, const KeptNumbers& values,
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
         w.format("The share written without a mistake, among {} never trained on", score.pairs)});
    list.push_back({"held_loss", w("Held-out loss"), score.loss, fixed(score.loss, 4),
                    w("Cross-entropy per token, in nats")});
  }
  list.push_back({"parameters", w("Parameters"), learned.parameters(),
                  grouped(learned.parameters()), w("Learned numbers")});
}

void add_training_notes(const Learned& learned, const Words& w, std::vector<std::string>& notes) {
  add_stopped_note(learned, w, notes);
  const bool listed = learned.task().kind == Kind::own && learned.task().own;
  if (listed && !core::task::can_hold_out(learned.task())) {
    notes.push_back(
        w("With fewer than 20 pairs none is held out: the accuracy is measured on the training "
          "pairs."));
  }
}

}  // namespace lab
