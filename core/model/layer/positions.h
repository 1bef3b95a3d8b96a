// How a model's tokens know where they stand: what becomes of embeddings, something that each head
// does with its queries, keys, scores or weights, or rows that are added to what each layer's
// attention is given. The schemes themselves lie in core/position.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/layer/embedding.h"
#include "core/model/layer/flow.h"
#include "core/model/layer/linear.h"
#include "core/position/rotary/rotary.h"

namespace core::model {

enum class Scheme {
  none,
  learned,     // a learned row added to each embedding (Gehring et al. 2017)
  sinusoidal,  // fixed rows (Vaswani et al. 2017, section 3.5)
  rotary,      // queries and keys turned (Su et al. 2021)
  alibi,       // a penalty by distance, a slope a head (Press, Smith and Lewis 2022)
  t5,          // a learned bias by bucket of distance and head (Raffel et al. 2020)
  relative,    // learned keys by distance (Shaw, Uszkoreit and Vaswani 2018, equation 4), shared by
               // heads; without the values of equation 3, which their table 3 finds to add nothing
  urpe,        // weights times a learned factor by distance, of each layer and head (Luo et al.
               // 2022, equation 8; B is 0: C alone knows places)
  complex,     // embeddings as complex numbers, turned with the place by a frequency of each word
               // and dimension (Wang et al. 2020)
  floater,     // the course of a learned system, added to what each layer's self-attention projects
               // (Liu et al. 2020, section 3)
  xpos,        // turned, and shrunk with distance (Sun et al. 2022); for causal attention
  transformer_xl,  // sinusoids of distances, projected, and two learned vectors (Dai et al. 2019)
  deberta  // content with position and position with content (He et al. 2021, equations 2 to 4)
};

// What a scheme is called in files, settings and names of assets; empty: it is none.
constexpr std::string_view scheme_id(Scheme scheme) {
  switch (scheme) {
    case Scheme::none: return "none";
    case Scheme::learned: return "learned";
    case Scheme::sinusoidal: return "sinusoidal";
    case Scheme::rotary: return "rotary";
    case Scheme::alibi: return "alibi";
    case Scheme::t5: return "t5";
    case Scheme::relative: return "relative";
    case Scheme::urpe: return "urpe";
    case Scheme::complex: return "complex";
    case Scheme::floater: return "floater";
    case Scheme::xpos: return "xpos";
    case Scheme::transformer_xl: return "transformer_xl";
    case Scheme::deberta: return "deberta";
  }
  return {};
}

inline constexpr std::size_t kSchemes = static_cast<std::size_t>(Scheme::deberta) + 1;
static_assert(scheme_id(static_cast<Scheme>(kSchemes)).empty(), "kSchemes ends at the last one");

// Of all schemes, in the order of the enumerators.
inline constexpr auto kSchemeIds = [] {
  std::array<std::string_view, kSchemes> ids;
  for (std::size_t k = 0; k < kSchemes; ++k) ids[k] = scheme_id(static_cast<Scheme>(k));
  return ids;
}();

struct PositionForm {
  Scheme scheme = Scheme::none;
  Index longest = 512;                 // no sequence may be longer
  double base = 10000;                 // sinusoidal, rotary, xpos, transformer_xl, complex
  double deviation = 0.5;              // of the start of learned rows: learned, deberta, floater
  Index clip = 16;                     // relative, deberta (its k): distances beyond share a row
  Index buckets = 32, farthest = 128;  // t5
  double scale_base = 512;             // xpos: B, in tokens
  Index flow_width = 32;               // floater: of what lies between its two matrices
  double flow_delta = 0.1;             // floater: time from place to place

  bool operator==(const PositionForm&) const = default;
};

// Numbers that are not learned, in either precision.
struct FixedRows {
  std::shared_ptr<const MatrixD> doubles;
  std::shared_ptr<const Matrix> floats;  // the same, rounded

  FixedRows() = default;
  explicit FixedRows(MatrixD rows);
  explicit operator bool() const { return doubles != nullptr; }
  // Rows from `first` on; nobody asks for their gradient.
  template <class S>
  Tensor<S> rows(Index first, Index count) const;
};

// What becomes of embeddings: nothing but for `learned`, `sinusoidal` and `complex`.
struct AddedPositions {
  Slot table;       // learned
  FixedRows fixed;  // sinusoidal
  Slot frequency;   // complex: of the words of the model whose stack it is

  static AddedPositions declare(const Scope& scope, Index d_model, const PositionForm& form);
  explicit operator bool() const { return table.declared() || fixed || frequency.declared(); }
  // x: the rows of the words `ids`. InputError for sequences longer than the form says.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const std::int32_t* ids,
                       const Sequences& sequences) const;
};

// complex: how far each word turns from place to place in each of its dimensions, "frequency",
// (words, d_model / 2); all begin with sinusoidal's. Of the word's number r exp(i theta) both parts
// are the embedding's own columns, so that the table is also the output layer's where it is tied:
// amplitude and phase are learned as the number's parts, the frequency as it is. Not declared for
// other schemes; InputError for an odd d_model.
Slot word_frequencies(const Scope& scope, Index words, Index d_model, const PositionForm& form);

// Queries and keys of heads that know where they stand, what is added to their scaled scores,
// (heads n, m) or (batch heads n, m), or nothing, and what their weights are multiplied by, (heads
// n, m), or nothing.
template <class S>
struct Placed {
  Tensor<S> q, k, bias = {}, factors = {};
};

// What heads do: nothing but for the other schemes. One for all layers of a stack, as T5 has it;
// Transformer-XL and DeBERTa project their distances anew in each layer, here all layers share the
// projections too. URPE has factors of its own in each layer.
struct HeadPositions {
  PositionForm form;
  Index heads = 1, width = 1;  // of queries' heads
  bool causal = false;
  Slot
      table;  // t5: (buckets, heads); relative: (2 clip + 1, width); deberta: (2 clip, heads width)
  Linear of_keys, of_queries;        // of distances: transformer_xl keys alone, deberta both
  Slot content_bias, position_bias;  // transformer_xl: u and v, (1, heads width)
  FixedRows sinusoids;               // transformer_xl: of distances longest - 1 to 1 - longest
  std::vector<Slot> factors;  // urpe: of each layer (2 longest - 1, heads), by key minus query
  // rotary, xpos: by how much places turn.
  struct Turns {
    RotaryTableD doubles;
    RotaryTable floats;
  };
  std::shared_ptr<const Turns> query_turns, key_turns;

  // `causal`: keys behind the query only, which T5's buckets ask for. InputError for rotary heads
  // and sinusoids of odd width.
  static HeadPositions declare(const Scope& scope, Index heads, Index width, bool causal,
                               const PositionForm& form, Index layers = 1);
  // q (rows, heads width), k (rows, fewer heads, width each): see Placed. Queries stand at the end
  // of the keys. InputError for sequences longer than the form says.
  template <class S>
  Placed<S> operator()(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k,
                       const Sequences& queries, const Sequences& keys, Index layer = 0) const;
  // What q . k is multiplied by: none, 1 / sqrt(width), where a scheme has none of its own.
  std::optional<double> scale() const;

 private:
  template <class S>
  Placed<S> by_sinusoids(Tape<S>& tape, const Placed<S>& heads, const Sequences& queries,
                         const Sequences& keys) const;
  template <class S>
  Placed<S> disentangled(Tape<S>& tape, const Placed<S>& heads, const Sequences& queries,
                         const Sequences& keys) const;
};

}  // namespace core::model
