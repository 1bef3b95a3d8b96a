// A GIF. No library of Debian's writes one from colours but by way of a program of its own; the
// format is small (GIF89a, W3C 1990): a table of 256 colours and LZW.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/system/atomic_file.h"
#include "app/sweep/film.h"

namespace sweep {

using Color = std::array<std::uint8_t, 3>;
// How often each colour (0xRRGGBB) was seen.
using Histogram = std::unordered_map<std::uint32_t, std::uint64_t>;

// At most `most` colours for all that were seen: these themselves where they are no more, else by
// median cut (Heckbert 1982). A colour that is most of what its box holds stands for it unmixed, so
// that grounds and lines keep theirs.
std::vector<Color> palette_of(const Histogram& seen, std::size_t most);

// The indices in LZW's variable codes, as GIF has them: from `bits` + 1 bits on, up to 12.
std::string lzw(const std::vector<std::uint8_t>& indices, int bits);

// All frames share one table, so that no colour flickers from frame to frame. A frame holds the
// rectangle that changed.
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
  std::string head(const std::vector<Color>& palette) const;

  sys::AtomicFile file_;
  FilmFacts facts_;
  int width_ = 0, height_ = 0;
  paper::Pixels last_;
  std::vector<Kept> frames_;
  Histogram seen_;
};

}  // namespace sweep
