// A decoder's weights laid out for one token after another: each projection's columns as rows, so
// that a token reads every matrix once, from its beginning to its end.
#pragma once

#include <memory>
#include <vector>

#include "core/decode/stored_matrix.h"
#include "core/model/decoder.h"

namespace core::decode {

// A norm's gain and shift, each (d_model); they, biases and tables of distances stay float32. Not
// centered it is that of the root mean square; without a shift that is 0.
struct PackedNorm {
  Vector gain, shift;
  float epsilon = 0;
  bool centered = true;
};

// One layer. Rows of `heads` are those of the queries, then of the keys, then of the values; those
// of `wide` are W_1's, and before them, where it is gated, the gate's.
struct PackedLayer {
  StoredMatrix heads, output, wide, down;
  Vector heads_bias, output_bias, wide_bias, down_bias;  // empty: none
  PackedNorm around_self, around_feed_forward;
};

// Tables of positions; only those that the scheme needs are there.
struct PackedPositions {
  // Added to embeddings, (longest, d_model): learned in the weights' format, sinusoidal in float32.
  StoredMatrix added;
  // floater: added to what each layer's heads are given, float32, (layers longest, d_model).
  StoredMatrix courses;
  // complex: how far each word turns from place to place, (vocabulary, d_model / 2).
  Matrix frequency;
  model::DistanceTables tables;  // but for for_queries, which is
  StoredMatrix for_queries;      // in float32
  // rotary, xpos: by how much places turn.
  std::shared_ptr<const model::HeadPositions::Rotations> query_rotations, key_rotations;
  // For places beyond those tables: radians from place to place, by pair, and by what cosines and
  // sines are multiplied.
  VectorD turns;
  double multiplier = 1;
  RotaryPairing pairing = RotaryPairing::neighbors;
};

struct PackedDecoder {
  model::DecoderForm form;
  Format format = kFloat32;  // of all matrices but for those of positions
  StoredMatrix embedding;    // (vocabulary, d_model)
  StoredMatrix output;       // (vocabulary, d_model), or none: the embedding
  Vector output_bias;        // (vocabulary), or empty
  std::vector<PackedLayer> layers;
  PackedNorm last;  // where the form norms first
  PackedPositions positions;

  PackedDecoder() = default;
  // values: the parameters of the model's layout, which are not needed afterwards. InputError for
  // formats as stored_bytes() says. The same bits with any number of threads (0: all cores).
  PackedDecoder(const model::Decoder& model, const float* values, const Format& stored,
                int threads = 0);

  // Bytes of weights that one token reads: everything but the other rows of the embedding (where it
  // is not the output) and of added positions, and but for tables of distances.
  Index bytes_a_token() const;
  Index bytes() const;  // all of it, tables of distances included
};

}  // namespace core::decode
