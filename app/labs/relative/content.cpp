#include "app/labs/relative/content.h"

#include "core/random.h"

namespace lab::relative {
namespace {

core::Random stream(Learned which, int seed, int side) {
  const auto id = 8 * static_cast<std::uint64_t>(which) + static_cast<std::uint64_t>(side);
  return core::Random(core::stream_seed(static_cast<std::uint64_t>(seed), id));
}

// x(r) = rho x(r-1) + sqrt(1 - rho²) noise keeps the variance and correlates rows r apart by rho^r.
void walk(MatrixD& rows, core::Random random, double smooth) {
  const double rho = smooth > 0 ? std::exp(-1 / smooth) : 0;
  const double fresh = std::sqrt(1 - rho * rho);
  for (Index r = 1; r < rows.rows(); ++r) {
    for (Index c = 0; c < rows.cols(); ++c) {
      rows(r, c) = rho * rows(r - 1, c) + fresh * random.gaussian();
    }
  }
}

MatrixD started(Index count, Index d, Learned which, const LearnedSpec& spec, int side) {
  MatrixD rows(count, d);
  core::Random first = stream(which, spec.seed, 0);
  for (Index c = 0; c < d && count > 0; ++c) rows(0, c) = first.gaussian();
  walk(rows, stream(which, spec.seed, side), spec.smooth);
  return rows;
}

}  // namespace

Content make_content(const std::shared_ptr<const Tokens>& tokens, int width, Projection projection,
                     int seed, const Run& /*run*/) {
  const MatrixD X = tokens->X.cast<double>();
  const auto drawn = [&](Stream stream) {
    return MatrixD(random_projection(kModelWidth, 1, width, seed, stream).cast<double>());
  };
  Content content;
  content.labels = tokens->labels;
  content.cut = tokens->cut;
  content.W_q = drawn(Stream::query);
  content.W_k = projection == Projection::tied ? content.W_q : drawn(Stream::key);
  content.Q = X * content.W_q;
  content.K = X * content.W_k;
  content.V = X * drawn(Stream::value);
  return content;
}

MatrixD learned_rows(Index count, Index d, Learned which, const LearnedSpec& spec) {
  return spec.size * started(count, d, which, spec, 1);
}

MatrixD learned_sides(Index before, Index after, Index d, Learned which, const LearnedSpec& spec) {
  MatrixD rows(before + 1 + after, d);
  rows.topRows(before + 1) = started(before + 1, d, which, spec, 2).colwise().reverse();
  rows.bottomRows(after + 1) = started(after + 1, d, which, spec, 1);
  return spec.size * rows;
}

MatrixD learned_matrix(Index rows, Index cols, Learned which, const LearnedSpec& spec) {
  core::Random random = stream(which, spec.seed, 0);
  const double deviation = spec.size / std::sqrt(static_cast<double>(rows));
  MatrixD matrix(rows, cols);
  for (Index k = 0; k < matrix.size(); ++k) matrix.data()[k] = deviation * random.gaussian();
  return matrix;
}

}  // namespace lab::relative
