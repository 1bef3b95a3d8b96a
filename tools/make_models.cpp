// Trains every model that travels with the program anew, as the labs' own defaults say, and writes
// it where assets/CMakeLists.txt finds it: ./dev models, or a part of them: ./dev models compared.
// Of models that are compared with one another all seeds are recorded, in lengths.csv.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/labs/alignment/model.h"
#include "app/labs/documents/model.h"
#include "app/labs/shared/model/story_model.h"
#include "app/labs/translation/model.h"
#include "core/precision/format.h"
#include "core/task/document/document_file.h"
#include "core/task/inside/interventions.h"
#include "core/task/sequence/length_score.h"

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

struct Trained {
  std::string bytes;
  core::task::SequenceLook held;
  core::task::LengthScore lengths;
  core::Index parameters = 0;
};

Trained train(const core::task::SequenceRecipe& of) {
  using core::task::SequenceFit;
  const SequenceFit fit(of.task, of.form, of.options);
  SequenceFit::State state = fit.begin(0);
  std::vector<Milestone> history{SequenceFit::milestone(state)};
  const core::Index every = std::max(core::task::FitOptions().looks_every, of.steps / kMilestones);
  for (core::Index step = 1; step <= of.steps; ++step) {
    fit.step(state, 0);
    if (step % every == 0 || step == of.steps) history.push_back(SequenceFit::milestone(state));
  }
  // Scored are the numbers that the file keeps.
  const core::Format half = core::kFloat16;
  std::vector<float> kept = core::task::rounded_parameters(*fit.model(), state.values.data(), half);
  return {core::task::sequence_bytes(*fit.model(), state.values.data(), history,
                                     core::NumberType::float16),
          state.held, core::task::score_by_length(*fit.model(), kept.data(), 0),
          fit.model()->layout.learned()};
}

std::filesystem::path path_of(const std::filesystem::path& folder, const std::string& asset) {
  return folder / std::filesystem::path(asset).filename();
}

void keep(const std::filesystem::path& path, const Trained& trained, core::Index steps) {
  std::ofstream(path, std::ios::binary) << trained.bytes;
  fmt::print("{}: {} bytes, {:.4f} of what is held out right, loss {:.4f}, after {} steps\n",
             path.string(), trained.bytes.size(), trained.held.accuracy(), trained.held.loss,
             steps);
}

// A row of the record of all seeds: what is right at each length, empty beyond the positions.
std::string record_of(std::string_view name, const core::task::SequenceRecipe& of,
                      const Trained& trained, bool shipped) {
  std::string row =
      fmt::format("{},{},{},{},{}", name, core::model::scheme_id(of.form.positions.scheme),
                  of.options.seed, shipped ? 1 : 0, trained.parameters);
  for (const core::Index length : core::task::scored_lengths(of.task)) {
    const auto right = trained.lengths.at(length);
    row += right ? fmt::format(",{:.3f}", *right) : ",";
  }
  return row + "\n";
}

// One recipe and scheme from each seed: the middle one is kept, and the recipe's seed has to be
// its.
void make_compared(const std::filesystem::path& folder, core::task::Recipe which,
                   core::model::Scheme scheme, std::string& record) {
  core::task::SequenceRecipe of = core::task::recipe(which, scheme);
  const std::uint64_t said = of.options.seed;
  std::vector<std::pair<std::uint64_t, Trained>> all;
  for (const std::uint64_t seed : core::task::kComparedSeeds) {
    of.options.seed = seed;
    all.emplace_back(seed, train(of));
  }
  std::vector<std::size_t> order{0, 1, 2};
  const auto key = [&](std::size_t k) {
    const core::task::LengthScore& lengths = all[k].second.lengths;
    return std::pair(lengths.beyond(of.task.longest), lengths.within(of.task.longest));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  const auto& [seed, middle] = all[order[1]];
  keep(path_of(folder, lab::story_asset(which, scheme)), middle, of.steps);
  for (const auto& [one, trained] : all) {
    of.options.seed = one;
    record += record_of(lab::recipe_name(which), of, trained, one == seed);
  }
  if (seed != said) {
    fmt::print("the recipe of {} with {} has the seed {}, but the middle one is of seed {}\n",
               lab::recipe_name(which), core::model::scheme_id(scheme), said, seed);
  }
}

void make_all_compared(const std::filesystem::path& folder) {
  std::string record = "recipe,positions,seed,shipped,parameters";
  for (const core::Index length :
       core::task::scored_lengths(core::task::recipe(core::task::kComparedRecipes[0]).task)) {
    record += fmt::format(",right at {}", length);
  }
  record += "\n";
  for (const core::task::Recipe which : core::task::kComparedRecipes) {
    for (const core::model::Scheme scheme : core::task::kComparedSchemes) {
      make_compared(folder, which, scheme, record);
    }
  }
  std::ofstream(folder / "lengths.csv", std::ios::binary) << record;
}

void make_stories(const std::filesystem::path& folder) {
  for (const core::task::Recipe which : core::task::kRecipes) {
    if (core::task::is_compared(which)) continue;
    const core::task::SequenceRecipe of = core::task::recipe(which);
    keep(path_of(folder, lab::story_asset(which)), train(of), of.steps);
  }
}

void make_pairs(const std::filesystem::path& folder) {
  const lab::translation::Parameters translation;
  const lab::alignment::Parameters alignment;
  for (const lab::PairKnobs& task :
       {task_of(Kind::dates), task_of(Kind::dates, Language::chinese), task_of(Kind::numbers),
        task_of(Kind::numbers, Language::chinese), task_of(Kind::reversal)}) {
    make(folder, lab::translation::kModel, task, translation.form(), translation.training);
    make(folder, lab::alignment::kModel, task, alignment.form(true), alignment.training);
    // What attention is held against.
    make(folder, lab::alignment::kFixed, task, alignment.form(false), alignment.training);
  }
}

void make_all_documents(const std::filesystem::path& folder) {
  using core::task::DocumentKind;
  // Seeds under which the largest weights lie on what tells (see
  // core/task/document/document_focus.h).
  const std::pair<core::task::DocumentTask, int> documents[] = {
      {{DocumentKind::opinions, Language::english}, 59},
      {{DocumentKind::opinions, Language::chinese}, 50},
      {{DocumentKind::topics, Language::english}, 9},
      {{DocumentKind::topics, Language::chinese}, 5}};
  for (const auto& [task, seed] : documents) {
    make_documents(folder, task, seed, false);
    make_documents(folder, task, lab::documents::kMeanSeed, true);
  }
}

constexpr std::pair<std::string_view, void (*)(const std::filesystem::path&)> kParts[] = {
    {"pairs", make_pairs},
    {"stories", make_stories},
    {"compared", make_all_compared},
    {"documents", make_all_documents}};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view only = argc == 3 ? argv[2] : "";
  const bool known =
      only.empty() || std::any_of(std::begin(kParts), std::end(kParts),
                                  [&](const auto& one) { return one.first == only; });
  if (argc < 2 || argc > 3 || !known) {
    std::fputs("usage: make_models FOLDER [pairs | stories | compared | documents]\n", stderr);
    return 2;
  }
  for (const auto& [name, make_part] : kParts) {
    if (only.empty() || name == only) make_part(argv[1]);
  }
}
