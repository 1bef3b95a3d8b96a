// The computation of the lab: the table of the chosen scheme, and what the shown question needs.
#pragma once

#include "app/labs/absolute/parameters.h"
#include "app/labs/shared/drawing/maps.h"

namespace lab::absolute {

// --- the table

// A table as it was drawn and as training left it, (rows, d).
struct Learned {
  MatrixD initial;
  core::LearnedFit fit;
};

// The words at the positions, and the waves of each.
struct WordWaves : RepeatedWords {
  core::ComplexOrderTable table;  // one row a word
};

// The sinusoidal scheme keeps its first kMostRows rows.
struct Table : core::PositionTable {
  Encoding made_of = {};
  Source source = {};  // n x d
  std::shared_ptr<const Learned> learned = {};
  std::shared_ptr<const core::FloaterCourse> flow = {};
  std::shared_ptr<const WordWaves> words = {};
};
using TablePointer = std::shared_ptr<const Table>;
TablePointer table_of(const Encoding& e, const Context& context);

// --- the questions

struct Shift : core::TableShift {
  Source cells;  // of the map
};

struct Collisions : core::Separation {
  core::SizesCompared sizes;
};

// Tokens, their embeddings, projections and the four terms; P is scaled.
struct Pairs : core::AbsoluteScores {
  Labels labels = {};
  bool cut = false;  // the text, or the table, has no more
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
  std::shared_ptr<const core::ProductDecay> decay;
  std::shared_ptr<const Collisions> collisions;
  std::shared_ptr<const Pairs> pairs;  // null also when there are no words
  std::optional<core::MovedTokens> order;
  Index query = 0, key = 0;  // inside the words
};
Model make_model(const Parameters& p, const Context& context);

// A curve over first, first + 1, ..., thinned out to at most some thousand points that keep the
// least and the largest value of each stretch.
Line curve_of(const VectorD& y, Index first = 0);

}  // namespace lab::absolute
