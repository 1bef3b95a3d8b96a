// The computation of the lab of position ids. Each stage is a pure function of the parameters it
// names.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/number_format.h"
#include "core/enum_array.h"
#include "core/precision/rounded_ids.h"

namespace lab::position_ids {

using core::IdFacts;

// --- what the lab of position ids can be set to

enum class Vertical { rounded, error };
// What "exact" and its relatives are taken to mean.
enum class Definition {
  exact,
  distinct,
  alone,
  alone_exact,
  colliding,
  equal_neighbors,
  beyond,
  largest
};
// The id, the name, and what it counts.
struct DefinitionWords {
  std::string_view id, name, of;
};
inline constexpr core::EnumArray<Definition, DefinitionWords> kDefinitions{
    {DefinitionWords{"exact", N_("exact"), N_("ids that are numbers of the format")},
     DefinitionWords{"distinct", N_("different values"), N_("values that are left for them all")},
     DefinitionWords{"alone", N_("alone"), N_("ids that share their value with no other")},
     DefinitionWords{"alone_exact", N_("alone and exact"), N_("those that also keep their value")},
     DefinitionWords{"colliding", N_("colliding"), N_("ids that share their value")},
     DefinitionWords{"equal_neighbours", N_("equal neighbours"), N_("ids minus values")},
     DefinitionWords{"beyond", N_("exact, beyond the first"),
                     N_("share of the ids after the first unbroken run of exact ones")},
     DefinitionWords{"largest", N_("largest group"), N_("ids that share one value")}}};
inline const DefinitionWords& words_of(Definition definition) { return kDefinitions[definition]; }
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
  Index end() const { return std::min<Index>(length, Index{start} + Index{width}); }
  Index shown() const { return end() - start; }
};
void describe(Parameters& p, param::List& list);

// --- the model

// One format's counts against the context length.
struct FormatCurve {
  std::string name;
  core::Format format;
  bool chosen = false;
  std::vector<IdFacts> facts;  // for each of `lengths`
};

struct Curves {
  std::vector<Index> lengths;
  std::vector<FormatCurve> formats;  // widest first; the custom one last, when it is chosen
};

// The ids start .. end - 1 after rounding.
struct Window {
  Index start = 0;
  std::vector<double> values;
  Index end() const { return start + to_index(values.size()); }
  double value(Index id) const { return values[to_size(id - start)]; }
};

// Distances of the window's ids as seen, and what is wrong with them.
struct Matrices {
  std::shared_ptr<const TileSource> seen, error;
  double largest_seen = 0, largest_error = 0;  // of finite cells
};

struct Model {
  core::RoundedIds rounded;
  std::shared_ptr<const IdFacts> facts = {};  // of the context, in the chosen format
  std::shared_ptr<const core::DistanceFacts> distances = {};
  std::shared_ptr<const Curves> curves = {};
  std::shared_ptr<const Window> window = {};
  core::IdSharers sharers = {};  // of the picked id
  std::shared_ptr<const TileSource> strips = {}, context = {};
  std::shared_ptr<const Matrices> matrices = {};
};

Model make_model(const Parameters& p, const Context& context);

// --- pictures of ids that are computed where they are looked at

// The colour of the value an id becomes, a small whole number below kStepColors: neighbouring
// values differ. Masked where it is infinite or NaN. Their number is no power of two, so that every
// 2^k-th id still changes colour.
float group_color(const core::RoundedIds& rounded, Index id);

// A row for each of `rows`, a column for each id from `start` on. Names cannot be pooled: where
// several ids share a pixel it shows the first one's.
std::shared_ptr<const TileSource> strips_source(std::vector<core::RoundedIds> rows, Index start,
                                                Index count);
// Ids 0 .. n-1 in rows of `columns`, as text runs; absent after the last.
std::shared_ptr<const TileSource> wrapped_source(const core::RoundedIds& rounded, Index n,
                                                 Index columns);
// x(j) - x(i) in row i and column j; with `causal`, absent for j > i. A block of cells costs its
// height and its width.
std::shared_ptr<const TileSource> difference_source(std::shared_ptr<const std::vector<double>> x,
                                                    bool causal);

}  // namespace lab::position_ids
