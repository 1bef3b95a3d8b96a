// A sweep as a file: a film of its frames, or small multiples of a figure for paper.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/paper/export_figure.h"
#include "app/session/session.h"
#include "app/sweep/film.h"
#include "app/sweep/sweep.h"

namespace sweep {

// The whole page of these values, made on a memo that is kept between calls. Throws what a
// computation throws.
using MakePage = std::function<lab::Page(const param::Values&)>;
// How many of how many frames are done; computing and drawing count half each.
using Report = std::function<void(double done, int frames)>;

struct Job {
  const lab::Lab* lab = nullptr;
  Sweep sweep;
  std::string figure;  // a figure or plot by id; empty: what is shown of the page
  session::FigureChoices order;
  figure::Views views;
  paper::PaperOptions options;  // theme, language, size; what it tells is filled in
  std::filesystem::path out;
  double fps = 0;  // that was asked for; 0: none
};

// A film's frames and how fast they follow one another; the way there has so many.
struct Frames {
  int count = 101;
  double fps = 25;
};
inline constexpr int kMostFrames = 5000;
// From --frames, --duration (seconds, which is set in `sweep`) and --fps as they were given; 0: was
// not. Throws core::InputError for all three at once, and for what is out of range.
Frames frames_of(Sweep& sweep, int frames, double seconds, double fps);

// Every frame has the same size, axes and colours: those that hold all of the frames' data. Its
// texts name the knobs that move. Throws core::InputError, sys::IoError, core::Cancelled; then
// there is no file, or the old one.
void make_film(const Job& job, const Frames& frames, const MakePage& make,
               const core::Cancel& cancel, const Report& report = {});

// How the cells of small multiples stand: knobs that move together from cell to cell in reading
// order; or, with two knobs and more than one row and column, the first from row to row and the
// second from column to column.
struct Grid {
  int rows = 1, columns = 5;
};
inline constexpr int kMostCells = 64;
Grid parse_grid(std::string_view text);  // "1x5"

// One figure with a plot for each value, under what its knobs are there; axes and colours are
// shared. Written by paper::export_page: as a picture, or its numbers.
void make_grid(const Job& job, const Grid& grid, const MakePage& make, const core::Cancel& cancel,
               const Report& report = {});

}  // namespace sweep
