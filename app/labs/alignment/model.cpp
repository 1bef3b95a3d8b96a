#include "app/labs/alignment/model.h"

namespace lab::alignment {
namespace {

// The knobs of a file's model count, not those of the page: it may be of another kind.
void require_recurrent(const Learned& learned) {
  if (learned.form.kind == core::task::TranslatorForm::Kind::recurrent) return;
  words::refuse<core::InputError>(
      N_("expected a recurrent model, got a Transformer: the translation lab opens it"));
}

Seen see(const Parameters& p, const std::string& name, bool attends, const Context& context) {
  TrainingKnobs training = p.training;
  if (name != "alignment") training.file.clear();
  const std::string_view model = attends ? kModel : kFixed;
  Seen seen{.learned = learned(name, model, p.task, p.form(attends), training, context),
            .reading = nullptr};
  require_recurrent(seen.learned);
  context.cancel.poll();
  seen.reading = reading_of(seen.learned, p.source, p.writes, kLongest, context);
  if (!seen.learned.going) {
    seen.lengths = length_scores(seen.learned, context);
    seen.score = held_out_score(seen.learned, 256, context);
  }
  return seen;
}

}  // namespace

core::task::TranslatorForm Parameters::form(bool with_attention) const {
  core::task::TranslatorForm form = recurrent_form(hidden, embedding, width);
  auto& r = form.recurrent;
  r.encoder.cell = r.decoder.cell = cell;
  r.decoder.attends = with_attention;
  if (!with_attention) return form;
  const bool adds = score == core::model::Score::additive;
  r.decoder.attention.score = score;
  if (!adds) r.decoder.attention.width = recurrent_form().recurrent.decoder.attention.width;
  if (looks == Looks::after) {
    r.decoder.query_after = true;
    r.decoder.joined = embedding;
    r.decoder.attention.bias = adds;
  }
  return form;
}

Model make_model(const Parameters& p, const Context& context) {
  Model model{.shown = see(p, "alignment", p.attends, context), .fixed = std::nullopt};
  const bool trained_here = model.shown.learned.weights == Weights::here;
  const bool beside = trained_here || is_shipped(kFixed, p.task);
  if (p.attends && p.fixed_beside && beside && p.training.file.empty()) {
    model.fixed = see(p, "alignment, fixed", false, context);
  }
  const Reading& reading = model.reading();
  if (const auto* weights = reading.looked.trace.find("decoder.attention.weights")) {
    model.weights =
        Eigen::Map<const Matrix>(weights->values.data(), weights->shape[1], weights->shape[2]);
    if (p.token >= 0) model.key = std::min<Index>(p.token, model.weights.cols() - 1);
  }
  model.row = std::min<Index>(p.row, reading.steps() - 1);
  if (trained_here) {
    using core::task::PairFit;
    const auto take_apart = [](const std::shared_ptr<const PairFit>& fit,
                               const std::shared_ptr<const PairFit::State>& state,
                               const Run&) { return core::task::slow_step(*fit, *state); };
    model.slow =
        context.stage("slow", take_apart, model.shown.learned.fit, model.shown.learned.state);
  }
  return model;
}

}  // namespace lab::alignment
