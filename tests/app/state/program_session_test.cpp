// Sessions that the model saves and opens.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/labs/labs.h"
#include "app/paper/file/session_carrier.h"
#include "eventually.h"
#include "program_rig.h"
#include "system_files.h"

namespace program_session_test {

using namespace std::chrono_literals;
using program_rig::Folder;

TEST_CASE("a session brings back lab, values and views, and a bad one changes nothing") {
  state::Program program(test_lab::labs());
  program.wait();
  program.knobs.set("heads", "12");
  program.sight.set_view("left", {1, 4, 2, 6});
  const session::Session session = program.desk.now();
  state::Program other(test_lab::labs());
  other.desk.show_lab("two");
  other.files.restore(session);
  CHECK(other.desk.lab().id == "one");
  CHECK(other.knobs.value("heads") == "12");
  CHECK(other.sight.views() == program.sight.views());
  session::Session bad = session;
  bad.values = {{"heads", "1000"}};
  CHECK_THROWS_AS(other.files.restore(bad), core::InputError);
  CHECK(other.knobs.value("heads") == "12");
  bad.lab = "nothing";
  CHECK_THROWS_AS(other.files.restore(bad), core::InputError);
  CHECK(other.desk.lab().id == "one");
}

namespace {

// So many layers of one head over two tokens, each weight a half.
std::string heads_of(const Folder& folder, const std::string& name, int layers) {
  const std::string said = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                           std::to_string(layers) + ", 1, 2, 2), }\n";
  std::ofstream out(folder.file(name), std::ios::binary);
  out << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(said.size()) << '\0' << said;
  const float half = 0.5F;
  for (int k = 0; k < layers * 4; ++k) out.write(reinterpret_cast<const char*>(&half), 4);
  return folder.file(name);
}

}  // namespace

TEST_CASE("a number beyond what a file holds is brought into its range, said, and undone with it") {
  const Folder folder;
  const std::string large = heads_of(folder, "large.npy", 12), small = heads_of(folder, "c.npy", 3);
  state::Program program(lab::all());
  program.desk.show_lab("tensors");
  REQUIRE(program.knobs.set("file", large));
  REQUIRE(program.knobs.set("layer", "11"));
  program.wait();
  CHECK(program.knobs.value("layer") == "11");
  CHECK(program.knobs.value("query") == "1");  // a default: nothing is said of it
  CHECK(program.messages.last().text.find("Query") == std::string::npos);
  REQUIRE(program.knobs.set("file", small));
  program.wait();
  CHECK(program.knobs.value("layer") == "3");
  CHECK_FALSE(program.pages.stale());
  CHECK(program.messages.last().text.find("Layer: 3 now, the most in c.npy; it was 11.") !=
        std::string::npos);
  CHECK_FALSE(program.knobs.set("layer", "4"));
  CHECK(program.knobs.error_of("layer") == "expected an integer from 1 to 3 in c.npy, got 4");
  program.desk.undo();
  CHECK(program.knobs.value("file") == large);
  CHECK(program.knobs.value("layer") == "11");
  program.wait();
  CHECK(program.knobs.value("layer") == "11");
  program.desk.redo();
  program.wait();
  CHECK(program.knobs.value("layer") == "3");
}

TEST_CASE("nothing that the page reads is written over") {
  const Folder folder;
  const std::string file = heads_of(folder, "c.npy", 3);
  state::Program program(lab::all());
  program.desk.show_lab("tensors");
  REQUIRE(program.knobs.set("file", file));
  program.wait();
  const auto before = std::filesystem::file_size(file);
  CHECK_FALSE(program.exports.write(file));
  CHECK(program.messages.last().is_error);
  CHECK(program.messages.last().text.find(
            "expected a file to write, got one that it is made from") != std::string::npos);
  program.wait();
  CHECK(std::filesystem::file_size(file) == before);
}

TEST_CASE("what cannot be opened is said in a sentence") {
  state::Program program(test_lab::labs());
  program.files.open("/nonexistent/file.attn");
  program.wait();
  CHECK(program.messages.last().is_error);
  CHECK(program.messages.last().text.find("/nonexistent/file.attn") != std::string::npos);
  CHECK(program.files.own().empty());
  CHECK_FALSE(
      program.exports.write("/nonexistent/folder/x.png"));  // its session is of no lab there is
  CHECK(program.messages.last().is_error);
}

TEST_CASE("what is too large is not read") {
  const Folder folder;
  state::Program program(test_lab::labs());
  std::ofstream(folder.file("huge.attn")).put('{');
  test::grow(folder.file("huge.attn"), std::uintmax_t{4} << 30);
  program.files.open(folder.file("huge.attn"));
  program.wait();
  CHECK(program.messages.last().is_error);
  CHECK(program.messages.last().text.find("512 MiB") != std::string::npos);
}

TEST_CASE("a session is saved as .attn only, and knobs turned since then are unsaved") {
  const Folder folder;
  state::Program program(lab::all());
  program.desk.show_lab("softmax");
  program.knobs.set("count", "5");
  CHECK_FALSE(program.files.unsaved());  // a fresh exploration is nobody's file
  CHECK_FALSE(program.files.save(folder.file("thesis.tex")));
  CHECK(program.messages.last().is_error);
  CHECK_FALSE(std::filesystem::exists(folder.file("thesis.tex")));
  CHECK(program.files.own().empty());
  REQUIRE(program.files.save(folder.file("mine.attn")));
  CHECK(program.files.own() == folder.file("mine.attn"));
  CHECK_FALSE(program.files.unsaved());
  program.knobs.set("count", "6");
  CHECK(program.files.unsaved());
  program.desk.undo();
  CHECK_FALSE(program.files.unsaved());
  program.desk.show_lab("cost");
  program.knobs.set("n", "64");
  CHECK_FALSE(program.files.unsaved());  // another lab is no part of that file
  program.desk.show_lab("softmax");
  program.knobs.set("count", "7");
  CHECK(program.files.unsaved());
  program.files.open(folder.file("mine.attn"));
  program.wait();
  CHECK(program.knobs.value("count") == "5");
  CHECK_FALSE(program.files.unsaved());
}

TEST_CASE("figures that are hidden or moved are unsaved too") {
  const Folder folder;
  state::Program program(lab::all());
  program.desk.show_lab("softmax");
  program.wait();
  REQUIRE(program.files.save(folder.file("mine.attn")));
  const auto& figures = program.pages.page()->page.figures;
  REQUIRE(figures.size() >= 2);
  program.sight.hide_figure(figures[0].id);
  CHECK(program.files.unsaved());
  program.desk.show_lab("cost");
  CHECK(program.files.unsaved());  // hidden in the lab of that file all the same
  program.desk.undo();
  CHECK_FALSE(program.files.unsaved());
  program.desk.show_lab("softmax");
  program.sight.move_figure(figures[0].id, 1, {figures[0].id, figures[1].id});
  CHECK(program.files.unsaved());
  REQUIRE(program.files.save(folder.file("mine.attn")));
  CHECK_FALSE(program.files.unsaved());
}

TEST_CASE("an opened session is one step of undo, back to the lab that was shown") {
  state::Program program(test_lab::labs());
  session::Session session = program.desk.now();
  session.lab = "two";
  for (auto& [id, value] : session.values) {
    if (id == "heads") value = "12";
  }
  program.files.restore(session);
  CHECK(program.desk.lab().id == "two");
  CHECK(program.knobs.value("heads") == "12");
  program.desk.undo();
  CHECK(program.desk.lab().id == "one");
  program.desk.show_lab("two");
  CHECK(program.knobs.value("heads") == "4");
  program.desk.redo();
  CHECK(program.knobs.value("heads") == "12");
}

// What is on screen and what made it -----------------------------------------------------------

TEST_CASE("a session whose file is gone or has changed: a sentence, and nothing is lost") {
  const Folder folder;
  const auto write = [&](const std::string& text) { std::ofstream(folder.file("d.csv")) << text; };
  write("a,b,c\n1,2,3\n4,5,7\n6,8,9\n");
  state::Program program(lab::all());
  program.desk.show_lab("pooling");
  program.knobs.set("file", folder.file("d.csv"));
  program.knobs.set("y_column", "c");
  program.knobs.set("bandwidth", "0.25");
  program.wait();
  REQUIRE(program.files.save(folder.file("s.attn")));
  const param::Values saved = program.desk.now().values;
  const auto opened = [&] {
    auto fresh = std::make_unique<state::Program>(lab::all());
    fresh->files.open(folder.file("s.attn"));
    REQUIRE(eventually([&] { return !fresh->files.opening(); }));
    fresh->poll();
    return fresh;
  };
  const auto ends = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.ends_with(end);
  };
  std::filesystem::remove(folder.file("d.csv"));
  auto gone = opened();
  CHECK(ends(gone->messages.last().text, "which cannot be read: there is no such file or folder"));
  gone->wait();
  CHECK(gone->pages.error() ==
        "cannot read " + folder.file("d.csv") + ": there is no such file or folder");
  CHECK(gone->desk.now().values == saved);
  CHECK(gone->pages.page() == nullptr);
  REQUIRE(gone->files.save(folder.file("again.attn")));  // as it was
  write("a,b,c\n1,2,3\n4,5,7\n6,8,9\n");
  gone->knobs.set("bandwidth", "0.5");
  gone->wait();
  CHECK(gone->pages.error().empty());
  CHECK(gone->pages.page() != nullptr);
  write("a,b\n1,2\n4,5\n6,8\n");
  auto changed = opened();
  CHECK(changed->messages.last().text.find("which has changed since") != std::string::npos);
  changed->wait();
  CHECK(changed->desk.now().values == saved);
  CHECK(changed->knobs.value("y_column") == "c");
  CHECK(changed->pages.error() == folder.file("d.csv") + ": there is no column \"c\"");
  changed->knobs.set("y_column", "b");
  changed->wait();
  CHECK(changed->pages.page() != nullptr);
  changed->desk.undo();
  CHECK(changed->knobs.value("y_column") == "c");
}

}  // namespace program_session_test
