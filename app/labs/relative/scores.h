// The scores of a sequence under one scheme, as data: the terms that it adds up before the softmax
// (core/position/relative), and the numbers that a model would learn for it.
#pragma once

#include "app/labs/relative/parameters.h"
#include "core/position/relative/pair_scores.h"

namespace lab::relative {

using core::Block, core::term_value;
using Term = core::PairTerm;
using TermId = Term::Id;
using Factors = core::TermVectors;

// Tokens, and queries, keys and values made of them, (n, d_k) each: the same under all schemes.
struct Content : core::QueryKeys {
  Labels labels;  // null when the tokens are no text
  MatrixD V;
  MatrixD W_q, W_k;  // (kModelWidth, d_k)
  bool cut = false;  // the text has more tokens than are used
};

// n = 0 when there is no token.
Content make_content(const std::shared_ptr<const Tokens>& tokens, int width, Projection projection,
                     int seed, const Run& run);

// R's sinusoids and what projects them.
struct Sinusoids {
  Index width = 0;  // d_R
  core::SinusoidalOptions options;
  MatrixD W;     // (d_R, d_k)
  VectorD u, v;  // (d_k)
  // Rows R of distances i - j = -(j - i), (count, d_R).
  MatrixD rows(const VectorD& relative) const;
};

struct RelativeScores : core::PairScores {
  std::shared_ptr<const Content> content;
  ScoreKnobs knobs;
  std::function<Index(Index)> row_of;      // by j - i: which table row is read; empty when none
  core::SharedRows keys, queries, values;  // tables, where there are
  VectorD scalars;                         // T5: one a bucket
  std::optional<core::T5Buckets> buckets;
  std::optional<Sinusoids> sinusoids;
  VectorD slopes;      // ALiBi: one a head
  double slope = 0;    // of the chosen head
  double learned = 0;  // numbers a head learns for positions
};
// Needs a content that has tokens.
RelativeScores make_scores(const std::shared_ptr<const Content>& content, const ScoreKnobs& knobs,
                           const Run& run);

// URPE's c of j - i = -reach to reach: exp(-fall |j - i|) (1 + a random number). Factors are about
// 1, so these random numbers are a tenth of the size asked for.
VectorD urpe_factors(const ScoreKnobs& p, Index reach);

core::T5BucketSpec bucket_spec(const ScoreKnobs& p, T5Direction direction);

}  // namespace lab::relative
