// A scene becomes a stop of one's own lesson: what is written is read back as the same scene, and
// what cannot be is refused with the file as it was.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/lesson/own.h"
#include "app/system/atomic_file.h"
#include "folder.h"
#include "rig.h"

namespace own_test {

using namespace lesson;
namespace fs = std::filesystem;

using test::Folder;

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

rig::Pages& pages() {
  static rig::Pages all;
  return all;
}

std::string refusal(const fs::path& file, const NewStop& stop, const Sight& sight) {
  try {
    add_stop(file, stop, sight, {});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("stops are added to a new lesson and to the same again, and show their scenes") {
  const Folder folder;
  const fs::path file = folder.path() / "my class.md";
  const rig::Seen one(pages(), rig::session("pooling", "method=kernel | bandwidth=0.5 | query=12"));
  add_stop(file, {"Near and far", "The **bandwidth** is {knob:bandwidth}.", "weights", true},
           one.sight(), {});
  const rig::Seen two(pages(), rig::session("softmax", "temperature=0.5"));
  const Lesson grown = add_stop(
      file,
      {"Colder", "Now one wins.", "", false, "All weights are equal.", "They are not.", false},
      two.sight(), {});
  CHECK(grown.stops.size() == 2);
  const Lesson read = open(file);
  CHECK(read.title == "my class");
  REQUIRE(read.stops.size() == 2);
  CHECK(scene(read, 0).lab == "pooling");
  CHECK(scene(read, 0).values == one.session.values);
  CHECK(scene(read, 1).lab == "softmax");
  CHECK(scene(read, 1).values == two.session.values);
  CHECK(read.stops[0].title == "Near and far");
  REQUIRE(read.stops[0].shows.has_value());
  CHECK(read.stops[0].shows->is.id == "weights");
  CHECK(read.stops[0].alone);
  CHECK(plain(text_of(read.stops[0].text.front(), one.sight(), {})) == "The bandwidth is 0.5.");
  CHECK_FALSE(read.stops[1].shows.has_value());
  REQUIRE(read.stops[1].question.has_value());
  CHECK_FALSE(std::get<TrueOrFalse>(read.stops[1].question->kind).truth);
  // Only what differs from the lab's beginning is written.
  CHECK(test::read(file).find("set: query=12") != std::string::npos);
  CHECK(test::read(file).find("set: noise") == std::string::npos);
  CHECK(faults_of(read, [](const auto& session) { return pages().of(session); }).empty());
}

TEST_CASE("what was written by hand stays as it is") {
  const Folder folder;
  const fs::path file = folder.path() / "class.md";
  const std::string before = rig::around("<!-- mine -->\nWords.\n\n> A note.");
  write(file, before);
  const rig::Seen seen(pages(), rig::session("pooling"));
  add_stop(file, {"Then", "More."}, seen.sight(), {});
  CHECK(test::read(file).starts_with(before));
  CHECK(open(file).stops.size() == 2);
}

TEST_CASE("what no lesson can hold is refused, and the file stays") {
  const Folder folder;
  const fs::path file = folder.path() / "class.md";
  const rig::Seen seen(pages(), rig::session("pooling"));
  const auto refused = [&](const NewStop& stop) {
    const std::string before = fs::exists(file) ? test::read(file) : "none";
    const std::string said = refusal(file, stop, seen.sight());
    CHECK((fs::exists(file) ? test::read(file) : "none") == before);
    return said;
  };
  CHECK(refused({"", "W."}) == "expected a title of the stop, got nothing");
  CHECK(refused({"T", "  "}) == "expected a sentence, got nothing");
  CHECK(refusal(file, {"T", "show me"}, seen.sight()) == "");
  CHECK(refused({"T", "? Is it"}) != "");
  CHECK(refused({"T", "> a note"}).find("got") != std::string::npos);
  CHECK(refused({"T", "## Another"}).find("got") != std::string::npos);
  CHECK(refused({"T", "wait: knob:n > 3"}).find("got") != std::string::npos);
  // With a question the stop would do without a sentence.
  CHECK(refused({"T", "show: figure:data", "", false, "S.", "Y."}).find("got \"show:") !=
        std::string::npos);
  CHECK(refused({"T", "W {readout:none}."}).find("none") != std::string::npos);
  CHECK(refused({"T", "W.", "nowhere"}).find("nowhere") != std::string::npos);
  CHECK(refused({"T", "W.", "", false, "S.", ""}) == "expected a reason, got nothing");
  CHECK(open(file).stops.size() == 1);  // "show me"
  CHECK(refusal(folder.path() / "class.txt", {"T", "W."}, seen.sight()) ==
        "expected a name that ends in .md, got \"class.txt\"");
}

TEST_CASE("a broken lesson is told of with its line, and nothing is added") {
  const Folder folder;
  const fs::path file = folder.path() / "class.md";
  const std::string broken = "# T\nabout: a\nminutes: 3\nlab: pooling\n## S\nsett: n=3\nW.\n";
  write(file, broken);
  const rig::Seen seen(pages(), rig::session("pooling"));
  const std::string said = refusal(file, {"T", "W."}, seen.sight());
  CHECK(said.find("class.md, line 6") != std::string::npos);
  CHECK(test::read(file) == broken);
}

TEST_CASE("a value that a lesson's line cannot hold is refused") {
  const Folder folder;
  const rig::Seen seen(pages(), rig::session("softmax"));
  session::Session scene = seen.session;
  for (const char* value : {"a\nb", "a | b", "a "}) {
    scene.values.front().second = value;
    CHECK_THROWS_AS(stop_text({"T", "W."}, scene), core::InputError);
  }
}

TEST_CASE("a folder that takes no file is told of") {
  const Folder folder;
  const rig::Seen seen(pages(), rig::session("pooling"));
  const std::string said = refusal(folder.path() / "none" / "class.md", {"T", "W."}, seen.sight());
  CHECK(said.find("cannot") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "none"));
}

}  // namespace own_test
