// What the lab of relative positions can be set to.
#pragma once

#include "app/labs/shared/sequence.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/t5.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace lab::relative {

// What the knob offers: schemes of core's table, and XLNet, a variant of one.
enum class Variant { shaw, transformer_xl, xlnet, t5, deberta, urpe, alibi };
inline constexpr core::EnumArray<Variant, param::Option> kVariants{
    {{"shaw", N_("Shaw")},
     {"transformer_xl", N_("Transformer-XL")},
     {"xlnet", N_("XLNet")},
     {"t5", N_("T5")},
     {"deberta", N_("DeBERTa")},
     {"urpe", N_("URPE")},
     {"alibi", N_("ALiBi")}}};
enum class Explained { score, weight, distance, own };
enum class Projection { tied, random };
enum class MaskKind { full, causal };
// XLNet's positions: with a matrix and vectors of their own, or the content's.
enum class PositionMatrix { published, one_matrix };
enum class T5Direction { bidirectional, causal };
enum class UrpeBias { none, t5, alibi };
enum class AlibiBias { distance, key_only };
enum class DistanceAxis { linear, log };
enum class TermColors { common, own };

inline constexpr int kMostTokens = 4096;
inline constexpr int kModelWidth = 64;       // of the token vectors
inline constexpr int kMostExtent = 1 << 20;  // tokens of the matrix over distance
inline constexpr int kMostClip = 127;        // 255 rows: as many as a scale of names tells apart
inline constexpr int kMostBuckets = 256;

// All that the terms of a score and the mask depend on, beside the content.
struct ScoreKnobs {
  Variant variant = Variant::shaw;
  MaskKind mask = MaskKind::full;
  int seed = 7;  // of the content too

  double size = 1;
  double smooth = 2;

  int clip = 4;
  bool values = true;

  PositionMatrix form = PositionMatrix::published;
  int sinusoid_width = 32;
  double base = 10000;
  bool xl_position = true, xl_key = true, xl_bias = true;

  T5Direction t5_direction = T5Direction::bidirectional;
  int buckets = 32;
  int max_distance = 128;
  double t5_fall = 0.25;
  bool folded = true;

  int span = 8;
  bool content_to_position = true, position_to_content = true;

  double urpe_fall = 0.05;
  UrpeBias urpe_bias = UrpeBias::none;

  int heads = 8;
  int head = 1;  // 1 to heads, as people count them
  core::AlibiSlopeRule rule = core::AlibiSlopeRule::released;
  AlibiBias alibi_bias = AlibiBias::distance;

  bool operator==(const ScoreKnobs&) const = default;

  bool is(Variant one) const { return variant == one; }
  bool is_xl() const { return is(Variant::transformer_xl) || is(Variant::xlnet); }
  // Whether T5's bias stands in the scores, and whether ALiBi's does.
  bool uses_t5() const {
    return is(Variant::t5) || (is(Variant::urpe) && urpe_bias == UrpeBias::t5);
  }
  bool uses_alibi() const {
    return is(Variant::alibi) || (is(Variant::urpe) && urpe_bias == UrpeBias::alibi);
  }
  // Keys after the query are masked.
  bool causal() const { return mask == MaskKind::causal || is(Variant::transformer_xl); }
  bool by_key() const { return alibi_bias == AlibiBias::key_only; }
  int position_width() const {  // d_R
    return form == PositionMatrix::published ? sinusoid_width : kModelWidth;
  }
  int term_count() const;   // terms that are added before the softmax
  int entry_count() const;  // rows (columns of R) that `entry` chooses from
};

struct Parameters : SequenceKnobs, ScoreKnobs {
  Explained explain = Explained::score;

  int width = 16;
  Projection projection = Projection::tied;

  double epsilon = 0.01;

  int query = 12;
  int key = 2;   // -1: the strongest one
  int term = 2;  // 1 to the number of terms
  int entry = 0;
  int extent = 32;
  int distance = -10;  // key minus query

  DistanceAxis axis = DistanceAxis::linear;
  TermColors term_colors = TermColors::common;
  core::Pool pool = core::Pool::max;
};
void describe(Parameters& p, param::List& list);

}  // namespace lab::relative
