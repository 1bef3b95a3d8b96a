// A lesson as a film: how long its parts are, and what is seen of them.
#include "app/ui/shot/lesson_film.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "folder.h"

namespace lesson_film_test {

namespace fs = std::filesystem;

std::string bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("a sentence is shown for as long as it takes to be read, in either script") {
  CHECK(ui::reading_seconds("") == 0);
  CHECK(ui::reading_seconds(std::string(150, 'a')) == doctest::Approx(10));
  CHECK(ui::reading_seconds("注意力") == doctest::Approx(0.6));
}

TEST_CASE("a film has each stop as it opens, and as it is once it was answered or done") {
  const test::Folder folder;
  const lesson::Lesson lesson = lesson::parse(
      "# T\nabout: a\nminutes: 1\nlab: softmax\n\n"
      "## One\nshow: figure:row\n\nWords.\n\n"
      "## Two\nset: temperature=4\nshow: figure:row\n\n? Is it so?\nanswer: true\n"
      "reveal: temperature=0.5\nwhy: It is.\n\n"
      "## Three\nshow: figure:row\nwait: knob:temperature > 1\ndo: temperature=2\n\nWords.\n",
      "film.md");
  const fs::path out = folder / "frames";
  fs::create_directory(out);
  int reported = 0, of = 0;
  ui::write_lesson_film(
      {.own_lesson = lesson, .file = "film.md", .width = 480, .height = 270, .fps = 2, .out = out},
      {}, [&](int done, int total) { reported = done, of = total; });
  // Five parts of the least time, three seconds but for what is done, four.
  const int frames = 2 * (4 * 3 + 4);
  CHECK(of == frames);
  CHECK(reported == frames);
  std::set<fs::path> files;
  for (const auto& one : fs::directory_iterator(out)) files.insert(one.path());
  REQUIRE(std::ssize(files) == frames);
  std::set<std::string> pictures;
  // The temperature is on its way from 4 to 0.5 in the frames after the answer.
  CHECK(bytes(*std::next(files.begin(), 12)) != bytes(*std::next(files.begin(), 17)));
  // The last frame of each part is another picture.
  for (const int last : {6, 12, 18, 24, 32}) {
    const std::string picture = bytes(*std::next(files.begin(), last - 1));
    CHECK(picture.starts_with("\x89PNG"));
    CHECK(pictures.insert(picture).second);
  }
}

TEST_CASE("a film that is cancelled leaves no file") {
  const test::Folder folder;
  std::stop_source stop;
  stop.request_stop();
  const fs::path out = folder / "film.gif";
  CHECK_THROWS_AS(
      ui::write_lesson_film({.lesson = "averaging", .width = 320, .height = 200, .out = out},
                            core::Cancel(stop.get_token())),
      core::Cancelled);
  CHECK_FALSE(fs::exists(out));
}

}  // namespace lesson_film_test
