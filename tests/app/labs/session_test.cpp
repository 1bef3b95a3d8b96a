#include "app/labs/session.h"

#include <doctest/doctest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace session_test {

namespace {

// A lab of this test's own: one parameter of each kind, one whose range depends on another.
struct Knobs {
  int heads = 8;
  int width = 64;
  double temperature = 1;
  bool bias = false;
  enum class Mask { none, causal } mask = Mask::none;
  std::string text = "the river bank";
};

void describe(Knobs& k, param::List& list) {
  list.integer(k.heads, "heads", "Heads", "", {.min = 1, .max = 16});
  list.integer(k.width, "width", "Width", "",
               {.min = static_cast<double>(k.heads), .max = 256, .step = static_cast<double>(1)});
  list.real(k.temperature, "temperature", "Temperature", "", {.min = 0.01, .max = 10});
  list.flag(k.bias, "bias", "Bias", "");
  list.choice(k.mask, "mask", "Mask", "", {{"none", "None"}, {"causal", "Causal"}});
  list.text(k.text, "text", "Text", "", 2'000'000);
}

lab::Page compute(const Knobs&, const lab::Context&) { return {}; }

const lab::Lab& find(std::string_view id) {
  static const lab::Lab knobs{.id = "knobs",
                              .title = "Knobs",
                              .question = "?",
                              .chapter = lab::Chapter::attention,
                              .about = "",
                              .sources = {},
                              .presets = {},
                              .make = lab::live(describe, compute)};
  if (id != knobs.id) throw core::InputError("there is no such lab: expected knobs");
  return knobs;
}

std::string refusal(const std::string& text) {
  try {
    lab::from_json(text, find);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

std::string value(const lab::Session& session, std::string_view id) {
  for (const auto& [name, text] : session.values) {
    if (name == id) return text;
  }
  return "(missing)";
}

TEST_CASE("a session comes back as it went, whatever the text") {
  std::string text = "河岸 🙂 \"quotes\" \\ <&> \n\t 再次";
  SUBCASE("short") {}
  SUBCASE("a megabyte") {
    while (text.size() < 1'000'000) text += "the river bank 河岸 ";
  }
  const lab::Session session{"knobs",
                             {{"heads", "4"},
                              {"width", "32"},
                              {"temperature", "0.1"},
                              {"bias", "true"},
                              {"mask", "causal"},
                              {"text", text}},
                             {{"weights", {0.1, 1e-300, -3, 1e9}}, {"a \"b\"", {0, 1, 2, 3}}}};
  const lab::Session back = lab::from_json(lab::to_json(session, find), find);
  CHECK(back.lab == "knobs");
  CHECK(back.values.size() == 6);
  CHECK(value(back, "text") == text);
  CHECK(value(back, "heads") == "4");
  CHECK(value(back, "mask") == "causal");
  CHECK(value(back, "temperature") == "0.1");
  CHECK(back.views == session.views);
  CHECK(lab::to_json(back, find) == lab::to_json(session, find));
}

TEST_CASE("what an older session lacks keeps its default") {
  const lab::Session s =
      lab::from_json(R"({"attnscope":1,"lab":"knobs","values":{"heads":2}})", find);
  CHECK(value(s, "heads") == "2");
  CHECK(value(s, "width") == "64");
  CHECK(s.views.empty());
  const lab::Session none = lab::from_json(R"({"attnscope":1,"lab":"knobs"})", find);
  CHECK(value(none, "heads") == "8");
  CHECK(none.figures.empty());
}

TEST_CASE("the order of the figures is kept, and what is none is refused") {
  lab::Session session = lab::from_json(R"({"attnscope":1,"lab":"knobs"})", find);
  CHECK(lab::to_json(session, find).find("figures") == std::string::npos);
  session.figures = {{"b", "a"}, {"c"}};
  CHECK(lab::from_json(lab::to_json(session, find), find) == session);
  for (const char* figures : {"1", "{\"first\":1}", "{\"hidden\":[1]}"}) {
    const std::string text =
        fmt::format(R"({{"attnscope":1,"lab":"knobs","figures":{}}})", figures);
    CHECK_THROWS_AS(lab::from_json(text, find), core::InputError);
  }
}

TEST_CASE("refusals say what is wrong in one sentence") {
  const std::string head = R"({"attnscope":1,"lab":"knobs",)";
  CHECK(refusal("").find("not a JSON object") != std::string::npos);
  CHECK(refusal("[1]").find("not a JSON object") != std::string::npos);
  CHECK(refusal(std::string(100'000, '[')).find("not a JSON object") != std::string::npos);
  CHECK(refusal("{}").find("version") != std::string::npos);
  CHECK(refusal(R"({"attnscope":2,"lab":"knobs"})").find("expected version 1, got 2") !=
        std::string::npos);
  CHECK(refusal(R"({"attnscope":1})").find("\"lab\"") != std::string::npos);
  CHECK(refusal(R"({"attnscope":1,"lab":"other"})").find("expected knobs") != std::string::npos);
  CHECK(refusal(head + R"("values":[]})").find("\"values\"") != std::string::npos);
  CHECK(refusal(head + R"("values":{"haeds":3}})").find("\"haeds\"") != std::string::npos);
  CHECK(refusal(head + R"("values":{"heads":99}})").find("heads") != std::string::npos);
  CHECK(refusal(head + R"("values":{"heads":"many"}})").find("heads") != std::string::npos);
  CHECK(refusal(head + R"("values":{"mask":null}})").find("mask") != std::string::npos);
  CHECK(refusal(head + R"("views":[]})").find("\"views\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[1,2,3]}})").find("\"w\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[1,1,2,3]}})").find("\"w\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[0,null,2,3]}})").find("\"w\"") != std::string::npos);
}

TEST_CASE("nesting that would overflow the stack is refused") {
  const auto deep = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  const std::string head = R"({"attnscope":1,"lab":"knobs",)";
  for (const char* member : {"\"values\":{\"heads\":", "\"values\":{\"text\":"}) {
    CHECK(refusal(head + member + deep(60'000) + "}}").find("deeper than 32 levels") !=
          std::string::npos);
  }
  CHECK(refusal(head + "\"views\":{\"w\":" + deep(60'000) + "}}").find("deeper") !=
        std::string::npos);
  CHECK(refusal(R"({"attnscope":)" + deep(60'000) + "}").find("deeper") != std::string::npos);
}

TEST_CASE("what nobody could have meant is refused: members unknown or twice") {
  const std::string head = R"({"attnscope":1,"lab":"knobs",)";
  CHECK(refusal(head + R"("value":{}})").find("a member \"value\", which no session has") !=
        std::string::npos);
  CHECK(refusal(head + R"("values":{"heads":2,"heads":3}})").find("the key \"heads\" twice") !=
        std::string::npos);
  CHECK(refusal(head + R"("values":{},"values":{}})").find("twice") != std::string::npos);
}

TEST_CASE("messages show what came in printable characters, and not all of it") {
  const std::string head = R"({"attnscope":1,"lab":"knobs",)";
  const std::string huge(100'000, 'x');
  for (const std::string& text :
       {head + "\"values\":{\"\\u001b[2J\\n" + huge + "\":3}}", head + "\"" + huge + "\":{}}",
        head + "\"views\":{\"\\u001b" + huge + "\":[1]}}",
        head + "\"values\":{\"mask\":\"\\u001b" + huge + "\"}}"}) {
    const std::string message = refusal(text);
    CHECK_FALSE(message.empty());
    CHECK(message.size() < 300);
    CHECK(message.find_first_of("\x1b\n") == std::string::npos);
  }
}

TEST_CASE("a session cut anywhere is refused, never worse") {
  const std::string whole =
      lab::to_json({"knobs", {{"text", "河岸 🙂"}}, {{"w", {0, 1, 2, 3}}}}, find);
  CHECK(refusal(whole).empty());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CHECK_FALSE(refusal(whole.substr(0, length)).empty());
  }
}

TEST_CASE("a value that was never allowed is not written") {
  CHECK_THROWS_AS(lab::to_json({"knobs", {{"heads", "99"}}, {}}, find), core::InputError);
}

// A lab that reads a file.
struct Reads {
  std::string data;
};

const lab::Lab& find_reader(std::string_view) {
  static const lab::Lab lab{
      .id = "reads",
      .title = "Reads",
      .question = "?",
      .chapter = lab::Chapter::attention,
      .about = "",
      .sources = {},
      .presets = {},
      .make = lab::live<Reads>(
          [](Reads& r, param::List& list) { list.file(r.data, "data", "Data", "", ".csv"); },
          [](const Reads&, const lab::Context&) { return lab::Page{}; })};
  return lab;
}

TEST_CASE("a file of a session is found from where the session lies, and said with its state") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "attnscope-session-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const fs::path folder = name;
  fs::create_directories(folder / "here" / "sub");
  const fs::path data = folder / "here" / "data.csv";
  std::ofstream(data) << "1,2\n";
  const auto saved = [&](const fs::path& into, const std::string& path) {
    return lab::to_json({"reads", {{"data", path}}, {}}, find_reader, into);
  };
  const auto opened = [](const std::string& text, const fs::path& from) {
    return lab::from_json(text, find_reader, from);
  };
  const std::string beside = saved(folder / "here", data.string());
  CHECK(beside.find(R"("data":"data.csv")") != std::string::npos);
  CHECK(saved(folder / "here" / "sub", data.string()).find(R"("../data.csv")") !=
        std::string::npos);
  // Nothing in common but the root: named whole.
  CHECK(saved("/nowhere/else", data.string()).find(data.string()) != std::string::npos);
  // Typed from the current folder, found from any other.
  const std::string typed = fs::relative(data).string();
  CHECK(value(opened(saved(folder, typed), folder), "data") == data.string());

  lab::Session session = opened(beside, folder / "here");
  CHECK(value(session, "data") == data.string());
  REQUIRE(session.notes.size() == 1);
  CHECK(session.notes[0].in_english() ==
        "this session reads the file " + data.string() + ", which is as it was");
  std::ofstream(data) << "3,4\n";  // as long, but another
  CHECK(opened(beside, folder / "here").notes.at(0).in_english().find("has changed since") !=
        std::string::npos);
  // Another of that name elsewhere is not taken for it silently.
  std::ofstream(folder / "data.csv") << "1,2\n7,8\n";
  CHECK(
      opened(beside, folder).notes.at(0).in_english().find("it had 4 bytes then, and has 8 now") !=
      std::string::npos);
  fs::remove(data);
  CHECK(opened(beside, folder / "here").notes.at(0).in_english() ==
        "this session reads the file " + data.string() +
            ", which cannot be read: there is no such file or folder");
  // Older sessions say nothing of what the file held.
  const std::string old = R"({"attnscope":1,"lab":"reads","values":{"data":"data.csv"}})";
  CHECK(opened(old, folder).notes.at(0).in_english() ==
        "this session reads the file " + (folder / "data.csv").string());
  CHECK(opened(R"({"attnscope":1,"lab":"reads","values":{"data":""}})", folder).notes.empty());
  for (const std::string files :
       {"3", "{\"data\":3}", "{\"data\":{}}", R"({"data":{"bytes":-1,"hash":""}})"}) {
    CAPTURE(files);
    CHECK_THROWS_AS(
        opened(R"({"attnscope":1,"lab":"reads","values":{"data":"d"},"files":)" + files + "}",
               folder),
        core::InputError);
  }
  fs::remove_all(folder);
}

}  // namespace

}  // namespace session_test
