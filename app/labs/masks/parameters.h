// What the mask workbench can be set to.
#pragma once

#include "app/labs/masks/catalogue.h"
#include "app/labs/shared/sequence.h"

namespace lab::masks {

enum class Shown { weights, scores };

inline constexpr std::string_view kText =
    "the river bank was steep so the cat sat on the river bank again . the bank in the town was "
    "closed so the man walked home along the river . he saw the cat on the steep bank and sat down";

inline constexpr int kMostLayers = 32;
// Lengths up to which what takes n² steps is computed, and pairs up to which weights are.
inline constexpr Index kMostReach = 4096;
inline constexpr Index kMostDense = 8192;
inline constexpr Index kMostScored = 16384;
inline constexpr Index kMostPairs = Index{1} << 27;

struct Parameters : SequenceKnobs {
  Parameters() { text = kText; }

  int width = 32;  // of queries, keys and values
  int seed = 1;
  double temperature = 1;

  param::StackItems stack = param::read_stack("local", *catalogue(), kMostItems);
  param::CellSet painted = {};
  bool paint = false;
  int brush = 1;

  bool alternate = false;
  int layers = 1;
  bool residual = true;

  int query = 20;
  int key = -1;  // -1: the key with the largest weight
  Shown shown = Shown::weights;
  core::Pool pool = core::Pool::mean;

  bool has_painted() const {
    return std::any_of(stack.begin(), stack.end(),
                       [](const param::StackItem& item) { return needs(item) == Needs::painting; });
  }
  bool painting() const { return paint && has_painted(); }
  // Layers use one item each; one item alone has nothing to take turns with.
  bool turns() const { return alternate && stack.size() > 1; }
  // The item whose mask layer `layer` uses when layers take turns.
  std::size_t item_of(int layer) const {
    return static_cast<std::size_t>(layer - 1) % stack.size();
  }
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::masks
