// Scores of some rows, and the softmax of one of them, in place.
//
// A row of scores is kept from a column `base` (a multiple of the panel's width) on. Groups of
// kTileRows rows are computed over the whole vectors that any of the group's rows needs: its span.

struct Span {
  Int begin, end;
};

// The whole vectors of columns that rows [r0, r1) need, cut to [k0, k1).
Span span_of(const RowMask* masks, Int r0, Int r1, Int k0, Int k1) {
  Span span = {k1, k0};
  for (Int r = r0; r < r1; ++r) {
    const Int begin = greater(masks[r].begin, k0), end = smaller(masks[r].end, k1);
    if (begin >= end) continue;
    span.begin = smaller(span.begin, begin);
    span.end = greater(span.end, end);
  }
  if (span.begin >= span.end) return {k0, k0};
  return {round_down(span.begin, kLanes), round_up(span.end, kLanes)};
}

// s[r * stride + j - k0] for the rows of one group at a time; `keys` are panels from key 0 on.
void compute_scores(const Scores& in, Int k0, Int k1, float* s, Int stride) {
  const Span all = span_of(in.masks, 0, in.rows, k0, k1);
  Span spans[kMostRows / kTileRows + 1];
  for (Int r = 0; r < in.rows; r += kTileRows) {
    spans[r / kTileRows] = span_of(in.masks, r, smaller(in.rows, r + kTileRows), k0, k1);
  }
  for (Int j = round_down(all.begin, kWidth); j < all.end; j += kWidth) {
    const float* panel = in.keys + j * in.depth;  // panel j / width, depth * width floats each
    for (Int r = 0; r < in.rows; r += kTileRows) {
      const Span span = spans[r / kTileRows];
      const Int begin = greater(j, span.begin), end = smaller(j + kWidth, span.end);
      if (begin >= end) continue;
      const Int rows = smaller(kTileRows, in.rows - r);
      tile_of(rows, end - begin)(in.queries + r * in.depth, in.depth, panel + (begin - j), in.depth,
                                 s + r * stride + (begin - k0), stride, false);
    }
  }
}

// One row's place in [k0, k1): its keys, and the whole vectors around them.
struct Row {
  Int begin, end;  // allowed range, relative to k0; begin >= end when nothing is allowed
  Int whole_begin, whole_end;
  const unsigned char* bits;  // of column k0, or null
};

Row row_of(const RowMask& mask, Int k0, Int k1) {
  Row row = {};
  row.begin = greater(mask.begin, k0) - k0;
  row.end = smaller(mask.end, k1) - k0;
  if (row.begin >= row.end) return row;
  row.whole_begin = round_down(row.begin, kLanes);
  row.whole_end = round_up(row.end, kLanes);
  row.bits = mask.bits ? mask.bits + k0 : nullptr;
  if (row.bits) {
    unsigned any = 0;
    for (Int j = row.begin; j < row.end; ++j) any |= row.bits[j];
    if (!any) row.end = row.begin;
  }
  return row;
}

bool empty(const Row& row) { return row.begin >= row.end; }
bool allowed(const Row& row, Int j) { return !row.bits || row.bits[j]; }

// Adds the bias, and puts -inf, whose exponential is exactly 0, into masked columns and those that
// only fill up a vector.
void prepare_row(float* s, const Row& row, const float* bias) {
  if (bias) {
    for (Int j = row.begin; j < row.end; ++j) s[j] += bias[j];
  }
  if (row.bits) {
    for (Int j = row.begin; j < row.end; ++j) s[j] = row.bits[j] ? s[j] : -kInfinity;
  }
  for (Int j = row.whole_begin; j < row.begin; ++j) s[j] = -kInfinity;
  for (Int j = row.end; j < row.whole_end; ++j) s[j] = -kInfinity;
}

float largest_score(const float* s, const Row& row) {
  Floats a = broadcast(-kInfinity), b = a;
  Int j = row.whole_begin;
  for (; j + 2 * kLanes <= row.whole_end; j += 2 * kLanes) {
    a = larger(load(s + j), a);
    b = larger(load(s + j + kLanes), b);
  }
  if (j < row.whole_end) a = larger(load(s + j), a);
  return largest(larger(a, b));
}

struct Sums {
  float sum, weighted;
};

// s becomes exp(s - max).
Sums exponentiate(float* s, const Row& row, float max) {
  const Floats reference = broadcast(max), least = broadcast(kLeastExponent);
  Floats sum0 = {}, sum1 = {}, weighted0 = {}, weighted1 = {};
  Int j = row.whole_begin;
  for (; j + 2 * kLanes <= row.whole_end; j += 2 * kLanes) {
    const Floats t0 = larger(least, load(s + j) - reference);
    const Floats t1 = larger(least, load(s + j + kLanes) - reference);
    const Floats e0 = exponential(t0), e1 = exponential(t1);
    store(s + j, e0);
    store(s + j + kLanes, e1);
    sum0 += e0;
    sum1 += e1;
    weighted0 += e0 * t0;
    weighted1 += e1 * t1;
  }
  if (j < row.whole_end) {
    const Floats t = larger(least, load(s + j) - reference);
    const Floats e = exponential(t);
    store(s + j, e);
    sum0 += e;
    weighted0 += e * t;
  }
  return {total(sum0 + sum1), total(weighted0 + weighted1)};
}

void fill(float* p, Int count, float value) {
  for (Int i = 0; i < count; ++i) p[i] = value;
}

// A row with a NaN, or without a finite maximum, is NaN where it is allowed and 0 where it is
// masked.
void spoil(float* s, const Row& row) {
  fill(s + row.whole_begin, row.whole_end - row.whole_begin, 0);
  for (Int j = row.begin; j < row.end; ++j) s[j] = allowed(row, j) ? __builtin_nanf("") : 0;
}
