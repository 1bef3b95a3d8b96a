// The computation of the lab of translation by a small Transformer.
#pragma once

#include "app/labs/shared/model/step_time.h"
#include "app/labs/shared/model/written.h"
#include "core/model/sublayer_names.h"

namespace lab::translation {

inline constexpr int kMostLayers = 4, kMostHeads = 8;
inline constexpr Index kLongest = 64;  // tokens of a sequence
inline constexpr std::string_view kModel = "transformer";

enum class Part { cross, encoder, decoder };
enum class Explained { weight, number, token };
// A tensor of the layer that is looked at; from `second_normed` on of the feed-forward network that
// follows.
enum class TensorId {
  query,
  key,
  value,
  input,
  normed,
  given,
  heads,
  output,
  sum,
  after,
  second_normed,
  up,
  active,
  down,
  second_sum,
  second_after,
  result
};

struct Parameters {
  PairKnobs task;
  SourceKnobs source;
  TrainingKnobs training;

  int encoder_layers = 1, decoder_layers = 1, heads = 2, d_head = 16, d_ff = 64;
  bool norm_first = false;
  core::model::Scheme positions = core::model::Scheme::sinusoidal;
  double dropout = 0;
  bool beside = false;  // a recurrent network for the same task
  int measurement = 0;  // 0: no step is timed; each other number times anew

  Writes writes = Writes::greedy;
  Part part = Part::cross;
  int layer = 1, head = 1;
  int step = 0;  // of writing
  int token = -1, dim = 0;
  TensorId vector = TensorId::query;
  Explained explained = Explained::weight;

  bool trains_here() const { return weights_of(training, kModel, task) == Weights::here; }
  // A file does not say in which batches its model was trained.
  bool measures() const { return measurement > 0 && training.file.empty(); }
  core::task::TranslatorForm form() const;
};
// What these tensors are called, in that order.
const std::vector<param::Option>& vector_options();
void describe(Parameters& p, param::List& list);
// What tells one model, one tensor, and one text with what is written of it, from another.
std::string opened_model(param::List& list);
std::string opened_tensor(param::List& list);
std::string opened_text(param::List& list);

// A recurrent network of the same task.
struct Beside {
  Learned learned;
  double rate = 0;  // that it was trained at
  std::optional<LengthScores> lengths = {};
  std::optional<StepTime> time = {};
};

// Which attention of the model.
struct Place {
  Part part = Part::cross;
  Index layer = 0, head = 0;
  bool operator==(const Place&) const = default;
  // "decoder.0.cross."
  std::string prefix() const;
};

struct Model {
  Learned learned;
  std::shared_ptr<const Reading> reading;
  core::task::Score score;
  std::optional<LengthScores> lengths;  // not while it trains
  std::optional<Beside> beside;
  std::optional<StepTime> time;  // where it was asked for
  // Until the page has said what there is, the nearest of it.
  Place place;
  Matrix weights;  // of that place, (n, m); what is masked is core::kMasked
  Index row = 0;   // of the weights: the step, or the source token in the encoder
  std::optional<Index> key;
  Index step = 0;

  const core::model::EncoderDecoderForm& form() const { return learned.form.transformer; }
  Index heads() const { return form().layer.heads; }
  Index width() const { return form().layer.d_model / heads(); }
  Index layers(Part part) const {
    return part == Part::encoder ? form().encoder_layers : form().decoder_layers;
  }
  // Names in the trace, of the picked attention and of another part of its layer.
  core::model::SublayerNames names(core::model::Sublayer part) const {
    return {form(), place.part != Part::encoder, place.layer, part};
  }
  core::model::SublayerNames names() const {
    using core::model::Sublayer;
    return names(place.part == Part::cross ? Sublayer::cross : Sublayer::self);
  }
  Matrix weights_of(const Place& at) const;
  const core::model::Traced<float>& traced(const Place& at, std::string_view name) const {
    return reading->traced(at.prefix() + std::string(name));
  }
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::translation
