// The computation of the lab of one's own tensors: what a file holds, which of its arrays are
// attention, and the heads that are looked at.
#pragma once

#include "app/labs/tensors/parameters.h"

namespace lab::tensors {
// What names of arrays are known of: the file, or which sample.
std::string opened_name(const Parameters& p);
// What the ranges of places are known of: that, and which arrays of it are taken how. And those of
// the head that is subtracted, which may be another file's.
std::string opened_arrays(const Parameters& p);
std::string opened_other(const Parameters& p);

// --- what was opened

struct Source {
  std::string name;
  std::shared_ptr<const core::TensorFile> file;
  // Tokens of a sample; a file has arrays for them, or other files.
  std::vector<std::string> tokens = {};
  // Arrays of the file that are put together of several, one a layer: their first axis.
  std::vector<std::string> stacks = {};

  bool is_stack(const std::string& array) const {
    return std::find(stacks.begin(), stacks.end(), array) != stacks.end();
  }
};
using SourcePointer = std::shared_ptr<const Source>;

// Stages of that name. Throws core::InputError for a file that cannot be opened.
SourcePointer opened(const std::string& name, const std::string& path, Sample sample,
                     const Context& context);

// What the knobs choose of it.
struct Choice {
  SourcePointer source;
  Holds holds = Holds::found;
  std::string array = {}, queries = {}, keys = {}, order = {}, vector_order = {};
  bool causal = false;
  bool operator==(const Choice&) const = default;
};
Choice choice_of(const Parameters& p, SourcePointer source);

// How well an array's name and shape fit, the best first: pairs, queries, keys.
enum class Part { pairs, queries, keys };
std::vector<const core::Tensor*> fitting(const core::TensorFile& file, Part part);
// That of the name, or the best; null: there is none. InputError for a name that is not there.
const core::Tensor* chosen(const Source& source, Part part, const std::string& name);
// An array of bytes that names tokens.
bool names_tokens(const core::Tensor& tensor);
// The same of a name alone.
bool is_of_tokens(const std::string& name);

// Arrays that are named alike but for a number, which goes on from one to the next, with the same
// shape (of at most four axes) and type, become one array whose first axis is that number, named
// with a * in its place, as in attention_*. Nothing is read for it.
std::vector<core::Tensor> stacked_layers(const std::vector<core::Tensor>& arrays);

struct Array {
  core::Tensor tensor;
  core::heads::Axes axes;
};

// The arrays that were chosen, and what there is along their axes.
struct Given {
  Holds holds = Holds::weights;  // never `found`
  bool causal = false;
  std::optional<Array> pairs;          // of weights and scores
  std::optional<Array> queries, keys;  // where there are such
  Index layers = 1, batches = 1, heads = 1, key_heads = 1, n = 0, m = 0;
  bool odd_order = false, odd_vector_order = false;  // letters that no array of these axes has
  core::Message no_vectors;  // why queries and keys are not looked at, where the weights are given

  bool has_vectors() const { return queries && keys; }
  Index width() const { return has_vectors() ? vectors(*queries, {}).cols() : 0; }
  HeadPointer head(const HeadAt& at) const;
  // As a file has it; none where softmax is taken here.
  std::optional<core::TensorView> stored(const HeadAt& at) const;
  core::TensorView vectors(const Array& array, HeadAt at) const;
  // Grouped keys: several heads of queries share one.
  HeadAt key_place(HeadAt at) const;
  core::NumberType type() const { return (pairs ? *pairs : *queries).tensor.type; }
};
using GivenPointer = std::shared_ptr<const Given>;
// InputError where the arrays do not fit each other, or there is none.
Given resolve(const Choice& choice);

// --- tokens

struct Tokens {
  std::vector<std::string> queries, keys;  // texts as they are, of all n and m; empty: none
  Labels query_names, key_names;           // as figures show them; null: their indices
  Index given_queries = 0, given_keys = 0;
  bool fits = true;
};
using TokensPointer = std::shared_ptr<const Tokens>;

// --- the map that is looked at

// The filters' and combinations' knobs.
struct Look {
  Combine combine = Combine::head;
  HeadAt at = {}, other = {};
  double residual = 0.5;
  std::vector<std::string> hidden = {}, separators = {};
  Pair pair = Pair::all;
  double share = 1;
  bool renormalize = true;
  bool operator==(const Look&) const = default;

  bool filters() const { return !hidden.empty() || pair != Pair::all || share < 1; }
};

struct Shown {
  HeadPointer whole;  // before filters
  HeadPointer rows;   // after them
  core::heads::RowFilter filter;
  std::shared_ptr<const TileSource> cells;
  double largest = 0;                   // magnitude, of some rows
  Index nan_rows = 0, looked_rows = 0;  // of a map that is no head's own: as in Sheet
  std::shared_ptr<const std::vector<MatrixD>> rolled;  // after each layer up to this; or null
};

struct SheetMap {
  HeadAt at;
  std::shared_ptr<const TileSource> cells;
};
struct Sheet {
  std::vector<SheetMap> maps;
  Index columns = 1, step = 1;  // every step-th query and key
  double largest = 0;
  bool whole = true;             // all heads are there
  Index nan_rows = 0, rows = 0;  // with NaN or infinite numbers, of so many that were looked at
};

// Statistics of all heads of one batch entry, [layer · heads + head].
struct Statistics {
  std::vector<core::heads::HeadStatistics> heads;
  core::heads::RowFaults faults;
  Index rows = 0;  // looked at in each
};

struct Model {
  SourcePointer source, other_source;
  GivenPointer given, other;
  TokensPointer tokens;
  HeadAt at;
  Look look;
  Index query = 0, key = 0;  // the pair that is taken apart
  bool key_chosen = false;   // by the knob, and not the strongest
  std::shared_ptr<const Shown> shown;
  std::vector<float> row;                                      // of `query`, as it is shown
  std::shared_ptr<const core::heads::HeadStatistics> checked;  // the picked head
  std::shared_ptr<const Sheet> sheet;                          // of the view of the model
  std::shared_ptr<const Statistics> statistics;                // of the view of statistics

  Index n() const { return given->n; }
  Index m() const { return given->m; }
  std::string query_name(Index i) const;
  std::string key_name(Index j) const;
};
// InputError for arrays that do not fit.
Model make_model(const Parameters& p, const SourcePointer& source, const Context& context);
inline Model make_model(const Parameters& p, const Context& context) {
  return make_model(p, opened("file", p.file, p.sample, context), context);
}

// Words with spaces between them.
std::vector<std::string> words_of(const std::string& text);
// Whether each of the tokens is one of these, as it is or as figures show it.
std::vector<bool> among(const std::vector<std::string>& tokens,
                        const std::vector<std::string>& wanted);
// Cells that are read by whole rows.
std::shared_ptr<const TileSource> row_source(HeadPointer rows);

}  // namespace lab::tensors
