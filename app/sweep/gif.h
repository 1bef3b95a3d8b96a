// A GIF: the colours are chosen here, libcgif writes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/sweep/film.h"
#include "app/system/atomic_file.h"

namespace sweep {

using Color = std::array<std::uint8_t, 3>;
// How often each colour (0xRRGGBB) was seen.
using Histogram = std::unordered_map<std::uint32_t, std::uint64_t>;

// At most `most` colours for all that were seen: these themselves where they are no more, else by
// median cut (Heckbert 1982). A colour that is most of what its box holds stands for it unmixed, so
// that grounds and lines keep theirs.
std::vector<Color> palette_of(const Histogram& seen, std::size_t most);

// All frames share one table, so that no colour flickers from frame to frame. A frame holds what
// changed.
class Gif final : public Film {
 public:
  Gif(const std::filesystem::path& out, FilmFacts facts) : file_(out), facts_(std::move(facts)) {}
  void add(const paper::Pixels& frame, const core::Cancel&) override;
  void finish(const core::Cancel& cancel) override;

 private:
  struct Kept {
    std::string packed;  // by zlib: figures are flat
    int repeats = 1;
  };

  sys::AtomicFile file_;
  FilmFacts facts_;
  int width_ = 0, height_ = 0;
  paper::Pixels last_;
  std::vector<Kept> frames_;
  Histogram seen_;
};

}  // namespace sweep
