// The computation of the lab of alignment in a recurrent encoder-decoder.
#pragma once

#include "app/labs/shared/model/written.h"
#include "core/task/sequence/slow_step.h"

namespace lab::alignment {

inline constexpr Index kLongest = 64;  // tokens of a source
inline constexpr std::string_view kModel = kRecurrent, kFixed = "recurrent_fixed";

// When the decoder looks: with the state before a step, or with the one after it.
enum class Looks { before, after };
enum class Explained { weight, context, token, state };
// Whose states: of the decoder, or of the encoder in one of its directions.
enum class States { decoder, forward, backward };

struct Parameters {
  PairKnobs task;
  SourceKnobs source;
  TrainingKnobs training{.rate = kRecurrentRate, .steps = 400, .step = 400};

  core::model::Cell cell = core::model::Cell::gru;
  bool attends = true;
  core::model::Score score = core::model::Score::additive;
  Looks looks = Looks::before;
  int hidden = 48, embedding = 16, width = 32;
  bool fixed_beside = true;

  Writes writes = Writes::greedy;
  int row = 0, token = -1, dim = 0;
  States states = States::decoder;
  int unit = 0;
  Explained explained = Explained::weight;
  int stage = 0;

  std::string_view model() const { return attends ? kModel : kFixed; }
  bool trains_here() const { return weights_of(training, model(), task) == Weights::here; }
  core::task::TranslatorForm form(bool with_attention) const;
};
void describe(Parameters& p, param::List& list);
// What tells one model, and one text with what is written of it, from another.
std::string opened_model(param::List& list);
std::string opened_text(param::List& list);

// One model with what it makes of the text.
struct Seen {
  Learned learned;
  std::shared_ptr<const Reading> reading;
  core::task::Score score = {};
  std::optional<LengthScores> lengths = {};  // not while it trains
};

struct Model {
  Seen shown;
  std::optional<Seen> fixed;  // the same without attention
  Matrix weights = {};        // (steps, source tokens); of a fixed context none
  // Until the page has said what there is, the nearest of it.
  Index row = 0;
  std::optional<Index> key = {};
  std::shared_ptr<const core::task::SlowStep> slow = nullptr;  // of a training here

  const core::model::RecurrentTranslator::Form& form() const {
    return shown.learned.form.recurrent;
  }
  const Reading& reading() const { return *shown.reading; }
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::alignment
