// The page of the lab of relative positions: figures, readouts, explanations, as data.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/labs/relative/model.h"
#include "app/labs/shared/parts.h"

namespace lab::relative {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  const Scheme& scheme() const { return model.scheme(); }
  bool allowed() const { return model.key < model.pairs->seen(model.query); }
  double score() const { return model.row.scores[static_cast<std::size_t>(model.key)]; }
  // A token's name in a sentence: "bank" in quotes, or token 12.
  std::string quoted(Index token) const;
  // The chosen term.
  std::size_t term() const;
  std::string scheme_name() const;
};

// --- names

// "q·k", "q·a^K", "-m|i-j|": a term as formulas write it.
std::string term_symbol(const Scene& scene, TermId id);
// The same in words.
std::string term_words(const Scene& scene, TermId id);
// What stands before or after a term's symbol in the score: "/ √d_k" or nothing.
std::string divisor_text(const Scene& scene);
// "3 before", "5 ahead", "0".
std::string distance_words(const Scene& scene, Index relative);

// --- figures

std::vector<figure::Figure> figures(const Scene& scene);
// One card, or two where there are many pictures.
std::vector<figure::Figure> term_figures(const Scene& scene);
figure::Figure weights_figure(const Scene& scene);
figure::Figure curve_figure(const Scene& scene);
figure::Figure matrix_figure(const Scene& scene);
figure::Figure pair_figure(const Scene& scene);
// What only one scheme has: tables, buckets, slopes, row sums.
std::vector<figure::Figure> own_figures(const Scene& scene);
std::vector<figure::Figure> bucket_figures(const Scene& scene);
std::vector<figure::Figure> slope_figures(const Scene& scene);

// A square plot of queries and keys.
figure::Plot pair_plot(const Scene& scene, std::string id, std::string title);
// A heatmap whose cells choose the pair; `also` is set besides.
figure::Heatmap pair_heatmap(const Scene& scene, std::shared_ptr<const figure::TileSource> source,
                             const figure::ColorScale& scale, figure::Assignments also);
figure::ColorScale weight_scale(double largest);
// The assignment that chooses what is explained.
figure::Assignments explains(std::string_view what);

// --- explanations

Explanation explain(const Scene& scene);
Explanation explain_score(const Scene& scene);
Explanation explain_weight(const Scene& scene);
Explanation explain_distance(const Scene& scene);
Explanation explain_own(const Scene& scene);
// Σ left right, product by product; past a number of them the rest is one. The printed sum.
std::string write_products(const Scene& scene, const Factors& factors, Lines& lines);
void write_bucket(const Scene& scene, Index relative, Lines& lines);
void write_slope(const Scene& scene, Lines& lines);

// --- numbers

std::vector<Readout> readouts(const Scene& scene);
// How far a slope reaches: the least r with e^{-slope (r + 1)} <= epsilon.
Index reach_of(double slope, double epsilon);
std::vector<Card> cards(const Parameters& p, const words::Words& w);
std::string formula(const Parameters& p);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::relative
