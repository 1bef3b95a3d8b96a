// Everything that one instruction set's unit consists of; the unit defines ATTNSCOPE_TABLE, the
// name of its table, and ATTNSCOPE_NAME, that of the instruction set.
#include "core/attention/kernels/kernels.h"

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace core::kernels {
namespace {

// In this order: each builds on the ones before.
#include "core/attention/kernels/simd.inl"
//
#include "core/attention/kernels/multiply.inl"
//
#include "core/attention/kernels/softmax.inl"
//
#include "core/attention/kernels/attend.inl"
//
#include "core/attention/kernels/stream.inl"
//
#include "core/attention/kernels/sparse.inl"
//
#include "core/attention/kernels/rotate.inl"

void exponentials(const float* from, Int count, float* to) {
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) store(to + i, exponential(load(from + i)));
  for (; i < count; ++i) to[i] = exponential(broadcast(from[i]))[0];
}

}  // namespace

extern const Table ATTNSCOPE_TABLE = {
    .name = ATTNSCOPE_NAME,
    .width = kWidth,
    .lanes = kLanes,
    .pack_columns = pack_columns,
    .pack_rows = pack_rows,
    .multiply = multiply,
    .multiply_transposed = multiply_transposed,
    .exponentials = exponentials,
    .attend_scratch = attend_scratch,
    .stream_scratch = stream_scratch,
    .attend = attend,
    .stream = stream,
    .tile = pool_tile,
    .rotate = rotate,
    .group_scores = group_scores,
    .group_values = group_values,
    .gathered_scores = gathered_scores,
    .gathered_values = gathered_values,
    .mask_scores = mask_scores,
    .soften = soften_segments,
    .weigh = weigh_segment,
    .scale = scale,
    .all_finite = all_finite,
    .pool = pool,
};

}  // namespace core::kernels
