// How the program looks to one person: what is remembered from one time to the next.
#pragma once

#include "app/figure/theme.h"
#include "app/paper/export_figure.h"
#include "app/words/words.h"

namespace state {

// How a lecture looks, apart from how the window looks else.
struct LectureLook {
  figure::ThemeName theme = figure::ThemeName::light;
  float scale = 2;
  bool sentence = true;  // it stands beside the figures
  bool operator==(const LectureLook&) const = default;
};

// How the films of sweeps are made.
struct FilmLook {
  int width = 0;       // pixels; 0: as wide as the figures are by themselves
  double fps = 25;     // frames a second
  double seconds = 0;  // from the beginning to the end; 0: as long as the sweep takes
  bool operator==(const FilmLook&) const = default;
};
inline constexpr int kLeastFilmWidth = 96, kMostFilmWidth = 16384;

struct Appearance {
  figure::ThemeName theme = figure::ThemeName::dark;
  words::Words words;  // its language is changed by Program::set_language alone
  float scale = 1;
  bool introduces = true;   // the introduction stands under a page's question
  bool captions = true;     // a figure's caption stands under it
  bool asks_first = true;   // what is commonly said is asked about before the truth is told
  bool moves = false;       // what a knob changes is seen to go there
  bool holds_drags = true;  // while a knob is dragged, the page at its beginning stays as a ghost
  bool shows_start = true;  // the window opens with the start page
  LectureLook lecture = {};
  FilmLook film = {};
  // The paper chosen last; only its size and what stands on it count.
  paper::PaperOptions paper = {};
  std::string paper_of = {};  // the lab and the figure that the content of its style is meant for

  // Sets the scale to the nearest quarter from 1 to 3.
  void rescale(float factor);
};

}  // namespace state
