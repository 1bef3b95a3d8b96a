// A small lab for tests of sweeps and sessions: a knob of each kind that moves, one whose range
// depends on another, one that does not move, and a page whose axes and colours fit its data.
#pragma once

#include "app/labs/lab.h"

namespace small_lab {

enum class Kind { first, second, third };

struct Parameters {
  int n = 8;
  double t = 1, x = 0.5;
  int k = 2;
  bool on = false, deep = false;
  Kind kind = Kind::first;
  int depth = 1;
  std::string text = "words";
};

inline void describe(Parameters& p, param::List& list) {
  list.integer(p.n, "n", "Number", "", {.min = 1, .max = 64});
  list.real(p.t, "t", "Temperature", "", {.min = 0.01, .max = 100, .scale = param::Scale::log});
  list.real(p.x, "x", "Place", "", {.min = 0, .max = 1, .step = 0.1});
  list.integer(p.k, "k", "Picked", "", {.min = 0, .max = p.n - 1.0});
  list.flag(p.on, "on", "On", "");
  list.choice(p.kind, "kind", "Kind", "",
              {{"first", "First"}, {"second", "Second"}, {"third", "Third"}});
  list.flag(p.deep, "deep", "Deep", "");
  list.integer(p.depth, "depth", "Depth", "", {.min = 1, .max = 9, .active = p.deep});
  list.text(p.text, "text", "Text", "", 2'000'000);
}

inline lab::Page compute(const Parameters& p, const lab::Context&) {
  lab::Page page;
  figure::Plot curve{.id = "curve", .title = "Curve"};
  curve.x = {"x", 0, 1};
  curve.y = {fmt::format("height, t = {}", p.t), 0, p.t};
  curve.add(figure::Line{.x = {0, 1}, .y = {0, p.t}});
  figure::Plot map{.id = "map"};
  map.x = {.label = "key", .lo = 0, .hi = static_cast<double>(p.n), .cells = true};
  map.y = {.label = "query", .lo = 0, .hi = static_cast<double>(p.n), .cells = true};
  core::Matrix cells = core::Matrix::Constant(p.n, p.n, static_cast<float>(p.t));
  figure::Heatmap heat;
  heat.source = std::make_shared<figure::DenseSource>(std::move(cells));
  heat.scale.hi = static_cast<float>(p.t);
  map.add(heat);
  page.figures = {{.id = "lines", .title = "Lines", .plots = {curve}, .span = 6, .height = 200},
                  {.id = "cells", .title = "Cells", .plots = {map}, .span = 6, .height = 200}};
  page.figures[0].caption = fmt::format("A line up to {}.", p.t);
  // Pages that need their room in other places: below the first figure, or below the second.
  if (p.kind == Kind::second) {
    page.figures[0].span = page.figures[1].span = 12;
    page.figures[0].height = 500;
  }
  if (p.kind == Kind::third) {
    page.figures[0].span = page.figures[1].span = 12;
    page.figures[1].height = 500;
    page.figures[1].caption = std::string(400, 'w');
    page.figures.push_back({.id = "more", .plots = {curve}});
    page.figures.back().plots[0].id = "again";
  }
  return page;
}

inline const lab::Lab& lab() {
  static const lab::Lab one{.id = "small",
                            .title = "Small",
                            .question = "?",
                            .chapter = lab::Chapter::attention,
                            .about = "",
                            .sources = {},
                            .presets = {},
                            .make = lab::live(describe, compute)};
  return one;
}

inline param::Values values(const std::string& settings = "") {
  const auto state = lab().make();
  param::assign(state->describe(), param::read_settings(settings));
  return param::values(state->describe());
}

inline std::string value(const param::Values& values, std::string_view id) {
  for (const auto& [name, text] : values) {
    if (name == id) return text;
  }
  return "none";
}

}  // namespace small_lab
