// The fields beside the question where to export a sweep: what they take, refuse and remember.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "app/labs/labs.h"
#include "folder.h"
#include "rig.h"

namespace film_panel_test {

struct Film : Rig {
  Film() : Rig(1600, 1000, lab::all()) {
    program.desk.show_lab("softmax");
    settle();
    click("button.sweep");
    click("sweep.knob.temperature");
    click("sweep.play");  // halts it
  }
  void fill(const std::string& box, const std::string& text) {
    click(box);
    tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
    text.empty() ? tap(GLFW_KEY_BACKSPACE) : type(text);
    tap(GLFW_KEY_ENTER);
  }
};

// A big-endian number of a PNG's bytes.
unsigned big_endian(const std::string& bytes, std::size_t at) {
  unsigned number = 0;
  for (std::size_t k = at; k < at + 4; ++k) {
    number = number << 8 | static_cast<unsigned char>(bytes.at(k));
  }
  return number;
}

TEST_CASE("a film is as wide, fast and long as its fields say") {
  Film rig;
  rig.click("sweep.export");
  REQUIRE(rig.has("film.width"));
  rig.fill("film.width", "320");
  rig.fill("film.fps", "5");
  rig.fill("film.seconds", "0.4");
  CHECK(rig.program.looks.film == state::FilmLook{320, 5, 0.4});
  CHECK(rig.has("film.told"));
  rig.click("dialog.path");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  const test::Folder folder;
  const std::string out = folder.file("film.png");
  rig.type(out);
  rig.tap(GLFW_KEY_ENTER);
  rig.program.wait();
  REQUIRE(std::filesystem::exists(out));
  const std::string bytes = test::read(out);
  CHECK(big_endian(bytes, 16) == 320);  // IHDR: the width
  const std::size_t frames = bytes.find("acTL");
  REQUIRE(frames != bytes.npos);
  CHECK(big_endian(bytes, frames + 4) == 4);  // at 0, 0.2 and 0.4 s, and back
}

TEST_CASE("what is no film is refused in one sentence, and nothing is written") {
  Film rig;
  rig.click("sweep.export");
  const state::FilmLook before = rig.program.looks.film;
  for (const char* typed : {"12", "wide", "640.5", "-3", "99999"}) {
    CAPTURE(typed);
    rig.fill("film.width", typed);
    CHECK(rig.has("film.fault"));
    CHECK(rig.program.looks.film == before);
  }
  rig.click("dialog.accept");
  CHECK(rig.has("dialog.said"));
  CHECK_FALSE(rig.program.is_writing());
  rig.fill("film.width", "");  // as wide as it comes
  CHECK(rig.has("film.told"));
  CHECK(rig.program.looks.film == before);
  rig.fill("film.fps", "60");
  rig.fill("film.seconds", "600");  // each can be, but 36001 frames are too many
  CHECK(rig.has("film.fault"));
  rig.click("dialog.accept");
  CHECK(rig.has("dialog.said"));
  CHECK_FALSE(rig.program.is_writing());
}

}  // namespace film_panel_test
