// A page: everything that a lab shows, as data.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/figure.h"
#include "app/param/param.h"
#include "app/param/values.h"
#include "app/words/words.h"
#include "core/mask/mask.h"
#include "core/types.h"

namespace lab {

using core::Index, core::Mask, core::Matrix, core::MatrixD, core::VectorD;
using figure::Arrows, figure::Assignments, figure::Axis, figure::AxisScale, figure::Band,
    figure::Bars, figure::Color, figure::ColorScale, figure::DenseSource, figure::Figure,
    figure::Handle, figure::Heatmap, figure::Interval, figure::Labels, figure::Line,
    figure::MapName, figure::Mark, figure::Note, figure::Plot, figure::Points, figure::Role,
    figure::Rule, figure::TextStyle, figure::TileSource;
using words::Words;

// Conversions of numbers and of enumerators: indices are signed everywhere but in std::vector.
template <class T>
constexpr double to_double(T number) {
  return static_cast<double>(number);
}
template <class T>
constexpr float to_float(T number) {
  return static_cast<float>(number);
}
template <class T>
constexpr int to_int(T number) {
  return static_cast<int>(number);
}
template <class T>
constexpr Index to_index(T number) {
  return static_cast<Index>(number);
}
template <class T>
constexpr std::size_t to_size(T number) {
  return static_cast<std::size_t>(number);
}

// A number that was computed, with the id by which exports and tests know it.
struct Readout {
  std::string id, label;
  figure::Number value = 0;
  std::string text;  // as shown: "0.61 nats"
  std::string help;  // what it means, for the tooltip
};

// Why a value is what it is: each line continues the equation of the one before.
struct Explanation {
  struct Line {
    std::string left;                 // "w[12,10]" or empty
    std::vector<figure::Span> right;  // "= exp(2.254) / Σ exp"
  };
  std::string title;  // "The pinned weight"
  std::vector<Line> lines;
};
using Lines = std::vector<Explanation::Line>;

// What is commonly said, and what is true. It is asked before it is told: the reader judges first.
struct Card {
  // The statement is wrong, true only in a part or in one reading, or it holds.
  enum class Verdict { wrong, half, holds };
  // Where it is settled: a preset of this lab, and a figure of its page. Empty: by words alone.
  struct Place {
    std::string preset = {}, figure = {};
  };

  std::string id;  // of this lab's cards; in every setting the same
  std::string said, truth, source;
  Place settled = {};
  Verdict verdict = Verdict::wrong;
};

// A way on that a page offers: a button that sets knobs, over the figures, or beside the word that
// a training has stopped.
struct Offer {
  std::string label, help;
  figure::Assignments sets;  // empty: nothing is offered
};

// A file that a page can make, for a knob of the lab that it opens.
struct JumpFile {
  std::string knob;
  std::string ending;  // ".safetensors"
  std::function<std::string()> bytes;
};

// Another lab, opened with what this page found: its defaults with these settings. One step of
// undo, and a way back.
struct Jump {
  std::string lab;
  std::string label, help;  // what is found there
  param::Values sets;
  std::vector<JumpFile> files = {};
  std::string figure = {};  // of that lab's page, where it begins; empty: at the top
};

// Everything a lab shows. Texts are already in the reader's language.
struct Page {
  std::vector<Figure> figures;  // in reading order
  std::vector<Readout> readouts;
  std::string formula;  // in the small TeX of app/figure/formula.h
  Explanation explanation;
  std::vector<Card> cards;
  std::vector<std::string> notes;  // said plainly when something is unusual ("row 3 is empty")
  std::string status;              // "n = 14 · 8 heads · d_model 64"
  // Stands beside the question where vectors or tables are made up and nothing was learned: what
  // they are, and so what may be read from the figures. Empty: there is nothing to be said.
  std::string made_up;
  Offer offer = {};
  // Labs that can be opened from here, as buttons over the figures.
  std::vector<Jump> jumps = {};
  // The trained model that is shown, as the bytes of a .safetensors file; null: there is none.
  std::function<std::string()> model = {};
  // What was found on the way: names for parameters to choose from (param::Name), and the ranges of
  // numbers (param::List::found_ranges).
  param::Facts found = {};
  // Why there is no such page, where something was found all the same and another may be chosen:
  // then nothing else of it counts. What cannot be computed and found nothing is thrown.
  core::Message fault = {};

  // What an empty text box stands for, by its knob.
  param::Values empty_texts = {};

  void note(std::string text) { notes.push_back(std::move(text)); }
};

}  // namespace lab
