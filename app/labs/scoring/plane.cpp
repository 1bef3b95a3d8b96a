// Five scoring functions of one query and the same keys, and their fields over the plane.
#include <tuple>

#include "app/labs/scoring/model.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"

namespace lab::scoring {
namespace {

MatrixD square(const std::array<double, 4>& entries) {
  return MatrixD{{entries[0], entries[1]}, {entries[2], entries[3]}};
}

// A key without a value has itself.
MatrixD values_of(const Parameters& p) {
  MatrixD values = matrix_of(p.keys);
  const auto given = static_cast<Index>(std::min(p.values.size(), p.keys.size()));
  values.topRows(given) = matrix_of(p.values).topRows(given);
  return values;
}

Answer answer(const VectorD& scores, const MatrixD& values) {
  Answer result{scores, core::softmax(scores), {}};
  for (Index c = 0; c < 2; ++c) {
    result.output[static_cast<std::size_t>(c)] = result.weights.dot(values.col(c));
  }
  return result;
}

// Every place where the query could stand, in the middle of a cell of the grid.
MatrixD grid() {
  MatrixD places(kGrid * kGrid, 2);
  const auto at = [](Index k) {
    return kEdge * ((2.0 * static_cast<double>(k) + 1) / static_cast<double>(kGrid) - 1);
  };
  for (Index row = 0; row < kGrid; ++row) {
    for (Index col = 0; col < kGrid; ++col) {
      places.row(row * kGrid + col) << at(col), -at(row);
    }
  }
  return places;
}

Matrix as_grid(const VectorD& values) {
  return MatrixD::Map(values.data(), kGrid, kGrid).cast<float>();
}

Fields make_fields(const Parameters& p, const core::Cancel& cancel) {
  Fields fields;
  const MatrixD places = grid(), keys = matrix_of(p.keys);
  for (int k = 0; k < kScorings; ++k) {
    cancel.poll();
    const auto at = static_cast<std::size_t>(k);
    fields.scores[at] = fields.weights[at] = Matrix::Zero(kGrid, kGrid);
    if (keys.rows() == 0) continue;
    const MatrixD scores = scores_of(p, static_cast<Scoring>(k), places, keys);
    fields.scores[at] = as_grid(scores.col(p.key));
    fields.weights[at] = as_grid(core::softmax_rows(scores).col(p.key));
  }
  return fields;
}

}  // namespace

MatrixD matrix_of(const param::PointList& points) {
  MatrixD matrix(static_cast<Index>(points.size()), 2);
  for (std::size_t k = 0; k < points.size(); ++k) {
    matrix.row(static_cast<Index>(k)) << points[k][0], points[k][1];
  }
  return matrix;
}

MatrixD scores_of(const Parameters& p, Scoring scoring, const MatrixD& Q, const MatrixD& K) {
  switch (scoring) {
    case Scoring::dot:
      return core::dot_scores(Q, K);
    case Scoring::scaled:
      return core::scaled_dot_scores(Q, K);
    case Scoring::additive:
      return core::additive_scores(Q, K, square(p.w_q), square(p.w_k),
                                   VectorD{{p.w_v[0], p.w_v[1]}});
    case Scoring::bilinear:
      return core::bilinear_scores(Q, K, square(p.bilinear));
    case Scoring::gaussian:
      break;
  }
  return core::gaussian_scores(Q, K, p.inverse_width);
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
  const auto key = std::tuple(p.keys, p.key, p.w_q, p.w_k, p.w_v, p.bilinear, p.inverse_width);
  plane.fields = context.memo.get("fields", key, [&] { return make_fields(p, context.cancel); });
  return plane;
}

}  // namespace lab::scoring
