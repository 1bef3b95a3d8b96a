// What is asked before files are replaced, changes lost and disks filled.
#include <doctest/doctest.h>
#include <imgui_internal.h>

#include <filesystem>
#include <fstream>

#include "app/labs/labs.h"
#include "app/session/link.h"
#include "app/ui/frame/shell.h"
#include "folder.h"
#include "rig.h"

namespace shell_files_test {

namespace {

// A window over real labs, whose sessions can be saved, in a folder of its own.
struct Desk {
  Desk() {
    rig.program.desk.show_lab("softmax");
    rig.settle();
  }
  std::string file(const std::string& name) const { return folder.file(name); }
  void write(const std::string& name, const std::string& text) const { folder.write(name, text); }
  std::string read(const std::string& name) const { return folder.read(name); }
  // Into the dialog's box, and Enter.
  void answer(const std::string& name) {
    rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
    rig.type(file(name));
    rig.tap(GLFW_KEY_ENTER);
  }
  void save_as(const std::string& name) {
    rig.tap(GLFW_KEY_S, GLFW_MOD_CONTROL);
    answer(name);
  }

  test::Folder folder;
  Rig rig{1600, 1000, lab::all()};
};

}  // namespace

TEST_CASE("what an opened session names in vain is told once its page is there") {
  Desk desk;
  Rig& rig = desk.rig;
  desk.write("strange.attn", R"({"attnscope":1,"lab":"pooling","views":{"yy":[0,1,0,1]},)"
                             R"("figures":{"hidden":["zz"]}})");
  rig.program.files.open(desk.file("strange.attn"));
  rig.program.wait();
  rig.settle();
  CHECK(rig.map()["lab"] == "pooling");
  const std::string told = rig.program.messages.last().text;
  CHECK(told.starts_with("Opened "));
  CHECK(told.find("a view of \"yy\"") != std::string::npos);
  CHECK(told.find("a figure \"zz\"") != std::string::npos);
  CHECK(rig.program.files.unknown_parts().size() == 2);
}

TEST_CASE("a file that is there is replaced after a question only, but for the session's own") {
  Desk desk;
  Rig& rig = desk.rig;
  desk.write("theirs.attn", "theirs");
  desk.save_as("theirs.attn");
  REQUIRE(rig.has("dialog.replace"));
  CHECK(desk.read("theirs.attn") == "theirs");
  rig.tap(GLFW_KEY_ENTER);  // the safe answer has the focus
  CHECK_FALSE(rig.has("dialog.replace"));
  CHECK(rig.has("dialog.accept"));
  CHECK(desk.read("theirs.attn") == "theirs");
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("dialog.accept"));

  desk.save_as("mine");  // the ending comes by itself
  CHECK_FALSE(rig.has("dialog.replace"));
  CHECK(rig.program.files.own() == desk.file("mine.attn"));
  const std::string first = desk.read("mine.attn");
  rig.program.knobs.set("count", "7");
  rig.tap(GLFW_KEY_S, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_ENTER);  // under its own name again
  CHECK_FALSE(rig.has("dialog.replace"));
  CHECK_FALSE(rig.has("dialog.accept"));
  CHECK(desk.read("mine.attn") != first);

  desk.save_as("theirs.attn");
  rig.click("dialog.replace");
  CHECK(desk.read("theirs.attn").starts_with("{\"attnscope\""));
}

TEST_CASE("no name is no answer: the dialog says so, and stays") {
  for (const auto& [key, mods] :
       {std::pair{GLFW_KEY_O, GLFW_MOD_CONTROL}, {GLFW_KEY_S, GLFW_MOD_CONTROL}}) {
    Desk desk;
    Rig& rig = desk.rig;
    rig.tap(key, mods);
    rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
    rig.tap(GLFW_KEY_BACKSPACE);
    rig.tap(GLFW_KEY_ENTER);
    CHECK(rig.has("dialog.accept"));
    rig.click("dialog.accept");
    CHECK(rig.has("dialog.accept"));
    rig.tap(GLFW_KEY_ESCAPE);
    CHECK_FALSE(rig.has("dialog.accept"));
  }
}

TEST_CASE("a dialog's keys do not reach the knob that was typed into before") {
  Desk desk;
  Rig& rig = desk.rig;
  rig.click("knob.count.value");
  rig.tap(GLFW_KEY_ENTER);
  desk.save_as("mine.attn");
  CHECK(std::filesystem::exists(desk.file("mine.attn")));
  CHECK_FALSE(rig.shell.typing());
}

TEST_CASE("a session takes no other ending, and an export only those it can write") {
  Desk desk;
  Rig& rig = desk.rig;
  desk.write("thesis.doc", "chapter one");
  desk.save_as("thesis.doc");
  REQUIRE(rig.has("dialog.said"));
  CHECK(rig.has("dialog.accept"));
  CHECK(desk.read("thesis.doc") == "chapter one");
  rig.tap(GLFW_KEY_ESCAPE);
  rig.tap(GLFW_KEY_E, GLFW_MOD_CONTROL);
  desk.answer("thesis.doc");
  REQUIRE(rig.has("dialog.said"));
  CHECK(desk.read("thesis.doc") == "chapter one");
  desk.write("figure.pdf", "theirs");
  desk.answer("figure.pdf");
  REQUIRE(rig.has("dialog.replace"));
  CHECK(desk.read("figure.pdf") == "theirs");
  rig.click("dialog.replace");
  CHECK(desk.read("figure.pdf").starts_with("%PDF"));
}

TEST_CASE("what is exported at once replaces nothing") {
  Desk desk;
  Rig& rig = desk.rig;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(desk.folder.path());
  desk.write("softmax.pdf", "theirs");
  for (int k = 0; k < 2; ++k) rig.tap(GLFW_KEY_E, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
  std::filesystem::current_path(before);
  CHECK(desk.read("softmax.pdf") == "theirs");
  CHECK(desk.read("softmax-2.pdf").starts_with("%PDF"));
  CHECK(desk.read("softmax-3.pdf").starts_with("%PDF"));
}

TEST_CASE("who leaves with unsaved changes is asked: stay, discard, or save and leave") {
  Desk desk;
  Rig& rig = desk.rig;
  desk.save_as("mine.attn");
  const std::string saved = desk.read("mine.attn");
  rig.program.knobs.set("count", "9");
  rig.tap(GLFW_KEY_Q, GLFW_MOD_CONTROL);
  CHECK_FALSE(rig.shell.files().left());
  REQUIRE(rig.has("dialog.stay"));
  rig.click("dialog.stay");
  CHECK_FALSE(rig.shell.files().left());
  CHECK_FALSE(rig.has("dialog.stay"));
  rig.shell.files().leave();  // by the window's own button
  rig.settle();
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.shell.files().left());
  CHECK(desk.read("mine.attn") == saved);
  rig.shell.files().leave();
  rig.settle();
  rig.click("dialog.save");
  CHECK(rig.shell.files().left());
  CHECK(desk.read("mine.attn") != saved);
}

TEST_CASE("changes can be discarded") {
  Desk desk;
  Rig& rig = desk.rig;
  desk.save_as("mine.attn");
  const std::string saved = desk.read("mine.attn");
  rig.program.knobs.set("count", "9");
  rig.tap(GLFW_KEY_Q, GLFW_MOD_CONTROL);
  rig.click("dialog.discard");
  CHECK(rig.shell.files().left());
  CHECK(desk.read("mine.attn") == saved);
}

TEST_CASE("who has no file is not asked about it") {
  Desk desk;
  desk.rig.program.knobs.set("count", "9");
  desk.rig.tap(GLFW_KEY_Q, GLFW_MOD_CONTROL);
  CHECK(desk.rig.shell.files().left());
}

TEST_CASE("what would take gigabytes is asked about before its first byte") {
  Desk desk;
  Rig& rig = desk.rig;
  rig.program.desk.show_lab("masks");
  rig.program.knobs.apply_preset("long");
  rig.program.knobs.set("length", "65536");
  rig.settle();
  const double bytes = rig.program.exports.bytes(desk.file("mask.npy"), "mask");
  CHECK(bytes >= 65536.0 * 65536);
  rig.click("figure.mask.menu");
  rig.click("figure.mask.menu.npy");
  desk.answer("mask.npy");
  REQUIRE(rig.has("dialog.replace"));
  CHECK_FALSE(rig.program.is_writing());
  rig.tap(GLFW_KEY_ENTER);  // the safe answer has the focus
  CHECK(rig.has("dialog.accept"));
  desk.answer("mask.png");  // a picture is small
  CHECK_FALSE(rig.has("dialog.replace"));
  rig.program.wait();
  CHECK(std::filesystem::exists(desk.file("mask.png")));
}

TEST_CASE("the link of what is shown is copied, in a lesson that of its stop") {
  Rig rig(1600, 1000, lab::all());
  rig.program.desk.show_lab("rotary");
  rig.program.knobs.set("base", "100");
  rig.settle();
  rig.click("button.export");
  rig.click("export.link");
  CHECK(rig.copied == "#rotary?base=100&lang=en&v=1");
  CHECK(rig.program.messages.last().text == "Copied the link.");
  rig.shell.lesson().begin("averaging", 2);
  rig.settle();
  rig.shell.act("copy_link");
  CHECK(rig.copied == "#pooling?lesson=averaging&stop=3&lang=en&v=1");
  // With other knobs than the stop's, there and back.
  rig.program.knobs.set("n", "9");
  rig.settle();
  rig.shell.act("copy_link");
  const session::Link link = session::from_link(rig.copied);
  CHECK(link.stop == 2);
  CHECK_FALSE(link.as_stop);
  rig.program.knobs.set("n", "12");
  rig.settle();
  rig.shell.lesson().begin("averaging", 2);
  rig.shell.lesson().show(link.session);
  rig.settle();
  CHECK(rig.program.desk.now().values == link.session.values);
  CHECK(rig.shell.lesson().play()->at() == 2);
  setenv("ATTNSCOPE_ADDRESS", "https://example.org/a/#b", 1);
  rig.shell.act("copy_link");
  unsetenv("ATTNSCOPE_ADDRESS");
  CHECK(rig.copied.starts_with("https://example.org/a/#pooling?"));
}

TEST_CASE("pointing at a heatmap whose file was replaced says so, and its numbers stay away") {
  Desk desk;
  Rig& rig = desk.rig;
  constexpr std::size_t kSide = 3;  // so few that each cell has its number
  const auto rewrite = [&](float value) {
    const std::vector<float> numbers(kSide * kSide, value);
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }\n";
    header = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
    const std::string bytes(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
    desk.write("fresh", header + bytes);
    std::filesystem::rename(desk.file("fresh"), desk.file("a.npy"));
  };
  rewrite(0.25f);
  rig.program.files.open(desk.file("a.npy"));
  rig.program.wait();
  rig.settle();
  REQUIRE(rig.has("plot.map"));
  rig.point("plot.map", 0.4f, 0.4f);
  REQUIRE_FALSE(rig.shell.gui().tip_now().empty());
  CHECK(rig.shell.gui().tip_now().front() == "0.25");
  rewrite(0.5f);
  rig.point("plot.map", 0.6f, 0.6f);
  std::string told;
  for (const std::string& line : rig.shell.gui().tip_now()) told += line + ' ';
  CHECK(told.find("expected the file that was opened") != std::string::npos);
  rig.resize(1400, 900);  // laid out anew
  rig.settle();
  CHECK(rig.has("plot.map"));
}

TEST_CASE("a page that begins anew goes on with what was shown; the start page is no view") {
  Rig rig(1600, 1000, lab::all());
  rig.program.desk.show_lab("rotary");
  rig.program.knobs.set("base", "100");
  rig.settle();
  CHECK(rig.shell.view() == "#rotary?base=100&lang=en&v=1");
  rig.shell.lesson().begin("averaging", 2);
  rig.settle();
  CHECK(rig.shell.view() == "#pooling?lesson=averaging&stop=3&lang=en&v=1");
  rig.shell.act("start");
  rig.settle();
  CHECK(rig.shell.view() == "");
}

TEST_CASE("embedded are one figure and a few knobs, and nothing else") {
  Rig rig(700, 500, lab::all());
  rig.program.desk.show_lab("pooling");
  rig.settle();
  CHECK(rig.has("button.export"));
  rig.shell.embedded().show({"", {"bandwidth", "n"}});
  rig.settle();
  CHECK_FALSE(rig.has("button.export"));
  CHECK(rig.has("knob.bandwidth"));
  CHECK(rig.has("knob.n"));
  CHECK_FALSE(rig.has("knob.noise"));
  CHECK(rig.shell.page_view().alone() == rig.program.pages.page()->page.figures.front().id);
  // No key of the window's leaves it.
  rig.tap(GLFW_KEY_ESCAPE);
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.map()["lab"] == "pooling");
  CHECK_FALSE(rig.shell.page_view().alone().empty());
  CHECK(rig.program.messages.last().text == "");
  rig.drag("knob.bandwidth.slider", 0.2f, 0.8f);
  CHECK(rig.map()["knobs"]["bandwidth"] != 1);
}

TEST_CASE("what an embedded page names in vain is told, and it shows what there is") {
  Rig rig(700, 500, lab::all());
  rig.program.desk.show_lab("pooling");
  rig.settle();
  rig.shell.embedded().show({"nothing", {}});
  rig.settle();
  CHECK(rig.program.messages.last().text.find("got nothing") != std::string::npos);
  CHECK_FALSE(rig.shell.page_view().alone().empty());
  rig.shell.embedded().show({"", {"no_knob"}});
  rig.settle();
  CHECK(rig.program.messages.last().text == "--embed: expected knobs of this lab, got no_knob");
}

TEST_CASE("where the system asks for files no dialog does") {
  Rig rig(1600, 1000, lab::all());
  rig.program.desk.show_lab("rotary");
  rig.settle();
  rig.tap(GLFW_KEY_O, GLFW_MOD_CONTROL);
  CHECK(rig.has("dialog.path"));
  rig.tap(GLFW_KEY_ESCAPE);
  ui::Dialogs::TakeFile chosen;
  rig.shell.dialogs().choose_by([&](ui::Dialogs::TakeFile done) { chosen = std::move(done); });
  rig.tap(GLFW_KEY_O, GLFW_MOD_CONTROL);
  rig.settle();
  CHECK_FALSE(rig.has("dialog.path"));
  REQUIRE(chosen);
  chosen("/nowhere/chosen.attn");
  rig.settle();
  CHECK(rig.program.messages.last().text.find("chosen.attn") != std::string::npos);
  // What is written has no place yet.
  rig.tap(GLFW_KEY_S, GLFW_MOD_CONTROL);
  CHECK(rig.has("dialog.path"));
}

}  // namespace shell_files_test
