// Small pieces that the pages of all labs are made of.
#pragma once

#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/labs/lab.h"

namespace lab {

// --- explanations

inline figure::Span plain(std::string text) { return {std::move(text), figure::Role::text}; }
inline figure::Span dim(std::string text) { return {std::move(text), figure::Role::dim}; }
// A sentence between the equations.
inline figure::Span sentence(std::string text) {
  return {std::move(text), figure::Role::dim, figure::TextStyle::small};
}
inline Explanation::Line sentence_line(std::string text) {
  return {"", {sentence(std::move(text))}};
}
// What the lines before it lead to.
inline figure::Span accented(std::string text) { return {std::move(text), figure::Role::accent}; }
// In a table: numbers and formulas.
inline figure::Span mono(std::string text, const figure::Color& color = figure::Role::text) {
  return {std::move(text), color, figure::TextStyle::mono_small};
}
// "-0.125": so many decimals.
std::string fixed(double value, int digits = 3);

// Each value as text, so that the printed ones add up to the printed sum.
struct PrintedSum {
  std::vector<std::string> parts;
  std::string sum;
};
PrintedSum printed_sum(const std::vector<double>& values, int digits = 3);

inline constexpr double kTurn = 2 * std::numbers::pi;  // in radians

// --- figures

struct CardSize {
  int span = 12;       // of the page's 12 columns
  float height = 320;  // pixels at 100 %
  int columns = 0;     // plots a row; 0: as many as fit
};
inline figure::Figure card(std::string id, std::string title, const CardSize& size = {}) {
  return {.id = std::move(id),
          .title = std::move(title),
          .columns = size.columns,
          .span = size.span,
          .height = size.height};
}
// The figure with these plots after its own.
template <class... Plots>
figure::Figure with(figure::Figure figure, Plots&&... plots) {
  (figure.plots.push_back(std::forward<Plots>(plots)), ...);
  return figure;
}

// The largest magnitude; 0 when there is nothing.
double largest_size(const std::vector<double>& values);

// A diverging scale about zero that holds values up to `largest`, or up to 1 when that is 0 or not
// finite.
figure::ColorScale signed_scale(float largest);

// An axis of `count` cells.
figure::Axis cell_axis(std::string label, core::Index count, std::string link = {});

// A strip of bars, one a dimension, with a letter at the left; `largest` is the height it shows.
figure::Plot strip(std::string id, std::string lead, std::vector<double> values,
                   figure::Color color, double largest);

// A heatmap of a matrix that is kept.
figure::Heatmap dense_heatmap(core::Matrix cells, const figure::ColorScale& scale);

}  // namespace lab
