#include "app/labs/multi_head/projections.h"

#include <array>

#include "app/labs/shared/tokens.h"
#include "core/attention/gemm.h"
#include "core/parallel.h"
#include "core/position/rotary.h"

namespace lab::multi_head {
namespace {

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
    const auto random = [&](Stream stream) {
      return random_projection(p.d_model, p.heads, projected.d_k, p.seed, stream);
    };
    const core::Matrix W_q = random(Stream::query);
    const core::Matrix W_k = p.projection == Projection::tied ? W_q : random(Stream::key);
    const core::Matrix W_v = random(Stream::value);
    const std::array products{core::Product{&X, &W_q, nullptr, &projected.Q},
                              core::Product{&X, &W_k, nullptr, &projected.K},
                              core::Product{&X, &W_v, nullptr, &projected.V}};
    core::multiply_into(products, context.threads, context.cancel);
  }
  if (p.position == Position::rope) turn(p, projected, context);
  return projected;
}

core::Matrix output_projection(const Parameters& p) {
  return random_projection(p.heads * head_width(p), 1, p.d_model, p.seed, Stream::output);
}

}  // namespace lab::multi_head
