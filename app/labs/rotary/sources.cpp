#include "app/labs/rotary/sources.h"

#include <cmath>

namespace lab::rotary {
namespace {

using core::Index;

class EverySource final : public figure::TileSource {
 public:
  EverySource(core::RotaryScores scores, Index n, int threads)
      : scores_(std::move(scores)), n_(n), threads_(threads) {}

  Index rows() const override { return n_; }
  Index cols() const override { return n_; }

  float value(Index row, Index col) const override {
    return static_cast<float>(core::score_at(scores_, static_cast<double>(row - col)));
  }

  void pooled(int level, const core::Region& region, core::Pool pool, float* out,
              const core::Cancel& cancel) const override {
    Eigen::Map<core::Matrix> result(out, region.rows, region.cols);
    const core::RotaryScoreTile tile{.n = n_, .level = level, .region = region, .pool = pool};
    result = core::rotary_score_tile(scores_, tile, threads_, cancel);
  }

  // Every diagonal looks at about 2^(level + 1) distances.
  double cost(int level, const core::Region& region, core::Pool /*pool*/) const override {
    const auto diagonals = static_cast<double>(region.rows + region.cols);
    return std::ldexp(diagonals * static_cast<double>(scores_.theta.size()), level + 3) +
           static_cast<double>(region.rows * region.cols);
  }

 private:
  core::RotaryScores scores_;
  Index n_;
  int threads_;
};

}  // namespace

std::shared_ptr<const figure::TileSource> every_source(core::RotaryScores scores, core::Index n,
                                                       int threads) {
  return std::make_shared<const EverySource>(std::move(scores), n, threads);
}

}  // namespace lab::rotary
