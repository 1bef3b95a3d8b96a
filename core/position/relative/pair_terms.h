// The terms that relative schemes add to a score, as data: each reads a table by the relative
// position r = j - i, and any block of pairs is computed on its own, so that no (n, n) matrix is
// stored. This is self-attention; the schemes' own headers have the plain versions and the papers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/block_tile.h"
#include "core/position/relative/t5.h"
#include "core/types.h"

namespace core {

// One head's queries and keys, (n, d) each.
struct QueryKeys {
  MatrixD Q, K;
  Index n() const { return Q.rows(); }
  Index d() const { return Q.cols(); }
};

using SharedRows = std::shared_ptr<const MatrixD>;

struct PairTerm {
  enum class Id {
    content,              // q_i . k_j
    shaw,                 // q_i . a_r
    xl_position,          // q_i . R_r W, Transformer-XL's (b)
    xl_key,               // u . k_j, (c)
    xl_bias,              // v . R_r W, (d)
    t5,                   // b_bucket(r)
    content_to_position,  // q_i . k_delta(i,j), DeBERTa
    position_to_content,  // k_j . q_delta(j,i)
    alibi                 // -slope |r|, or slope j
  };
  // Which vector is multiplied by the table's row. `key_vector` is K u, `relative` a number that
  // depends on r alone, `key_place` one that depends on j alone.
  enum class Kind { content, query_rows, key_rows, key_vector, relative, key_place };

  Id id = Id::content;
  Kind kind = Kind::content;
  double factor = 1;                         // of the term in the score
  SharedRows rows = {};                      // of the table, (rows, d)
  std::function<Index(Index)> row_of = {};   // r -> the table's row
  std::function<double(Index)> number = {};  // r, or j, -> the number
  VectorD vector = {};                       // u, v
  bool row_each = false;  // the table has a row for every distance of the sequence
  // `row_of` and `number` at r from -(n - 1) to n - 1, filled in by prepare().
  std::shared_ptr<const std::vector<Index>> near_rows = {};
  std::shared_ptr<const VectorD> near = {};
  // Products of every query (or key) with every row of the table, filled in by prepare(). Empty
  // with `row_each`: there a block of pairs needs no more products than it has pairs.
  SharedRows products = {};

  // Whether the term depends on r alone once query and key are fixed.
  bool by_distance() const {
    return kind == Kind::query_rows || kind == Kind::key_rows || kind == Kind::relative;
  }
};

// --- the terms of the schemes, each to be multiplied by `factor`

PairTerm content_term(double factor);
// table: (2k + 1, d), the rows of r from -k to k (shaw.h).
PairTerm shaw_term(SharedRows table, double factor);
// positions: R W, (2n - 1, d), the rows of r from -(n - 1) to n - 1; u, v: (d) (transformer_xl.h).
PairTerm xl_position_term(const SharedRows& positions, double factor);
PairTerm xl_key_term(VectorD u, double factor);
PairTerm xl_bias_term(const SharedRows& positions, const VectorD& v, double factor);
// keys, queries: the projected table, (2k, d) (deberta.h).
PairTerm content_to_position_term(SharedRows keys, double factor);
PairTerm position_to_content_term(SharedRows queries, double factor);
// scalars: one a bucket (t5.h).
PairTerm t5_term(T5Buckets buckets, VectorD scalars);
// -slope |j - i|, or with `key_only` slope j (alibi.h).
PairTerm alibi_term(double slope, bool key_only);

// Computes what all pairs of the sequence read: near rows, near numbers and products.
void prepare(const QueryKeys& of, PairTerm& term);

// --- their values

// The values of a prepared term, times its factor, (block.rows, block.cols).
MatrixD term_block(const QueryKeys& of, const PairTerm& term, const Block& block);
double term_value(const QueryKeys& of, const PairTerm& term, Index i, Index j);

// The two vectors whose product is the term of a pair, without its factor, with their names in the
// papers ("q", "k_δ"). Both are empty where the term is a number.
struct TermVectors {
  std::string left_name, right_name;
  VectorD left, right;
};
TermVectors term_vectors(const QueryKeys& of, const PairTerm& term, Index i, Index j);

// The term as a function of r from -reach to reach, times its factor, with q_i and k_j held fixed,
// (2 reach + 1). A table with `row_each` has no rows beyond the sequence: reach < n.
VectorD term_curve(const QueryKeys& of, const PairTerm& term, Index i, Index j, Index reach);

}  // namespace core
