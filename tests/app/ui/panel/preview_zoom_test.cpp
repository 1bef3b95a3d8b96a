#include "app/ui/panel/preview_zoom.h"

#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "rig.h"

namespace preview_zoom_test {

using figure::Point, figure::Rect;

TEST_CASE("a sheet is shown whole, at 100 % under the pointer, dragged as far as it goes") {
  ui::PreviewZoom view;
  const Rect room{100, 50, 400, 300};
  view.set(room, 1600, 2400, 1);
  CHECK(view.fits());
  CHECK(view.zoom() == 0.125f);
  CHECK(view.sheet() == Rect{200, 50, 200, 300});
  // What lies at a quarter of the sheet's width stays under the pointer.
  view.toggle({250, 200});
  CHECK(view.zoom() == 1);
  CHECK(view.sheet().x == 250 - 400);
  CHECK(view.sheet().y == 200 - 1200);
  view.drag({30, -20});
  CHECK(view.sheet().x == 280 - 400);
  CHECK(view.sheet().y == 180 - 1200);
  view.drag({9000, 9000});  // to its corner and no further
  CHECK(view.sheet().x == room.x);
  CHECK(view.sheet().y == room.y);
  view.toggle({0, 0});
  CHECK(view.fits());
  view.wheel(1, {300, 200});
  CHECK(view.zoom() == doctest::Approx(0.125 * 1.25));
  // Narrower than the room it stands in its middle.
  CHECK(view.sheet().x == doctest::Approx(300 - view.sheet().w / 2).epsilon(0.01));
  view.wheel(90, {300, 200});
  CHECK(view.zoom() == 4);
  view.wheel(-90, {300, 200});
  CHECK(view.fits());
  view.toggle({300, 200});
  view.set({0, 0, 5000, 5000}, 1600, 2400, 1);  // there is room for all of it now
  CHECK(view.fits());
}

TEST_CASE(
    "in the export's preview a click shows it at 100 %, a drag moves it, a double click fits") {
  Rig rig(1280, 800, lab::all());
  rig.program.desk.show_lab("multi_head");
  rig.settle();
  rig.tap(GLFW_KEY_E, GLFW_MOD_CONTROL);
  rig.click("paper.preset.screen");
  rig.settle();
  const Rect fitting = rig.control("paper.preview");
  const Rect room = rig.control("paper.view");
  REQUIRE(fitting.h <= room.h + 1);
  rig.click("paper.view", 0.5f, 0.3f);
  const Rect large = rig.control("paper.preview");
  CHECK(large.w > 1.5f * fitting.w);
  rig.drag("paper.view", 0.5f, 0.3f);
  const Rect moved = rig.control("paper.preview");
  CHECK(moved.x < large.x);
  CHECK(moved.w == large.w);  // the end of a drag is no click
  rig.wheel(-1);
  CHECK(rig.control("paper.preview").w < large.w);
  rig.input.button(0, true), rig.input.button(0, false);
  rig.input.button(0, true), rig.input.button(0, false);
  rig.settle();
  CHECK(rig.control("paper.preview") == fitting);
}

}  // namespace preview_zoom_test
