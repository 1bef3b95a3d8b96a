#include "core/position/relative/pair_scores.h"

#include <cmath>

#include "core/parallel.h"

namespace core {
namespace {

// What the survey takes from a block of rows, beside the entries of its own rows.
struct Found {
  std::vector<double> largest_term;
  double score = 0, weight = 0, plain = 0, after = 0, least_after = 0, moved = 0;
};

// Replaces the first `seen` scores of a row by exp(x - max), and gives their maximum and sum.
void exponentials(Eigen::Ref<Eigen::RowVectorXd> row, Index seen, double& max, double& sum) {
  max = row.head(seen).maxCoeff();
  row.head(seen).array() = (row.head(seen).array() - max).exp();
  sum = row.head(seen).sum();
}

void survey_row(const PairScores& pairs, Index i, Eigen::Ref<Eigen::RowVectorXd> scores,
                Eigen::Ref<Eigen::RowVectorXd> plain, PairSurvey& survey, Found& found) {
  const Index seen = pairs.seen(i);
  found.score = std::max({found.score, scores.head(seen).cwiseAbs().maxCoeff(),
                          plain.head(seen).cwiseAbs().maxCoeff()});
  exponentials(scores, seen, survey.max(i), survey.sum(i));
  exponentials(plain, seen, survey.plain_max(i), survey.plain_sum(i));
  found.weight = std::max(found.weight, 1 / survey.sum(i));
  found.plain = std::max(found.plain, 1 / survey.plain_sum(i));
  auto weights = scores.head(seen);
  weights /= survey.sum(i);
  if (const auto& after = pairs.after) {
    weights.array() *= after->segment(after->size() / 2 - i, seen).transpose().array();
    survey.row_sum(i) = weights.sum();
  }
  found.after = std::max(found.after, weights.cwiseAbs().maxCoeff());
  found.least_after = std::min(found.least_after, weights.minCoeff());
  found.moved += (weights - plain.head(seen) / survey.plain_sum(i)).cwiseAbs().sum() / 2;
}

void survey_block(const PairScores& pairs, const Block& block, PairSurvey& survey, Found& found) {
  MatrixD scores = MatrixD::Zero(block.rows, block.cols), plain = pairs.plain(block);
  for (std::size_t t = 0; t < pairs.terms.size(); ++t) {
    const MatrixD term = term_block(*pairs.of, pairs.terms[t], block);
    found.largest_term[t] = std::max(found.largest_term[t], term.cwiseAbs().maxCoeff());
    scores += term;
  }
  for (Index a = 0; a < block.rows; ++a) {
    survey_row(pairs, block.i0 + a, scores.row(a), plain.row(a), survey, found);
  }
}

void take_in(const Found& one, double rows, PairSurvey& survey) {
  for (std::size_t t = 0; t < survey.largest_term.size(); ++t) {
    survey.largest_term[t] = std::max(survey.largest_term[t], one.largest_term[t]);
  }
  survey.largest_score = std::max(survey.largest_score, one.score);
  survey.largest_weight = std::max(survey.largest_weight, one.weight);
  survey.largest_plain = std::max(survey.largest_plain, one.plain);
  survey.largest_after = std::max(survey.largest_after, one.after);
  survey.least_after = std::min(survey.least_after, one.least_after);
  survey.moved += one.moved / rows;
}

MatrixD softmax(MatrixD scores, Index first, const VectorD& max, const VectorD& sum) {
  for (Index a = 0; a < scores.rows(); ++a) {
    auto row = scores.row(a).array();
    row = (row - max(first + a)).exp() / sum(first + a);
  }
  return scores;
}

// Softmax of the first `seen`; 0 for the others.
std::vector<double> softmax(const std::vector<double>& scores, Index seen) {
  const double max = *std::max_element(scores.begin(), scores.begin() + seen);
  std::vector<double> weights(scores.size());
  double sum = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(seen); ++j) {
    sum += weights[j] = std::exp(scores[j] - max);
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

MatrixD PairScores::plain(const Block& block) const {
  const double scale = 1 / std::sqrt(static_cast<double>(of->d()));
  return scale * (of->Q.middleRows(block.i0, block.rows) *
                  of->K.middleRows(block.j0, block.cols).transpose());
}

MatrixD PairScores::sum(const Block& block) const {
  MatrixD sum = MatrixD::Zero(block.rows, block.cols);
  for (const PairTerm& term : terms) sum += term_block(*of, term, block);
  return sum;
}

MatrixD PairScores::factors(const Block& block) const {
  return MatrixD::NullaryExpr(block.rows, block.cols, [&](Index a, Index b) {
    return after_at(block.j0 + b - block.i0 - a);
  });
}

PairSurvey survey_pairs(const PairScores& scores, int threads, const Cancel& cancel) {
  const Index n = scores.n();
  PairSurvey survey;
  for (VectorD* rows : {&survey.plain_max, &survey.plain_sum, &survey.max, &survey.sum}) {
    rows->resize(n);
  }
  if (scores.after) survey.row_sum.resize(n);
  survey.largest_term.assign(scores.terms.size(), 0);
  // One worker takes one block of rows; blocks are combined in order, so the result is the same for
  // any number of threads.
  constexpr Index kRows = 64;
  std::vector<Found> found(static_cast<std::size_t>(ceil_div(n, kRows)));
  parallel_for(ceil_div(n, kRows), threads, [&](Index block, int) {
    cancel.poll();
    Found& mine = found[static_cast<std::size_t>(block)];
    mine.largest_term.assign(scores.terms.size(), 0);
    const Index first = block * kRows;
    survey_block(scores, {first, std::min(kRows, n - first), 0, n}, survey, mine);
  });
  for (const Found& one : found) take_in(one, static_cast<double>(n), survey);
  return survey;
}

MatrixD plain_weights(const PairScores& scores, const PairSurvey& survey, const Block& block) {
  return softmax(scores.plain(block), block.i0, survey.plain_max, survey.plain_sum);
}

MatrixD pair_weights(const PairScores& scores, const PairSurvey& survey, const Block& block) {
  return softmax(scores.sum(block), block.i0, survey.max, survey.sum);
}

MatrixD final_weights(const PairScores& scores, const PairSurvey& survey, const Block& block) {
  MatrixD weights = pair_weights(scores, survey, block);
  if (scores.after) weights.array() *= scores.factors(block).array();
  return weights;
}

MatrixD weight_change(const PairScores& scores, const PairSurvey& survey, const Block& block) {
  return final_weights(scores, survey, block) - plain_weights(scores, survey, block);
}

PairRow pair_row(const PairScores& scores, Index i) {
  const Index n = scores.n(), seen = scores.seen(i);
  PairRow row;
  row.scores.assign(static_cast<std::size_t>(n), 0);
  for (const PairTerm& term : scores.terms) {
    const MatrixD cells = term_block(*scores.of, term, {i, 1, 0, n});
    row.terms.emplace_back(cells.data(), cells.data() + n);
    for (std::size_t j = 0; j < row.scores.size(); ++j) row.scores[j] += row.terms.back()[j];
  }
  const MatrixD plain = scores.plain({i, 1, 0, n});
  row.plain_scores.assign(plain.data(), plain.data() + n);
  row.plain = softmax(row.plain_scores, seen);
  row.after = row.weights = softmax(row.scores, seen);
  for (Index j = 0; j < n && scores.after; ++j) {
    row.after[static_cast<std::size_t>(j)] *= scores.after_at(j - i);
  }
  row.strongest = std::max_element(row.weights.begin(), row.weights.end()) - row.weights.begin();
  return row;
}

}  // namespace core
