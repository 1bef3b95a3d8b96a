// Parts of a matrix that is never whole: a chunk of keys at a time, and pooled tiles.

Int stream_scratch(Int rows, Int keys) { return rows * (round_up(keys, kWidth) + kStagger); }

typedef float Four __attribute__((vector_size(16)));
typedef float UnalignedFour __attribute__((vector_size(16), aligned(4), may_alias));
Four load_four(const float* p) { return *reinterpret_cast<const UnalignedFour*>(p); }

// `b` when one of them is NaN.
float greater_float(float a, float b) { return a > b ? a : b; }

// Sum and maximum of every `cell` columns of a row of exponentials (which are never negative).
void pool_row(const float* s, Int count, Int cell, float* sums, float* maxima) {
  for (Int j = 0; j < count; j += cell, ++sums, ++maxima) {
    const Int end = smaller(j + cell, count);
    Floats sum = {}, max = {};
    Int i = j;
    for (; i + kLanes <= end; i += kLanes) {
      sum += load(s + i);
      max = larger(load(s + i), max);
    }
    Four sums_of_four = {}, maxima_of_four = {};  // cells may be narrower than a vector
    for (; i + 4 <= end; i += 4) {
      const Four four = load_four(s + i);
      sums_of_four += four;
      maxima_of_four = four > maxima_of_four ? four : maxima_of_four;
    }
    float rest_sum = (sums_of_four[0] + sums_of_four[1]) + (sums_of_four[2] + sums_of_four[3]);
    float rest_max = greater_float(greater_float(maxima_of_four[0], maxima_of_four[1]),
                                   greater_float(maxima_of_four[2], maxima_of_four[3]));
    for (; i < end; ++i) {
      rest_sum += s[i];
      rest_max = greater_float(s[i], rest_max);
    }
    const bool vectors = j + kLanes <= end;
    const float vector_max = vectors ? largest(max) : 0;
    *sums = vectors ? total(sum) + rest_sum : rest_sum;
    *maxima = greater_float(vector_max, rest_max);
  }
}

// Takes the running sums of row r from its old largest score to `max`. The output's row too.
void change_reference(const StreamChunk& chunk, Int r, float max) {
  float* old = chunk.stats.max + r;
  if (!(max > *old)) return;
  if (*old > -kInfinity) {
    const float step = *old - max > kLeastExponent ? *old - max : kLeastExponent;
    const float factor = exponential(broadcast(step))[0];
    float& sum = chunk.stats.sum[r];
    float& weighted = chunk.stats.weighted[r];
    // exp(s - max) (s - max) = factor * exp(s - old) ((s - old) + (old - max))
    weighted = factor * (weighted + step * sum);
    sum *= factor;
    const Floats factors = broadcast(factor);
    float* output = chunk.output + r * chunk.output_stride;
    for (Int c = 0; c < chunk.output_stride; c += kLanes) {
      store(output + c, load(output + c) * factors);
    }
  }
  *old = max;
}

bool any_nan(const float* s, const Row& row) {
  bool any = false;
  for (Int j = row.begin; j < row.end; ++j) any |= s[j] != s[j];
  return any;
}

// Softmax of row r over the chunk's keys, relative to the largest score so far; pools it.
void stream_row(const StreamChunk& chunk, Int r, Span span, float* s) {
  const Scores& in = chunk.scores;
  const Row row = row_of(in.masks[r], chunk.k0, chunk.k1);
  if (empty(row)) {
    fill(s + span.begin, span.end - span.begin, 0);
    chunk.reference[r] = chunk.stats.max[r];
    return;
  }
  prepare_row(s, row, in.bias ? in.bias + r * in.bias_stride + chunk.k0 : nullptr);
  change_reference(chunk, r, largest_score(s, row));
  const float max = chunk.stats.max[r];
  chunk.reference[r] = max;
  if (max == -kInfinity && !any_nan(s, row)) {  // nothing to be relative to yet
    fill(s + span.begin, span.end - span.begin, 0);
    return;
  }
  const Sums sums = exponentiate(s, row, max);
  chunk.stats.sum[r] += sums.sum;
  chunk.stats.weighted[r] += sums.weighted;
  fill(s + span.begin, row.whole_begin - span.begin, 0);
  fill(s + row.whole_end, span.end - row.whole_end, 0);
  if (!chunk.cell_sum) return;
  const Int first = round_down(row.begin, chunk.cell);
  const Int cells = r * chunk.cell_stride + first / chunk.cell;
  // Cells may begin before the span, where nothing was computed and nothing is allowed.
  fill(s + first, span.begin - first, 0);
  pool_row(s + first, row.end - first, chunk.cell, chunk.cell_sum + cells, chunk.cell_max + cells);
}

void stream(const StreamChunk& chunk) {
  const Scores& in = chunk.scores;
  const Int stride = round_up(chunk.k1 - chunk.k0, kWidth) + kStagger;
  float* s = chunk.scratch;
  compute_scores(in, chunk.k0, chunk.k1, s, stride);
  Span spans[kMostRows / kTileRows];
  for (Int r = 0; r < in.rows; ++r) {
    Span& span = spans[r / kTileRows];
    if (r % kTileRows == 0) {
      const Int end = smaller(in.rows, r + kTileRows);
      span = span_of(in.masks, r, end, chunk.k0, chunk.k1);
      span = {span.begin - chunk.k0, span.end - chunk.k0};
    }
    stream_row(chunk, r, span, s + r * stride);
    if (!chunk.values.finite) {
      const Row row = row_of(in.masks[r], chunk.k0, chunk.k1);
      add_allowed_values(chunk.values, in.m, s + r * stride, row, chunk.k0,
                         chunk.output + r * chunk.output_stride);
    }
  }
  if (!chunk.values.finite) return;
  for (Int k = 0; k < chunk.k1 - chunk.k0; k += kDepthChunk) {
    for (Int r = 0; r < in.rows; r += kTileRows) {
      const Span span = spans[r / kTileRows];
      const Int k0 = greater(k, span.begin);
      const Int k1 = smaller(k + kDepthChunk, smaller(span.end, chunk.k1 - chunk.k0));
      if (k0 >= k1) continue;
      add_values(chunk.values, in.m, s + r * stride + k0, stride, smaller(kTileRows, in.rows - r),
                 chunk.k0 + k0, chunk.k0 + k1, chunk.output + r * chunk.output_stride,
                 chunk.output_stride);
    }
  }
}

// s becomes the weights of a row whose largest score and sum are known.
void weigh_row(float* s, const Row& row, float max, float sum) {
  if (!(sum > 0)) {
    spoil(s, row);
    return;
  }
  const Floats reference = broadcast(max), factors = broadcast(1 / sum);
  for (Int j = row.whole_begin; j < row.whole_end; j += kLanes) {
    store(s + j, exponential(load(s + j) - reference) * factors);
  }
}

// The one of larger size with its sign, of two of one size the positive one; a NaN stays.
float farther(float a, float b) {
  const float size_a = __builtin_fabsf(a), size_b = __builtin_fabsf(b);
  return size_b > size_a || (size_b == size_a && b > a) || b != b ? b : a;
}

// Adds one row's allowed columns to the sums and farthest values of its pooled row.
void gather_row(const float* s, const Row& row, float* __restrict sums,
                float* __restrict farthest) {
  for (Int j = row.begin; j < row.end; ++j) {
    const bool use = allowed(row, j);
    sums[j] += use ? s[j] : 0;
    farthest[j] = use ? farther(farthest[j], s[j]) : farthest[j];
  }
}

// Pools the gathered columns into cells and clears them.
void flush_rows(const Tile& tile, Int pooled_row, float* sums, float* farthest) {
  float* sum = tile.pool_sum + pooled_row * tile.pool_stride;
  float* far = tile.pool_far + pooled_row * tile.pool_stride;
  const Int count = tile.k1 - tile.k0;
  for (Int j = 0; j < count; j += tile.cell, ++sum, ++far) {
    const Int end = smaller(j + tile.cell, count);
    for (Int i = j; i < end; ++i) {
      *sum += sums[i];
      *far = farther(*far, farthest[i]);
    }
  }
  fill(sums, count, 0);
  fill(farthest, count, 0);
}

void pool_tile(const Tile& tile) {
  const Scores& in = tile.scores;
  const Int stride = round_up(tile.k1 - tile.k0, kWidth) + kStagger;
  float* sums = tile.scratch;
  float* farthest = sums + stride;
  float* s = farthest + stride;
  fill(sums, tile.k1 - tile.k0, 0);
  fill(farthest, tile.k1 - tile.k0, 0);
  compute_scores(in, tile.k0, tile.k1, s, stride);
  for (Int r = 0; r < in.rows; ++r, s += stride) {
    const Row row = row_of(in.masks[r], tile.k0, tile.k1);
    if (!empty(row)) {
      prepare_row(s, row, in.bias ? in.bias + r * in.bias_stride + tile.k0 : nullptr);
      if (tile.max) weigh_row(s, row, tile.max[r], tile.sum[r]);
      gather_row(s, row, sums, farthest);
    }
    const bool last = r + 1 == in.rows || (tile.first + r + 1) % tile.cell == 0;
    if (last) flush_rows(tile, (tile.first + r) / tile.cell, sums, farthest);
  }
}
