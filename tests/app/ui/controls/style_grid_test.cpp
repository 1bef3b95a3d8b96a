#include "app/ui/controls/style_grid.h"

#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "folder.h"
#include "rig.h"
#include "variable.h"

namespace style_grid_test {

TEST_CASE("the export window sets how figures look, and the preview follows") {
  const test::Folder folder;
  const test::Variable home(test::kSettingsFolder, folder.path().string().c_str());
  Rig rig(1280, 800, lab::all());
  rig.program.desk.show_lab("softmax");
  rig.settle();
  rig.tap(GLFW_KEY_E, GLFW_MOD_CONTROL);
  rig.frame();
  const paper::Style& style = rig.program.looks.paper.style;
  rig.click("paper.tab.look");
  rig.settle();
  CHECK_FALSE(style.dashes);
  rig.click("paper.style.dashes");
  CHECK(style.dashes);
  rig.click("paper.style.label_size");
  rig.type("3");
  rig.frame();
  CHECK(style.label_size == 0);  // no type is so small
  rig.type("0");                 // 30
  rig.frame();
  CHECK(style.label_size == 30);
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  CHECK(rig.has("paper.preview"));
  // Kept under a name, and found under it.
  rig.click("paper.save_style");
  rig.type("mine");
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  CHECK(std::filesystem::exists(folder.path() / "attnscope" / "styles" / "mine.json"));
  rig.program.looks.paper = {};
  rig.click("paper.named");
  rig.settle();
  rig.click("paper.named.mine");
  rig.settle();
  CHECK(style.label_size == 30);
  CHECK(style.dashes);
  // What is one figure's own.
  rig.click("paper.tab.figure");
  rig.settle();
  rig.click("paper.style.title");
  rig.type("Mine");
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  CHECK(style.title == "Mine");
  CHECK(rig.has("paper.preview"));
  rig.click("paper.style.only");
  rig.type("nothing");
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  CHECK(rig.has("paper.fault"));  // there is no plot of that name
}

}  // namespace style_grid_test
