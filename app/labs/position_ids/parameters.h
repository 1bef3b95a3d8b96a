// What the lab of position ids can be set to.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "app/labs/shared/number_format.h"
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
// Of each the id, its name and what it is a count of.
struct DefinitionWords {
  std::string_view id, name, of;
};
inline constexpr std::array kDefinitions = {
    DefinitionWords{"exact", N_("exact"), N_("ids that are numbers of the format")},
    DefinitionWords{"distinct", N_("different values"), N_("values that are left for them all")},
    DefinitionWords{"alone", N_("alone"), N_("ids that share their value with no other")},
    DefinitionWords{"alone_exact", N_("alone and exact"),
                    N_("of these, the ones that keep their value")},
    DefinitionWords{"colliding", N_("colliding"), N_("ids that share their value")},
    DefinitionWords{"equal_neighbours", N_("equal neighbours"), N_("ids less values")},
    DefinitionWords{"beyond", N_("exact, beyond the first"),
                    N_("of the ids after the first run without a gap")},
    DefinitionWords{"largest", N_("largest group"), N_("ids that share one value")}};
inline const DefinitionWords& words_of(Definition definition) {
  return kDefinitions[static_cast<std::size_t>(definition)];
}
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
