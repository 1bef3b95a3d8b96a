// The table of position schemes: everything that differs between schemes is a field of an entry,
// and users walk the table. A scheme is a file in schemes/ and its line in list.inc.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/learning/layout.h"

namespace core::model {

enum class Scheme {
#define ATTNSCOPE_SCHEME(id) id,
#include "core/model/positions/list.inc"
#undef ATTNSCOPE_SCHEME
};

// Ids of all schemes, in the order of the enumerators.
inline constexpr std::array kSchemeIds{
#define ATTNSCOPE_SCHEME(id) std::string_view(#id),
#include "core/model/positions/list.inc"
#undef ATTNSCOPE_SCHEME
};
inline constexpr std::size_t kSchemes = kSchemeIds.size();
inline constexpr auto kAllSchemes = [] {
  std::array<Scheme, kSchemes> all{};
  for (std::size_t k = 0; k < kSchemes; ++k) all[k] = static_cast<Scheme>(k);
  return all;
}();
constexpr std::string_view scheme_id(Scheme scheme) {
  return kSchemeIds[static_cast<std::size_t>(scheme)];
}

// Settings of a model's positions.
struct PositionForm {
  Scheme scheme = Scheme::none;
  Index longest = 512;     // no sequence may be longer
  double base = 10000;     // sinusoidal, rotary, xpos, transformer_xl, complex
  double deviation = 0.5;  // standard deviation of initial rows: learned, deberta, floater
  Index clip = 16;         // relative, deberta (its k): larger distances share a row
  Index buckets = 32, farthest = 128;  // t5
  double scale_base = 512;             // xpos: B, in tokens
  Index flow_width = 32;               // floater: hidden width of its network
  double flow_delta = 0.1;             // floater: time between two positions

  bool operator==(const PositionForm&) const = default;
};

// --- what a scheme costs, in the letters of scheme_cost.h

// A part of one forward pass: "h·pairs". Formulas are sums of products.
struct CostStep {
  std::string_view words;       // a message: what is done
  std::string_view operations;  // additions and multiplications together, in one layer or once
  std::string_view additions;   // how many of these are additions; the others are multiplications
  bool every_layer = true;
};
struct CostTerms {
  std::span<const CostStep> steps = {};
  std::string_view parameters = {};  // learned numbers, all layers
  // Numbers that one layer's steps hold in addition to q, k, v, scores and parameters: tables,
  // projected tables, products with tables.
  std::string_view held = {};
  std::string_view functions = {};  // sines and cosines that fill tables
};

// --- what a scheme does in a model (positions.h)

struct AddedPositions;
struct HeadPositions;
struct Flow;
struct DistanceTables;
struct Numbers;
struct Sequences;
template <class S>
class Tape;
template <class S>
struct Placed;

// Where a scheme acts: nowhere, on embeddings, on the input of each layer's heads, on queries and
// keys, on scores before the softmax, or on weights after it.
enum class Acts { nowhere, embeddings, layers, queries_and_keys, scores, weights };

// What heads do: `heads` has queries and keys on entry, and on return all of Placed.
template <class S>
using PlaceHeads = void (*)(Tape<S>& tape, const HeadPositions& positions, const Sequences& queries,
                            const Sequences& keys, Index layer, Placed<S>& heads);
// One function in both precisions.
struct Place {
  PlaceHeads<float> floats = nullptr;
  PlaceHeads<double> doubles = nullptr;

  constexpr Place() = default;
  // From a generic lambda without captures.
  template <class Function>
  constexpr Place(Function place) : floats(place), doubles(place) {}  // NOLINT: is converted
  template <class S>
  PlaceHeads<S> of() const;
};

// Sizes of a decoder that reads one token after another.
struct ReadSizes {
  Index layers, heads, width;  // width: of one head
  Index held;                  // number of keys in the cache
  Index distances;             // number of distances that it attends over, the token's own included
};
// Numbers of the model's positions that are read for one token, without tables of distances.
struct ReadNumbers {
  Index stored = 0;  // in the format of the weights
  Index floats = 0;  // in float32
};

// A null function: the scheme does nothing there.
struct SchemeEntry {
  std::string_view name;  // a message
  Acts acts = Acts::nowhere;
  bool learns = false;      // it has parameters of its own
  bool in_encoders = true;  // also offered by models with an encoder
  bool grows = false;       // queries and keys are multiplied by powers of their positions, which
                            // finally exceed float's range
  int products = 1;  // number of products in a score, which is divided by sqrt(products width)
  CostTerms cost = {};

  // Each declares its parameters, which are all that a model stores of the scheme, and fills tables
  // that are not learned. For embeddings, in a stack's scope:
  void (*declare_added)(const Scope& scope, Index d_model, const PositionForm& form,
                        AddedPositions& added) = nullptr;
  // One row for each word, in the scope of the model to which the stack belongs.
  Slot (*declare_words)(const Scope& scope, Index words, Index d_model,
                        const PositionForm& form) = nullptr;
  // Declares the parameters of heads, for all layers, in a stack's scope; `positions` has form,
  // heads, width and causal.
  void (*declare_heads)(const Scope& scope, Index layers, HeadPositions& positions) = nullptr;
  // Declares FLOATER's system, which adds to the input of each layer's heads, in a stack's scope.
  Flow (*declare_flow)(const Scope& scope, Index layers, Index d_model,
                       const PositionForm& form) = nullptr;
  Place place = {};

  // For a decoder that reads one token after another: its tables of distances, and how many numbers
  // of them one layer reads for one token.
  void (*fill_tables)(const Numbers& numbers, const HeadPositions& positions,
                      DistanceTables& tables) = nullptr;
  Index (*table_numbers)(const PositionForm& form, const ReadSizes& sizes) = nullptr;
  ReadNumbers (*read_numbers)(const ReadSizes& sizes) = nullptr;
};

const SchemeEntry& entry(Scheme scheme);

// The entries, each defined in its own file.
namespace schemes {
#define ATTNSCOPE_SCHEME(id) extern const SchemeEntry id;
#include "core/model/positions/list.inc"
#undef ATTNSCOPE_SCHEME
}  // namespace schemes

template <>
inline PlaceHeads<float> Place::of() const {
  return floats;
}
template <>
inline PlaceHeads<double> Place::of() const {
  return doubles;
}

}  // namespace core::model
