// Sessions that the model saves and opens.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "eventually.h"
#include "app/labs/labs.h"
#include "app/paper/file/session_carrier.h"
#include "model_rig.h"

namespace model_session_test {

using namespace std::chrono_literals;
using model_rig::Folder;

TEST_CASE("a session brings back lab, values and views, and a bad one changes nothing") {
  state::Model model(test_lab::labs());
  model.wait();
  model.set("heads", "12");
  model.set_view("left", {1, 4, 2, 6});
  const session::Session session = model.session();
  state::Model other(test_lab::labs());
  other.show_lab("two");
  other.restore(session);
  CHECK(other.lab().id == "one");
  CHECK(other.value("heads") == "12");
  CHECK(other.views() == model.views());
  session::Session bad = session;
  bad.values = {{"heads", "1000"}};
  CHECK_THROWS_AS(other.restore(bad), core::InputError);
  CHECK(other.value("heads") == "12");
  bad.lab = "nothing";
  CHECK_THROWS_AS(other.restore(bad), core::InputError);
  CHECK(other.lab().id == "one");
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
  const Folder folder("beyond");
  const std::string large = heads_of(folder, "large.npy", 12), small = heads_of(folder, "c.npy", 3);
  state::Model model(lab::all());
  model.show_lab("tensors");
  REQUIRE(model.set("file", large));
  REQUIRE(model.set("layer", "11"));
  model.wait();
  CHECK(model.value("layer") == "11");
  CHECK(model.value("query") == "1");  // a default: nothing is said of it
  CHECK(model.message().text.find("Query") == std::string::npos);
  REQUIRE(model.set("file", small));
  model.wait();
  CHECK(model.value("layer") == "3");
  CHECK_FALSE(model.stale());
  CHECK(model.message().text.find(
            "Layer: expected an integer from 1 to 3 in c.npy, got 11; it is 3 now.") !=
        std::string::npos);
  CHECK_FALSE(model.set("layer", "4"));
  CHECK(model.error_of("layer") == "expected an integer from 1 to 3 in c.npy, got 4");
  model.undo();
  CHECK(model.value("file") == large);
  CHECK(model.value("layer") == "11");
  model.wait();
  CHECK(model.value("layer") == "11");
  model.redo();
  model.wait();
  CHECK(model.value("layer") == "3");
}

TEST_CASE("nothing that the page reads is written over") {
  const Folder folder("inputs");
  const std::string file = heads_of(folder, "c.npy", 3);
  state::Model model(lab::all());
  model.show_lab("tensors");
  REQUIRE(model.set("file", file));
  model.wait();
  const auto before = std::filesystem::file_size(file);
  CHECK_FALSE(model.export_to(file));
  CHECK(model.message().is_error);
  CHECK(model.message().text.find("expected a file to write, got one that is read for it") !=
        std::string::npos);
  model.wait();
  CHECK(std::filesystem::file_size(file) == before);
}

TEST_CASE("what cannot be opened is said in a sentence") {
  state::Model model(test_lab::labs());
  model.open("/nonexistent/file.attn");
  model.wait();
  CHECK(model.message().is_error);
  CHECK(model.message().text.find("/nonexistent/file.attn") != std::string::npos);
  CHECK(model.file().empty());
  CHECK_FALSE(model.export_to("/nonexistent/folder/x.png"));  // its session is of no lab there is
  CHECK(model.message().is_error);
}

TEST_CASE("a pipe is not waited for, and what is too large is not read") {
  const Folder folder("unreadable");
  state::Model model(test_lab::labs());
  model.wait();
  const auto refused = [&](const std::string& path, const std::string& why) {
    model.open(path);  // comes back: nobody writes into the pipe
    model.wait();
    CHECK(model.message().is_error);
    CHECK(model.message().text.find(why) != std::string::npos);
  };
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  refused(folder.file("pipe"), "it is a pipe");
  refused("/dev/zero", "device");
  std::ofstream(folder.file("huge.attn")).put('{');
  std::filesystem::resize_file(folder.file("huge.attn"), std::uintmax_t{4} << 30);
  refused(folder.file("huge.attn"), "512 MiB");
}

TEST_CASE("a session is saved as .attn only, and knobs turned since then are unsaved") {
  const Folder folder("sessions");
  state::Model model(lab::all());
  model.show_lab("softmax");
  model.set("count", "5");
  CHECK_FALSE(model.unsaved());  // a fresh exploration is nobody's file
  CHECK_FALSE(model.save(folder.file("thesis.tex")));
  CHECK(model.message().is_error);
  CHECK_FALSE(std::filesystem::exists(folder.file("thesis.tex")));
  CHECK(model.file().empty());
  REQUIRE(model.save(folder.file("mine.attn")));
  CHECK(model.file() == folder.file("mine.attn"));
  CHECK_FALSE(model.unsaved());
  model.set("count", "6");
  CHECK(model.unsaved());
  model.undo();
  CHECK_FALSE(model.unsaved());
  model.show_lab("cost");
  model.set("n", "64");
  CHECK_FALSE(model.unsaved());  // another lab is no part of that file
  model.show_lab("softmax");
  model.set("count", "7");
  CHECK(model.unsaved());
  model.open(folder.file("mine.attn"));
  model.wait();
  CHECK(model.value("count") == "5");
  CHECK_FALSE(model.unsaved());
}

TEST_CASE("figures that are hidden or moved are unsaved too") {
  const Folder folder("sessions");
  state::Model model(lab::all());
  model.show_lab("softmax");
  model.wait();
  REQUIRE(model.save(folder.file("mine.attn")));
  const auto& figures = model.page()->page.figures;
  REQUIRE(figures.size() >= 2);
  model.hide_figure(figures[0].id);
  CHECK(model.unsaved());
  model.show_lab("cost");
  CHECK(model.unsaved());  // hidden in the lab of that file all the same
  model.undo();
  CHECK_FALSE(model.unsaved());
  model.show_lab("softmax");
  model.move_figure(figures[0].id, 1, {figures[0].id, figures[1].id});
  CHECK(model.unsaved());
  REQUIRE(model.save(folder.file("mine.attn")));
  CHECK_FALSE(model.unsaved());
}

TEST_CASE("an opened session is one step of undo, back to the lab that was shown") {
  state::Model model(test_lab::labs());
  session::Session session = model.session();
  session.lab = "two";
  for (auto& [id, value] : session.values) {
    if (id == "heads") value = "12";
  }
  model.restore(session);
  CHECK(model.lab().id == "two");
  CHECK(model.value("heads") == "12");
  model.undo();
  CHECK(model.lab().id == "one");
  model.show_lab("two");
  CHECK(model.value("heads") == "4");
  model.redo();
  CHECK(model.value("heads") == "12");
}

// What is on screen and what made it -----------------------------------------------------------

TEST_CASE("a session whose file is gone or has changed: a sentence, and nothing is lost") {
  const Folder folder("file_gone");
  const auto write = [&](const std::string& text) { std::ofstream(folder.file("d.csv")) << text; };
  write("a,b,c\n1,2,3\n4,5,7\n6,8,9\n");
  state::Model model(lab::all());
  model.show_lab("pooling");
  model.set("file", folder.file("d.csv"));
  model.set("y_column", "c");
  model.set("bandwidth", "0.25");
  model.wait();
  REQUIRE(model.save(folder.file("s.attn")));
  const param::Values saved = model.session().values;
  const auto opened = [&] {
    auto fresh = std::make_unique<state::Model>(lab::all());
    fresh->open(folder.file("s.attn"));
    REQUIRE(eventually([&] { return !fresh->opening(); }));
    fresh->poll();
    return fresh;
  };
  const auto ends = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.ends_with(end);
  };
  std::filesystem::remove(folder.file("d.csv"));
  auto gone = opened();
  CHECK(ends(gone->message().text, "which cannot be read: there is no such file or folder"));
  gone->wait();
  CHECK(gone->compute_error() ==
        "cannot read " + folder.file("d.csv") + ": there is no such file or folder");
  CHECK(gone->session().values == saved);
  CHECK(gone->page() == nullptr);
  REQUIRE(gone->save(folder.file("again.attn")));  // as it was
  write("a,b,c\n1,2,3\n4,5,7\n6,8,9\n");
  gone->set("bandwidth", "0.5");
  gone->wait();
  CHECK(gone->compute_error().empty());
  CHECK(gone->page() != nullptr);
  write("a,b\n1,2\n4,5\n6,8\n");
  auto changed = opened();
  CHECK(changed->message().text.find("which has changed since") != std::string::npos);
  changed->wait();
  CHECK(changed->session().values == saved);
  CHECK(changed->value("y_column") == "c");
  CHECK(changed->compute_error() == folder.file("d.csv") + ": there is no column \"c\"");
  changed->set("y_column", "b");
  changed->wait();
  CHECK(changed->page() != nullptr);
  changed->undo();
  CHECK(changed->value("y_column") == "c");
}

}  // namespace model_session_test
