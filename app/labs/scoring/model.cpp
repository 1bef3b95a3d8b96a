#include "app/labs/scoring/model.h"

#include "app/labs/shared/parts.h"
#include "core/attention/dot_statistics.h"
#include "core/attention/pooling/distance_weights.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/finite_difference.h"

namespace lab::scoring {
namespace {

constexpr int kPoints = 401;    // of a curve over heights
constexpr double kReach = 4.5;  // of a histogram, in standard deviations
constexpr int kBins = 45, kCurve = 181;

// --- five scoring functions of one query and the same keys, and their fields over the plane

// (points, 2)
MatrixD matrix_of(const param::PointList& points) {
  MatrixD matrix(to_index(points.size()), 2);
  for (std::size_t k = 0; k < points.size(); ++k) {
    matrix.row(to_index(k)) << points[k][0], points[k][1];
  }
  return matrix;
}

MatrixD square(const std::array<double, 4>& entries) {
  return MatrixD{{entries[0], entries[1]}, {entries[2], entries[3]}};
}

// The scores of each query (row) with each key.
MatrixD scores_of(const ScoreNumbers& p, Scoring scoring, const MatrixD& Q, const MatrixD& K) {
  switch (scoring) {
    case Scoring::dot: return core::dot_scores(Q, K);
    case Scoring::scaled: return core::scaled_dot_scores(Q, K);
    case Scoring::additive:
      return core::additive_scores(Q, K, square(p.w_q), square(p.w_k),
                                   VectorD{{p.w_v[0], p.w_v[1]}});
    case Scoring::bilinear: return core::bilinear_scores(Q, K, square(p.bilinear));
    case Scoring::gaussian: break;
  }
  return core::gaussian_scores(Q, K, p.inverse_width);
}

// A key without a value has itself.
MatrixD values_of(const Parameters& p) {
  MatrixD values = matrix_of(p.keys);
  const auto given = to_index(std::min(p.values.size(), p.keys.size()));
  values.topRows(given) = matrix_of(p.values).topRows(given);
  return values;
}

Answer answer(const VectorD& scores, const MatrixD& values) {
  Answer result{scores, core::softmax(scores), {}};
  for (Index c = 0; c < 2; ++c) {
    result.output[to_size(c)] = result.weights.dot(values.col(c));
  }
  return result;
}

// Every place where the query could stand, in the middle of a cell of the grid.
MatrixD grid() {
  MatrixD places(kGrid * kGrid, 2);
  const auto at = [](Index k) { return kEdge * ((2.0 * to_double(k) + 1) / to_double(kGrid) - 1); };
  for (Index row = 0; row < kGrid; ++row) {
    for (Index col = 0; col < kGrid; ++col) places.row(row * kGrid + col) << at(col), -at(row);
  }
  return places;
}

Matrix as_grid(const VectorD& values) {
  return MatrixD::Map(values.data(), kGrid, kGrid).cast<float>();
}

// Scores as fields over the place of the key at `picked`.
Fields make_fields(const ScoreNumbers& numbers, const param::PointList& points, int picked,
                   const Run& run) {
  Fields fields;
  const MatrixD places = grid(), keys = matrix_of(points);
  for (std::size_t k = 0; k < kScorings.size(); ++k) {
    run.cancel.poll();
    fields.scores[k] = fields.weights[k] = Matrix::Zero(kGrid, kGrid);
    if (keys.rows() == 0) continue;
    const MatrixD scores = scores_of(numbers, static_cast<Scoring>(k), places, keys);
    fields.scores[k] = as_grid(scores.col(picked));
    fields.weights[k] = as_grid(core::softmax_rows(scores).col(picked));
  }
  return fields;
}

Plane make_plane(const Parameters& p, const Context& context) {
  Plane plane;
  plane.query = MatrixD{{p.q_x, p.q_y}};
  plane.keys = matrix_of(p.keys);
  plane.values = values_of(p);
  for (std::size_t k = 0; k < plane.answers.size(); ++k) {
    const MatrixD scores = scores_of(p, static_cast<Scoring>(k), plane.query, plane.keys);
    plane.answers[k] = answer(scores.row(0).transpose(), plane.values);
  }
  const ScoreNumbers& numbers = p;
  plane.fields = context.stage("fields", make_fields, numbers, p.keys, p.key);
  return plane;
}

// --- a mass guessed from a height: what each way of weighing the known people makes of it

VectorD weights_of(const Parameters& p, Method method, double height, const VectorD& keys) {
  const VectorD nearness = -(keys.array() - height).abs();
  switch (method) {
    case Method::document: return core::distance_share(height, keys);
    case Method::first: return core::hardmax(nearness);
    case Method::shared: return core::hardmax_ties_shared(nearness);
    case Method::inverse: return core::inverse_distance_weights(height, keys);
    case Method::gaussian: break;
  }
  const MatrixD query = MatrixD::Constant(1, 1, height);
  const VectorD scores = core::gaussian_scores<double>(query, keys, 1 / p.bandwidth).row(0);
  return core::softmax(scores);
}

double guess_at(const Parameters& p, Method method, double height, const Heights& heights) {
  return weights_of(p, method, height, heights.keys).dot(heights.values);
}

// One-hot weights do not change until they jump: there is no slope where two are nearest.
double slope_of(const Parameters& p, Method method, const Heights& heights) {
  if (method == Method::first || method == Method::shared) {
    const VectorD distance = (heights.keys.array() - p.height).abs();
    const auto nearest = (distance.array() == distance.minCoeff()).count();
    return nearest > 1 ? std::numeric_limits<double>::quiet_NaN() : 0;
  }
  const auto of = [&](const VectorD& x) { return guess_at(p, method, x(0), heights); };
  return core::central_difference(of, VectorD{{p.height}}, kSlopeStep)(0);
}

// From a little left of the shortest, to a little right of the tallest, the one asked for included.
std::vector<double> heights_around(const Parameters& p, const VectorD& keys) {
  double lo = p.height, hi = p.height;
  for (const double key : keys) {
    lo = std::min(lo, key);
    hi = std::max(hi, key);
  }
  const double room = std::max(2.0, 0.25 * (hi - lo));
  std::vector<double> at;
  for (int k = 0; k < kPoints; ++k)
    at.push_back(lo - room + (hi - lo + 2 * room) * k / (kPoints - 1));
  return at;
}

Heights make_heights(const Parameters& p) {
  Heights heights;
  const MatrixD people = matrix_of(p.people);
  heights.keys = people.col(0);
  heights.values = people.col(1);
  if (heights.keys.size() == 0) return heights;
  heights.at = heights_around(p, heights.keys);
  for (std::size_t k = 0; k < heights.guesses.size(); ++k) {
    const auto method = static_cast<Method>(k);
    Guess& guess = heights.guesses[k];
    guess.weights = weights_of(p, method, p.height, heights.keys);
    guess.value = guess.weights.dot(heights.values);
    guess.slope = slope_of(p, method, heights);
    for (const double at : heights.at) guess.curve.push_back(guess_at(p, method, at, heights));
  }
  return heights;
}

// --- random dot products: how they spread with the width, and what softmax makes of them

Saturation saturation_of(const MatrixD& scores) {
  Saturation mean;
  for (Index i = 0; i < scores.rows(); ++i) {
    const VectorD p = core::softmax<double>(scores.row(i).transpose());
    mean.largest += p.maxCoeff();
    mean.entropy += core::entropy(p);
    mean.gradient += core::softmax_jacobian(p).norm();
  }
  const auto rows = to_double(scores.rows());
  return {mean.largest / rows, mean.entropy / rows, mean.gradient / rows};
}

// `scale` is what q.k was multiplied by.
OneWidth::Histogram histogram_of(const MatrixD& scores, Index d, double scale) {
  OneWidth::Histogram histogram;
  const double deviation = std::sqrt(to_double(d)) * scale;
  const double reach = kReach * deviation;
  histogram.from = -reach;
  histogram.step = 2 * reach / kBins;
  histogram.density.assign(kBins, 0);
  const double share = 1 / (to_double(scores.size()) * histogram.step);
  for (const double score : scores.reshaped()) {
    const auto bin = static_cast<long>(std::floor((score * scale + reach) / histogram.step));
    if (bin >= 0 && bin < kBins) histogram.density[to_size(bin)] += share;
  }
  for (int k = 0; k < kCurve; ++k) {
    const double z = reach * (2.0 * k / (kCurve - 1) - 1);
    histogram.z.push_back(z);
    histogram.exact.push_back(core::dot_product_density(d, z / scale) / scale);
    histogram.normal.push_back(core::normal_density(z, deviation * deviation));
  }
  return histogram;
}

WidthPoint measure(const MatrixD& scores, Index d) {
  WidthPoint point;
  point.d = d;
  point.mean = scores.mean();
  point.variance = (scores.array() - point.mean).square().mean();
  point.plain = saturation_of(scores);
  point.divided = saturation_of(scores * core::attention_scale<double>(d));
  return point;
}

MatrixD sample(const Sampled& p, Index d, const Run& run) {
  return core::sample_dot_products(d, p.rows, p.row_keys, static_cast<std::uint64_t>(p.seed),
                                   run.threads, run.cancel);
}

Widths make_widths(const Sampled& p, const Run& run) {
  Widths widths;
  for (Index d = 2; d <= kWidest; d *= 2) {
    run.cancel.progress(to_float(d) / (2.0f * kWidest));
    widths.points.push_back(measure(sample(p, d, run), d));
  }
  return widths;
}

OneWidth make_width(const Sampled& p, int d, const Run& run) {
  OneWidth width;
  width.scores = sample(p, d, run);
  width.point = measure(width.scores, d);
  const double scale = core::attention_scale<double>(d);
  const VectorD first = width.scores.row(0).transpose();
  width.plain_weights = core::softmax<double>(first);
  width.divided_weights = core::softmax<double>(first * scale);
  width.plain = histogram_of(width.scores, d, 1);
  width.divided = histogram_of(width.scores, d, scale);
  return width;
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  Model m;
  if (p.view == View::plane) m.plane = std::make_shared<const Plane>(make_plane(p, context));
  if (p.view == View::heights) m.heights = std::make_shared<const Heights>(make_heights(p));
  if (p.view == View::width) {
    const Sampled& sampled = p;
    m.widths = context.stage("widths", make_widths, sampled);
    m.width = context.stage("width", make_width, sampled, p.d);
  }
  return m;
}

}  // namespace lab::scoring
