#include "app/labs/multi_head/projections.h"

#include <array>
#include <cmath>

#include "core/attention/gemm.h"
#include "core/parallel.h"
#include "core/position/rotary.h"
#include "core/random.h"

namespace lab::multi_head {
namespace {

// Which matrix a stream of random numbers belongs to.
enum class Stream : std::uint64_t { query = 1, key = 2, value = 3, output = 4 };

std::uint64_t seed_of(const Parameters& p, Stream stream, Index head) {
  return core::stream_seed(
      static_cast<std::uint64_t>(p.seed),
      64 * static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(head) + 1);
}

core::Matrix random_projection(const Parameters& p, Stream stream) {
  const Index d_k = head_width(p), rows = p.d_model;
  core::Matrix W(rows, p.heads * d_k);
  const double scale = 1 / std::sqrt(static_cast<double>(rows));
  for (Index head = 0; head < p.heads; ++head) {
    core::Random random(seed_of(p, stream, head));
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < d_k; ++c) {
        W(r, head * d_k + c) = static_cast<float>(scale * random.gaussian());
      }
    }
  }
  return W;
}

// Head by head the next d_k columns of X; past the last column they begin again.
core::Matrix slices(const core::Matrix& X, Index cols) {
  core::Matrix result(X.rows(), cols);
  for (Index c = 0; c < cols; ++c) result.col(c) = X.col(c % X.cols());
  return result;
}

void turn(const Parameters& p, Projected& projected, const Context& context) {
  // Dimensions turn in pairs; the last of an odd d_k stays.
  const Index turned = projected.d_k - projected.d_k % 2;
  const core::RotaryTable table = core::rotary_table(projected.Q.rows(), turned, p.base);
  core::parallel_for(projected.heads, context.threads, [&](Index head, int) {
    for (core::Matrix* x : {&projected.Q, &projected.K}) {
      core::rotate(x->data() + head * projected.d_k, x->rows(), projected.d_k, x->cols(), table);
    }
  });
}

}  // namespace

Projected project(const Parameters& p, const core::Matrix& X, const Context& context) {
  Projected projected;
  projected.heads = p.heads;
  projected.d_k = head_width(p);
  if (p.projection == Projection::identity) {
    projected.Q = slices(X, projected.heads * projected.d_k);
    projected.K = projected.V = projected.Q;
  } else {
    const core::Matrix W_q = random_projection(p, Stream::query);
    const core::Matrix W_k =
        p.projection == Projection::tied ? W_q : random_projection(p, Stream::key);
    const core::Matrix W_v = random_projection(p, Stream::value);
    const std::array products{core::Product{&X, &W_q, nullptr, &projected.Q},
                              core::Product{&X, &W_k, nullptr, &projected.K},
                              core::Product{&X, &W_v, nullptr, &projected.V}};
    core::multiply_into(products, context.threads, context.cancel);
  }
  if (p.position == Position::rope) turn(p, projected, context);
  return projected;
}

core::Matrix output_projection(const Parameters& p) {
  const Index rows = p.heads * head_width(p);
  core::Random random(seed_of(p, Stream::output, 0));
  const double scale = 1 / std::sqrt(static_cast<double>(rows));
  return core::Matrix::NullaryExpr(rows, p.d_model,
                                   [&] { return static_cast<float>(scale * random.gaussian()); });
}

}  // namespace lab::multi_head
