// The page of the lab of relative positions: figures, readouts, explanations, as data.
#pragma once

#include "app/labs/relative/model.h"
#include "app/labs/shared/drawing/token_map.h"
#include "app/labs/shared/parts.h"

namespace lab::relative {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const RelativeScores& scores() const { return model.scores(); }
  bool allowed() const { return model.key < model.pairs->seen(model.query); }
  double score() const { return model.row.scores[to_size(model.key)]; }
  // A token's name in a sentence: "bank" in quotes, or token 12.
  std::string quoted(Index token) const;
  // The chosen term.
  std::size_t term() const;
  std::string scheme_name() const;
  // "query 12, key 2: 10 before"
  std::string pair_text() const;
  // The map of the sequence's pairs.
  PairMap map() const;
};

// --- names

// "q·k", "q·a^K", "-m|i-j|": a term as formulas write it, and in words.
std::string term_symbol(const Scene& scene, TermId id);
std::string term_words(const Scene& scene, TermId id);
// What stands after a term's symbol in the score: "/ √d" or nothing.
std::string divisor_text(const Scene& scene);
// "3 before", "5 ahead", "the query itself".
std::string distance_words(const Scene& scene, Index relative);

// --- figures

// One card, or two where there are many pictures.
std::vector<Figure> term_figures(const Scene& scene);
Figure weights_figure(const Scene& scene);
Figure curve_figure(const Scene& scene);
Figure matrix_figure(const Scene& scene);
Figure pair_figure(const Scene& scene);
// What only one scheme has: tables, buckets, slopes, row sums.
std::vector<Figure> own_figures(const Scene& scene);
std::vector<Figure> bucket_figures(const Scene& scene);
std::vector<Figure> slope_figures(const Scene& scene);

inline constexpr Index kMostPoints = 2048;  // of a curve

// --- explanations and numbers

Explanation explain(const Scene& scene);
Explanation explain_distance(const Scene& scene);
Explanation explain_own(const Scene& scene);
// A term's product, its vectors in the colours of what they are made of; the printed sum.
std::string write_product(const std::string& name, const Factors& factors, Derivation& lines);
// The pinned query with a row of Shaw's table, called `name`; and with DeBERTa's row `to` as a key,
// the pinned key with row `from` as a query. The products are returned.
double write_shaw(const Scene& scene, const std::string& name, Index row, Derivation& lines);
std::array<double, 2> write_deberta(const Scene& scene, Index to, Index from, Derivation& lines);
void write_bucket(const Scene& scene, Index relative, Derivation& lines);
// The chosen head's slope, and `name`, which is so many times the slope.
void write_slope(const Scene& scene, Derivation& lines);
void write_penalty(const Scene& scene, const std::string& name, Index times, Derivation& lines);
// "√16": what the sum of the terms is divided by.
std::string root_text(const Scene& scene);

std::vector<Readout> readouts(const Scene& scene);
std::string formula(const ScoreKnobs& p);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::relative
