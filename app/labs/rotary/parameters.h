// What the rotary lab can be set to.
#pragma once

#include <algorithm>
#include <string>

#include "app/labs/shared/text_knobs.h"
#include "app/labs/shared/tokens.h"
#include "core/position/rotary.h"
#include "core/position/xpos.h"

namespace lab::rotary {

enum class Vectors { random, equal, text };
enum class TextScheme { rope, xpos };
enum class Explained { dial, score, bound, xpos, weight };

inline constexpr int kLastPosition = 1000000;
inline constexpr int kMostTokens = 256;
inline constexpr int kHeads = 8;
inline constexpr int kModelWidth = 64;

// Which columns of q and k turn, and how fast; `seed` draws them.
struct RotationKnobs {
  int d = 16;
  int seed = 3;
  double base = 10000;
  core::RotaryPairing pairing = core::RotaryPairing::neighbours;
  bool partial = false;
  int rotated = 4;

  bool operator==(const RotationKnobs&) const = default;
  // How many columns turn: all of them, or the first `rotated`.
  int rotated_width() const { return partial ? std::min(rotated, d) : d; }
};

struct XposKnobs {
  double gamma = 0.4;
  double scale_base = 512;

  bool operator==(const XposKnobs&) const = default;
  core::XposOptions options() const { return {.gamma = gamma, .scale_base = scale_base}; }
};

struct TextKnobs {
  std::string text{kSampleText};
  core::Unit unit = core::Unit::words;
  int head = 3;  // 1 to kHeads, as people count them
  bool causal = true;
  TextScheme text_scheme = TextScheme::rope;

  bool operator==(const TextKnobs&) const = default;
};

struct Parameters : RotationKnobs, XposKnobs, TextKnobs {
  int m = 37, n = 25;
  int moved_to = 10000;
  int reach = 128;

  Vectors vectors = Vectors::random;
  int draws = 16;
  int query = 12;
  int key = 2;

  int pair = 3;
  Explained explained = Explained::score;
  core::Pool pool = core::Pool::max;

  TokenCount counted;  // no parameter: of `text`
};

void describe(Parameters& p, param::List& list);

// With every number inside of its range.
Parameters settled(Parameters p);

}  // namespace lab::rotary
