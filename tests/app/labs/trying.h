// What the lab tests share: a lab to try, and what its page shows found by name.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/labs/labs.h"

namespace lab::trying {

// A lab's parameters and what it makes of them, computed stage by stage as in the window. describe,
// compute and make_model are found in the namespace of the parameters.
template <class Parameters>
struct Trial {
  words::Words words;
  Memo memo;
  Parameters p;

  Context context() { return {{}, words, memo, {}, 2}; }
  auto model(const Parameters& of) { return make_model(of, context()); }
  auto model() { return model(p); }
  Page page(const Parameters& of) { return compute(of, context()); }
  Page page() { return page(p); }
  param::List list() {
    param::List list;
    describe(p, list);
    return list;
  }
  param::Describe describing() {
    return [this] { return list(); };
  }
  void set(const param::Values& values) { param::assign(describing(), values); }
};

template <class Parameters>
Trial<Parameters> made(const param::Values& values) {
  Trial<Parameters> trial;
  trial.set(values);
  return trial;
}

template <class Parameters>
Trial<Parameters> preset(std::string_view lab, std::string_view id) {
  for (const Preset& one : find(lab).presets) {
    if (one.id == id) return made<Parameters>(one.values);
  }
  FAIL("no preset " << id);
  std::abort();
}

inline bool has_figure(const Page& page, std::string_view id) {
  return std::any_of(page.figures.begin(), page.figures.end(),
                     [&](const figure::Figure& figure) { return figure.id == id; });
}

inline const figure::Plot& plot_of(const Page& page, std::string_view id) {
  for (const auto& figure : page.figures) {
    for (const auto& plot : figure.plots) {
      if (plot.id == id) return plot;
    }
  }
  FAIL("no plot " << id);
  std::abort();
}

// Of a page that is about to end, a copy.
inline figure::Plot plot_of(Page&& page, std::string_view id) {
  return plot_of(std::as_const(page), id);
}

template <class Mark>
const Mark& mark_of(const figure::Plot& plot, std::size_t skip = 0) {
  for (const auto& mark : plot.marks) {
    const auto* found = std::get_if<Mark>(&mark);
    if (found && skip-- == 0) return *found;
  }
  FAIL("no such mark in " << plot.id);
  std::abort();
}

template <class Mark>
Mark mark_of(figure::Plot&& plot, std::size_t skip = 0) {
  return mark_of<Mark>(std::as_const(plot), skip);
}

template <class Mark>
std::vector<Mark> marks_of(const figure::Plot& plot) {
  std::vector<Mark> marks;
  for (const auto& mark : plot.marks) {
    if (const auto* found = std::get_if<Mark>(&mark)) marks.push_back(*found);
  }
  return marks;
}

inline std::vector<figure::Handle> handles_of(const Page& page, std::string_view id) {
  return marks_of<figure::Handle>(plot_of(page, id));
}

inline bool has_readout(const Page& page, std::string_view id) {
  return std::any_of(page.readouts.begin(), page.readouts.end(),
                     [&](const Readout& readout) { return readout.id == id; });
}

inline double readout(const Page& page, std::string_view id) {
  for (const Readout& one : page.readouts) {
    if (one.id == id) return one.value;
  }
  FAIL("no readout " << id);
  std::abort();
}

// The lines of the explanation, the left of each right before its right: "w[12,2]= 0.125".
inline std::vector<std::string> lines(const Page& page) {
  std::vector<std::string> texts;
  for (const auto& line : page.explanation.lines) {
    std::string text = line.left;
    for (const auto& span : line.right) text += span.text;
    texts.push_back(text);
  }
  return texts;
}

// Whether one line of the explanation has this in it.
inline bool says(const Page& page, std::string_view wanted) {
  const std::vector<std::string> texts = lines(page);
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.find(wanted) != std::string::npos;
  });
}

// Whether one of the page's notes holds the words.
inline bool notes(const Page& page, std::string_view part) {
  return std::any_of(page.notes.begin(), page.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace lab::trying
