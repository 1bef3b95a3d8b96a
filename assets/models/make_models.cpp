// Trains every model that travels with the program anew, as the labs' own defaults say, and writes
// it where assets/CMakeLists.txt finds it: ./dev models.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/labs/alignment/model.h"
#include "app/labs/documents/model.h"
#include "app/labs/shared/story_model.h"
#include "app/labs/translation/model.h"
#include "core/task/document_file.h"

namespace {

using core::task::Kind, core::task::Language, core::task::Milestone, core::task::PairFit;

constexpr core::Index kMilestones = 80;  // of a history that are kept

lab::PairKnobs task_of(Kind kind, Language language = Language::english) {
  lab::PairKnobs knobs;
  knobs.task = kind;
  knobs.language = language;
  return knobs;
}

void make(const std::filesystem::path& folder, std::string_view model, const lab::PairKnobs& knobs,
          const core::task::TranslatorForm& form, const lab::TrainingKnobs& training) {
  const core::task::PairTask task{.kind = knobs.task,
                                  .language = knobs.language,
                                  .letters = knobs.letters,
                                  .shortest = knobs.shortest,
                                  .longest = knobs.longest};
  const PairFit fit(task, form, lab::fit_options(training));
  PairFit::State state = fit.begin(0);
  core::task::TranslatorFacts facts{
      task, form, fit.model()->vocabulary.symbols(), {PairFit::milestone(state)}};
  const core::Index every = std::max<core::Index>(1, training.steps / kMilestones);
  for (int step = 1; step <= training.steps; ++step) {
    fit.step(state, 0);
    if (step % every == 0 || step == training.steps) {
      facts.history.push_back(PairFit::milestone(state));
    }
  }
  const std::string bytes = core::task::translator_bytes(
      facts, fit.model()->translator, state.values.data(), core::NumberType::float16);
  const std::filesystem::path path =
      folder / std::filesystem::path(lab::asset_name(model, knobs)).filename();
  std::ofstream(path, std::ios::binary) << bytes;
  fmt::print("{}: {} bytes, {:.4f} of held-out texts right after {} steps\n", path.string(),
             bytes.size(), state.held.accuracy(), training.steps);
}

void make_documents(const std::filesystem::path& folder, const core::task::DocumentTask& task,
                    int seed, bool mean) {
  using core::task::DocumentFit;
  lab::documents::Parameters p;
  p.training.seed = seed;
  p.mean = mean;
  const DocumentFit fit(task, p.form(), lab::fit_options(p.training));
  DocumentFit::State state = fit.begin(0);
  std::vector<Milestone> history{DocumentFit::milestone(state)};
  const core::Index every = core::task::FitOptions().looks_every;
  for (int step = 1; step <= p.training.steps; ++step) {
    fit.step(state, 0);
    if (step % every == 0 || step == p.training.steps) {
      history.push_back(DocumentFit::milestone(state));
    }
  }
  const std::string bytes = core::task::document_bytes(*fit.model(), state.values.data(), history,
                                                       core::NumberType::float16);
  const std::filesystem::path path =
      folder / std::filesystem::path(lab::documents::asset_name(task, mean)).filename();
  std::ofstream(path, std::ios::binary) << bytes;
  fmt::print("{}: {} bytes, {:.4f} of held-out documents right after {} steps\n", path.string(),
             bytes.size(), state.held.accuracy(), p.training.steps);
}

void make_story(const std::filesystem::path& folder, const core::task::SequenceRecipe& of,
                const std::string& asset) {
  using core::task::SequenceFit;
  const SequenceFit fit(of.task, of.form, of.options);
  SequenceFit::State state = fit.begin(0);
  std::vector<Milestone> history{SequenceFit::milestone(state)};
  const core::Index every = std::max(core::task::FitOptions().looks_every, of.steps / kMilestones);
  for (core::Index step = 1; step <= of.steps; ++step) {
    fit.step(state, 0);
    if (step % every == 0 || step == of.steps) history.push_back(SequenceFit::milestone(state));
  }
  const std::string bytes = core::task::sequence_bytes(*fit.model(), state.values.data(), history,
                                                       core::NumberType::float16);
  const std::filesystem::path path = folder / std::filesystem::path(asset).filename();
  std::ofstream(path, std::ios::binary) << bytes;
  fmt::print("{}: {} bytes, {:.4f} of what is held out right, loss {:.4f}, after {} steps\n",
             path.string(), bytes.size(), state.held.accuracy(), state.held.loss, of.steps);
}

void make_stories(const std::filesystem::path& folder) {
  using core::model::Scheme, core::task::Recipe;
  for (const Recipe which : core::task::kRecipes) {
    make_story(folder, core::task::recipe(which), lab::story_asset(which));
  }
  // What becomes of lengths beyond training, by scheme.
  for (const Scheme scheme : lab::kComparedSchemes) {
    for (const Recipe which : {Recipe::copy_any_length, Recipe::reverse_any_length}) {
      if (core::task::recipe(which).form.positions.scheme == scheme) continue;
      make_story(folder, core::task::recipe(which, scheme), lab::story_asset(which, scheme));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_models FOLDER\n", stderr);
    return 2;
  }
  const lab::translation::Parameters translation;
  const lab::alignment::Parameters alignment;
  for (const lab::PairKnobs& task :
       {task_of(Kind::dates), task_of(Kind::dates, Language::chinese), task_of(Kind::numbers),
        task_of(Kind::numbers, Language::chinese), task_of(Kind::reversal)}) {
    make(argv[1], lab::translation::kModel, task, translation.form(), translation.training);
    make(argv[1], lab::alignment::kModel, task, alignment.form(true), alignment.training);
    // What attention is held against.
    make(argv[1], lab::alignment::kFixed, task, alignment.form(false), alignment.training);
  }
  make_stories(argv[1]);
  using core::task::DocumentKind;
  // Seeds under which the largest weights lie on what tells (see core/task/document_focus.h).
  const std::pair<core::task::DocumentTask, int> documents[] = {
      {{DocumentKind::opinions, Language::english}, 59},
      {{DocumentKind::opinions, Language::chinese}, 50},
      {{DocumentKind::topics, Language::english}, 9},
      {{DocumentKind::topics, Language::chinese}, 5}};
  for (const auto& [task, seed] : documents) {
    make_documents(argv[1], task, seed, false);
    make_documents(argv[1], task, lab::documents::kMeanSeed, true);
  }
}
