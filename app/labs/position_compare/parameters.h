// What the side-by-side lab can be set to.
#pragma once

#include "app/labs/shared/sequence.h"
#include "core/position/scheme_cost.h"

namespace lab::position_compare {

using Scheme = core::PositionScheme;

// The third and fourth place may stay empty: `off` is not a scheme, one past the last.
inline constexpr Scheme kOff = static_cast<Scheme>(static_cast<int>(Scheme::urpe) + 1);

enum class Projection { tied, random };
enum class MaskKind { full, causal };
enum class Quantity { scores, weights };
// Which figure's picked value is explained.
enum class Explained { value, difference, distance, cost, time };

inline constexpr int kMostTokens = 1024;
inline constexpr int kMostWidth = 2048;

// What one head's queries and keys depend on besides the tokens.
struct HeadKnobs {
  int seed = 89;
  int heads = 8;
  int d_model = 512;
  int head = 3;  // 1 to heads, as people count them

  int d_k() const { return d_model / heads; }
  bool operator==(const HeadKnobs&) const = default;
};

// What a scheme makes of them depends on besides.
struct SchemeKnobs : HeadKnobs {
  MaskKind mask = MaskKind::causal;
  double base = 10000;
  double scale_base = 512;
  int buckets = 32;
  int max_distance = 128;
  int clip = 16;
  int trained_length = 512;
  double table_size = 0.5;

  bool operator==(const SchemeKnobs&) const = default;
};

struct Parameters : SequenceKnobs, SchemeKnobs {
  Scheme scheme_1 = Scheme::none;
  Scheme scheme_2 = Scheme::sinusoidal;
  Scheme scheme_3 = Scheme::rotary;
  Scheme scheme_4 = Scheme::alibi;
  Quantity quantity = Quantity::scores;

  Projection projection = Projection::tied;

  int layers = 6;
  int counted_length = 2048;

  bool measure = false;

  Explained explain = Explained::value;
  int scheme = 3;  // 1 to the number of schemes
  int query = 12;
  int key = 2;
  int distance = -10;  // key minus query

  // The schemes that are compared, two to four, in order.
  std::vector<Scheme> schemes() const;
  bool shows(std::initializer_list<Scheme> any) const;
  core::SchemeSize size() const;
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::position_compare
