#include "app/labs/transformer/slopes.h"

#include "app/labs/shared/parts.h"

namespace lab::transformer {
namespace {

const Pass& walked(const Spot& spot) { return *spot.pass.slopes; }

// Gradients of the weights of every head, o = w V, or (w C) V with URPE's factors; and of the
// scores under their softmax.
std::vector<MatrixD> of_heads(const Spot& spot, bool scores) {
  const Pass& pass = spot.pass;
  const MatrixD outputs = walked(spot).tokens(spot.in_sub() + "heads");
  const MatrixD values = pass.tokens(spot.in_sub() + "values");
  const Index d_k = pass.d_k(), group = pass.heads() / pass.key_heads();
  std::vector<MatrixD> all;
  for (Index h = 0; h < pass.heads(); ++h) {
    MatrixD slopes =
        outputs.middleCols(h * d_k, d_k) * values.middleCols(h / group * d_k, d_k).transpose();
    const MatrixD factors = pass.head(spot.in_sub() + "factors", h);
    if (factors.size() > 0) slopes.array() *= factors.array();
    if (scores) {
      const MatrixD weights = pass.head(spot.in_sub() + "weights", h);
      const VectorD means = weights.cwiseProduct(slopes).rowwise().sum();
      slopes = weights.cwiseProduct(slopes.colwise() - means);
    }
    all.push_back(std::move(slopes));
  }
  return all;
}

// y = γ (x - μ) / σ + β: of the loss by μ and by σ, x held.
MatrixD of_moments(const Spot& spot, const MatrixD& moments) {
  const MatrixD x = spot.pass.tokens(spot.before_norm());
  const MatrixD after = walked(spot).tokens(spot.after_norm());
  const MatrixD gain = spot.pass.parameter(spot.norm_parameters() + "gain");
  MatrixD slopes(x.rows(), 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const double mean = moments(i, 0), deviation = moments(i, 1);
    const Eigen::RowVectorXd scaled = after.row(i).cwiseProduct(gain.row(0)) / deviation;
    const Eigen::RowVectorXd normed = (x.row(i).array() - mean) / deviation;
    slopes(i, 0) = -scaled.sum();
    slopes(i, 1) = -scaled.dot(normed);
  }
  return slopes;
}

// The loss is the mean of -ln p of what comes next.
MatrixD of_probabilities(const Spot& spot, const MatrixD& shares) {
  MatrixD slopes = MatrixD::Zero(shares.rows(), shares.cols());
  for (Index i = 0; i < shares.rows(); ++i) {
    const auto next = to_index(spot.texts.next[to_size(i)]);
    slopes(i, next) = -1 / (shares(i, next) * to_double(shares.rows()));
  }
  return slopes;
}

}  // namespace

Tensor slope(const Spot& spot, Part part) {
  Tensor t = tensor(spot, part);
  t.weights = false;
  const Kind kind = spot.info().kind;
  if (t.of_heads) {
    const std::vector<MatrixD> masks = std::move(t.matrices);
    t.matrices = of_heads(spot, t.part == Part::scores);
    for (std::size_t h = 0; h < masks.size(); ++h) {
      for (Index k = 0; k < masks[h].size(); ++k) {
        if (std::isnan(masks[h].data()[k])) t.matrices[h].data()[k] = masks[h].data()[k];
      }
    }
  } else if (t.part == Part::moments) {
    t.matrices = {of_moments(spot, t.of(0))};
  } else if (kind == Kind::output) {
    t.matrices = {t.part == Part::logits ? walked(spot).tokens("decoder.logits")
                                         : of_probabilities(spot, t.of(0))};
  } else if (t.part == Part::positions) {
    t.matrices = {walked(spot).tokens(spot.side() + ".placed")};
  } else {
    t.matrices = tensor({spot.texts, walked(spot), spot.block, spot.layer}, part).matrices;
  }
  return t;
}

double size_of(const Tensor& tensor) {
  double squares = 0;
  Index count = 0;
  for (const MatrixD& cells : tensor.matrices) {
    for (Index k = 0; k < cells.size(); ++k) {
      const double one = cells.data()[k];
      if (std::isnan(one)) continue;
      squares += one * one;
      ++count;
    }
  }
  return count > 0 ? std::sqrt(squares / to_double(count)) : 0;
}

}  // namespace lab::transformer
