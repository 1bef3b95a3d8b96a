// The computation of the lab of one's own tensors: what a file holds, which of its arrays are
// attention, and the heads that are looked at.
#pragma once

#include "app/labs/tensors/parameters.h"
#include "core/heads/given_tokens.h"

namespace lab::tensors {
// What names of arrays are known of: the file, or which sample.
std::string opened_name(const Parameters& p);
// What the ranges of places are known of: that, and which arrays of it are taken how. And those of
// the head that is subtracted, which may be another file's.
std::string opened_arrays(const Parameters& p);
std::string opened_other(const Parameters& p);

// --- what was opened

using Source = core::heads::HeadFile;
using SourcePointer = core::heads::HeadFilePointer;

// Stages of that name. Throws core::InputError for a file that cannot be opened.
SourcePointer opened(const std::string& name, const std::string& path, Sample sample,
                     const Context& context);

core::heads::HeadChoice choice_of(const Parameters& p, SourcePointer source);

// --- tokens

struct Tokens : core::heads::GivenTokens {
  Labels query_names = {}, key_names = {};  // as figures show them; null: their indices
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
  core::heads::RowFaults faults = {};
  Index rows = 0;  // looked at in each
};

struct Model {
  SourcePointer source, other_source;
  GivenPointer given, other;
  TokensPointer tokens;
  // How many tokens of queries and keys words were joined from; none: nothing was to be joined.
  std::optional<std::pair<Index, Index>> joined_from = {};
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

// Cells that are read by whole rows.
std::shared_ptr<const TileSource> row_source(const HeadPointer& rows);

}  // namespace lab::tensors
