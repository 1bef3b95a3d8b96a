// What a learned model writes for a text, token by token, as labs that learn from pairs show it.
#pragma once

#include "app/labs/shared/model/pair_training.h"
#include "app/labs/shared/model/traced.h"

namespace lab {

inline constexpr Index kMostWritten = 64;  // tokens

// Who chooses the next token: the model, or what is right, where that is known.
enum class Writes { greedy, right };

// A source read, what is written, and every number on the way.
struct Reading {
  core::task::Pair pair;
  core::task::Encoded encoded;       // the source, and what was written
  std::vector<std::string> unknown;  // tokens of the source that no text of the task has
  std::string written;               // as text
  core::task::Looked looked;
  bool greedy = true;  // false: told what is right

  Index source_tokens() const { return to_index(encoded.source.size()); }
  // Rows: what is written, and the end.
  Index steps() const { return looked.probabilities.rows(); }
  // The token that step i wrote.
  std::int32_t token(Index step) const;
  // The likeliest there.
  std::int32_t likeliest(Index step) const;
  double probability(Index step, std::int32_t id) const {
    return to_double(looked.probabilities(step, id));
  }
  bool known() const { return !pair.target.empty(); }
  bool right() const { return written == pair.target; }
  const core::model::Traced<float>& traced(std::string_view name) const {
    return looked.trace.at(name);
  }
};

// The stage "reading". Throws core::InputError for a text of more tokens than the model can read.
std::shared_ptr<const Reading> reading_of(const Learned& learned, const SourceKnobs& source,
                                          Writes writes, Index longest, const Context& context);

// A token as figures name it: a space is "␣", and the marks have a word each.
std::string token_name(const Learned& learned, std::int32_t id, const Words& w);
// Labels of the source, of what each step writes, and of what each step was given.
Labels source_names(const Learned& learned, const Reading& reading, const Words& w);
Labels written_names(const Learned& learned, const Reading& reading, const Words& w);
Labels given_names(const Learned& learned, const Reading& reading, const Words& w);

// The source above what is written: each source token as bright as `weights` (one a token) look at
// it, each written one a button that sets `step_param`; a wrong one is said.
Figure text_figure(const Learned& learned, const Reading& reading,
                   const std::vector<float>& weights, Index step, std::string_view step_param,
                   const Words& w);

// The likeliest tokens of a step.
Figure next_figure(const Learned& learned, const Reading& reading, Index step, const Words& w);

// Held-out texts right by how many tokens are read; of letters beyond what was trained, too.
struct LengthScores {
  std::vector<Index> lengths, pairs, right;
  std::optional<std::pair<Index, Index>> trained;  // of letters: shortest and longest
};
LengthScores length_scores(const Learned& learned, const Context& context);
// Several models in one plot.
struct NamedScores {
  std::string name;
  const LengthScores* scores;
  Color color;
};
Figure length_figure(const std::vector<NamedScores>& models, const Words& w);

// Readouts of a reading and its notes.
void add_reading_readouts(const Learned& learned, const Reading& reading, Index step,
                          const Words& w, std::vector<Readout>& list);
void add_reading_notes(const Reading& reading, const Words& w, std::vector<std::string>& notes);

}  // namespace lab
