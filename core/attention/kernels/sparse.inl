// Sparse rows: groups that share a range of keys, keys by number, and softmax over the pieces.
static_assert(kGroupRows == kTileRows);

void group_scores(const SparseGroup& group, const float* queries, Int depth, const float* keys) {
  // A range may begin and end within a panel.
  for (Int j = group.begin; j < group.end;) {
    const Int panel = round_down(j, kWidth), cols = smaller(panel + kWidth, group.end) - j;
    tile_of(group.rows, cols)(queries, depth, keys + panel * depth + (j - panel), depth,
                              group.s + (j - group.begin), group.stride, false);
    j += cols;
  }
  for (Int r = 0; r < group.rows; ++r) {
    float* s = group.s + r * group.stride;
    const Int begin = group.row_begin[r] - group.begin, end = group.row_end[r] - group.begin;
    const Int whole_begin = round_down(begin, kLanes), whole_end = round_up(end, kLanes);
    fill(s, whole_begin, 0);
    fill(s + whole_begin, begin - whole_begin, -kInfinity);
    fill(s + end, whole_end - end, -kInfinity);
    fill(s + whole_end, group.end - group.begin - whole_end, 0);
  }
}

void group_values(const SparseGroup& group, const Values& values, Int m, float* const* output) {
  Int begin = group.row_begin[0], end = group.row_end[0];
  for (Int r = 1; r < group.rows; ++r) {
    begin = smaller(begin, group.row_begin[r]);
    end = greater(end, group.row_end[r]);
  }
  float sums[kTileRows * kWidth];
  for (Int c = 0; c < values.d_v; c += kWidth) {
    const Int cols = smaller(kWidth, round_up(values.d_v - c, kLanes));
    tile_of(group.rows, cols)(group.s + (begin - group.begin), group.stride,
                              values.panels + c * m + begin * kWidth, end - begin, sums, kWidth,
                              false);
    for (Int r = 0; r < group.rows; ++r) {
      for (Int i = 0; i < cols; i += kLanes) {
        store(output[r] + c + i, load(output[r] + c + i) + load(sums + r * kWidth + i));
      }
    }
  }
}

float dot(const float* a, const float* b, Int depth) {
  Floats sum0 = {}, sum1 = {};
  Int k = 0;
  for (; k + 2 * kLanes <= depth; k += 2 * kLanes) {
    sum0 += load(a + k) * load(b + k);
    sum1 += load(a + k + kLanes) * load(b + k + kLanes);
  }
  for (; k + kLanes <= depth; k += kLanes) sum0 += load(a + k) * load(b + k);
  float rest = 0;
  for (; k < depth; ++k) rest += a[k] * b[k];
  return total(sum0 + sum1) + rest;
}

void prefetch_row(const Gathered& matrix, Int t) {
  if (t >= matrix.count) return;
  const float* row = matrix.from + matrix.rows[t] * matrix.stride;
  for (Int k = 0; k < matrix.depth; k += 16) __builtin_prefetch(row + k);
}

// Rows lie anywhere: they are asked for this many ahead.
constexpr Int kRowsAhead = 6;

void gathered_scores(const Gathered& keys, const float* query, float* s) {
  for (Int t = 0; t < keys.count; ++t) {
    prefetch_row(keys, t + kRowsAhead);
    s[t] = dot(query, keys.from + keys.rows[t] * keys.stride, keys.depth);
  }
}

// Columns [c, c + kVectors * kLanes) of the sum, which stays in registers.
template <Int kVectors>
void add_gathered(const Gathered& values, const float* s, Int c, float* output) {
  Floats sums[kVectors];
  ATTNSCOPE_UNROLL
  for (Int v = 0; v < kVectors; ++v) sums[v] = load(output + c + v * kLanes);
  for (Int t = 0; t < values.count; ++t) {
    prefetch_row(values, t + kRowsAhead);
    const float* row = values.from + values.rows[t] * values.stride + c;
    const Floats weight = broadcast(s[t]);
    ATTNSCOPE_UNROLL
    for (Int v = 0; v < kVectors; ++v) sums[v] += weight * load(row + v * kLanes);
  }
  ATTNSCOPE_UNROLL
  for (Int v = 0; v < kVectors; ++v) store(output + c + v * kLanes, sums[v]);
}

void gathered_values(const Gathered& values, const float* s, float* output) {
  Int c = 0;
  for (; c + 4 * kLanes <= values.depth; c += 4 * kLanes) add_gathered<4>(values, s, c, output);
  for (; c + kLanes <= values.depth; c += kLanes) add_gathered<1>(values, s, c, output);
  if (c == values.depth) return;
  for (Int t = 0; t < values.count; ++t) {
    const float* row = values.from + values.rows[t] * values.stride;
    for (Int i = c; i < values.depth; ++i) output[i] += s[t] * row[i];
  }
}

void mask_scores(const Segment& segment, const std::uint16_t* bits) {
  Ints lane;
  for (Int i = 0; i < kLanes; ++i) lane[i] = 1 << i;
  for (Int j = 0; j < segment.count; j += kLanes) {
    const Ints here = (lane & (bits[j / 16] >> j % 16)) != 0;
    store(segment.s + j, here ? load(segment.s + j) : broadcast(-kInfinity));
  }
}

void soften_segments(const Segment* segments, Int count, float* max, float* sum, float* weighted) {
  float top = -kInfinity;
  for (Int i = 0; i < count; ++i) {
    const float here = largest_score(segments[i].s, {0, 0, 0, segments[i].count, nullptr});
    top = here > top ? here : top;
  }
  Sums all = {};
  for (Int i = 0; i < count; ++i) {
    const Sums sums = exponentiate(segments[i].s, {0, 0, 0, segments[i].count, nullptr}, top);
    all.sum += sums.sum;
    all.weighted += sums.weighted;
  }
  *max = top;
  *sum = all.sum;
  *weighted = all.weighted;
}

void weigh_segment(const Segment& segment, float max, float factor) {
  const Floats reference = broadcast(max), factors = broadcast(factor);
  for (Int j = 0; j < segment.count; j += kLanes) {
    store(segment.s + j, exponential(load(segment.s + j) - reference) * factors);
  }
}

void scale(const float* from, Int count, float factor, float* to) {
  const Floats factors = broadcast(factor);
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) store(to + i, load(from + i) * factors);
  for (; i < count; ++i) to[i] = from[i] * factor;
}

// 0 * x is 0 or NaN.
bool all_finite(const float* from, Int count) {
  Floats zeros0 = {}, zeros1 = {};
  Int i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    zeros0 += load(from + i) * broadcast(0);
    zeros1 += load(from + i + kLanes) * broadcast(0);
  }
  float rest = total(zeros0 + zeros1);
  for (; i < count; ++i) rest += from[i] * 0;
  return rest == 0;
}

void pool(const float* from, Int count, float* sum, float* far) {
  Floats sums = {}, maxima = {}, negated = {};
  Int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    sums += load(from + i);
    maxima = larger(load(from + i), maxima);
    negated = larger(-load(from + i), negated);
  }
  float all = total(sums), top = farther(largest(maxima), -largest(negated));
  for (; i < count; ++i) {
    all += from[i];
    top = farther(top, from[i]);
  }
  *sum += all;
  bool nan = *far != *far;
  // Vectors pass over a NaN; the sum of infinities of both signs is one, too.
  if (all != all) {
    for (i = 0; i < count; ++i) nan |= from[i] != from[i];
  }
  *far = nan ? __builtin_nanf("") : farther(*far, top);
}
