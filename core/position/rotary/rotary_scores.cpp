#include "core/position/rotary/rotary_scores.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/position/checks.h"

namespace core {
namespace {

using Complex = std::complex<double>;

constexpr Index kStepsOfRecurrence = 256;  // between two restarts from cosines

// h_i e^{i t theta_i} for consecutive t.
class Walk {
 public:
  explicit Walk(const RotaryScores& scores) : scores_(scores), pairs_(scores.theta.size()) {
    const auto count = static_cast<std::size_t>(pairs_);
    for (auto* v : {&re_, &im_, &step_re_, &step_im_}) v->resize(count);
    for (Index i = 0; i < pairs_; ++i) {
      const Complex step = std::polar(std::exp(scores.growth(i)), scores.theta(i));
      step_re_[static_cast<std::size_t>(i)] = step.real();
      step_im_[static_cast<std::size_t>(i)] = step.imag();
    }
  }

  void begin_at(Index t) {
    const auto at = static_cast<double>(t);
    for (Index i = 0; i < pairs_; ++i) {
      const Complex z = Complex(scores_.re(i), scores_.im(i)) *
                        std::polar(std::exp(at * scores_.growth(i)), at * scores_.theta(i));
      re_[static_cast<std::size_t>(i)] = z.real();
      im_[static_cast<std::size_t>(i)] = z.imag();
    }
  }

  double score() const {
    double sum = scores_.still;
    for (const double re : re_) sum += re;
    return sum;
  }

  void step() {
    double* __restrict re = re_.data();
    double* __restrict im = im_.data();
    const double* __restrict cosine = step_re_.data();
    const double* __restrict sine = step_im_.data();
    for (Index i = 0; i < pairs_; ++i) {
      const double x = re[i] * cosine[i] - im[i] * sine[i];
      im[i] = re[i] * sine[i] + im[i] * cosine[i];
      re[i] = x;
    }
  }

 private:
  const RotaryScores& scores_;
  Index pairs_;
  std::vector<double> re_, im_, step_re_, step_im_;
};

// Calls fn(t, s(t)) for count distances from `first` on.
template <class Fn>
void walk(const RotaryScores& scores, Index first, Index count, Fn&& fn) {
  Walk walker(scores);
  for (Index k = 0; k < count; ++k) {
    if (k % kStepsOfRecurrence == 0) {
      walker.begin_at(first + k);
    } else {
      walker.step();
    }
    fn(first + k, walker.score());
  }
}

void check(const RotaryScores& scores, const RotaryScoreTile& tile) {
  const char* where = "rotary_score_tile";
  position::require_at_least(where, "a number of positions", 1, tile.n);
  if (tile.level < 0 || tile.level > 30) {
    refuse(where, "a level from 0 to 30", std::to_string(tile.level));
  }
  if ((scores.growth.array() != 0).any()) {
    refuse(where, "scores that depend on the distance through angles only", "those of xPos");
  }
  const Region& r = tile.region;
  const Index side = Index{1} << tile.level, cells = (tile.n + side - 1) / side;
  position::require_at_least(where, "a region's corner and size", 0,
                             std::min({r.row, r.col, r.rows, r.cols}));
  if (r.row + r.rows > cells || r.col + r.cols > cells) {
    refuse(where, "a region inside " + shape_text(cells, cells) + " cells",
           "one that ends at " + shape_text(r.row + r.rows, r.col + r.cols));
  }
}

// The positions of one pooled row or column.
struct Positions {
  Index first, count;
};
Positions positions_of(Index pooled, const RotaryScoreTile& tile) {
  const Index first = pooled << tile.level;
  return {first, std::min(Index{1} << tile.level, tile.n - first)};
}

// All blocks of one shape on one diagonal hold the same values.
struct Offsets {
  Index corner, rows, cols;  // corner: position of the first row minus that of the first column
  auto operator<=>(const Offsets&) const = default;
};

double largest_of(const RotaryScores& scores, const Offsets& b) {
  const ScoreRange range = score_range(scores, b.corner - b.cols + 1, b.rows + b.cols - 1);
  return -range.lo > range.hi ? range.lo : range.hi;
}

// sum_{k<count} e^{i k theta} / count with the phase of its middle removed: real.
double shrink(double theta, Index count) {
  const double half = std::sin(theta / 2), n = static_cast<double>(count);
  // 0 only for theta = 0: no other double is a multiple of 2 pi.
  return half == 0 ? 1 : std::sin(n * theta / 2) / (n * half);
}

double mean_of(const RotaryScores& scores, const Offsets& b) {
  const double middle = static_cast<double>(b.corner) + static_cast<double>(b.rows - b.cols) / 2;
  double sum = scores.still;
  for (Index i = 0; i < scores.theta.size(); ++i) {
    const double theta = scores.theta(i);
    const Complex z = Complex(scores.re(i), scores.im(i)) *
                      (shrink(theta, b.rows) * shrink(theta, b.cols)) *
                      std::polar(1.0, middle * theta);
    sum += z.real();
  }
  return sum;
}

}  // namespace

RotaryScores rotary_scores(const VectorD& q, const VectorD& k, const VectorD& theta,
                           RotaryPairing pairing) {
  const Index pairs = theta.size();
  position::require_at_least("rotary_scores", "a number of frequencies", 1, pairs);
  position::require_shape("rotary_scores", "a key", k, q.size(), 1);
  position::require_at_least("rotary_scores", "a width", 2 * pairs, q.size());
  const bool neighbors = pairing == RotaryPairing::neighbors;
  RotaryScores scores{theta, VectorD(pairs), VectorD(pairs), VectorD::Zero(pairs), 0};
  for (Index i = 0; i < pairs; ++i) {
    const Index a = neighbors ? 2 * i : i, b = neighbors ? 2 * i + 1 : i + pairs;
    const Complex h = Complex(q(a), q(b)) * Complex(k(a), -k(b));
    scores.re(i) = h.real();
    scores.im(i) = h.imag();
  }
  const Index rest = q.size() - 2 * pairs;
  scores.still = q.tail(rest).dot(k.tail(rest));
  return scores;
}

RotaryScores with_xpos(RotaryScores scores, const XposOptions& options) {
  position::require_positive("with_xpos", "scale base", options.scale_base);
  scores.growth = xpos_decay(scores.theta.size(), options.gamma).array().log() / options.scale_base;
  return scores;
}

VectorD score_terms(const RotaryScores& scores, double t) {
  return VectorD::NullaryExpr(scores.theta.size(), [&](Index i) {
    const double angle = t * scores.theta(i);
    return std::exp(t * scores.growth(i)) *
           (scores.re(i) * std::cos(angle) - scores.im(i) * std::sin(angle));
  });
}

double score_at(const RotaryScores& scores, double t) {
  return scores.still + score_terms(scores, t).sum();
}

VectorD score_run(const RotaryScores& scores, Index first, Index count) {
  position::require_at_least("score_run", "a number of distances", 0, count);
  VectorD run(count);
  walk(scores, first, count, [&](Index t, double score) { run(t - first) = score; });
  return run;
}

ScoreRange score_range(const RotaryScores& scores, Index first, Index count) {
  position::require_at_least("score_range", "a number of distances", 1, count);
  ScoreRange range;
  walk(scores, first, count, [&](Index t, double score) {
    range.lo = t == first ? score : std::min(range.lo, score);
    range.hi = t == first ? score : std::max(range.hi, score);
  });
  return range;
}

Matrix rotary_score_tile(const RotaryScores& scores, const RotaryScoreTile& tile, int threads,
                         const Cancel& cancel) {
  check(scores, tile);
  const Region& r = tile.region;
  const auto block_of = [&](Index row, Index col) {
    const Positions rows = positions_of(r.row + row, tile), cols = positions_of(r.col + col, tile);
    return Offsets{rows.first - cols.first, rows.count, cols.count};
  };
  std::map<Offsets, double> values;
  for (Index row = 0; row < r.rows; ++row) {
    // The first row and column of blocks meet every full diagonal; those of the last may be cut
    // short.
    const bool all = row == 0 || row + 1 == r.rows;
    for (Index col = 0; col < r.cols; ++col) {
      if (all || col == 0 || col + 1 == r.cols) values.emplace(block_of(row, col), 0);
    }
  }
  std::vector<std::map<Offsets, double>::iterator> list;
  for (auto at = values.begin(); at != values.end(); ++at) list.push_back(at);
  parallel_for(static_cast<Index>(list.size()), threads, [&](Index k, int) {
    cancel.poll();
    auto& [block, value] = *list[static_cast<std::size_t>(k)];
    value = tile.pool == Pool::max ? largest_of(scores, block) : mean_of(scores, block);
  });
  Matrix result(r.rows, r.cols);
  for (Index row = 0; row < r.rows; ++row) {
    for (Index col = 0; col < r.cols; ++col) {
      result(row, col) = static_cast<float>(values.at(block_of(row, col)));
    }
  }
  return result;
}

}  // namespace core
