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

// exp(x - max) in place of x; the sum.
double exponentials(VectorD& x, Index seen, double max) {
  double sum = 0;
  for (Index j = 0; j < seen; ++j) {
    x(j) = std::exp(x(j) - max);
    sum += x(j);
  }
  return sum;
}

// What a row adds to the survey besides its own entries.
struct Found {
  std::vector<double> largest_term;
  double score = 0, weight = 0, plain = 0, after = 0, least_after = 0, moved = 0;
};

void survey_row(const Pairs& pairs, Index i, Survey& survey, Found& found) {
  const Index n = pairs.n(), seen = pairs.seen(i);
  VectorD scores = VectorD::Zero(n), term(n), plain(n);
  for (std::size_t t = 0; t < pairs.scheme.terms.size(); ++t) {
    term_row(*pairs.content, pairs.scheme.terms[t], i, 0, n, term.data());
    found.largest_term[t] = std::max(found.largest_term[t], term.cwiseAbs().maxCoeff());
    scores += term;
  }
  pairs.plain_row(i, 0, seen, plain.data());
  survey.max(i) = scores.head(seen).maxCoeff();
  survey.plain_max(i) = plain.head(seen).maxCoeff();
  found.score = std::max({found.score, scores.head(seen).cwiseAbs().maxCoeff(),
                          plain.head(seen).cwiseAbs().maxCoeff()});
  survey.sum(i) = exponentials(scores, seen, survey.max(i));
  survey.plain_sum(i) = exponentials(plain, seen, survey.plain_max(i));
  found.weight = std::max(found.weight, 1 / survey.sum(i));
  found.plain = std::max(found.plain, 1 / survey.plain_sum(i));
  double moved = 0, total = 0;
  for (Index j = 0; j < seen; ++j) {
    double weight = scores(j) / survey.sum(i);
    if (pairs.scheme.after) weight *= pairs.scheme.after(j - i);
    total += weight;
    found.after = std::max(found.after, std::abs(weight));
    found.least_after = std::min(found.least_after, weight);
    moved += std::abs(weight - plain(j) / survey.plain_sum(i));
  }
  if (pairs.scheme.after) survey.row_sum(i) = total;
  found.moved += moved / 2;
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
  constexpr Index kRows = 16;
  const Index blocks = (n + kRows - 1) / kRows;
  std::vector<Found> found(static_cast<std::size_t>(blocks));
  core::parallel_for(blocks, context.threads, [&](Index block, int) {
    context.cancel.poll();
    Found& mine = found[static_cast<std::size_t>(block)];
    mine.largest_term.assign(terms, 0);
    for (Index i = block * kRows; i < std::min(n, (block + 1) * kRows); ++i) {
      survey_row(pairs, i, survey, mine);
    }
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

using Shared = std::pair<std::shared_ptr<const Pairs>, std::shared_ptr<const Survey>>;

void weight_row(const Shared& s, Index i, Index j0, Index count, double* out) {
  s.first->score_row(i, j0, count, out);
  for (Index k = 0; k < count; ++k) {
    out[k] = std::exp(out[k] - s.second->max(i)) / s.second->sum(i);
  }
}

void plain_weight_row(const Shared& s, Index i, Index j0, Index count, double* out) {
  s.first->plain_row(i, j0, count, out);
  for (Index k = 0; k < count; ++k) {
    out[k] = std::exp(out[k] - s.second->plain_max(i)) / s.second->plain_sum(i);
  }
}

// What averages the values: the weights, times C where there is one.
void final_row(const Shared& s, Index i, Index j0, Index count, double* out) {
  weight_row(s, i, j0, count, out);
  if (!s.first->scheme.after) return;
  for (Index k = 0; k < count; ++k) out[k] *= s.first->scheme.after(j0 + k - i);
}

Sources make_sources(const std::shared_ptr<const Pairs>& pairs,
                     const std::shared_ptr<const Survey>& survey) {
  const Shared both{pairs, survey};
  const Index n = pairs->n();
  const bool causal = pairs->causal;
  const double d = static_cast<double>(pairs->content->d());
  const double terms = static_cast<double>(pairs->scheme.terms.size());
  Sources sources;
  for (const Term& term : pairs->scheme.terms) {
    sources.terms.push_back(row_source(
        n, false,
        [pairs, &term](Index i, Index j0, Index count, double* out) {
          term_row(*pairs->content, term, i, j0, count, out);
        },
        d));
  }
  sources.plain_scores = row_source(
      n, causal,
      [pairs](Index i, Index j0, Index count, double* out) { pairs->plain_row(i, j0, count, out); },
      d);
  sources.scores = row_source(
      n, causal,
      [pairs](Index i, Index j0, Index count, double* out) { pairs->score_row(i, j0, count, out); },
      d * terms);
  const auto of = [&](auto row, double work) {
    return row_source(
        n, causal,
        [both, row](Index i, Index j0, Index count, double* out) { row(both, i, j0, count, out); },
        work);
  };
  sources.weights = of(weight_row, d * terms);
  sources.plain_weights = of(plain_weight_row, d);
  sources.change = of(
      [](const Shared& s, Index i, Index j0, Index count, double* out) {
        std::vector<double> plain(static_cast<std::size_t>(count));
        final_row(s, i, j0, count, out);
        plain_weight_row(s, i, j0, count, plain.data());
        for (Index k = 0; k < count; ++k) out[k] -= plain[static_cast<std::size_t>(k)];
      },
      d * (terms + 1));
  if (!pairs->scheme.after) return sources;
  sources.product = of(final_row, d * terms);
  sources.factors = row_source(
      n, false,
      [pairs](Index i, Index j0, Index count, double* out) {
        for (Index k = 0; k < count; ++k) out[k] = pairs->scheme.after(j0 + k - i);
      },
      4);
  return sources;
}

Row make_row(const Pairs& pairs, Index i) {
  const Index n = pairs.n(), seen = pairs.seen(i);
  const auto size = static_cast<std::size_t>(n);
  Row row;
  row.plain_scores.resize(size);
  row.scores.assign(size, 0);
  row.plain.assign(size, 0);
  row.weights.assign(size, 0);
  for (const Term& term : pairs.scheme.terms) {
    row.terms.emplace_back(size);
    term_row(*pairs.content, term, i, 0, n, row.terms.back().data());
    for (std::size_t j = 0; j < size; ++j) row.scores[j] += row.terms.back()[j];
  }
  pairs.plain_row(i, 0, n, row.plain_scores.data());
  const auto softmax = [seen](const std::vector<double>& from, std::vector<double>& to) {
    const double max = *std::max_element(from.begin(), from.begin() + seen);
    double sum = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(seen); ++j) {
      sum += to[j] = std::exp(from[j] - max);
    }
    for (double& weight : to) weight /= sum;
    return std::pair(max, sum);
  };
  softmax(row.plain_scores, row.plain);
  std::tie(row.max, row.sum) = softmax(row.scores, row.weights);
  row.after = row.weights;
  for (std::size_t j = 0; j < size && pairs.scheme.after; ++j) {
    row.after[j] *= pairs.scheme.after(static_cast<Index>(j) - i);
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

void Pairs::plain_row(Index i, Index j0, Index count, double* out) const {
  const double scale = 1 / std::sqrt(static_cast<double>(content->d()));
  Eigen::Map<VectorD>(out, count).noalias() =
      scale * (content->K.middleRows(j0, count) * content->Q.row(i).transpose());
}

void Pairs::score_row(Index i, Index j0, Index count, double* out) const {
  Eigen::Map<VectorD> row(out, count);
  VectorD term(count);
  row.setZero();
  for (const Term& one : scheme.terms) {
    term_row(*content, one, i, j0, count, term.data());
    row += term;
  }
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
