// Training on pairs as labs offer it: the knobs, the run, what it has come to, and its curves.
#pragma once

#include "app/labs/shared/model/learned.h"
#include "app/labs/shared/model/pair_task.h"
#include "app/labs/shared/parts.h"
#include "core/task/pair/translator_file.h"

namespace lab {

// The recurrent encoder-decoder with Bahdanau's attention that ships, and the rate it is trained
// at.
inline constexpr std::string_view kRecurrent = "recurrent";
inline constexpr double kRecurrentRate = 0.01;
core::task::TranslatorForm recurrent_form(int hidden = 48, int embedding = 16, int width = 32);

// "models/transformer-dates-english.safetensors"
std::string asset_name(std::string_view model, const PairKnobs& task);
// Whether the program has a model of this kind for the task: "transformer/dates-english".
bool is_shipped(std::string_view model, const PairKnobs& task);
Weights weights_of(const TrainingKnobs& knobs, std::string_view model, const PairKnobs& task);
// What tells one task, with a model from the knob `file`, from another (found_in.h), and one text
// as it is written from another; both without the model's own knobs.
std::string opened_pairs(param::List& list, std::string_view file);
std::string written_pair(param::List& list);

// A model with numbers that were learned. Models beside each other have names of their own.
struct Learned : LearnedBy<core::task::PairFit> {
  core::task::TranslatorForm form = {};

  const core::task::PairTask& task() const { return model->task; }
  Index parameters() const;
};

// Trained by the run called `name`, or read; its stages are called so, too. A file's task and form
// may be others than the knobs say: then they are what counts. Throws core::InputError for a file
// that is none.
Learned learned(const std::string& name, std::string_view model, const PairKnobs& task,
                const core::task::TranslatorForm& form, const TrainingKnobs& knobs,
                const Context& context);

// As a file that `learned` reads again; for Page::model.
std::string model_bytes(const Learned& learned);

// How it was learned: loss, accuracy on held-out pairs and the gradient's norm against steps; a
// click goes to a step. `beside`: another model of the same task, under that name.
Figure training_figure(const Learned& learned, const Words& w, const Learned* beside = nullptr,
                       const std::string& beside_name = "");

// The score on `count` pairs that are held out, the stage "score".
core::task::Score held_out_score(const Learned& learned, Index count, const Context& context);

// The readouts that every such lab has: accuracy, loss, parameters.
void add_training_readouts(const Learned& learned, const core::task::Score& score, const Words& w,
                           std::vector<Readout>& list);
// Notes: that training stopped, that nothing can be held out.
void add_training_notes(const Learned& learned, const Words& w, std::vector<std::string>& notes);

}  // namespace lab
