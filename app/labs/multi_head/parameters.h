// What the multi-head lab can be set to.
#pragma once

#include "app/labs/shared/sequence.h"

namespace lab::multi_head {

enum class Projection { identity, tied, random };
enum class Position { none, sinusoidal, rope };
enum class MaskKind { full, causal, local, key_padding, query_padding };
inline bool is_padding(MaskKind mask) {
  return mask == MaskKind::key_padding || mask == MaskKind::query_padding;
}
enum class LinksOf { head, all };
enum class WeightScale { linear, log };
enum class WeightColors { viridis, cividis, magma, grey };

inline constexpr int kMostTokens = 16384;

struct Parameters : SequenceKnobs {
  int heads = 8;
  int d_model = 64;
  Projection projection = Projection::tied;
  int seed = 89;

  Position position = Position::rope;
  double base = 10000;

  MaskKind mask = MaskKind::causal;
  int reach = 2;
  int valid = 10;

  double temperature = 1;
  bool scaled = true;

  int head = 3;  // 1 to heads, as people count them
  int query = 12;
  int key = 2;  // -1: nothing is pinned
  LinksOf links_of = LinksOf::head;

  core::Pool pool = core::Pool::max;
  WeightScale weight_scale = WeightScale::linear;
  WeightColors colors = WeightColors::viridis;
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::multi_head
