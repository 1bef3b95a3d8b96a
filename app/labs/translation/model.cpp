#include "app/labs/translation/model.h"

namespace lab::translation {

core::task::TranslatorForm Parameters::form() const {
  core::task::TranslatorForm form;
  core::model::EncoderDecoderForm& t = form.transformer;
  t.layer.d_model = to_index(heads) * d_head;
  t.layer.heads = t.layer.key_heads = heads;
  t.layer.feed_forward.width = d_ff;
  t.layer.norm_first = norm_first;
  t.layer.dropout = dropout;
  t.encoder_layers = encoder_layers;
  t.decoder_layers = decoder_layers;
  t.positions.scheme = positions;
  t.positions.longest = kLongest;
  t.tied = t.scaled = false;
  return form;
}

std::string Place::prefix() const {
  const char* side = part == Part::encoder ? "encoder" : "decoder";
  return fmt::format("{}.{}.{}.", side, layer, part == Part::cross ? "cross" : "self");
}

Matrix Model::weights_of(const Place& at) const {
  Matrix cells = head_matrix(traced(at, "weights"), at.head);
  for (Index i = 0; at.part == Part::decoder && i < cells.rows(); ++i) {
    cells.row(i).tail(cells.cols() - i - 1).setConstant(core::kMasked);
  }
  return cells;
}

namespace {

Beside see_beside(const Parameters& p, const Context& context) {
  // What is trained here learns at the same rate; one that ships was trained at its own.
  TrainingKnobs training = p.training;
  const bool here = weights_of(training, kRecurrent, p.task) == Weights::here;
  if (!here) training.rate = kRecurrentRate;
  Beside beside{
      learned("translation, recurrent", kRecurrent, p.task, recurrent_form(), training, context),
      training.rate};
  if (!beside.learned.going) beside.lengths = length_scores(beside.learned, context);
  return beside;
}

// Not while something is trained, which would take its share of the time.
void measure(const Parameters& p, Model& model, const Context& context) {
  if (model.learned.going || (model.beside && model.beside->learned.going)) return;
  const auto timed = [&](const Learned& learned) {
    // One that ships was trained by the defaults, whatever the hidden knobs say.
    const bool here = learned.weights == Weights::here;
    return step_time(learned, here ? p.training : Parameters().training, p.measurement, context);
  };
  model.time = timed(model.learned);
  if (model.beside) model.beside->time = timed(model.beside->learned);
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.learned = learned("translation", kModel, p.task, p.form(), p.training, context);
  if (model.learned.form.kind != core::task::TranslatorForm::Kind::transformer) {
    words::refuse<core::InputError>(
        N_("expected a Transformer, got a recurrent model: the alignment lab opens it"));
  }
  model.reading =
      reading_of(model.learned, p.source, p.writes, model.form().positions.longest, context);
  if (!model.learned.going) {
    model.lengths = length_scores(model.learned, context);
    model.score = held_out_score(model.learned, 256, context);
  }
  if (p.beside && p.training.file.empty()) model.beside = see_beside(p, context);
  if (p.measures()) measure(p, model, context);
  const Index layers = std::max<Index>(model.layers(p.part), 1);
  model.place = {p.part, std::min<Index>(p.layer, layers) - 1,
                 std::min<Index>(p.head, model.heads()) - 1};
  model.weights = model.weights_of(model.place);
  model.step = std::min<Index>(p.step, model.reading->steps() - 1);
  const Index rows = model.weights.rows(), cols = model.weights.cols();
  model.row = std::min<Index>(p.step, rows - 1);
  if (p.token >= 0) model.key = std::min<Index>(p.token, cols - 1);
  return model;
}

}  // namespace lab::translation
