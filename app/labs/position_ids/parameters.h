// What the lab of position ids can be set to.
#pragma once

#include "app/labs/shared/number_format.h"
#include "app/param/param.h"
#include "core/tile.h"

namespace lab::position_ids {

enum class Vertical { rounded, error };
// What "exact" and its relatives are taken to mean.
enum class Definition {
  exact,
  distinct,
  alone,
  alone_exact,
  colliding,
  equal_neighbours,
  beyond,
  largest
};
inline constexpr int kDefinitions = 8;
enum class Explained { id, distance, definition };

inline constexpr int kShortest = 16;
inline constexpr int kLongest = 1 << 20;

struct Parameters {
  NumberFormat format = {};
  NumberRounding rounding = {};
  core::Overflow overflow = core::Overflow::ieee;

  int length = 8192;

  int start = 500, width = 64;

  int id = 533, other = 521;
  Definition definition = Definition::exact;
  Explained explained = Explained::id;

  Vertical vertical = Vertical::rounded;
  bool causal = true;
  core::Pool pool = core::Pool::max;

  core::RoundingRule rule() const { return {rounding.rounding, overflow}; }
  // Ids of the window: start .. end() - 1.
  core::Index end() const {
    return std::min<core::Index>(length, core::Index{start} + core::Index{width});
  }
  core::Index shown() const { return end() - start; }
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::position_ids
