// What is covered while somebody is at a stop, so that no answer is seen before it is asked for.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

struct Cover {
  std::set<std::string> whole = {};  // figures and plots
  std::set<std::string> later = {};  // those of them that a later stop asks for
  // Figures that are not on the page at all: the stop neither shows nor points at them.
  std::set<std::string> left_out = {};
  std::set<std::string> inside = {};  // plots of which the axes alone are seen
  std::set<std::string> points = {};  // those of them on which one draws over points that are given
  std::set<std::string> readouts = {};
  std::string asked = {};  // the plot whose places are clicked, marked or drawn on; empty: none
  // What the page says of itself: question, formula, derivation, statements, notes and status; and
  // while the stop itself asks, what its figures say beside their titles and under them.
  bool words = false, captions = false;

  bool hides(const figure::Figure& figure) const {
    return whole.contains(figure.id) || left_out.contains(figure.id);
  }
  // The plot's marks are covered, or all of it with its figure.
  bool hides(const figure::Figure& figure, const figure::Plot& plot) const;
};

// Whether the question of a stop has been answered.
using Answered = std::function<bool(std::size_t stop)>;

// The cover of the page that a stop shows.
Cover cover_of(const Lesson& lesson, std::size_t stop, const Answered& answered,
               const lab::Page& page);

}  // namespace lesson
