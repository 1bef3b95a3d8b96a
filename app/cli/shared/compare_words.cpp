#include "app/cli/shared/compare_words.h"

#include <algorithm>
#include <filesystem>

#include "app/cli/shared/effect.h"
#include "app/cli/shared/output.h"

namespace cli {
namespace {

using core::InputError;

// The values of the file, if one is among the words, else of the view; with what is assigned.
param::Values values_of(const std::vector<std::string>& with, const View& view) {
  param::Values values = param::values(view.state->describe()), wanted;
  bool file = false;
  for (const std::string& word : with) {
    std::error_code error;
    const std::size_t equals = word.find('=');
    const bool link = session::is_link(word.substr(0, equals));
    const bool assigns = !link && equals != std::string::npos && equals > 0;
    if (assigns && !std::filesystem::exists(word, error)) {
      wanted.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      continue;
    }
    if (!link && !std::filesystem::exists(word, error) &&
        std::filesystem::path(word).extension().empty()) {
      words::refuse<InputError>(N_("--compare: expected id=value or a session, got {}"),
                                in_quotes(word));
    }
    if (std::exchange(file, true)) {
      words::refuse<InputError>(N_("--compare: expected at most one session, got a second one, {}"),
                                in_quotes(word));
    }
    const session::Session session = given_session(word);
    if (session.lab != view.lab->id) {
      words::refuse<InputError>(N_("--compare: expected a session of the lab {}, got one of {}"),
                                view.lab->id, session.lab);
    }
    values = session.values;
  }
  const auto state = view.state->clone();
  param::assign(state->describe(), values);
  param::assign(state->describe(), wanted);
  std::vector<std::string> given;
  for (const auto& [id, value] : wanted) given.push_back(id);
  require_effect({state.get()}, given);
  return param::values(state->describe());
}

bool has(const lab::Page& page, const std::string& id) {
  return figure::find_plot(page.figures, id) ||
         std::any_of(page.figures.begin(), page.figures.end(),
                     [&](const figure::Figure& one) { return one.id == id; });
}

}  // namespace

void CompareWords::add_to(CLI::App& command, const words::Words& w) {
  command
      .add_option("--compare", with,
                  w("id=value or a session: draw that page as a ghost, for comparison"))
      ->allow_extra_args(false)
      ->check(not_empty(N_("id=value or a file name"), w));
  command
      .add_option("--compare-as", as, w("How to compare heatmaps: split, live, held or difference"))
      ->check(not_empty(N_("split, live, held or difference"), w));
}

void CompareWords::add_inputs(paper::Inputs& inputs) const {
  for (const std::string& word : with) inputs.add(std::filesystem::path(word));
}

session::Holds CompareWords::holds(const View& view) const {
  session::Holds holds = view.holds;
  if (!with.empty()) {
    param::Values values = values_of(with, view);
    if (values == param::values(view.state->describe())) {
      words::refuse<InputError>(
          N_("--compare: expected values that differ from the page's own, got the same"));
    }
    holds.all = {{"", std::move(values)}};
    holds.compared = 0;
  }
  if (as.empty()) return holds;
  if (!holds.now()) {
    words::refuse<InputError>(
        N_("--compare-as: expected --compare or a session with a held page, got neither"));
  }
  try {
    holds.cells = figure::parse_cells_shown(as);
  } catch (const InputError&) {
    words::refuse<InputError>(N_("--compare-as: expected split, live, held or difference, got {}"),
                              in_quotes(as));
  }
  return holds;
}

paper::Compared compared_page(const View& view, const lab::Page& live, const session::Holds& holds,
                              const std::vector<std::string>& figures, words::Language language) {
  const session::Hold* hold = holds.now();
  if (!hold) return {};
  View then;
  then.lab = view.lab;
  then.state = view.lab->make();
  param::assign(then.state->describe(), hold->values);
  auto page = std::make_shared<const lab::Page>(then.compute(language));
  for (const std::string& figure : figures) {
    if (has(live, figure) && !has(*page, figure)) {
      words::refuse<InputError>(N_("--compare: the page to compare with has no figure {}"),
                                in_quotes(figure));
    }
  }
  const words::Words w(language);
  return {std::move(page),
          holds.cells,
          holds.split,
          paper::differing_line(then.state->list(), view.state->list(), w),
          paper::differing_line(view.state->list(), then.state->list(), w),
          hold->name};
}

}  // namespace cli
