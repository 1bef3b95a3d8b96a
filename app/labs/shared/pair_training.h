// Training on pairs as labs offer it: the knobs, the run, what it has come to, and its curves.
#pragma once

#include "app/labs/shared/pair_task.h"
#include "app/labs/shared/parts.h"
#include "core/task/translator_file.h"

namespace lab {

// Where the numbers of the model come from.
enum class Weights {
  shipped,  // trained before, and part of the program
  here,     // trained here, from nothing
  file      // of a file that was written here: chosen by naming one
};

struct TrainingKnobs {
  Weights weights = Weights::shipped;
  std::string file = {};
  double rate = 0.005;
  int warmup = 50;
  bool cosine = true;
  int batch = 64;
  double smoothing = 0;
  int seed = 0;
  int steps = 800, step = 800;
};

inline constexpr int kMostSteps = 3000;

core::task::FitOptions fit_options(const TrainingKnobs& knobs);

// "models/transformer-dates-english.safetensors"
std::string asset_name(std::string_view model, const PairKnobs& task);
// Whether the program has a model of this kind for the task: "transformer/dates-english".
bool is_shipped(std::string_view model, const PairKnobs& task);
// The choice, and the file, whose id is `file`; the model's own knobs follow where it trains here.
void describe_weights(TrainingKnobs& knobs, std::string_view file, std::string_view model,
                      const PairKnobs& task, param::List& list);
Weights weights_of(const TrainingKnobs& knobs, std::string_view model, const PairKnobs& task);
void describe_training(TrainingKnobs& knobs, bool trains_here, param::List& list);

// A model with numbers that were learned. Models beside each other have names of their own.
struct Learned {
  std::string name;  // of its run and its stages
  std::shared_ptr<const core::task::PairModel> model = nullptr;
  core::task::TranslatorForm form = {};
  std::shared_ptr<const std::vector<float>> values = nullptr;
  std::vector<core::task::Milestone> history = {};
  Index step = 0, steps = 0;  // the one that is shown; of all
  bool going = false;         // there will be more of it
  core::Message fault = {};   // why training stopped
  // Of a training here: how it is trained, and all that a step changes.
  std::shared_ptr<const core::task::PairFit> fit = nullptr;
  std::shared_ptr<const core::task::PairFit::State> state = nullptr;
  Weights weights = Weights::here;

  const float* numbers() const { return values->data(); }
  const core::task::PairTask& task() const { return model->task; }
  // The last of the history that is not after the shown step; null: none.
  const core::task::Milestone* milestone() const;
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
