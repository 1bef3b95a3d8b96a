// The computation of the lab: the table of the chosen scheme, and what the shown question needs.
#pragma once

#include "app/labs/absolute/parameters.h"

namespace lab::absolute {

inline Source kept(const MatrixD& cells) {
  return std::make_shared<DenseSource>(Matrix(cells.cast<float>()));
}

// --- the table

// PE(p, c) of n positions from the formula; nothing is kept.
Source formula_cells(Index n, Index d, const core::SinusoidalOptions& options);
// A matrix; rows from `filled` on are absent.
Source kept_cells(Matrix table, Index filled);

// A table as it was drawn and as training left it, (rows, d).
struct Learned {
  MatrixD initial;
  core::LearnedFit fit;
};

// A system, its course at the positions, and the same course in finer steps.
struct Flow {
  core::Dynamics h;
  MatrixD rows;              // (n, d)
  MatrixD fine;              // kFine rows a position
  double largest_error = 0;  // of `rows` against `fine`
};
inline constexpr Index kFine = 4;

// The words at the positions, and their numbers.
struct Turned {
  core::ComplexOrderTable table;  // one row a different word
  std::vector<Index> ids;         // of the word at each position
  std::vector<std::string> names;
  bool cycled = false;  // the text was shorter and began again
};

struct Table {
  Encoding made_of = {};
  Index n = 0;       // positions
  Index filled = 0;  // of them, those that have a row
  Index d = 0;
  // The frequencies when all positions turn alike; empty otherwise. Of one axis on a grid.
  VectorD theta = {};
  core::SinusoidalOptions options = {};  // of the sinusoidal scheme
  bool sinusoidal = false;
  MatrixD P = {};      // (filled, d), or the first kMostRows rows of the sinusoidal scheme
  Source source = {};  // n x d
  std::shared_ptr<const Learned> learned = {};
  std::shared_ptr<const Flow> flow = {};
  std::shared_ptr<const Turned> turned = {};

  // Any position that has a row; of the sinusoidal scheme any position at all.
  VectorD row(Index position) const;
  bool has(Index position) const { return sinusoidal || (position >= 0 && position < filled); }
};
using TablePointer = std::shared_ptr<const Table>;
TablePointer table_of(const Encoding& e, const Context& context);

// --- the questions

struct Shift {
  MatrixD map;                           // (d, d)
  std::optional<core::FittedShift> fit;  // when no map follows from the formula
  double error = 0;                      // largest |M PE(p) - PE(p + k)| over the kept rows
  Source cells;                          // of the map
};

// Products of rows: at each distance the mean, least and largest over all pairs.
struct Decay {
  VectorD mean, least, largest;
  bool exact = false;  // all pairs of a distance have the same product
  VectorD envelope;    // the largest mean still to come
  core::CurveFacts facts;
};

struct Collisions {
  VectorD distance;                // at distances 1 .. size, the least over all pairs
  std::vector<core::Lag> records;  // closer than all shorter ones, up to n - 1
  std::vector<int> widths;         // compared at the base that is set
  std::vector<std::vector<core::Lag>> width_records;
  std::vector<double> width_lengths, base_lengths;  // NaN: none up to `searched`
  std::vector<double> bases;                        // compared at the width that is set
  Index searched = 0;
  std::optional<core::Lag> first;  // below the threshold, up to n - 1
};

// Tokens, their embeddings, projections and the four terms.
struct Pairs {
  Labels labels;
  MatrixD X, P;      // (n, d): words, and scaled positions
  MatrixD W_q, W_k;  // of [x; p] when concatenated
  Index d_k = 0;
  bool concatenated = false;
  core::AbsoluteTerms terms;
  MatrixD scores, weights;  // scaled, softmax
  MatrixD content_weights;  // the same without any position
  bool cut = false;         // the text, or the table, has no more

  Index n() const { return X.rows(); }
  double scale() const;  // 1 / √d_k
  // What the projections see.
  MatrixD input(const MatrixD& x, const MatrixD& p) const;
};

// Attention over the words in their order and in another one.
struct Order {
  std::vector<Index> moved;              // the word at place k was at moved[k]
  MatrixD before, after, after_at_home;  // weights; the last with rows and columns put back
  MatrixD output_before, output_after;   // (n, d); the latter put back
  double weight_change = 0, output_change = 0, pooled_change = 0;  // largest magnitudes

  // Where the word that was at `home` stands now.
  Index place(Index home) const;
};

// The positions that curves of columns show, and one such curve.
struct Stretch {
  Index first = 0, count = 0;
  bool operator==(const Stretch&) const = default;
};
struct ColumnCurve {
  Index column;
  std::shared_ptr<const Line> line;
};

struct Model {
  TablePointer table;
  Index position = 0;       // y * width + x on a grid
  Source along_x, along_y;  // on a grid: the rows of the places beside the picked one
  Stretch stretch;
  std::vector<ColumnCurve> columns;  // the picked one last
  std::shared_ptr<const Shift> shift;
  Source products;  // of all kept rows
  std::shared_ptr<const Decay> decay;
  std::shared_ptr<const Collisions> collisions;
  std::shared_ptr<const Pairs> pairs;  // null also when there are no words
  std::optional<Order> order;
  Index query = 0, key = 0;  // inside the words
};
Model make_model(const Parameters& p, const Context& context);

// A curve over first, first + 1, ..., thinned out to at most some thousand points that keep the
// least and the largest value of each stretch.
Line curve_of(const VectorD& y, Index first = 0);

// Which frequency and half a column belongs to.
struct Column {
  Index i = 0;  // of theta
  bool sine = true;
  bool second = false;  // of a grid: in the second half
};
Column column_of(const Encoding& e, Index column);
Index column_at(const Encoding& e, Index i, bool sine);
// On a grid: whether the half that a column belongs to follows x.
bool follows_x(const Encoding& e, const Column& column);

}  // namespace lab::absolute
