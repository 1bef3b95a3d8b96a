// Random dot products: how they spread with the width, and what softmax makes of them.
#include <algorithm>
#include <cmath>

#include "app/labs/scoring/model.h"
#include "core/attention/dot_statistics.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"

namespace lab::scoring {
namespace {

constexpr double kReach = 4.5;  // of a histogram, in standard deviations
constexpr int kBins = 45, kCurve = 181;

Saturation saturation_of(const MatrixD& scores) {
  Saturation mean;
  for (Index i = 0; i < scores.rows(); ++i) {
    const VectorD p = core::softmax<double>(scores.row(i).transpose());
    mean.largest += p.maxCoeff();
    mean.entropy += core::entropy(p);
    mean.gradient += core::softmax_jacobian(p).norm();
  }
  const auto rows = static_cast<double>(scores.rows());
  return {mean.largest / rows, mean.entropy / rows, mean.gradient / rows};
}

// `scale` is what q.k was multiplied by.
OneWidth::Histogram histogram_of(const MatrixD& scores, Index d, double scale) {
  OneWidth::Histogram histogram;
  const double deviation = std::sqrt(static_cast<double>(d)) * scale;
  const double reach = kReach * deviation;
  histogram.from = -reach;
  histogram.step = 2 * reach / kBins;
  histogram.density.assign(kBins, 0);
  const double share = 1 / (static_cast<double>(scores.size()) * histogram.step);
  for (const double score : scores.reshaped()) {
    const auto bin = static_cast<long>(std::floor((score * scale + reach) / histogram.step));
    if (bin >= 0 && bin < kBins) histogram.density[static_cast<std::size_t>(bin)] += share;
  }
  for (int k = 0; k < kCurve; ++k) {
    const double z = reach * (2.0 * k / (kCurve - 1) - 1);
    histogram.z.push_back(z);
    histogram.exact.push_back(core::dot_product_density(d, z / scale) / scale);
    histogram.normal.push_back(core::normal_density(z, deviation * deviation));
  }
  return histogram;
}

MatrixD sample(const Parameters& p, Index d, const Context& context) {
  return core::sample_dot_products(d, p.rows, p.row_keys, static_cast<std::uint64_t>(p.seed),
                                   context.threads, context.cancel);
}

}  // namespace

WidthPoint measure(const MatrixD& scores, Index d) {
  WidthPoint point;
  point.d = d;
  point.mean = scores.mean();
  point.variance = (scores.array() - point.mean).square().mean();
  point.plain = saturation_of(scores);
  point.divided = saturation_of(scores * core::attention_scale<double>(d));
  return point;
}

Widths make_widths(const Parameters& p, const Context& context) {
  Widths widths;
  for (Index d = 2; d <= kWidest; d *= 2) {
    context.cancel.progress(static_cast<float>(d) / (2.0f * kWidest));
    widths.points.push_back(measure(sample(p, d, context), d));
  }
  return widths;
}

OneWidth make_width(const Parameters& p, const Context& context) {
  OneWidth width;
  width.scores = sample(p, p.d, context);
  width.point = measure(width.scores, p.d);
  width.plain = histogram_of(width.scores, p.d, 1);
  width.divided = histogram_of(width.scores, p.d, core::attention_scale<double>(p.d));
  return width;
}

}  // namespace lab::scoring
