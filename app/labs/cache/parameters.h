// The knobs of the lab.
#pragma once

#include "app/labs/shared/decoder_knobs.h"
#include "app/labs/shared/number_format.h"
#include "app/labs/shared/parts.h"
#include "core/attention/streaming/online_steps.h"
#include "core/attention/streaming/tiled.h"
#include "core/decode/generation_cost.h"

namespace lab::cache {

using core::TileOrder;
using core::decode::CacheForm, core::decode::CachePositions;

// --- what the lab can be set to

enum class View { tokens, memory, rounding, eviction, online, tiles };
enum class Explained { bytes, products, weight };  // of the view of tokens
// How the weights of a large model are stored.
enum class Stored { float32, bfloat16, fp8 };
// What is rounded before it is read again.
enum class Rounded { cache, weights, both };

inline constexpr int kMostTokens = 128;  // of a text that is looked at
inline constexpr int kMostLayers = 256, kMostHeads = 256;
inline constexpr int kSlideLayers = 8, kSlideHeads = 16;  // of the models that come along
inline constexpr int kMostLogits = 12, kOutputs = 3;
inline constexpr int kMostRows = 192;  // of a matrix that is walked over in tiles
inline constexpr int kMostMemory = 65536;
// A query, a key, a value and an output of that width.
inline constexpr int least_memory(int depth) { return 4 * depth; }

struct Parameters : DecoderKnobs {
  Parameters() { from = From::published; }

  View view = View::tokens;
  std::string text = {};  // what a published model reads; empty: a few sentences
  int seed = 1;
  int token = 20;
  int key = 12;             // whose weight is taken apart; up to the token
  int layer = 1, head = 1;  // from 1
  Explained explained = Explained::bytes;
  NumberFormat format = {.choice = FormatChoice::float16};
  Rounded rounded = Rounded::cache;
  int window = 8, sinks = 0;
  CachePositions positions = CachePositions::original;

  // A model as large as one wishes: nothing is computed with it but its costs.
  int layers = 12, heads = 12, key_heads = 12, width = 64, inner = 3072, vocabulary = 50257;
  bool gated = false;
  int length = 1024, sequences = 1;
  int sliding = 256;
  Stored stored = Stored::float32;
  double bandwidth = 25;  // GB/s
  int measurement = 0;    // 0: none; each other number measures anew

  int count = 8;  // scores
  double spread = 2;
  int block = 1, step = 1;

  int rows = 64, depth = 16, memory = 512;
  TileOrder order = TileOrder::keys_outside;
  bool causal = false;
  int tile = 0;

  bool picks_key() const { return view == View::tokens && explained == Explained::weight; }
  bool reads() const {
    return view == View::tokens || view == View::rounding || view == View::eviction;
  }
};
void describe(Parameters& p, param::List& list);

}  // namespace lab::cache
