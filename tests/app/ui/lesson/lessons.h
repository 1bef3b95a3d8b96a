// The window with a lesson in it.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "rig.h"

// The program's labs, since lessons speak of them. Knobs do not glide unless a test wants them to.
struct Lessons : Rig {
  explicit Lessons(float width = 1600, float height = 1000) : Rig(width, height, lab::all()) {}

  nlohmann::json lesson() const { return map()["lesson"]; }
  std::string phase() const { return lesson()["phase"]; }
  void open(const std::string& name, std::size_t stop = 0) {
    REQUIRE(shell.lesson().begin(name, stop));
    settle();
    settle();
  }
  void next() {
    tap(GLFW_KEY_SPACE);
    settle();
  }
  void leave() {
    tap(GLFW_KEY_ESCAPE);
    click("dialog.go");
    settle();
  }
  // The middle of an element of the plot that is asked about.
  void click_element(const std::string& plot, lesson::Kind kind, long row, long col) {
    const auto place = shell.page_view().plots().at(plot);
    const auto r = lesson::place_of(*place.plot, place.frame, kind,
                                    *lesson::element(*place.plot, kind, row, col));
    input.move(r.x + r.w / 2, r.y + r.h / 2);
    settle();
    input.button(0, true);
    input.button(0, false);
    settle();
    settle();
  }
};
