#include "app/labs/relative/model.h"

#include "app/labs/shared/drawing/square_cells.h"
#include "app/labs/shared/parts.h"
#include "core/position/relative/transformer_xl.h"

namespace lab::relative {
namespace {

// --- what heatmaps draw: cells that are computed where they are looked at

// Matrices up to this many rows are made at once.
constexpr Index kMostKeptRows = 256;

// Made at once where it is small.
Source block_source(Index n, bool causal, core::BlockCells cells, double work) {
  if (n > kMostKeptRows) return computed_source(n, causal, std::move(cells), work);
  return std::make_shared<const DenseSource>(core::block_tile(cells, {n, causal, 0, {0, 0, n, n}}));
}

Sources make_sources(const std::shared_ptr<const RelativeScores>& pairs,
                     const std::shared_ptr<const core::PairSurvey>& survey, const Run& /*run*/) {
  const Index n = pairs->n();
  const double d = to_double(pairs->content->d());
  const double all = d * to_double(pairs->terms.size());
  const auto of_scores = [&](MatrixD (core::PairScores::*cells)(const Block&) const, bool causal,
                             double work) {
    return block_source(
        n, causal, [pairs, cells](const Block& block) { return (*pairs.*cells)(block); }, work);
  };
  const auto of_weights = [&](auto cells, double work) {
    return block_source(
        n, pairs->causal,
        [pairs, survey, cells](const Block& block) { return cells(*pairs, *survey, block); }, work);
  };
  Sources sources;
  for (const Term& term : pairs->terms) {
    const auto cells = [pairs, &term](const Block& block) {
      return core::term_block(*pairs->of, term, block);
    };
    sources.terms.push_back(block_source(n, false, cells, d));
  }
  sources.plain_scores = of_scores(&core::PairScores::plain, pairs->causal, d);
  sources.scores = of_scores(&core::PairScores::sum, pairs->causal, all);
  sources.weights = of_weights(core::pair_weights, all);
  sources.plain_weights = of_weights(core::plain_weights, d);
  sources.change = of_weights(core::weight_change, all + d);
  if (!pairs->after) return sources;
  sources.product = of_weights(core::final_weights, all);
  sources.factors = of_scores(&core::PairScores::factors, false, 4);
  return sources;
}

core::PairSurvey make_survey(const std::shared_ptr<const RelativeScores>& pairs, const Run& run) {
  return core::survey_pairs(*pairs, run.threads, run.cancel);
}

void fill_matrix(const RelativeScores& scores, const VectorD& values, Far& far) {
  far.largest = values.cwiseAbs().maxCoeff();
  far.matrix = distance_source((values.size() + 1) / 2, scores.causal, values);
}

// A curve that is written down.
Curve kept(Curve::Of of, TermId id, VectorD values) {
  const auto all = std::make_shared<const VectorD>(std::move(values));
  return {of, id, [all](Index relative) { return (*all)(relative + all->size() / 2); }};
}

// The curves of every head of ALiBi, the chosen one's last so that it lies on top.
void add_slopes(const RelativeScores& scores, Far& far) {
  const auto add = [&](int head) {
    const Term line = core::alibi_term(scores.slopes(head - 1), scores.knobs.by_key());
    far.curves.push_back({Curve::Of::slope, TermId::alibi, line.number, head});
  };
  const int heads = scores.knobs.heads, chosen = std::clamp(scores.knobs.head, 1, heads);
  for (int head = 1; head <= heads; ++head)
    if (head != chosen) add(head);
  add(chosen);
}

// The terms that know the distance, each as `values` has it, and their sum.
template <class Values>
void add_curves(const RelativeScores& scores, Index reach, const Values& values, Far& far) {
  VectorD total = VectorD::Zero(2 * reach + 1);
  for (const Term& term : scores.terms) {
    if (!term.by_distance()) continue;
    const VectorD own = values(term);
    total += own;
    far.curves.push_back(kept(Curve::Of::term, term.id, own));
  }
  if (far.curves.size() > 1) {
    far.curves.push_back(kept(Curve::Of::total, TermId::content, std::move(total)));
  }
}

// Terms (b) of the query and (d); the matrix shows (d), which is of the distance alone, even where
// it is switched off.
void add_sinusoids(const RelativeScores& scores, Index i, Index reach, const core::Cancel& cancel,
                   Far& far) {
  const Sinusoids& s = *scores.sinusoids;
  MatrixD X(s.v.size(), 2);
  X << scores.content->Q.row(i).transpose(), s.v;
  const MatrixD curves =
      scores.terms[0].factor * core::relative_sinusoid_curves(s.W, X, reach, s.options, cancel);
  fill_matrix(scores, curves.col(1), far);
  add_curves(
      scores, reach,
      [&](const Term& term) -> VectorD {
        return curves.col(term.id == TermId::xl_position ? 0 : 1);
      },
      far);
}

// The curves follow the query, the key, or neither.
Far make_far(const std::shared_ptr<const RelativeScores>& pairs, int extent, Index query, Index key,
             const Run& run) {
  const RelativeScores& scores = *pairs;
  const ScoreKnobs& p = scores.knobs;
  const Index reach = extent - 1;
  Far far;
  if (scores.sinusoids) {
    add_sinusoids(scores, query, reach, run.cancel, far);
  } else if (p.uses_alibi()) {
    add_slopes(scores, far);
  } else {
    add_curves(
        scores, reach,
        [&](const Term& term) { return term_curve(*scores.of, term, query, key, reach); }, far);
  }
  if (p.is(Variant::urpe)) {
    far.curves.push_back(kept(Curve::Of::after, TermId::content, urpe_factors(p, reach)));
  }
  far.names = p.is(Variant::shaw) || p.is(Variant::deberta);
  const auto shown = [&](Index k) {
    return far.names ? to_double(scores.row_of(k - reach)) : far.curves.back().at(k - reach);
  };
  if (!scores.sinusoids) fill_matrix(scores, VectorD::NullaryExpr(2 * reach + 1, shown), far);
  return far;
}

}  // namespace

Source computed_source(Index n, bool causal, const core::BlockCells& cells, double work) {
  Cells all = square_cells(
      n, causal,
      [cells](Index row, Index col) {
        return to_float(cells({row, 1, col, 1})(0, 0));
      },
      [cells](const core::SquareTile& tile, const core::Cancel& cancel) {
        return core::block_tile(cells, tile, 0, cancel);
      });
  all.cost = [work](int level, const core::Region& region) {
    return std::ldexp(to_double(region.rows * region.cols), 2 * level) * work;
  };
  return cell_source(std::move(all));
}

Source distance_source(Index n, bool causal, const VectorD& values) {
  const auto kept = std::make_shared<const core::Vector>(values.cast<float>());
  Cells all = square_cells(
      n, causal, [kept, n](Index row, Index col) { return (*kept)(col - row + n - 1); },
      [kept](const core::SquareTile& tile, const core::Cancel& cancel) {
        return core::toeplitz_tile(*kept, tile, cancel);
      });
  all.cost = [](int level, const core::Region& region) {
    return std::ldexp(to_double(region.rows + region.cols), level + 1) +
           to_double(region.rows * region.cols);
  };
  return cell_source(std::move(all));
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.content = context.stage("content", make_content, tokens_of(p, kModelWidth, p.seed, context),
                                p.width, p.projection, p.seed);
  if (model.n() == 0) return model;
  const ScoreKnobs& knobs = p;
  model.pairs = context.stage("pairs", make_scores, model.content, knobs);
  model.survey = context.stage("survey", make_survey, model.pairs);
  model.sources = context.stage("sources", make_sources, model.pairs, model.survey);
  const Index last = model.n() - 1;
  model.query = std::clamp<Index>(p.query, 0, last);
  model.row = core::pair_row(*model.pairs, model.query);
  model.pinned = p.key >= 0;
  model.key = model.pinned ? std::min<Index>(p.key, last) : model.row.strongest;
  context.cancel.poll();
  // Only the curves of these follow the pair.
  const bool of_key = p.is(Variant::deberta);
  const bool of_pair = of_key || p.is_xl() || p.is(Variant::shaw);
  model.far = context.stage("far", make_far, model.pairs, p.extent, of_pair ? model.query : 0,
                            of_key ? model.key : 0);
  return model;
}

}  // namespace lab::relative
