// The words that several commands share, and what they come to.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/given_file.h"
#include "app/cli/shared/wanted.h"
#include "app/labs/labs.h"
#include "app/paper/file/inputs.h"
#include "app/session/link.h"
#include "app/worker/runs.h"

namespace cli {

// Which view of which lab: --set, --preset, --session, --pick.
struct ViewWords {
  std::string lab;
  std::vector<std::string> set;
  std::string preset, session, pick;
  bool as_window = false;  // it begins as the window does, in Chinese with a Chinese example
  // A file may be "-": what comes on the standard input.
  bool takes_input = false;
  // Knobs move: whether what is set has an effect is seen only on their way.
  bool moves = false;

  void add_to(CLI::App& command, const words::Words& w);
};

// How it looks: --size, --scale, --theme, --lang.
struct LookWords {
  std::string size, scale, theme, language = "en";

  void add_to(CLI::App& command, const std::string& default_theme, const words::Words& w);
  // Throws core::InputError unless it is a number within paper::kLeastScale and kMostScale;
  // `otherwise` when none was asked for.
  float checked_scale(float otherwise) const;
  figure::ThemeName theme_name() const;
  words::Language lang() const;
  // What a window is to be like; `otherwise` as in checked_scale.
  Wanted wanted(float otherwise) const;
};

struct Size {
  int width = 0, height = 0;
};

// "1600x1000", each side from 96 to 16384 pixels; throws core::InputError. Figures may have 0 for a
// side: what is natural to them.
enum class SizeOf { window, figures };
Size parse_size(const std::string& text, SizeOf what = SizeOf::window);

// For an option's value, or a word: refuses an empty one. `expected` is a message.
CLI::Validator not_empty(std::string_view expected, const words::Words& w);

// What a server keeps from one call to the next.
struct Kept {
  lab::Memos memos;
  std::shared_ptr<worker::Runs> runs =
      std::make_shared<worker::Runs>(worker::Runs::Options{.patience = worker::Runs::kPatient});
  GivenFiles files;  // that came in calls
};

// A lab with its values as the words want them. The memo keeps what was computed for the pick.
struct View {
  const lab::Lab* lab = nullptr;
  std::unique_ptr<lab::State> state;
  figure::Views views;
  session::FigureChoices figures;
  std::string figure;                     // of its session: where that begins
  session::Holds holds;                   // of its session
  param::Values paper = {};               // of its session
  std::vector<words::Sentence> notes;     // of its session
  std::vector<std::string> given;         // the parameters that were set one by one
  paper::Inputs inputs;                   // its session's file; see refuse_inputs
  std::unique_ptr<GivenFile> input = {};  // of the standard input; null: none
  Kept* kept = nullptr;                   // whose memo and trainings are used; may be null
  lab::Memo own_memo;
  std::shared_ptr<worker::Runs> runs =
      std::make_shared<worker::Runs>(worker::Runs::Options{.patience = worker::Runs::kPatient});

  // Trains as far as the page wants it; what takes long is told on the standard error. Throws
  // core::InputError for a name that is not there, for a given number that is beyond what the page
  // found, and for a page with a fault. Other numbers are brought into the range that was found; of
  // those that are no defaults this is told.
  lab::Page compute(words::Language language);
  session::Session session() const;
  // Throws core::InputError where `out` is a file that this view is made from, or that it is
  // compared with.
  void refuse_inputs(const std::filesystem::path& out, const session::Holds& compared = {}) const;
  // Whether it reads a file that goes with this process.
  bool reads_given_file() const;
  // What its session names and the page does not have.
  void report_unknown_parts(const lab::Page& page, const words::Words& w) const;
};

// The session of a link, or in a file; of a lesson's link the scene of its stop. Throws as
// session::from_link and paper::open_session do.
session::Session given_session(const std::string& word);

// Throws core::InputError: unknown lab, preset or parameter, refused value, a value of --set that
// has no effect, unreadable session.
// What is told on the way is told in this language.
View make_view(const ViewWords& words, words::Language language, Kept* kept = nullptr);

// Sets what a click on the cell FIGURE:ROW,COL, or on the place PLOT:X, PLOT:Y or PLOT:Y,X, would
// set; throws core::InputError.
void apply_pick(View& view, const std::string& pick,
                words::Language language = words::Language::en);

}  // namespace cli
