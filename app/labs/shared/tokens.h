// The text that several labs open with, and what becomes of any text: tokens, their vectors, and
// queries and keys made from these. No trained model: equal words have equal vectors, similar words
// similar ones.
#pragma once

#include <string>
#include <string_view>

#include "app/figure/figure.h"
#include "core/text/tokenize.h"
#include "core/types.h"

namespace lab {

inline constexpr std::string_view kSampleText =
    "the river bank was steep so the cat sat on the river bank again";
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 20;

struct Tokens {
  figure::Labels labels;
  core::Matrix X;    // (n, d_model)
  bool cut = false;  // the text has more tokens than were asked for
};

// The first `length` tokens of the text; an empty text gives n = 0.
Tokens text_tokens(const std::string& text, core::Unit unit, int length, int d_model, int seed);

// Which matrix a stream of random numbers belongs to.
enum class Stream : std::uint64_t { query = 1, key = 2, value = 3, output = 4 };

// One head's columns of `random_projection`, (rows, d_k).
core::Matrix head_projection(core::Index rows, core::Index d_k, int seed, Stream stream,
                             core::Index head);

// A projection (rows, heads d_k) with entries N(0, 1/rows); each head has a stream of its own, so
// that more heads or a wider head leave the others' numbers as they are in their first columns.
core::Matrix random_projection(core::Index rows, core::Index heads, core::Index d_k, int seed,
                               Stream stream);

}  // namespace lab
