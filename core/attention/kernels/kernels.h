// The inner loops of attention as a table of functions, compiled once for each instruction set.
//
// The sources behind it (*.inl) are compiled several times with different flags. A weak symbol from
// such a unit (an inline function, a template, anything of std:: or Eigen) would be merged by the
// linker with its namesakes compiled for another processor, so these units use raw pointers and
// internal linkage only; this header declares plain structs and nothing that has a body.
//
// Panels: a matrix of `depth` rows and `cols` columns is packed as ceil(cols / width) panels, each
// of them `depth` rows of `width` floats in one run, the last one filled up with zeros. They lie on
// 64-byte boundaries.
#pragma once

#include <cstdint>

namespace core::kernels {

using Int = std::int64_t;

// Rows that one call of `attend`, `stream` or `tile` takes at most.
constexpr Int kMostRows = 96;

// Keys that one query may attend to: [begin, end) cut to [0, m], and where `bits` is set only those
// of them with a nonzero byte. begin >= end is an empty row.
struct RowMask {
  Int begin, end;
  const unsigned char* bits;
};

// The scores of `rows` queries of one head: queries * keys (+ bias).
struct Scores {
  const float* queries;  // rows x depth, one run, already multiplied by the scale
  Int rows, depth;
  const float* keys;  // panels of K^T, depth x m
  Int m;
  const RowMask* masks;  // of each row
  const float* bias;     // rows x m, added to the scaled scores; null for none
  Int bias_stride;
};

// What a row's softmax leaves behind, an array with one float a row each. Rows without a key: -inf,
// 0, 0. Rows with a NaN, or with no finite largest score: NaN.
struct RowStats {
  float* max;       // largest scaled score among the allowed keys
  float* sum;       // of exp(score - max) over them
  float* weighted;  // of exp(score - max) * (score - max); entropy = ln(sum) - weighted / sum
};

struct Values {
  const float* panels;  // of V, m x d_v
  Int d_v;
  bool finite;  // false: masked values must not be touched, for 0 * NaN is NaN
};

// Some rows of one head: softmax of the scores, and the values averaged by it.
struct AttendBlock {
  Scores scores;
  Values values;
  float* weights;  // rows x m, one run; null when nobody keeps them
  bool bypass;     // the weights do not fit into the cache: write past it
  float* output;   // rows x d_v
  Int output_stride;
  RowStats stats;
  float* scratch;  // attend_scratch(rows, m, d_v) floats on a 64-byte boundary
};

// The same for the keys [k0, k1) alone; calls with rising k0 add up. `stats` start as -inf, 0, 0,
// `sums` as 0, and stay relative to the largest score so far.
struct StreamChunk {
  Scores scores;
  Values values;
  Int k0, k1;  // k0 is a multiple of `width` and of `cell`
  RowStats stats;
  float* output;  // rows x output_stride: d_v rounded up to whole panels
  Int output_stride;
  Int cell;         // a power of two: columns pooled into one
  float* cell_sum;  // rows x cell_stride, column 0 is the cell of k0; null for none: sum and
  float* cell_max;  // exp(score - reference) over the allowed keys of the cell
  Int cell_stride;
  float* reference;  // rows: the largest score up to k1
  float* scratch;    // stream_scratch(rows, k1 - k0) floats on a 64-byte boundary
};

// Pools scores or weights over blocks of `cell` x `cell`, allowed cells only. Row r belongs to
// pooled row (first + r) / cell, column k0 + c to pooled column c / cell: the pools begin at k0's.
struct Tile {
  Scores scores;
  Int k0, k1;        // k0 is a multiple of `width`
  const float* max;  // rows each, as in RowStats: pools weights. Null: pools the scores.
  const float* sum;
  Int first, cell;
  float* pool_sum;  // added to; `pool_stride` from one pooled row to the next
  float* pool_far;  // the value of largest size, with its sign, of it and the cells; a NaN stays
  Int pool_stride;
  float* scratch;  // stream_scratch(rows + 2, k1 - k0) floats on a 64-byte boundary
};

// Rows that one group of a sparse mask takes at most: one tile of the matrix product.
constexpr Int kGroupRows = 6;

// Some rows of a sparse mask that keep nearly the same range of keys: columns of panels.
struct SparseGroup {
  Int rows;              // 1 to kGroupRows
  Int begin, end;        // whole vectors of `lanes` columns
  const Int* row_begin;  // of each row, begin <= row_begin < row_end <= end
  const Int* row_end;
  float* s;    // rows x stride: scores, later their exponentials, of the columns from `begin` on
  Int stride;  // whole vectors
};

// Rows of a matrix by number.
struct Gathered {
  const float* from;
  Int stride, depth;  // floats from one row to the next, and in a row
  const std::int32_t* rows;
  Int count;
};

// Part of a row of scores: whole vectors on a vector's boundary, -inf where nothing is kept.
struct Segment {
  float* s;
  Int count;
};

// Rows whose pairs of numbers are turned: (x[2i], x[2i + 1]), or (x[i], x[i + pairs]).
struct RotateRows {
  float* y;  // may be `x`
  const float* x;
  Int rows, stride;            // floats from one row of x, and of y, to the next
  const float *cosine, *sine;  // rows x pairs, one run each
  Int pairs;
  bool neighbors;
};

struct Table {
  const char* name;
  Int width;  // columns of a panel: whole vectors of `lanes` columns
  Int lanes;
  // One panel from `depth` rows (`stride` apart) of `cols` <= width columns.
  void (*pack_columns)(const float* from, Int stride, Int depth, Int cols, float* panel);
  // The same of the transposed matrix: from `cols` <= width rows of `depth` columns.
  void (*pack_rows)(const float* from, Int stride, Int cols, Int depth, float* panel);
  // c = a * panel (or c += with `add`), a is rows x depth. Columns of c past `cols` are written up
  // to the end of a vector (never past `width`).
  void (*multiply)(const float* a, Int a_stride, Int rows, const float* panel, Int cols, Int depth,
                   float* c, Int c_stride, bool add);
  // The same of the transposed a, which is depth x rows.
  void (*multiply_transposed)(const float* a, Int a_stride, Int rows, const float* panel, Int cols,
                              Int depth, float* c, Int c_stride, bool add);
  // exp of x <= 88, within 2 ulp; below ln(2^-126) exactly 0; NaN stays NaN. May work in place.
  void (*exponentials)(const float* from, Int count, float* to);
  Int (*attend_scratch)(Int rows, Int m, Int d_v);
  Int (*stream_scratch)(Int rows, Int keys);
  void (*attend)(const AttendBlock& block);
  void (*stream)(const StreamChunk& chunk);
  void (*tile)(const Tile& tile);
  void (*rotate)(const RotateRows& rows);
  // Scores of a group: queries (rows x depth, one run, scaled) times panels of keys. -inf in the
  // vectors that a row keeps only in part, 0 in those of which it keeps nothing.
  void (*group_scores)(const SparseGroup& group, const float* queries, Int depth,
                       const float* keys);
  // output[r] += s * values of a lattice of m keys, all finite; each output is d_v rounded up to
  // whole panels.
  void (*group_values)(const SparseGroup& group, const Values& values, Int m, float* const* output);
  // s[t] = query . row t.
  void (*gathered_scores)(const Gathered& keys, const float* query, float* s);
  // output += sum of s[t] * row t.
  void (*gathered_values)(const Gathered& values, const float* s, float* output);
  // -inf in the columns of a segment whose bit is not set: bit c % 16 of bits[c / 16].
  void (*mask_scores)(const Segment& segment, const std::uint16_t* bits);
  // Exponentials of one row's segments relative to its largest score. A row with a NaN or without a
  // finite largest score has a sum that is not > 0, and segments of no use.
  void (*soften)(const Segment* segments, Int count, float* max, float* sum, float* weighted);
  // s becomes exp(s - max) * factor.
  void (*weigh)(const Segment& segment, float max, float factor);
  // to = from * factor
  void (*scale)(const float* from, Int count, float factor, float* to);
  // False when a value is NaN or infinite.
  bool (*all_finite)(const float* from, Int count);
  // Adds up and compares: *sum += from[t], *max = the larger; a NaN makes both NaN.
  void (*pool)(const float* from, Int count, float* sum, float* far);
};

extern const Table kBaseline;
extern const Table kV3;  // AVX2 and FMA
extern const Table kV4;  // AVX-512

}  // namespace core::kernels
