// The knobs of the lab.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/model/file_stamp.h"
#include "core/heads/given_heads.h"
#include "core/heads/row_filter.h"

namespace lab::tensors {

using core::heads::GivenPointer, core::heads::HeadAt, core::heads::HeadPointer, core::heads::Holds;
using Given = core::heads::GivenHeads;
using Array = core::heads::HeadArray;

inline constexpr int kMostLayers = 512, kMostHeads = 1024, kMostBatch = 65'536;
inline constexpr std::size_t kMostNames = 200;  // bytes of a list of tokens
inline constexpr int kMostTokens = 1'048'576;
inline constexpr Index kMostRolled = 2048;      // tokens of a rollout
inline constexpr std::size_t kMostSheet = 192;  // heads of the contact sheet
inline constexpr Index kSheetSide = 128;  // about how many rows and columns a small map looks at
inline constexpr Index kLookedCells = Index{1} << 26;  // of the contact sheet, for NaN
inline constexpr Index kScaleRows = 16;  // of a map, from which its largest number is taken
inline constexpr std::string_view kEndings = ".npy .npz .safetensors .index.json";

enum class Sample { read, english, induction, addition, training };
enum class View { model, head, neuron, statistics };
enum class Combine { head, mean, largest, rollout, difference };
enum class Pair { all, a_to_a, a_to_b, b_to_a, b_to_b };
enum class Metric { entropy, distance, first, diagonal, separators };

struct Parameters {
  Sample sample = Sample::english;
  std::string file = {};
  Holds holds = Holds::found;
  std::string array = {}, queries = {}, keys = {};  // names; empty: the likeliest
  std::string order = {}, vector_order = {};        // letters; empty: guessed
  bool causal = false;
  std::string tokens_file = {}, key_tokens_file = {};
  bool words = false;  // subwords are joined

  View view = View::model;
  int batch = 1, layer = 1, head = 1;  // counted from 1
  int query = 20, key = -1;            // -1: the key that the query looks at most
  Combine combine = Combine::head;
  double residual = 0.5;
  int other_layer = 1, other_head = 1;
  std::string other_file = {};

  std::string hidden = {}, separators = {};
  Pair pair = Pair::all;
  double share = 1;
  bool renormalize = true;
  std::string find = {};

  Metric metric = Metric::entropy;
  int rows = 128;  // of each head; 0: all
  core::Pool pool = core::Pool::max;
};
void describe(Parameters& p, param::List& list);

}  // namespace lab::tensors
