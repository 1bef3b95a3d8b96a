// Long files that sessions read: what is said of them at once, and once their contents are known.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/labs/labs.h"
#include "app/paper/file/session_carrier.h"
#include "program_rig.h"
#include "system_files.h"

namespace program_reading_test {

namespace {

namespace fs = std::filesystem;
using program_rig::Folder;

// Three maps of 1600 by 1600 floats, 31 MB: more than is read while somebody waits.
class LongFile {
 public:
  explicit LongFile(std::string path) : path_(std::move(path)) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1600, 1600), }";
    header.resize(117, ' ');
    std::ofstream out(path_, std::ios::binary);
    out << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
    const std::vector<float> row(1600, 1.0F / 1600);
    for (int k = 0; k < 3 * 1600; ++k) {
      out.write(reinterpret_cast<const char*>(row.data()), 4 * std::ssize(row));
    }
    out.close();
    age(3);
  }
  // As if it had been written so many hours ago.
  void age(int hours) const {
    test::set_time(path_, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  void change_a_byte() const {
    std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary).seekp(20'000'000) << 'x';
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a session that is saved before a long file is known is saved again with its contents") {
  const Folder folder;
  const LongFile file(folder.file("maps.npy"));
  const std::string saved = folder.file("mine.attn");
  state::Program program(lab::all());
  program.desk.show_lab("tensors");
  REQUIRE(program.files.set("file", file.path()));
  program.wait();
  REQUIRE(program.files.save(saved));
  CHECK(has(program.messages.last().text,
            "It identifies maps.npy by length and time until the contents have been read."));
  CHECK(program.files.contents().busy());
  CHECK(has(paper::read_session(saved), "\"written\":"));
  CHECK_FALSE(has(paper::read_session(saved), "\"contents\":"));
  program.wait();
  CHECK_FALSE(program.files.contents().busy());
  CHECK(has(paper::read_session(saved), "\"contents\":\""));
  CHECK(has(program.messages.last().text, "now identifies maps.npy by its contents"));
  CHECK_FALSE(program.files.unsaved());
  // Known from now on.
  REQUIRE(program.files.save(saved));
  CHECK_FALSE(program.files.contents().busy());
  CHECK(has(paper::read_session(saved), "\"contents\":\""));

  // Opened again: as it was, at once; copied, and then with another byte, after reading it.
  const auto opened = [&] {
    state::Program other(lab::all());
    other.files.open(saved);
    other.wait();
    CHECK(other.desk.lab().id == "tensors");
    return other.messages.last().text;
  };
  CHECK(has(opened(), "which has not changed"));
  file.age(2);
  CHECK(has(opened(), "The contents were read: this session reads the file " + file.path() +
                          ", which has not changed."));
  file.change_a_byte();
  file.age(1);
  CHECK(has(opened(), "The contents were read: this session reads the file " + file.path() +
                          ", whose contents have changed since."));
}

TEST_CASE("a session that somebody else has written meanwhile is left alone") {
  const Folder folder;
  const LongFile file(folder.file("maps.npy"));
  const std::string saved = folder.file("mine.attn");
  state::Program program(lab::all());
  program.desk.show_lab("tensors");
  REQUIRE(program.files.set("file", file.path()));
  program.wait();
  REQUIRE(program.files.save(saved));
  const std::string other = R"({"attnscope":1,"lab":"softmax","values":{}})";
  std::ofstream(saved, std::ios::binary) << other;
  program.wait();
  CHECK(paper::read_session(saved) == other);
}

TEST_CASE("an export before a long file is known says how its session tells it") {
  const Folder folder;
  const LongFile file(folder.file("maps.npy"));
  state::Program program(lab::all());
  program.desk.show_lab("tensors");
  REQUIRE(program.files.set("file", file.path()));
  program.wait();
  REQUIRE(program.exports.write(folder.file("a.svg"), "map"));
  program.wait();
  CHECK_FALSE(has(paper::read_session(folder.file("a.svg")), "\"contents\":"));
  REQUIRE(program.exports.write(folder.file("b.svg"), "map"));
  program.wait();
  CHECK(has(paper::read_session(folder.file("b.svg")), "\"contents\":\""));
  CHECK_FALSE(has(program.messages.last().text, "by length and time"));
}

}  // namespace program_reading_test
