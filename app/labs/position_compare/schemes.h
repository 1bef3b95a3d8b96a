// What this lab says and computes of each scheme. Its id, name and costs are those of the table in
// core (core/model/positions/scheme.h); a scheme to compare is a file in schemes/ and its line in
// schemes/list.inc.
#pragma once

#include "app/figure/figure.h"
#include "app/labs/position_compare/model.h"
#include "app/labs/shared/derivation/derivation.h"

namespace lab::position_compare {

using figure::Span;

// One score, taken apart into what its scheme adds up; see the schemes' headers in core/position.
struct Part {
  std::vector<Span> symbol;  // q·k
  double value = 0;
  VectorD a, b;           // a · b = value; empty for a number that was looked up or is a rule
  std::string note = {};  // what was looked up, or the rule
  bool inside = true;     // under the division by the root
};

// A query and a key whose score is taken apart.
struct Pair {
  const SchemeKnobs& p;
  const Content& content;
  const Inside& inside;
  Index i, j;
  const Words& w;

  VectorD q() const { return content.Q.row(i).transpose(); }
  VectorD k() const { return content.K.row(j).transpose(); }
};

// Knobs that have an effect.
struct Uses {
  bool base = false, scale_base = false, buckets = false, clip = false, trained_length = false,
       table_size = false;
};

struct Compared {
  std::string_view id = {}, name = {};          // where they are not the table's; a message
  std::string_view acts, acts_source = {};      // absolute or relative; messages
  std::string_view beyond, beyond_source = {};  // longer than trained; messages
  std::string_view formula;                     // of the score, in the small TeX of formula.h
  Uses uses = {};
  // Fills what the scheme needs. Null: nothing; queries and keys are the content's where it leaves
  // them empty.
  void (*bring)(const SchemeKnobs& p, const Content& content, Inside& inside) = nullptr;
  // Null: plain_scores.
  MatrixD (*scores)(const SchemeKnobs& p, const Content& content, const Inside& inside) = nullptr;
  // What is added to the product of content with content, or stands in its place. Null: nothing.
  void (*parts)(const Pair& pair, std::vector<Part>& parts) = nullptr;
  // The pairs that the scheme has a position for. Null: all.
  Mask (*known)(const SchemeKnobs& p, Index n) = nullptr;
  bool table_ends = false;  // it has no position beyond p.trained_length
  bool of_tokens = true;    // what `bring` fills depends on the tokens, or costs little
};

// InputError for a scheme that is not in the list.
const Compared& compared_as(Scheme scheme);
std::string_view id_of(Scheme scheme);
std::string_view name_of(Scheme scheme);  // a message

namespace compared {
#define ATTNSCOPE_COMPARED(id) extern const Compared id;
#include "app/labs/position_compare/schemes/list.inc"
#undef ATTNSCOPE_COMPARED
}  // namespace compared

// In the order of the knobs.
inline constexpr std::array kCompared{
#define ATTNSCOPE_COMPARED(id) Scheme::id,
#include "app/labs/position_compare/schemes/list.inc"
#undef ATTNSCOPE_COMPARED
};

// --- what several schemes do alike

constexpr std::string_view kPlainFormula =
    "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}}";
constexpr std::string_view kAddedFormula =
    "s_{ij} = \\frac{(x_{i} + p_{i})\\Q{W_{q}}\\cdot(x_{j} + p_{j})\\K{W_{k}}}{\\sqrt{d_{k}}}";

inline const Span kQ{"q", Role::query}, kK{"k", Role::key};
inline const Span kWq{"W_q", Role::query}, kWk{"W_k", Role::key};

VectorD row(const MatrixD& m, Index i);
VectorD places(Index n);  // 0, 1, ...
Part product(std::vector<Span> symbol, VectorD a, VectorD b, std::string note = {});
Part number(const char* symbol, double value, std::string note);
// q . k / √d_k of every pair, as a product of matrices: core's dot_scores is the plain version.
MatrixD plain_scores(const Inside& inside);
// P (n, d_model) is added to the embeddings.
void bring_added(const MatrixD& P, const Content& content, Inside& inside);
void added_parts(const Pair& pair, std::vector<Part>& parts);
void rotated_parts(const Pair& pair, std::vector<Part>& parts);  // of queries and keys as they are

}  // namespace lab::position_compare
