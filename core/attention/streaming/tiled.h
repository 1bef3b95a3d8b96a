// Exact attention in tiles that fit into a small fast memory, and what goes to and from the large
// slow one: FlashAttention's walk, counted number by number.
//
// Sources: Dao et al., FlashAttention (2022), algorithm 0 (the plain way), algorithm 1 and theorem
// 2; Dao, FlashAttention-2 (2023), algorithm 1 (the loops the other way round).
#pragma once

#include <vector>

#include "core/types.h"

namespace core {

// The outer loop.
enum class TileOrder {
  keys_outside,    // 2022: K and V are read once, queries and outputs again for each block of keys
  queries_outside  // 2023: queries and outputs move once, K and V again for each block of queries
};

struct TileSizes {
  Index rows = 1, cols = 1;  // B_r queries and B_c keys
  bool operator==(const TileSizes&) const = default;
};
// B_c = ceil(M / 4 d), B_r = min(B_c, d) for a fast memory of M numbers (algorithm 1, line 1).
// InputError unless M and d are at least 1.
TileSizes flash_tiles(Index memory, Index d);

// Numbers read from the slow memory and written to it.
struct Traffic {
  Index read = 0, written = 0;
  Index total() const { return read + written; }
  bool operator==(const Traffic&) const = default;
};

struct TileForm {
  TileSizes sizes;
  TileOrder order = TileOrder::keys_outside;
  bool causal = false;  // tiles without any allowed pair are left out; query i sees keys up to i +
                        // m - n
};

// The plain way: Q K^T is written and read, its softmax too (algorithm 0). n queries, m keys of
// width d, values as wide; at least 1 each, else InputError.
Traffic plain_traffic(Index n, Index m, Index d);
// In closed form: what tiled_attention() counts on its way. Without a causal mask keys_outside
// moves m d for each of K and V, (2 n d + 2 n) read and (n d + 2 n) written for every block of
// keys, and n d + 2 n to begin with.
Traffic tiled_traffic(Index n, Index m, Index d, const TileForm& form);
// The least of all: every input read and the output written once.
Traffic least_traffic(Index n, Index m, Index d);

// A tile, when it has been worked on.
struct TileStep {
  Index first_row = 0, rows = 0, first_col = 0, cols = 0;
  VectorD max, sum, factor;  // (rows): running maximum and sum, and what both were scaled by
  Traffic so_far;
};

struct TiledAttention {
  MatrixD output;               // (n, d_v)
  std::vector<TileStep> steps;  // in their order
  Traffic traffic;              // with what comes before the first tile and after the last
};

// softmax(scale Q K^T) V, scale 1 / sqrt(d). Q (n, d), K (m, d), V (m, d): one width, as the
// count has it; else InputError. A query that sees no key has the output 0.
TiledAttention tiled_attention(const MatrixD& Q, const MatrixD& K, const MatrixD& V,
                               const TileForm& form, const Cancel& cancel = {});

}  // namespace core
