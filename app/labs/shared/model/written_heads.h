// Figures of what the heads of a published decoder attended to for each token that it wrote.
#pragma once

#include "app/labs/shared/model/published_model.h"
#include "app/labs/shared/parts.h"
#include "core/checkpoint/inside/written_heads.h"

namespace lab {

using core::checkpoint::Continuation;

struct WrittenHeads {
  std::shared_ptr<const PublishedModel> opened;
  Continuation text;
  Index first = 0;  // of the tokens written, whose row is kept
  std::vector<std::vector<std::shared_ptr<const TileSource>>> cells = {};  // by layer and head

  Index layers() const { return to_index(cells.size()); }
  Index heads() const { return to_index(cells.front().size()); }
  Index rows() const { return cells.front().front()->rows(); }
};

// A stage.
WrittenHeads written_heads(const std::shared_ptr<const PublishedModel>& opened,
                           const Continuation& text, const Run& run);

// "1.4" of layer 0 and head 3: they are counted from 1 where somebody reads them.
std::string head_name(Index layer, Index head);

// Layers of a sheet of heads: all, or as many around the shown one as there is room for; from the
// first to before the last.
std::pair<Index, Index> sheet_layers(Index layers, Index heads, Index shown);
// How many pictures stand in a row of it, and how high that row is.
int sheet_columns(Index heads);
float sheet_row(int columns);

// Every head ("written_heads"), where a click on one sets "layer" and "head", counted from 1; and
// the chosen one ("written_map").
std::vector<Figure> written_figures(const WrittenHeads& written,
                                    const core::checkpoint::HeadIndex& place, const Words& w);

}  // namespace lab
