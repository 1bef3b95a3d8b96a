#include "app/labs/relative/model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/parallel.h"

namespace lab::relative {
namespace {

// All that the terms and the mask depend on, beside the content.
auto scheme_key(const Parameters& p) {
  return std::tuple(
      p.scheme, is_causal(p), p.size, p.smooth, std::tuple(p.clip, p.values),
      std::tuple(p.form, p.sinusoid_width, p.base, p.xl_position, p.xl_key, p.xl_bias),
      std::tuple(p.t5_direction, p.buckets, p.max_distance, p.t5_fall, p.folded),
      std::tuple(p.span, p.content_to_position, p.position_to_content, p.urpe_fall, p.urpe_bias),
      std::tuple(p.heads, p.head, p.rule, p.alibi_bias));
}

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

Survey make_survey(const Pairs& pairs, const Context& context) {
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
  std::vector<Found> found(static_cast<std::size_t>(blocks));
  core::parallel_for(blocks, context.threads, [&](Index block, int) {
    context.cancel.poll();
    Found& mine = found[static_cast<std::size_t>(block)];
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
    survey.moved += one.moved / static_cast<double>(n);
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

MatrixD scores_of(const Surveyed& s, const Block& block) { return s.pairs->scores(block); }
MatrixD plain_of(const Surveyed& s, const Block& block) { return s.pairs->plain(block); }

Sources make_sources(const std::shared_ptr<const Pairs>& pairs,
                     const std::shared_ptr<const Survey>& survey) {
  const Surveyed both{pairs, survey};
  const Index n = pairs->n();
  const double d = static_cast<double>(pairs->content->d());
  const double all = d * static_cast<double>(pairs->scheme.terms.size());
  const auto source = [&](auto cells, bool causal, double work) {
    return block_source(
        n, causal,
        [cells](const Block& block, double* out) {
          Eigen::Map<MatrixD>(out, block.rows, block.cols) = cells(block);
        },
        work);
  };
  Sources sources;
  for (const Term& term : pairs->scheme.terms) {
    sources.terms.push_back(source(
        [pairs, &term](const Block& block) { return term_block(*pairs->content, term, block); },
        false, d));
  }
  const auto of = [&](MatrixD (*cells)(const Surveyed&, const Block&), double work) {
    return source([both, cells](const Block& block) { return cells(both, block); }, pairs->causal,
                  work);
  };
  sources.plain_scores = of(plain_of, d);
  sources.scores = of(scores_of, all);
  sources.weights = of(weights_of, all);
  sources.plain_weights = of(plain_weights_of, d);
  sources.change = of(change_of, all + d);
  if (!pairs->scheme.after) return sources;
  sources.product = of(final_of, all);
  sources.factors =
      source([both](const Block& block) { return factors_of(both, block); }, false, 4);
  return sources;
}

Row make_row(const Pairs& pairs, Index i) {
  const Index n = pairs.n(), seen = pairs.seen(i);
  const auto size = static_cast<std::size_t>(n);
  Row row;
  row.scores.assign(size, 0);
  row.plain.assign(size, 0);
  row.weights.assign(size, 0);
  for (const Term& term : pairs.scheme.terms) {
    const MatrixD cells = term_block(*pairs.content, term, {i, 1, 0, n});
    row.terms.emplace_back(cells.data(), cells.data() + n);
    for (std::size_t j = 0; j < size; ++j) row.scores[j] += row.terms.back()[j];
  }
  const MatrixD plain = pairs.plain({i, 1, 0, n});
  row.plain_scores.assign(plain.data(), plain.data() + n);
  const auto normalise = [seen](const std::vector<double>& from, std::vector<double>& to) {
    const double max = *std::max_element(from.begin(), from.begin() + seen);
    double sum = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(seen); ++j) {
      sum += to[j] = std::exp(from[j] - max);
    }
    for (double& weight : to) weight /= sum;
    return std::pair(max, sum);
  };
  normalise(row.plain_scores, row.plain);
  std::tie(row.max, row.sum) = normalise(row.scores, row.weights);
  row.after = row.weights;
  for (std::size_t j = 0; j < size && pairs.scheme.after; ++j) {
    row.after[j] *= pairs.scheme.after_at(static_cast<Index>(j) - i);
  }
  row.strongest = std::max_element(row.weights.begin(), row.weights.end()) - row.weights.begin();
  return row;
}

// The curves of every head of ALiBi, the chosen one's last so that it lies on top; it alone is
// written down, the others are straight lines.
void add_slopes(const Parameters& p, const Scheme& scheme, Index reach, Far& far) {
  const bool by_key = p.alibi_bias == AlibiBias::key_only;
  const int chosen = std::clamp(p.head, 1, p.heads);
  for (int head = 1; head <= p.heads; ++head) {
    if (head == chosen) continue;
    far.curves.push_back(
        {Curve::Of::slope, TermId::alibi, head, scheme.slopes(head - 1), by_key, {}});
  }
  Curve curve{Curve::Of::slope, TermId::alibi, chosen, scheme.slope, by_key, {}};
  const VectorD values =
      VectorD::NullaryExpr(2 * reach + 1, [&](Index k) { return curve.at(k - reach); });
  curve.values = values;
  far.curves.push_back(std::move(curve));
}

void fill_matrix(const VectorD& values, Far& far) {
  const core::Vector floats = values.cast<float>();
  far.largest = values.cwiseAbs().maxCoeff();
  far.matrix = std::make_shared<const std::vector<float>>(floats.begin(), floats.end());
}

// Terms (b) of the query and (d), and their sum; the matrix shows (d), which is of the distance
// alone, even where it is switched off.
void add_sinusoid_curves(const Pairs& pairs, Index i, Index reach, const core::Cancel& cancel,
                         Far& far) {
  const Sinusoids& s = *pairs.scheme.sinusoids;
  MatrixD X(s.v.size(), 2);
  X << pairs.content->Q.row(i).transpose(), s.v;
  const MatrixD curves = pairs.scheme.terms[0].factor * sinusoid_curves(s, X, reach, cancel);
  fill_matrix(curves.col(1), far);
  VectorD total = VectorD::Zero(curves.rows());
  for (const Term& term : pairs.scheme.terms) {
    if (!depends_on_distance(term)) continue;
    const VectorD values = curves.col(term.id == TermId::xl_position ? 0 : 1);
    total += values;
    far.curves.push_back({Curve::Of::term, term.id, 0, 0, false, values});
  }
  if (far.curves.size() > 1) {
    far.curves.push_back({Curve::Of::total, TermId::content, 0, 0, false, std::move(total)});
  }
}

void add_term_curves(const Pairs& pairs, Index i, Index j, Index reach, Far& far) {
  VectorD total = VectorD::Zero(2 * reach + 1);
  for (const Term& term : pairs.scheme.terms) {
    if (!depends_on_distance(term)) continue;
    VectorD values = term_curve(*pairs.content, term, i, j, reach);
    total += values;
    far.curves.push_back({Curve::Of::term, term.id, 0, 0, false, std::move(values)});
  }
  if (far.curves.size() > 1) {
    far.curves.push_back({Curve::Of::total, TermId::content, 0, 0, false, std::move(total)});
  }
}

}  // namespace

MatrixD Pairs::plain(const Block& block) const {
  const double scale = 1 / std::sqrt(static_cast<double>(content->d()));
  return scale * (content->Q.middleRows(block.i0, block.rows) *
                  content->K.middleRows(block.j0, block.cols).transpose());
}

MatrixD Pairs::scores(const Block& block) const {
  MatrixD sum = MatrixD::Zero(block.rows, block.cols);
  for (const Term& term : scheme.terms) sum += term_block(*content, term, block);
  return sum;
}

Far make_far(const Parameters& p, const Pairs& pairs, Index i, Index j,
             const core::Cancel& cancel) {
  const Scheme& scheme = pairs.scheme;
  const Index reach = p.extent - 1;
  Far far;
  if (scheme.sinusoids) {
    add_sinusoid_curves(pairs, i, reach, cancel, far);
  } else if (uses_alibi(p)) {
    add_slopes(p, scheme, reach, far);
  } else {
    add_term_curves(pairs, i, j, reach, far);
  }
  if (p.scheme == SchemeName::urpe) {
    far.curves.push_back({Curve::Of::after, TermId::content, 0, 0, false, urpe_factors(p, reach)});
  }
  far.names = p.scheme == SchemeName::shaw || p.scheme == SchemeName::deberta;
  if (far.names) {
    fill_matrix(
        VectorD::NullaryExpr(
            2 * reach + 1, [&](Index k) { return static_cast<double>(scheme.row_of(k - reach)); }),
        far);
  } else if (!scheme.sinusoids) {
    fill_matrix(far.curves.back().values, far);
  }
  return far;
}

double Curve::at(Index relative) const {
  if (values.size() > 0) return values(relative + values.size() / 2);
  return slope * static_cast<double>(by_key ? relative : -std::abs(relative));
}

std::shared_ptr<const Content> content_of(const Parameters& p, const Context& context) {
  const bool text = p.input == Input::text;
  return context.memo.get(
      "content",
      std::tuple(p.input, text ? p.text : std::string(), text ? p.unit : core::Unit::words,
                 p.length, p.width, p.projection, p.seed),
      [&] { return make_content(p); });
}

Model make_model(const Parameters& p, std::shared_ptr<const Content> content,
                 const Context& context) {
  Memo& memo = context.memo;
  Model model;
  model.pairs = memo.get("pairs", std::tuple(content, scheme_key(p)), [&] {
    return Pairs{content, make_scheme(p, *content), is_causal(p)};
  });
  context.cancel.poll();
  model.survey =
      memo.get("survey", model.pairs, [&] { return make_survey(*model.pairs, context); });
  model.sources =
      memo.get("sources", model.pairs, [&] { return make_sources(model.pairs, model.survey); });
  model.content = std::move(content);
  const Index last = model.n() - 1;
  model.query = std::clamp<Index>(p.query, 0, last);
  model.row = make_row(*model.pairs, model.query);
  model.pinned = p.key >= 0;
  model.key = model.pinned ? std::min<Index>(p.key, last) : model.row.strongest;
  context.cancel.poll();
  // Only the curves of these follow the pair.
  const bool of_pair = is_xl(p) || p.scheme == SchemeName::shaw || p.scheme == SchemeName::deberta;
  const bool of_key = p.scheme == SchemeName::deberta;
  model.far =
      memo.get("far",
               std::tuple(model.pairs, p.extent, of_pair ? model.query : Index{0},
                          of_key ? model.key : Index{0}),
               [&] { return make_far(p, *model.pairs, model.query, model.key, context.cancel); });
  return model;
}

}  // namespace lab::relative
