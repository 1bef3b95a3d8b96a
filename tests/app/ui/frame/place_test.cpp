// Places, between which a browser's way back leads.
#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "app/ui/frame/shell.h"
#include "rig.h"

namespace place_test {

TEST_CASE("a place is a lab or a lesson, and going there shows it as it was left") {
  Rig rig(1280, 720, lab::all());
  const auto go = [&](const std::string& link) {
    rig.shell.go(link);
    rig.settle();
  };
  rig.program.desk.show_lab("rotary");
  rig.settle();
  CHECK(rig.shell.place() == "#rotary");
  CHECK(rig.program.knobs.set("base", "300"));
  go("#softmax");
  CHECK(rig.program.desk.lab().id == "softmax");
  go("#rotary");
  CHECK(rig.map()["knobs"]["base"] == 300);
  go("#rotary?base=200&v=1");
  CHECK(rig.map()["knobs"]["base"] == 200);
  CHECK(rig.shell.place() == "#rotary");
  go("");
  CHECK(rig.shell.start().open());
  CHECK(rig.shell.place().empty());
  go("#pooling?lesson=averaging");
  REQUIRE(rig.shell.lesson().open());
  const std::string place = rig.shell.place();
  go("#rotary");
  CHECK_FALSE(rig.shell.lesson().open());
  go(place);
  CHECK(rig.shell.lesson().open());
  CHECK(rig.shell.place() == place);
}

TEST_CASE("a link that leads nowhere is told, and the place stays") {
  Rig rig(1280, 720, lab::all());
  rig.program.desk.show_lab("rotary");
  rig.settle();
  for (const char* link : {"#nowhere", "#rotary?base=1", "#masks?lesson=nothing", "rotary",
                           "#masks?lesson=masks&stop=99&v=1"}) {
    CAPTURE(link);
    const auto before = rig.program.messages.last().text;
    rig.shell.go(link);
    rig.settle();
    CHECK_FALSE(rig.program.messages.last().text == before);
    CHECK(rig.shell.place() == "#rotary");
  }
}

}  // namespace place_test
