// Which arrays of a file are attention, and how they fit together.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/heads/axes.h"
#include "core/heads/head_rows.h"
#include "core/heads/statistics.h"
#include "core/io/tensor/tensor_file.h"

namespace core::heads {

// A file in which attention is looked for.
struct HeadFile {
  std::string name;  // as messages show it
  std::shared_ptr<const TensorFile> file;
  // Arrays of the file that are put together of several, one a layer: their first axis.
  std::vector<std::string> stacks = {};
  std::vector<std::string> tokens = {};  // names of queries where the file has none

  bool is_stack(const std::string& array) const;
};
using HeadFilePointer = std::shared_ptr<const HeadFile>;

// Arrays without a number are listed as unread; stacked_layers() stand before all others.
// InputError as of open_tensors().
HeadFile open_head_file(const std::filesystem::path& path, const Cancel& cancel = {});

// What the numbers of a file are. Found: weights, unless it has arrays named q and k alone.
enum class Holds { found, weights, scores, vectors };

// What is asked of a file.
struct HeadChoice {
  HeadFilePointer source;
  Holds holds = Holds::found;
  std::string array = {}, queries = {}, keys = {};  // names; empty: the likeliest
  std::string order = {}, vector_order = {};        // letters of axes; empty: guessed
  bool causal = false;  // of what softmax is taken of: queries see keys up to own_key alone
  bool operator==(const HeadChoice&) const = default;
};

// What an array may be.
enum class Part { pairs, queries, keys };
// Those that can be it, by name and shape, the likeliest first.
std::vector<const Tensor*> fitting(const TensorFile& file, Part part);
// An array of bytes that names tokens.
bool names_tokens(const Tensor& tensor);
// The same of a name alone: "tokens", "key_tokens", "token.names".
bool is_of_tokens(const std::string& name);

struct HeadArray {
  Tensor tensor;
  Axes axes;
};

// Where words begin among queries and keys (core/heads/words.h).
struct JoinedWords {
  std::vector<Index> queries, keys;
};

// The arrays that were chosen, and what there is along their axes.
struct GivenHeads {
  Holds holds = Holds::weights;  // never `found`
  bool causal = false;
  std::optional<HeadArray> pairs;          // of weights and scores
  std::optional<HeadArray> queries, keys;  // where there are such
  Index layers = 1, batches = 1, heads = 1, key_heads = 1, n = 0, m = 0;
  bool odd_order = false, odd_vector_order = false;  // letters that no array of these axes has
  std::optional<JoinedWords> words = {};             // n and m count these; none: tokens
  Message no_vectors;  // why queries and keys are not looked at, where the weights are given

  bool has_vectors() const { return queries && keys && !words; }
  Index width() const { return has_vectors() ? query_vectors({}).cols() : 0; }  // d_k
  // Weights: as given; else softmax of the scores, or of q . k / sqrt(d_k).
  HeadPointer head(const HeadAt& at) const;
  // The same of tokens, where words are joined.
  HeadPointer token_head(const HeadAt& at) const;
  // All heads of a layer and a batch entry.
  std::vector<HeadPointer> heads_of(const HeadAt& layer) const;
  // As a file has it; none where softmax is taken here, or words are joined.
  std::optional<TensorView> stored(const HeadAt& at) const;
  TensorView pair_numbers(const HeadAt& at) const;   // (n, m), of weights and scores
  TensorView query_vectors(const HeadAt& at) const;  // (n, d_k)
  // (m, d_k), of the head of keys that the head of queries reads: with fewer of them, neighbouring
  // heads share one.
  TensorView key_vectors(HeadAt at) const;
  NumberType type() const { return (pairs ? *pairs : *queries).tensor.type; }
};
using GivenPointer = std::shared_ptr<const GivenHeads>;

// InputError, which begins with the file's name, where arrays do not fit each other, a name is not
// there, or there is none. Queries and keys beside given weights that do not fit are left out, and
// no_vectors says why.
GivenHeads given_heads(const HeadChoice& choice);

// Statistics of each head of a batch entry, [layer * heads + head]; the tolerance is that of the
// file's type (sum_tolerance). threads: 0 = all cores; the result does not depend on it.
std::vector<HeadStatistics> all_statistics(const GivenHeads& given, Index batch,
                                           StatisticsOptions options, int threads,
                                           const Cancel& cancel = {});

}  // namespace core::heads
