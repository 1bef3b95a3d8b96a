#include "app/labs/relative/model.h"

#include "app/labs/shared/parts.h"
#include "core/parallel.h"

namespace lab::relative {
namespace {

// What a block of rows adds to the survey besides its own entries.
struct Found {
  std::vector<double> largest_term;
  double score = 0, weight = 0, plain = 0, after = 0, least_after = 0, moved = 0;
};

// The first `seen` of a row become exp(x - max); both are kept.
void exponentials(Eigen::Ref<Eigen::RowVectorXd> row, Index seen, double& max, double& sum) {
  max = row.head(seen).maxCoeff();
  row.head(seen).array() = (row.head(seen).array() - max).exp();
  sum = row.head(seen).sum();
}

void survey_row(const Pairs& pairs, Index i, Eigen::Ref<Eigen::RowVectorXd> scores,
                Eigen::Ref<Eigen::RowVectorXd> plain, Survey& survey, Found& found) {
  const Index seen = pairs.seen(i);
  found.score = std::max({found.score, scores.head(seen).cwiseAbs().maxCoeff(),
                          plain.head(seen).cwiseAbs().maxCoeff()});
  exponentials(scores, seen, survey.max(i), survey.sum(i));
  exponentials(plain, seen, survey.plain_max(i), survey.plain_sum(i));
  found.weight = std::max(found.weight, 1 / survey.sum(i));
  found.plain = std::max(found.plain, 1 / survey.plain_sum(i));
  auto weights = scores.head(seen);
  weights /= survey.sum(i);
  if (const auto& after = pairs.scheme.after) {
    weights.array() *= after->segment(after->size() / 2 - i, seen).transpose().array();
    survey.row_sum(i) = weights.sum();
  }
  found.after = std::max(found.after, weights.cwiseAbs().maxCoeff());
  found.least_after = std::min(found.least_after, weights.minCoeff());
  found.moved += (weights - plain.head(seen) / survey.plain_sum(i)).cwiseAbs().sum() / 2;
}

void survey_block(const Pairs& pairs, const Block& block, Survey& survey, Found& found) {
  MatrixD scores = MatrixD::Zero(block.rows, block.cols), plain = pairs.plain(block);
  for (std::size_t t = 0; t < pairs.scheme.terms.size(); ++t) {
    const MatrixD term = term_block(*pairs.content, pairs.scheme.terms[t], block);
    found.largest_term[t] = std::max(found.largest_term[t], term.cwiseAbs().maxCoeff());
    scores += term;
  }
  for (Index a = 0; a < block.rows; ++a) {
    survey_row(pairs, block.i0 + a, scores.row(a), plain.row(a), survey, found);
  }
}

Survey make_survey(const std::shared_ptr<const Pairs>& of, const Run& run) {
  const Pairs& pairs = *of;
  const Index n = pairs.n();
  Survey survey;
  for (VectorD* rows : {&survey.plain_max, &survey.plain_sum, &survey.max, &survey.sum}) {
    rows->resize(n);
  }
  if (pairs.scheme.after) survey.row_sum.resize(n);
  const std::size_t terms = pairs.scheme.terms.size();
  // One block of rows is one worker's; sums are put together in order, the same at any number of
  // threads.
  constexpr Index kRows = 64;
  const Index blocks = (n + kRows - 1) / kRows;
  std::vector<Found> found(to_size(blocks));
  core::parallel_for(blocks, run.threads, [&](Index block, int) {
    run.cancel.poll();
    Found& mine = found[to_size(block)];
    mine.largest_term.assign(terms, 0);
    const Index first = block * kRows;
    survey_block(pairs, {first, std::min(kRows, n - first), 0, n}, survey, mine);
  });
  survey.largest_term.assign(terms, 0);
  for (const Found& one : found) {
    for (std::size_t t = 0; t < terms; ++t) {
      survey.largest_term[t] = std::max(survey.largest_term[t], one.largest_term[t]);
    }
    survey.largest_score = std::max(survey.largest_score, one.score);
    survey.largest_weight = std::max(survey.largest_weight, one.weight);
    survey.largest_plain = std::max(survey.largest_plain, one.plain);
    survey.largest_after = std::max(survey.largest_after, one.after);
    survey.least_after = std::min(survey.least_after, one.least_after);
    survey.moved += one.moved / to_double(n);
  }
  return survey;
}

struct Surveyed {
  std::shared_ptr<const Pairs> pairs;
  std::shared_ptr<const Survey> survey;
};

MatrixD softmax(MatrixD scores, const Block& block, const VectorD& max, const VectorD& sum) {
  for (Index a = 0; a < block.rows; ++a) {
    auto row = scores.row(a).array();
    row = (row - max(block.i0 + a)).exp() / sum(block.i0 + a);
  }
  return scores;
}

MatrixD weights_of(const Surveyed& s, const Block& block) {
  return softmax(s.pairs->scores(block), block, s.survey->max, s.survey->sum);
}

MatrixD plain_weights_of(const Surveyed& s, const Block& block) {
  return softmax(s.pairs->plain(block), block, s.survey->plain_max, s.survey->plain_sum);
}

MatrixD factors_of(const Surveyed& s, const Block& block) {
  return MatrixD::NullaryExpr(block.rows, block.cols, [&](Index a, Index b) {
    return s.pairs->scheme.after_at(block.j0 + b - block.i0 - a);
  });
}

// What averages the values: the weights, times C where there is one.
MatrixD final_of(const Surveyed& s, const Block& block) {
  MatrixD weights = weights_of(s, block);
  if (s.pairs->scheme.after) weights.array() *= factors_of(s, block).array();
  return weights;
}

MatrixD change_of(const Surveyed& s, const Block& block) {
  return final_of(s, block) - plain_weights_of(s, block);
}

Sources make_sources(const std::shared_ptr<const Pairs>& pairs,
                     const std::shared_ptr<const Survey>& survey, const Run& /*run*/) {
  const Surveyed both{pairs, survey};
  const Index n = pairs->n();
  const double d = to_double(pairs->content->d());
  const double all = d * to_double(pairs->scheme.terms.size());
  const auto of = [&](MatrixD (*cells)(const Surveyed&, const Block&), double work) {
    return block_source(
        n, pairs->causal, [both, cells](const Block& block) { return cells(both, block); }, work);
  };
  Sources sources;
  for (const Term& term : pairs->scheme.terms) {
    sources.terms.push_back(block_source(
        n, false,
        [pairs, &term](const Block& block) { return term_block(*pairs->content, term, block); },
        d));
  }
  sources.plain_scores =
      of([](const Surveyed& s, const Block& block) { return s.pairs->plain(block); }, d);
  sources.scores =
      of([](const Surveyed& s, const Block& block) { return s.pairs->scores(block); }, all);
  sources.weights = of(weights_of, all);
  sources.plain_weights = of(plain_weights_of, d);
  sources.change = of(change_of, all + d);
  if (!pairs->scheme.after) return sources;
  sources.product = of(final_of, all);
  sources.factors = block_source(
      n, false, [both](const Block& block) { return factors_of(both, block); }, 4);
  return sources;
}

// Softmax of the first `seen`; 0 for the others.
std::vector<double> softmax(const std::vector<double>& scores, Index seen) {
  const double max = *std::max_element(scores.begin(), scores.begin() + seen);
  std::vector<double> weights(scores.size());
  double sum = 0;
  for (std::size_t j = 0; j < to_size(seen); ++j) sum += weights[j] = std::exp(scores[j] - max);
  for (double& weight : weights) weight /= sum;
  return weights;
}

Row make_row(const Pairs& pairs, Index i) {
  const Index n = pairs.n(), seen = pairs.seen(i);
  Row row;
  row.scores.assign(to_size(n), 0);
  for (const Term& term : pairs.scheme.terms) {
    const MatrixD cells = term_block(*pairs.content, term, {i, 1, 0, n});
    row.terms.emplace_back(cells.data(), cells.data() + n);
    for (std::size_t j = 0; j < row.scores.size(); ++j) row.scores[j] += row.terms.back()[j];
  }
  const MatrixD plain = pairs.plain({i, 1, 0, n});
  row.plain_scores.assign(plain.data(), plain.data() + n);
  row.plain = softmax(row.plain_scores, seen);
  row.after = row.weights = softmax(row.scores, seen);
  for (Index j = 0; j < n && pairs.scheme.after; ++j) {
    row.after[to_size(j)] *= pairs.scheme.after_at(j - i);
  }
  row.strongest = std::max_element(row.weights.begin(), row.weights.end()) - row.weights.begin();
  return row;
}

void fill_matrix(const VectorD& values, Far& far) {
  const core::Vector floats = values.cast<float>();
  far.largest = values.cwiseAbs().maxCoeff();
  far.matrix = std::make_shared<const std::vector<float>>(floats.begin(), floats.end());
}

// The curves of every head of ALiBi, the chosen one's last so that it lies on top; it alone is
// written down, the others are straight lines.
void add_slopes(const SchemeKnobs& p, const Scheme& scheme, Index reach, Far& far) {
  const auto curve = [&](int head) {
    return Curve{Curve::Of::slope, TermId::alibi, {}, head, scheme.slopes(head - 1), p.by_key()};
  };
  const int chosen = std::clamp(p.head, 1, p.heads);
  for (int head = 1; head <= p.heads; ++head)
    if (head != chosen) far.curves.push_back(curve(head));
  Curve own = curve(chosen);
  own.values = VectorD::NullaryExpr(2 * reach + 1, [&, line = own](Index k) {
                 return line.at(k - reach);
               }).eval();
  far.curves.push_back(std::move(own));
}

// The terms that know the distance, each as `values` has it, and their sum.
template <class Values>
void add_curves(const Scheme& scheme, Index reach, const Values& values, Far& far) {
  VectorD total = VectorD::Zero(2 * reach + 1);
  for (const Term& term : scheme.terms) {
    if (!depends_on_distance(term)) continue;
    far.curves.push_back({Curve::Of::term, term.id, values(term)});
    total += far.curves.back().values;
  }
  if (far.curves.size() > 1) {
    far.curves.push_back({Curve::Of::total, TermId::content, std::move(total)});
  }
}

// Terms (b) of the query and (d); the matrix shows (d), which is of the distance alone, even where
// it is switched off.
void add_sinusoids(const Pairs& pairs, Index i, Index reach, const core::Cancel& cancel, Far& far) {
  const Sinusoids& s = *pairs.scheme.sinusoids;
  MatrixD X(s.v.size(), 2);
  X << pairs.content->Q.row(i).transpose(), s.v;
  const MatrixD curves = pairs.scheme.terms[0].factor * sinusoid_curves(s, X, reach, cancel);
  fill_matrix(curves.col(1), far);
  add_curves(
      pairs.scheme, reach,
      [&](const Term& term) -> VectorD {
        return curves.col(term.id == TermId::xl_position ? 0 : 1);
      },
      far);
}

// Which pair the curves follow: that of the query, of the key, or none.
struct FarKey {
  Index extent = 0, query = 0, key = 0;
  bool operator==(const FarKey&) const = default;
};

Far make_far(const std::shared_ptr<const Pairs>& pairs, const FarKey& key, const Run& run) {
  const SchemeKnobs& p = pairs->knobs;
  const Scheme& scheme = pairs->scheme;
  const Index reach = key.extent - 1;
  Far far;
  if (scheme.sinusoids) {
    add_sinusoids(*pairs, key.query, reach, run.cancel, far);
  } else if (p.uses_alibi()) {
    add_slopes(p, scheme, reach, far);
  } else {
    add_curves(
        scheme, reach,
        [&](const Term& term) {
          return term_curve(*pairs->content, term, key.query, key.key, reach);
        },
        far);
  }
  if (p.is(SchemeName::urpe)) {
    far.curves.push_back({Curve::Of::after, TermId::content, urpe_factors(p, reach)});
  }
  far.names = p.is(SchemeName::shaw) || p.is(SchemeName::deberta);
  if (far.names) {
    fill_matrix(VectorD::NullaryExpr(2 * reach + 1,
                                     [&](Index k) { return to_double(scheme.row_of(k - reach)); }),
                far);
  } else if (!scheme.sinusoids) {
    fill_matrix(far.curves.back().values, far);
  }
  return far;
}

Pairs make_pairs(const std::shared_ptr<const Content>& content, const SchemeKnobs& knobs,
                 const Run& /*run*/) {
  return {content, knobs, make_scheme(knobs, *content), knobs.causal()};
}

}  // namespace

MatrixD Pairs::plain(const Block& block) const {
  const double scale = 1 / std::sqrt(to_double(content->d()));
  return scale * (content->Q.middleRows(block.i0, block.rows) *
                  content->K.middleRows(block.j0, block.cols).transpose());
}

MatrixD Pairs::scores(const Block& block) const {
  MatrixD sum = MatrixD::Zero(block.rows, block.cols);
  for (const Term& term : scheme.terms) sum += term_block(*content, term, block);
  return sum;
}

double Curve::at(Index relative) const {
  if (values.size() > 0) return values(relative + values.size() / 2);
  return slope * to_double(by_key ? relative : -std::abs(relative));
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.content = context.stage("content", make_content, tokens_of(p, kModelWidth, p.seed, context),
                                p.width, p.projection, p.seed);
  if (model.n() == 0) return model;
  const SchemeKnobs& knobs = p;
  model.pairs = context.stage("pairs", make_pairs, model.content, knobs);
  context.cancel.poll();
  model.survey = context.stage("survey", make_survey, model.pairs);
  model.sources = context.stage("sources", make_sources, model.pairs, model.survey);
  const Index last = model.n() - 1;
  model.query = std::clamp<Index>(p.query, 0, last);
  model.row = make_row(*model.pairs, model.query);
  model.pinned = p.key >= 0;
  model.key = model.pinned ? std::min<Index>(p.key, last) : model.row.strongest;
  context.cancel.poll();
  // Only the curves of these follow the pair.
  const bool of_key = p.is(SchemeName::deberta);
  const bool of_pair = of_key || p.is_xl() || p.is(SchemeName::shaw);
  model.far = context.stage("far", make_far, model.pairs,
                            FarKey{p.extent, of_pair ? model.query : 0, of_key ? model.key : 0});
  return model;
}

}  // namespace lab::relative
