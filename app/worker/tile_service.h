// Gets the pooled cells that a heatmap shows. Cheap regions are made in the calling frame; costly
// ones on a worker, while a coarser picture stands in. A map of tiles, as for a zoomable map.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/figure/tile_source.h"

namespace worker {

// A rectangle of pooled cells, ready to be drawn.
struct CellsImage {
  int level = 0;
  figure::Region region;      // in pooled cells of `level`
  std::vector<float> values;  // region.rows x region.cols, row by row
  std::uint64_t version = 0;  // changes whenever the values do: the key of a texture
};

class TileService {
 public:
  // `wake` is called from the worker when a better image can be had.
  explicit TileService(std::function<void()> wake = {});
  ~TileService();

  struct Answer {
    std::shared_ptr<const CellsImage> image;  // covers `region`, perhaps coarser; null: nothing yet
    bool exact = false;                       // it has the level and pool that were asked for
  };

  // The cells of `region` (pooled cells of `level`) of a source. `slot` names the place on screen
  // ("weights"), whose last image stands in for a new source until the new one is ready.
  Answer get(const std::string& slot, const std::shared_ptr<const figure::TileSource>& source,
             int level, const figure::Region& region, figure::Pool pool);

  // True while something is being made.
  bool busy() const;

  // Cells up to this cost are made at once (multiply-adds).
  static constexpr double kCheap = 4e6;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

// The same, synchronously and exactly: for paper and tests.
CellsImage exact_cells(const figure::TileSource& source, int level, const figure::Region& region,
                       figure::Pool pool, const core::Cancel& cancel = {});

}  // namespace worker
