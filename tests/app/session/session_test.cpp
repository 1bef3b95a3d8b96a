#include "app/session/session.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/io/content_hash.h"
#include "folder.h"
#include "small_lab.h"
#include "system_files.h"

namespace session_test {

namespace {

const lab::Lab& find(std::string_view id) {
  if (id != small_lab::lab().id) throw core::InputError("there is no such lab: expected small");
  return small_lab::lab();
}

std::string refusal(const std::string& text) {
  try {
    session::from_json(text, find);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

std::string value(const session::Session& session, std::string_view id) {
  return small_lab::value(session.values, id);
}

TEST_CASE("a session comes back as it went, whatever the text") {
  std::string text = "河岸 🙂 \"quotes\" \\ <&> \n\t 再次";
  SUBCASE("short") {}
  SUBCASE("a megabyte") {
    while (text.size() < 1'000'000) text += "the river bank 河岸 ";
  }
  const session::Session session{
      "small",
      {{"n", "4"}, {"k", "3"}, {"t", "0.1"}, {"on", "true"}, {"kind", "third"}, {"text", text}},
      {{"weights", {0.1, 1e-300, -3, 1e9}}, {"a \"b\"", {0, 1, 2, 3}}}};
  const session::Session back = session::from_json(session::to_json(session, find), find);
  CHECK(back.lab == "small");
  CHECK(back.values.size() == small_lab::values().size());
  CHECK(value(back, "text") == text);
  CHECK(value(back, "n") == "4");
  CHECK(value(back, "kind") == "third");
  CHECK(value(back, "t") == "0.1");
  CHECK(back.views == session.views);
  CHECK(session::to_json(back, find) == session::to_json(session, find));
}

TEST_CASE("what an older session lacks keeps its default") {
  const session::Session s =
      session::from_json(R"({"attnscope":1,"lab":"small","values":{"n":2}})", find);
  CHECK(value(s, "n") == "2");
  CHECK(value(s, "x") == "0.5");
  CHECK(s.views.empty());
  const session::Session none = session::from_json(R"({"attnscope":1,"lab":"small"})", find);
  CHECK(value(none, "n") == "8");
  CHECK(none.figures.empty());
}

TEST_CASE("order and colours of the figures are kept, and what are none are refused") {
  session::Session session = session::from_json(R"({"attnscope":1,"lab":"small"})", find);
  CHECK(session::to_json(session, find).find("figures") == std::string::npos);
  session.figures = {{"b", "a"}, {"c"}, {{"a", {{"colors", "magma"}, {"vmax", "0.2"}}}}};
  CHECK(session::from_json(session::to_json(session, find), find) == session);
  for (const char* figures : {"1", R"({"first":1})", R"({"hidden":[1]})", R"({"colors":1})",
                              R"({"colors":{"a":1}})", R"({"colors":{"a":{"vmax":0.2}}})"}) {
    const std::string text =
        fmt::format(R"({{"attnscope":1,"lab":"small","figures":{}}})", figures);
    CHECK_THROWS_AS(session::from_json(text, find), core::InputError);
  }
}

TEST_CASE("refusals say what is wrong in one sentence") {
  const std::string head = R"({"attnscope":1,"lab":"small",)";
  CHECK(refusal("").find("not a JSON object") != std::string::npos);
  CHECK(refusal("[1]").find("not a JSON object") != std::string::npos);
  CHECK(refusal(std::string(100'000, '[')).find("not a JSON object") != std::string::npos);
  CHECK(refusal("{}").find("version") != std::string::npos);
  CHECK(refusal(R"({"attnscope":2,"lab":"small"})").find("expected version 1, got 2") !=
        std::string::npos);
  CHECK(refusal(R"({"attnscope":1})").find("\"lab\"") != std::string::npos);
  CHECK(refusal(R"({"attnscope":1,"lab":"other"})").find("expected small") != std::string::npos);
  CHECK(refusal(head + R"("values":[]})").find("\"values\"") != std::string::npos);
  CHECK(refusal(head + R"("values":{"nn":3}})").find("\"nn\"") != std::string::npos);
  CHECK(refusal(head + R"("values":{"n":99}})").find("n: expected") != std::string::npos);
  CHECK(refusal(head + R"("values":{"n":"many"}})").find("n: expected") != std::string::npos);
  CHECK(refusal(head + R"("values":{"kind":null}})").find("kind") != std::string::npos);
  CHECK(refusal(head + R"("views":[]})").find("\"views\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[1,2,3]}})").find("\"w\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[1,1,2,3]}})").find("\"w\"") != std::string::npos);
  CHECK(refusal(head + R"("views":{"w":[0,null,2,3]}})").find("\"w\"") != std::string::npos);
}

TEST_CASE("nesting that would overflow the stack is refused") {
  const auto deep = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  const std::string head = R"({"attnscope":1,"lab":"small",)";
  for (const char* member : {"\"values\":{\"n\":", "\"values\":{\"text\":"}) {
    CHECK(refusal(head + member + deep(60'000) + "}}").find("deeper than 32 levels") !=
          std::string::npos);
  }
  CHECK(refusal(head + "\"views\":{\"w\":" + deep(60'000) + "}}").find("deeper") !=
        std::string::npos);
  CHECK(refusal(R"({"attnscope":)" + deep(60'000) + "}").find("deeper") != std::string::npos);
}

TEST_CASE("what nobody could have meant is refused: members unknown or twice") {
  const std::string head = R"({"attnscope":1,"lab":"small",)";
  CHECK(refusal(head + R"("value":{}})").find("a member \"value\", which no session has") !=
        std::string::npos);
  CHECK(refusal(head + R"("values":{"n":2,"n":3}})").find("the key \"n\" twice") !=
        std::string::npos);
  CHECK(refusal(head + R"("values":{},"values":{}})").find("twice") != std::string::npos);
  CHECK(refusal(head + R"("figures":{"zzz":4}})").find("\"figures\" has a member \"zzz\"") !=
        std::string::npos);
  for (const char* id : {"zzz", "n"}) {  // no parameter, and one that is no file
    CAPTURE(id);
    const std::string told = std::string("\"files\" names \"") + id + "\"";
    CHECK(refusal(head + R"("files":{")" + id + R"(":{"bytes":4}}})").find(told) !=
          std::string::npos);
  }
}

TEST_CASE("messages show what came in printable characters, and not all of it") {
  const std::string head = R"({"attnscope":1,"lab":"small",)";
  const std::string huge(100'000, 'x');
  for (const std::string& text :
       {head + "\"values\":{\"\\u001b[2J\\n" + huge + "\":3}}", head + "\"" + huge + "\":{}}",
        head + "\"views\":{\"\\u001b" + huge + "\":[1]}}",
        head + "\"values\":{\"kind\":\"\\u001b" + huge + "\"}}"}) {
    const std::string message = refusal(text);
    CHECK_FALSE(message.empty());
    CHECK(message.size() < 300);
    CHECK(message.find_first_of("\x1b\n") == std::string::npos);
  }
}

TEST_CASE("a session cut anywhere is refused, never worse") {
  const std::string whole =
      session::to_json({"small", {{"text", "河岸 🙂"}}, {{"w", {0, 1, 2, 3}}}}, find);
  CHECK(refusal(whole).empty());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CHECK_FALSE(refusal(whole.substr(0, length)).empty());
  }
}

TEST_CASE("a value that was never allowed is not written") {
  CHECK_THROWS_AS(session::to_json({"small", {{"n", "99"}}, {}}, find), core::InputError);
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
  const test::Folder made;
  const fs::path& folder = made.path();
  fs::create_directories(folder / "here" / "sub");
  const fs::path data = folder / "here" / "data.csv";
  test::write(data, "1,2\n");
  const auto saved = [&](const fs::path& into, const std::string& path) {
    return session::to_json({"reads", {{"data", path}}, {}}, find_reader, into);
  };
  const auto opened = [](const std::string& text, const fs::path& from) {
    return session::from_json(text, find_reader, from);
  };
  const std::string beside = saved(folder / "here", data.string());
  CHECK(beside.find(R"("data":"data.csv")") != std::string::npos);
  CHECK(saved(folder / "here" / "sub", data.string()).find(R"("../data.csv")") !=
        std::string::npos);
  // Nothing in common but the root: named whole.
  const std::string whole = nlohmann::json(data.string()).dump();
  CHECK(saved("/nowhere/else", data.string()).find(whole) != std::string::npos);
  // Typed from the current folder, found from any other.
  const fs::path here = fs::current_path();
  if (here.root_path() == data.root_path()) {  // another drive has no way there
    const std::string typed = fs::relative(data).string();
    CHECK(value(opened(saved(folder, typed), folder), "data") == data.string());
  }

  const auto note = [&](const std::string& text, const fs::path& from) {
    const session::Session session = opened(text, from);
    REQUIRE(session.files.size() == 1);
    return session::file_note(session.files[0]).in_english();
  };
  const session::Session session = opened(beside, folder / "here");
  CHECK(value(session, "data") == data.string());
  CHECK(note(beside, folder / "here") ==
        "this session reads the file " + data.string() + ", which has not changed");
  test::write(data, "3,4\n");  // as long, but another
  CHECK(note(beside, folder / "here") ==
        "this session reads the file " + data.string() + ", whose contents have changed since");
  // Another of that name elsewhere is not taken for it silently.
  test::write(folder / "data.csv", "1,2\n7,8\n");
  CHECK(note(beside, folder).find("it had 4 bytes then, and has 8 now") != std::string::npos);
  fs::remove(data);
  CHECK(note(beside, folder / "here") ==
        "this session reads the file " + data.string() +
            ", which cannot be read: there is no such file or folder");
  // Older sessions say nothing of what the file held, or tell it otherwise.
  const std::string old = R"({"attnscope":1,"lab":"reads","values":{"data":"data.csv"}})";
  const std::string said = "this session reads the file " + (folder / "data.csv").string();
  CHECK(note(old, folder) == said);
  CHECK(note(old.substr(0, old.size() - 1) + R"(,"files":{"data":{"bytes":8,"hash":"00"}}})",
             folder) == said);
  CHECK(opened(R"({"attnscope":1,"lab":"reads","values":{"data":""}})", folder).files.empty());
  for (const std::string files :
       {"3", "{\"data\":3}", "{\"data\":{}}", R"({"data":{"bytes":-1,"contents":""}})",
        R"({"data":{"bytes":1,"written":"now"}})", R"({"data":{"bytes":1,"contents":7}})"}) {
    CAPTURE(files);
    CHECK_THROWS_AS(
        opened(R"({"attnscope":1,"lab":"reads","values":{"data":"d"},"files":)" + files + "}",
               folder),
        core::InputError);
  }
}

// A file of its own, as long as asked, all holes but for its ends.
class LongFile {
 public:
  explicit LongFile(std::uintmax_t size) {
    write(0, 'x');
    test::grow(path_, size);
    write(size - 1, 'y');
  }
  void write(std::uintmax_t at, char c) const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    if (!file) file.open(path_, std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at)) << c;
  }
  // As if it had been written so many seconds ago.
  void age(int seconds) const {
    test::set_time(path_,
                   std::filesystem::file_time_type::clock::now() - std::chrono::seconds(seconds));
  }
  // In nanoseconds since 1970.
  void set_time(std::int64_t time) const {
    const std::chrono::sys_time<std::chrono::nanoseconds> written{std::chrono::nanoseconds(time)};
    test::set_time(path_, std::chrono::file_clock::from_sys(written));
  }
  std::string path() const { return path_.string(); }

 private:
  test::Folder folder_;
  std::filesystem::path path_ = folder_ / "long.csv";
};

constexpr std::uint64_t kFew = std::uint64_t{1} << 20;  // one of its two blocks that are no holes

TEST_CASE("a long file is told by its contents once they are read, else by length and time") {
  const LongFile file(std::uintmax_t{300} << 20);
  file.age(-600);  // as if it was written just now, however slow the machine is
  const std::string before = "this session reads the file " + file.path();
  const auto at_once = session::fingerprint(file.path(), kFew);
  REQUIRE(at_once);
  CHECK(at_once->bytes == std::uintmax_t{300} << 20);
  CHECK(at_once->contents.empty());
  CHECK(at_once->written > 1'700'000'000'000'000'000);
  const auto whole = session::fingerprint(file.path(), session::kReadAll);
  REQUIRE(whole);
  CHECK(whole->contents.size() == 16);
  const auto said = [&](const std::optional<session::Fingerprint>& then,
                        std::uint64_t most = kFew) {
    return session::file_note({file.path(), then}, most).in_english();
  };
  CHECK(said(whole, session::kReadAll) == before + ", which has not changed");
  CHECK(said(whole) ==
        before + ", whose length and time have not changed: its contents were not compared");
  CHECK(said(at_once, session::kReadAll) == said(whole));
  file.age(3600);
  CHECK(said(whole) == before +
                           ", which has the same length but was written at another time: its "
                           "contents were not compared");
  CHECK(said(whole, session::kReadAll) == before + ", which has not changed");
  // What was read of a file that nobody has written to for a while is known from now on.
  CHECK(said(whole) == before + ", which has not changed");
  file.write(std::uintmax_t{150} << 20, 'z');
  file.age(1800);
  CHECK(said(whole).find("its contents were not compared") != std::string::npos);
  CHECK(said(whole, session::kReadAll) == before + ", whose contents have changed since");
  CHECK_FALSE(session::fingerprint("/no such file at all"));
  std::atomic<std::int64_t> questions = 2;
  file.age(900);
  CHECK_THROWS_AS(session::fingerprint(file.path(), session::kReadAll, core::Cancel(questions)),
                  core::Cancelled);
}

// Windows counts in units of 100 ns, Linux in single ones.
TEST_CASE("a file was written at the same time for every system") {
  const LongFile file(std::uintmax_t{64} << 20);
  const auto written = [&](std::int64_t time) {
    file.set_time(time);
    return session::fingerprint(file.path(), kFew).value_or(session::Fingerprint{}).written;
  };
  CHECK(written(1'700'000'000'123'456'789) == 1'700'000'000'123'456'700);
  CHECK(written(-1'400'000'050) == -1'400'000'100);
  CHECK(written(1'700'000'000'123'456'700) == 1'700'000'000'123'456'700);
  const auto said = [&](std::int64_t then) {
    auto was = session::fingerprint(file.path(), kFew);
    REQUIRE(was);
    was->written = then;
    return session::file_note({file.path(), was}, kFew).in_english();
  };
  // Sessions of before held each.
  CHECK(said(1'700'000'000'123'456'799).find("time have not changed") != std::string::npos);
  CHECK(said(1'700'000'000'123'456'800).find("at another time") != std::string::npos);
  CHECK(said(1'700'000'000'123'456'699).find("at another time") != std::string::npos);
}

// UTF-8 and UTF-16 have these two names in another order.
TEST_CASE("the files of a folder are told in one order by every system") {
  const test::Folder folder;
  const std::string names[] = {"\uff5e.csv", "\U0001f600.csv"};
  std::string all;
  for (const std::string& name : names) {
    folder.write(name, name);
    all += name + '\0' +
           fmt::format("{:016x}", core::content_hash(core::LargeFile(folder / name))) + '\0';
  }
  const auto told = session::fingerprint(folder.path().string());
  REQUIRE(told);
  CHECK(told->contents == fmt::format("{:016x}", core::xxh64(std::as_bytes(std::span(all)))));
}

TEST_CASE("a file that was written just now is read anew each time") {
  const LongFile file(100);
  const auto first = session::fingerprint(file.path());
  file.write(50, 'a');
  const auto second = session::fingerprint(file.path());
  REQUIRE((first && second));
  CHECK(first->contents != second->contents);
}

TEST_CASE("a session tells a long file without its contents, and with them when they may be read") {
  const LongFile file(std::uintmax_t{64} << 20);
  const auto text = [&](std::uint64_t most) {
    return session::to_json({"reads", {{"data", file.path()}}, {}}, find_reader, "/tmp", most);
  };
  CHECK(text(1024).find("\"written\":") != std::string::npos);
  CHECK(text(1024).find("\"contents\":") == std::string::npos);
  CHECK(text(session::kReadAll).find("\"contents\":\"") != std::string::npos);
  CHECK(session::files_read(find_reader(""), {{"data", file.path()}}) ==
        std::vector<std::string>{file.path()});
  const session::Session session = session::from_json(text(session::kReadAll), find_reader, "/tmp");
  REQUIRE(session.files.size() == 1);
  CHECK(session.files[0].then == session::fingerprint(file.path(), session::kReadAll));
}

}  // namespace

}  // namespace session_test
