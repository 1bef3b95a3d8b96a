// Gets the pooled cells that a heatmap shows. Cheap regions are made in the calling frame; costly
// ones on a worker, while a coarser picture stands in. A map of tiles, as for a zoomable map.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/figure/tile_source.h"
#include "app/worker/memory_budget.h"

namespace worker {

// A rectangle of pooled cells, ready to be drawn.
struct CellsImage {
  int level = 0;
  figure::Region region;      // in pooled cells of `level`
  std::vector<float> values;  // region.rows x region.cols, row by row
  std::uint64_t version = 0;  // changes whenever the values do: the key of a texture
};

struct TileOptions {
  int threads = 0;  // 0: as many as cores but the window's, at most eight
  // Tiles that are not shown are kept within it; it lives longer than the service. Null: all are.
  MemoryBudget* budget = nullptr;
};

class TileService {
 public:
  // `wake` is called from a worker when a better image can be had, until the destructor returns.
  explicit TileService(std::function<void()> wake = {}, TileOptions options = {});
  // Cancels what runs and waits for it.
  ~TileService();
  TileService(const TileService&) = delete;
  TileService& operator=(const TileService&) = delete;

  struct Answer {
    // Has the level and region that were asked for; null: nothing is known yet. While not exact,
    // cells of which nothing is known are core::kMasked and others stand in for what is coming.
    std::shared_ptr<const CellsImage> image;
    bool exact = false;   // nothing better is coming
    core::Message error;  // what a source said that failed; its cells are NaN then
  };

  // The cells of `region` (pooled cells of `level`, cut down to the source) of a source. `slot`
  // names the place on screen ("weights"), whose last image stands in for a new source of the same
  // size until the new one is ready.
  struct Question {
    std::string slot;
    std::shared_ptr<const figure::TileSource> source;
    int level = 0;
    figure::Region region;
    figure::Pool pool = figure::Pool::max;
  };
  // One answer for each question. An unchanged question costs nothing and is answered with the same
  // image; cheap ones are worked out side by side. Called from one thread, once a frame for each
  // slot on screen. The service does not keep the sources alive.
  std::vector<Answer> get(std::span<const Question> questions);
  Answer get(const Question& question) { return get(std::span(&question, 1)).front(); }

  // Says that everything on screen was asked about since the last call: tiles of other places are
  // not made any more, and their images are forgotten.
  void end_frame();

  // True while something is being made.
  bool busy() const;
  // Size of the tiles that are kept.
  std::size_t bytes() const;

  // Cells up to this cost are made at once (multiply-adds).
  static constexpr double kCheap = 4e6;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

// Computes cells synchronously and exactly: for paper and tests.
CellsImage exact_cells(const figure::TileSource& source, int level, const figure::Region& region,
                       figure::Pool pool, const core::Cancel& cancel = {});

}  // namespace worker
