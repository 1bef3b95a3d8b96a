// One block of rows, scores to output, while it stays in the cache.

// Keys whose values are used together: a panel of V of that depth stays in the first cache.
constexpr Int kDepthChunk = 96;
// Rows of scratch are this much longer than a power of two, so that they do not share cache sets.
constexpr Int kStagger = kLanes;

Int attend_scratch(Int rows, Int m, Int d_v) {
  return rows * (round_up(m, kWidth) + kStagger) + rows * round_up(d_v, kWidth);
}

// Where a row's weights go. Column `shift` is the first on a vector's boundary.
struct Sink {
  float* to;
  Int shift;
  bool bypass;
};

Sink sink_of(float* weights, Int r, Int m, bool bypass) {
  if (!weights) return {};
  float* to = weights + r * m;
  const Int past = static_cast<Int>((reinterpret_cast<std::uintptr_t>(to) / 4) % kLanes);
  return {to, (kLanes - past) % kLanes, bypass};
}

// to[j] = s[j] * factor for j in [begin, end); `s` null writes zeros.
void write_scaled(const Sink& sink, const float* s, Int begin, Int end, float factor) {
  const Floats factors = broadcast(factor);
  Int j = begin;
  if (sink.bypass) {
    for (; j < end && (j - sink.shift) % kLanes != 0; ++j) sink.to[j] = s ? s[j] * factor : 0;
    for (; j + kLanes <= end; j += kLanes) {
      store_past_cache(sink.to + j, s ? load(s + j) * factors : Floats{});
    }
  } else {
    for (; j + kLanes <= end; j += kLanes) store(sink.to + j, s ? load(s + j) * factors : Floats{});
  }
  for (; j < end; ++j) sink.to[j] = s ? s[j] * factor : 0;
}

// Softmax of row r over [0, m), unnormalised in s. Returns the factor that normalises.
float soften_row(const AttendBlock& block, Int r, Span span, float* s) {
  const Scores& in = block.scores;
  const Row row = row_of(in.masks[r], 0, in.m);
  if (empty(row)) {
    fill(s + span.begin, span.end - span.begin, 0);
    block.stats.max[r] = -kInfinity;
    block.stats.sum[r] = block.stats.weighted[r] = 0;
    return 0;
  }
  prepare_row(s, row, in.bias ? in.bias + r * in.bias_stride : nullptr);
  float max = largest_score(s, row);
  Sums sums = exponentiate(s, row, max);
  if (!(sums.sum > 0)) {
    spoil(s, row);
    max = sums.sum = sums.weighted = __builtin_nanf("");
  }
  fill(s + span.begin, row.whole_begin - span.begin, 0);
  fill(s + row.whole_end, span.end - row.whole_end, 0);
  block.stats.max[r] = max;
  block.stats.sum[r] = sums.sum;
  block.stats.weighted[r] = sums.weighted;
  return sums.sum > 0 ? 1 / sums.sum : 1;  // a spoilt row is NaN already, and its masked zeros stay
}

// output += s * V for the keys [k0, k1) of `rows` rows; `output` is padded to whole panels.
void add_values(const Values& values, Int m, const float* s, Int stride, Int rows, Int k0, Int k1,
                float* output, Int output_stride) {
  for (Int c = 0; c < values.d_v; c += kWidth) {
    const float* panel = values.panels + c * m + k0 * kWidth;
    tile_of(rows, values.d_v - c)(s, stride, panel, k1 - k0, output + c, output_stride, true);
  }
}

// The same where some values are not finite: reads those of allowed keys only, one after the other.
void add_allowed_values(const Values& values, Int m, const float* s, const Row& row, Int first,
                        float* output) {
  for (Int j = row.begin; j < row.end; ++j) {
    if (!allowed(row, j)) continue;
    for (Int c = 0; c < values.d_v; ++c) {
      const Int panel = round_down(c, kWidth);
      output[c] += s[j] * values.panels[panel * m + (first + j) * kWidth + c - panel];
    }
  }
}

// Rows of one group (at most kTileRows), softened, with what is needed to finish them.
struct Group {
  Int first, rows;
  Span span;
  float factors[kTileRows];
  Sink sinks[kTileRows];
};

Group soften_group(const AttendBlock& block, Int first, float* s, Int stride) {
  const Scores& in = block.scores;
  Group group = {};
  group.first = first;
  group.rows = smaller(kTileRows, in.rows - first);
  group.span = span_of(in.masks, first, first + group.rows, 0, in.m);
  for (Int i = 0; i < group.rows; ++i) {
    const Int r = first + i;
    group.factors[i] = soften_row(block, r, group.span, s + r * stride);
    group.sinks[i] = sink_of(block.weights, r, in.m, block.bypass);
  }
  return group;
}

// Writes the weights of keys [k0, k1) and adds their values: the stores travel to memory while the
// products are computed. Inner borders move to the next whole vector, for half-written cache lines
// are slow to write past the cache.
void finish_chunk(const AttendBlock& block, const Group& group, Int k0, Int k1, const float* s,
                  Int stride, float* output, Int output_stride) {
  const Int end = smaller(group.span.end, block.scores.m);
  if (block.weights) {
    for (Int i = 0; i < group.rows; ++i) {
      const Sink& sink = group.sinks[i];
      const Int from = k0 == group.span.begin ? k0 : smaller(end, k0 + sink.shift);
      const Int to = smaller(end, k1 + sink.shift);
      write_scaled(sink, s + (group.first + i) * stride, from, to, group.factors[i]);
    }
  }
  if (block.values.finite) {
    add_values(block.values, block.scores.m, s + group.first * stride + k0, stride, group.rows, k0,
               k1, output + group.first * output_stride, output_stride);
  }
}

// The masked ends of the weights, and the output.
void finish_group(const AttendBlock& block, const Group& group, const float* s, Int stride,
                  float* output, Int output_stride) {
  const Int m = block.scores.m, end = smaller(group.span.end, m);
  for (Int i = 0; i < group.rows; ++i) {
    const Int r = group.first + i;
    if (block.weights) {
      write_scaled(group.sinks[i], nullptr, 0, group.span.begin, 0);
      write_scaled(group.sinks[i], nullptr, end, m, 0);
    }
    float* sums = output + r * output_stride;
    if (!block.values.finite) {
      const Row row = row_of(block.scores.masks[r], 0, m);
      add_allowed_values(block.values, m, s + r * stride, row, 0, sums);
    }
    float* to = block.output + r * block.output_stride;
    for (Int c = 0; c < block.values.d_v; ++c) to[c] = sums[c] * group.factors[i];
  }
}

void attend(const AttendBlock& block) {
  const Scores& in = block.scores;
  const Int stride = round_up(in.m, kWidth) + kStagger;
  const Int output_stride = round_up(block.values.d_v, kWidth);
  float* s = block.scratch;
  float* output = s + in.rows * stride;
  fill(output, in.rows * output_stride, 0);
  compute_scores(in, 0, in.m, s, stride);

  Group groups[kMostRows / kTileRows];
  const Int count = (in.rows + kTileRows - 1) / kTileRows;
  for (Int g = 0; g < count; ++g) groups[g] = soften_group(block, g * kTileRows, s, stride);

  const Span all = span_of(in.masks, 0, in.rows, 0, in.m);
  for (Int k = all.begin; k < all.end; k += kDepthChunk) {
    for (Int g = 0; g < count; ++g) {
      const Int k0 = greater(k, groups[g].span.begin);
      const Int k1 = smaller(k + kDepthChunk, smaller(groups[g].span.end, in.m));
      if (k0 < k1) finish_chunk(block, groups[g], k0, k1, s, stride, output, output_stride);
    }
  }
  for (Int g = 0; g < count; ++g) {
    finish_group(block, groups[g], s, stride, output, output_stride);
  }
  if (block.bypass) finish_stores_past_cache();
}
