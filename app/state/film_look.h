// How the films of sweeps are made: what is remembered of it.
#pragma once

namespace state {

struct FilmLook {
  int width = 0;       // pixels; 0: as wide as the figures are by themselves
  double fps = 25;     // frames a second
  double seconds = 0;  // from the beginning to the end; 0: as long as the sweep takes
  bool operator==(const FilmLook&) const = default;
};
inline constexpr int kLeastFilmWidth = 96, kMostFilmWidth = 16384;

}  // namespace state
