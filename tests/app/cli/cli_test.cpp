// The command line's words: exit status, and what is written where.
#include "app/cli/cli.h"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/cli/options.h"

namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "attnscope-cli-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

int run(const std::vector<std::string>& words, int window_status = 7) {
  return cli::run(words, {[window_status](const cli::Wanted&) { return window_status; },
                          [](const cli::Wanted&) {}});
}

}  // namespace

TEST_CASE("no words open the window, and its status is the program's") {
  CHECK(run({}) == 7);
  CHECK(run({"--theme", "light", "--size", "1280x720"}) == 7);
}

TEST_CASE("wrong words are status 2 and write nothing") {
  const Folder folder;
  const std::string out = folder / "x.png";
  const std::vector<std::vector<std::string>> wrong = {
      {"nonsense"},
      {"--nonsense"},
      {"export"},
      {"export", "multi_head"},
      {"export", "no_lab", "-o", out},
      {"export", "multi_head", "-o", folder / "x.bmp"},
      {"export", "multi_head", "-o", out, "--set", "heads"},
      {"export", "multi_head", "-o", out, "--set", "heads=0"},
      {"export", "multi_head", "-o", out, "--set", "heads=33"},
      {"export", "multi_head", "-o", out, "--set", "nothing=1"},
      {"export", "multi_head", "-o", out, "--set", "text=\xff"},
      {"export", "multi_head", "-o", out, "--preset", "none"},
      {"export", "multi_head", "-o", out, "--pick", "weights"},
      {"export", "multi_head", "-o", out, "--pick", "weights:14,0"},
      {"export", "multi_head", "-o", out, "--pick", "nothing:0,0"},
      {"export", "multi_head", "-o", out, "--figure", "nothing"},
      {"export", "multi_head", "-o", out, "--size", "9x9"},
      {"export", "multi_head", "-o", out, "--scale", "99"},
      {"export", "multi_head", "-o", out, "--scale", "0"},
      {"export", "multi_head", "-o", out, "--scale", "abc"},
      {"export", "multi_head", "-o", out, "--scale", ""},
      {"export", "multi_head", "-o", out, "--size", ""},
      {"export", "multi_head", "-o", out, "--figure", ""},
      {"export", "multi_head", "-o", out, "--preset", ""},
      {"export", "multi_head", "-o", out, "--session", ""},
      {"export", "multi_head", "-o", out, "--pick", ""},
      {"export", "multi_head", "-o", out, "--set", "heads=2", "--set", "heads=4"},
      {"export", "multi_head", "-o", ""},
      {"--lang", "zh_CN", "export", "multi_head", "-o", out},
      {"a.attn", "labs"},
      {"shot", "-o", out, "--scale", "0"},
      {"shot", "-o", out, "--size", "16384x16384"},
      {"shot", "-o", out, "--size", "320x0"},
      {"shot", "-o", out, "--lab", ""},
      {"gallery", ""},
      {""},
      {"export", "multi_head", "-o", out, "--theme", "pink"},
      {"export", "multi_head", "-o", out, "--lang", "fr"},
      {"shot", "-o", folder / "x.jpg"},
  };
  for (const auto& words : wrong) {
    CAPTURE(words.back());
    CHECK(run(words) == 2);
  }
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("what cannot be done is status 1, and the old file stays") {
  const Folder folder;
  CHECK(run({"export", "multi_head", "-o", folder / "none/x.png"}) == 1);
  CHECK(run({"export", "multi_head", "-o", folder / "x.png", "--session", folder / "none.attn"}) ==
        1);
  CHECK(run({folder / "none.attn"}) == 1);
  std::ofstream(folder / "old.json") << "old";
  CHECK(run({"export", "multi_head", "-o", folder / "old.json", "--set", "heads=0"}) == 2);
  std::string kept;
  std::ifstream(folder / "old.json") >> kept;
  CHECK(kept == "old");
}

namespace {

// What a stream is while this lives: a file of its own, or another.
class Redirected {
 public:
  Redirected(int stream, const std::string& path) : stream_(stream), kept_(::dup(stream)) {
    std::fflush(stdout);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(file >= 0);
    ::dup2(file, stream_);
    ::close(file);
  }
  ~Redirected() {
    std::fflush(stdout);
    std::clearerr(stdout);
    ::dup2(kept_, stream_);
    ::close(kept_);
  }

 private:
  int stream_, kept_;
};

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What is said to the standard error.
std::string said(const std::vector<std::string>& words) {
  const Folder folder;
  {
    const Redirected redirected(STDERR_FILENO, folder / "said");
    run(words);
  }
  return read(folder / "said");
}

}  // namespace

TEST_CASE("streams that cannot be written to: a status, not an end by signal") {
  const Folder folder;
  {
    const Redirected full(STDERR_FILENO, "/dev/full");
    CHECK(run({"export", "zzz", "-o", folder / "q.png"}) == 2);
    CHECK(run({"--nonsense"}) == 2);
    CHECK(run({folder / "none.attn"}) == 1);
  }
  std::vector<int> statuses;
  {
    const Redirected full(STDOUT_FILENO, "/dev/full");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--help"}, {"--version"}, {"export", "--help"}, {"labs"}, {"labs", "--json"}}) {
      statuses.push_back(run(words));
    }
  }
  CHECK(statuses == std::vector<int>(5, 1));
  {
    const Redirected file(STDOUT_FILENO, folder / "help");
    CHECK(run({"--version"}) == 0);
  }
  CHECK(read(folder / "help").find('.') != std::string::npos);
}

TEST_CASE("whatever comes, one printable line of moderate length is said") {
  const Folder folder;
  const std::string out = folder / "x.png",
                    evil = "\x1b[2J\x1b]0;x\x07\n\xff" + std::string(100'000, 'x');
  const std::vector<std::vector<std::string>> words = {
      {evil},
      {"--" + evil},
      {"--theme", evil},
      {"--lang", evil},
      {"--size", evil},
      {"--scale", evil},
      {"export", evil, "-o", out},
      {"export", "multi_head", "-o", evil},
      {"export", "multi_head", "-o", evil + ".png"},
      {"export", "multi_head", "-o", out, "--figure", evil},
      {"export", "multi_head", "-o", out, "--preset", evil},
      {"export", "multi_head", "-o", out, "--session", evil},
      {"export", "multi_head", "-o", out, "--pick", evil},
      {"export", "multi_head", "-o", out, "--pick", evil + ":1,1"},
      {"export", "multi_head", "-o", out, "--set", evil},
      {"export", "multi_head", "-o", out, "--set", evil + "=1"},
      {"export", "multi_head", "-o", out, "--set", "heads=" + evil},
      {"export", "masks", "-o", out, "--set", "stack=" + evil},
      {"export", "masks", "-o", out, "--set", "painted=" + evil},
      {"export", "pooling", "-o", out, "--set", "points=" + evil},
      {"export", "pooling", "-o", out, "--set", "file=" + evil},
      {"shot", "-o", evil},
      {"shot", "-o", out, "--lab", evil},
      {"gallery", "/dev/null/" + evil},
      {"export", "multi_head", "-o", out, evil},
  };
  for (const auto& one : words) {
    const std::string message = said(one);
    CAPTURE(message);
    CHECK(message.starts_with("attnscope: "));
    CHECK(message.size() < 1500);
    CHECK(message.find_first_of("\x1b\x07\xff") == std::string::npos);
    CHECK(message.find('\n') == message.size() - 1);
  }
}

TEST_CASE("sentences that help") {
  const Folder folder;
  const std::string out = folder / "x.png";
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(said({std::string(300, 'n')}) ==
        "attnscope: expected labs, export, gallery, shot or a file to open, got \"" +
            std::string(60, 'n') + "…\"\n");
  CHECK(has(said({std::string(300, 'n') + ".attn"}), ".attn: the name is too long"));
  const std::string scale = "--scale: expected a number from 0.25 to 8, got ";
  CHECK(has(said({"export", "multi_head", "-o", out, "--scale", "abc"}), scale + "\"abc\""));
  CHECK(has(said({"export", "multi_head", "-o", out, "--scale", "0"}), scale + "\"0\""));
  CHECK(has(said({"shot", "-o", out, "--scale", "0"}), scale + "\"0\""));
  CHECK(has(said({"--scale", "0"}), scale + "\"0\""));
  CHECK(has(said({"gallery", ""}), "folder: expected the name of a folder, got nothing"));
  std::ofstream(folder / "broken.attn") << "{\"attnscope\":1,\n\"lab\":oops}";
  CHECK(has(said({folder / "broken.attn"}), "no JSON text from line 2, column 7 on"));
  fs::create_symlink("loop.attn", folder / "loop.attn");
  CHECK(has(said({folder / "loop.attn"}), "loop.attn: its links lead in a circle"));
  REQUIRE(::mkfifo((folder / "pipe.attn").c_str(), 0600) == 0);
  CHECK(has(said({folder / "pipe.attn"}), "pipe.attn: it is a pipe, a socket or a device"));
  CHECK(has(said({"export", "pooling", "-o", out, "--set", "file=" + folder / "pipe.attn"}),
            "it is a pipe, a socket or a device"));
  CHECK(has(said({"export", "pooling", "-o", out, "--set", "file=" + folder / "no.csv"}),
            "cannot read " + folder / "no.csv"));
  CHECK(has(said({"shot", "-o", out, "--size", "16384x16384"}), "at most 64 million pixels"));
  const std::string size = "--size: expected WIDTHxHEIGHT, each from 96 to 16384 such as 1600x1000";
  CHECK(has(said({"--size", "64x64"}), size + ", got \"64x64\""));
  CHECK(has(said({"export", "multi_head", "-o", out, "--size", "64x64"}), size + ", or 0 for"));
}

TEST_CASE("what is wrong is said in the language that is asked for, wherever that stands") {
  const Folder folder;
  const std::string out = folder / "x.png";
  std::ofstream(folder / "bad.csv") << "1,2\n3\n";
  std::ofstream(folder / "wide.csv") << "a,b\n1,2\n3,5\n";
  std::ofstream(folder / "bad.attn") << "{\"attnscope\":1,\"lab\":\"masks\",\"oops\":1}";
  std::ofstream(folder / "cost.attn") << "{\"attnscope\":1,\"lab\":\"cost\"}";
  const std::vector<std::vector<std::string>> wrong = {
      {"export", "zzz", "-o", out},
      {"export", "multi_head"},
      {"export", "multi_head", "-o", folder / "x.gif"},
      {"export", "multi_head", "-o", ""},
      {"export", "multi_head", "-o", out, "too", "many"},
      {"export", "multi_head", "-o", out, "--no-such-option"},
      {"export", "multi_head", "-o", out, "--set", "heads=99"},
      {"export", "multi_head", "-o", out, "--set", "heads="},
      {"export", "multi_head", "-o", out, "--set", "heads"},
      {"export", "multi_head", "-o", out, "--set", "no=1"},
      {"export", "multi_head", "-o", out, "--set", "heads=2", "--set", "heads=3"},
      {"export", "multi_head", "-o", out, "--set", "text=\xff"},
      {"export", "multi_head", "-o", out, "--preset", "zzz"},
      {"export", "multi_head", "-o", out, "--figure", "zzz"},
      {"export", "multi_head", "-o", out, "--figure", ""},
      {"export", "multi_head", "-o", out, "--session", folder / "none.attn"},
      {"export", "multi_head", "-o", out, "--session", folder / "bad.attn"},
      {"export", "multi_head", "-o", out, "--session", folder / "cost.attn"},
      {"export", "multi_head", "-o", out, "--pick", "zzz"},
      {"export", "multi_head", "-o", out, "--pick", "zzz:1,1"},
      {"export", "multi_head", "-o", out, "--pick", "weights:999,1"},
      {"export", "multi_head", "-o", out, "--size", "1x1"},
      {"export", "multi_head", "-o", out, "--scale", "99"},
      {"export", "multi_head", "-o", out, "--theme", "pink"},
      {"export", "multi_head", "-o", out, "--set", "text="},
      {"export", "multi_head", "-o", folder / "none/x.png"},
      {"export", "masks", "-o", out, "--set", "stack=zzz"},
      {"export", "masks", "-o", out, "--set", "painted=zzz"},
      {"export", "pooling", "-o", out, "--set", "points=zzz"},
      {"export", "pooling", "-o", out, "--set", "points=99,99"},
      {"export", "pooling", "-o", out, "--set", "file=" + folder / "none.csv"},
      {"export", "pooling", "-o", out, "--set", "file=" + folder / "bad.csv"},
      {"export", "pooling", "-o", out, "--set", "file=" + folder / "wide.csv", "--set",
       "x_column=zzz"},
      {"export", "pooling", "-o", out, "--pick", "data:99"},
      {"shot", "-o", folder / "x.jpg"},
      {"shot", "-o", out, "--size", "16384x16384"},
      {"shot", "-o", out, "--lab", "zzz"},
      {"--size", "1x1"},
      {folder / "none.attn"},
      {"nonsense"},
      {"--no-such-option"},
  };
  // No English word is left but what was typed, the names of things, and paths.
  const auto chinese = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0xe3; });
  };
  const auto english = [](const std::string& text) {
    for (const char* word : {"expected", " got ", "nothing", "cannot", "there is", "required",
                             " bytes", "points such", "the byte"}) {
      if (text.find(word) != std::string::npos) return true;
    }
    return false;
  };
  for (const auto& words : wrong) {
    std::vector<std::string> before = words, after = words, joined = words;
    after.insert(after.end(), {"--lang", "zh_CN"});
    joined.insert(joined.begin() + (words[0] == "export" || words[0] == "shot"), "--lang=zh_CN");
    for (const auto& all : {after, joined}) {
      const std::string message = said(all);
      CAPTURE(message);
      CHECK(chinese(message));
      CHECK_FALSE(english(message));
    }
    const std::string message = said(words);
    CAPTURE(message);
    CHECK_FALSE(chinese(message));
  }
  // In front of a command it is refused, in its own words.
  CHECK(said({"--lang", "zh_CN", "labs"}) == "attnscope: --lang 应在 labs 之后，却在其前\n");
  CHECK(said({"export", "multi_head", "-o", out, "--lang", "fr"}) ==
        "attnscope: language: expected one of en, zh_CN, got \"fr\"\n");
}

TEST_CASE("help is in the language that is asked for, or in that of the environment") {
  const Folder folder;
  const auto help = [&](std::vector<std::string> words) {
    words.emplace_back("--help");
    {
      const Redirected file(STDOUT_FILENO, folder / "help");
      CHECK(run(words) == 0);
    }
    return read(folder / "help");
  };
  // The words in ASCII letters that a text holds.
  const auto latin = [](const std::string& text) {
    std::set<std::string> words;
    std::string word;
    for (const char c : text + " ") {
      if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
        word += c;
      } else if (!word.empty()) {
        words.insert(std::exchange(word, ""));
      }
    }
    return words;
  };
  // What is typed, and names of formats.
  const std::set<std::string> names = {
      "attnscope", "labs", "export", "gallery", "shot", "h",    "help",   "version", "control",
      "map",       "size", "scale",  "theme",   "lang", "set",  "preset", "session", "pick",
      "figure",    "o",    "out",    "json",    "lab",  "file", "folder", "id",      "light",
      "dark",      "en",   "zh_CN",  "attn",    "png",  "svg",  "pdf",    "csv",     "npy",
      "JSON",      "PNG",  "X",      "Y",       "x"};
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{}, {"labs"}, {"export"}, {"gallery"}, {"shot"}}) {
    const std::string english = help(words);
    CHECK(english.find("Usage: attnscope") != std::string::npos);
    std::vector<std::string> asked = words;
    if (!words.empty() && words[0] != "labs" && words[0] != "gallery") {
      asked.insert(asked.end(), {"--lang", "zh_CN"});
    } else {
      asked.insert(asked.begin(), "--lang=zh_CN");
    }
    const std::string chinese = help(asked);
    for (const std::string& word : latin(chinese)) {
      CAPTURE(word);
      CHECK(names.contains(word));
    }
    CHECK(std::count(chinese.begin(), chinese.end(), '\n') ==
          std::count(english.begin(), english.end(), '\n'));
    for (const auto& [name, value, as] :
         std::vector<std::tuple<const char*, const char*, std::string>>{
             {"LC_ALL", "zh_CN.UTF-8", chinese}, {"LC_ALL", "C.UTF-8", english}}) {
      const char* before = std::getenv(name);
      const std::string kept = before ? before : "";
      setenv(name, value, 1);
      CHECK(help(words) == as);
      before ? setenv(name, kept.c_str(), 1) : unsetenv(name);
    }
  }
}

TEST_CASE("a training that stopped before the step that was asked for is told") {
  const Folder folder;
  const std::vector<std::string> words = {"export", "pooling",           "-o",    folder / "a.svg",
                                          "--set",  "method=parametric", "--set", "rate=1e9",
                                          "--set",  "epochs=20",         "--set", "step=20"};
  CHECK(run(words) == 0);
  const std::string message = said(words);
  CHECK(message.starts_with("attnscope: training stopped after step 0: w would be "));
  CHECK(message.ends_with("; a smaller learning rate helps\n"));
  CHECK(read(folder / "a.svg").find("Step 20 was not reached.") != std::string::npos);
  // A session of it says so again.
  CHECK(said({"export", "pooling", "-o", folder / "b.svg", "--session", folder / "a.svg"}) ==
        message);
  CHECK(said({"export", "pooling", "-o", folder / "b.svg", "--session", folder / "a.svg", "--set",
              "rate=0.5"}) == "");
}

TEST_CASE("a height of 0 is as high as the figures are, as the message says") {
  const Folder folder;
  CHECK(run({"export", "masks", "-o", folder / "a.svg", "--figure", "mask", "--size", "320x0"}) ==
        0);
  CHECK(read(folder / "a.svg").find("width=\"320px\"") != std::string::npos);
}

TEST_CASE("an empty text has no figures in any format, and a shortened one says so in all") {
  const Folder folder;
  for (const char* name : {"a.png", "a.svg", "a.json", "a.csv"}) {
    CAPTURE(std::string(name));
    CHECK(run({"export", "multi_head", "-o", folder / name, "--set", "text="}) == 2);
    CHECK_FALSE(fs::exists(folder / name));
  }
  for (const char* name : {"b.svg", "b.json"}) {
    CHECK(run({"export", "multi_head", "-o", folder / name, "--set", "length=3"}) == 0);
    CHECK(read(folder / name).find("The text has more tokens") != std::string::npos);
  }
}

TEST_CASE("a session's file is found from where the session lies, and is said before its numbers") {
  const Folder folder;
  fs::create_directory(folder.path / "sub");
  std::ofstream(folder / "sub/data.csv") << "x,y\n0,1\n1,2\n2,5\n";
  const std::string made = folder / "sub/made.svg";
  REQUIRE(run({"export", "pooling", "-o", made, "--set",
               "file=" + fs::relative(folder / "sub/data.csv").string()}) == 0);
  fs::rename(folder / "sub", folder / "moved");
  const std::vector<std::string> again = {
      "export", "pooling", "-o", folder / "b.json", "--session", folder / "moved/made.svg"};
  CHECK(said(again) == "attnscope: this session reads the file " + folder / "moved/data.csv" +
                           ", which is as it was\n");
  CHECK(fs::exists(folder / "b.json"));
  std::ofstream(folder / "moved/data.csv") << "x,y\n0,1\n1,2\n2,6\n";
  CHECK(said(again).find("which has changed since") != std::string::npos);
}

TEST_CASE("an export of a session has its figures: none that are hidden, in their order") {
  const Folder folder;
  const auto figures = [&](const std::string& order, const std::string& figure = "") {
    std::ofstream(folder / "a.attn")
        << R"({"attnscope":1,"lab":"pooling","values":{},"figures":)" << order << "}";
    std::vector<std::string> words = {"export",          "pooling",   "-o",
                                      folder / "a.json", "--session", folder / "a.attn"};
    if (!figure.empty()) words.insert(words.end(), {"--figure", figure});
    fs::remove(folder / "a.json");
    const int status = run(words);
    if (status != 0) return std::to_string(status);
    std::string ids;
    const auto json = nlohmann::json::parse(std::ifstream(folder / "a.json"));
    for (const auto& one : json["figures"]) ids += one["id"].get<std::string>() + " ";
    return ids;
  };
  const std::string all = figures("{}");
  CHECK(all == "data weights attention sweep kernels ");
  CHECK(figures(R"({"first":["sweep","data","sweep","gone"],"hidden":["weights","gone"]})") ==
        "sweep data attention kernels ");
  CHECK(figures(R"({"hidden":["weights"]})", "weights") == "weights ");
  CHECK(figures(R"({"hidden":["data","weights","attention","sweep","kernels"]})") == "2");
}

TEST_CASE("a column of a file is chosen by name; one that is not there is refused with what is") {
  const Folder folder;
  std::ofstream(folder / "wide.csv") << "name,height,weight\nAda,1.7,60\nBob,1.8,75\nCy,1.6,55\n";
  const auto asked = [&](const std::string& x, const std::string& y) {
    return std::vector<std::string>{"export", "pooling",
                                    "-o",     folder / "a.json",
                                    "--set",  "file=" + folder / "wide.csv",
                                    "--set",  "x_column=" + x,
                                    "--set",  "y_column=" + y};
  };
  CHECK(run(asked("height", "weight")) == 0);
  CHECK(read(folder / "a.json").find("height") != std::string::npos);
  fs::remove(folder / "a.json");
  CHECK(run(asked("height", "age")) == 2);
  CHECK(said(asked("height", "age")) ==
        "attnscope: y_column: expected one of name, height, weight, got age\n");
  CHECK(said(asked("", "weight")) ==
        "attnscope: " + folder / "wide.csv" + ", line 2: expected a number, got \"Ada\"\n");
  CHECK_FALSE(fs::exists(folder / "a.json"));
  // The name of a file that is gone is no worse than the file itself.
  fs::remove(folder / "wide.csv");
  CHECK(said(asked("height", "weight")).find("there is no such file") != std::string::npos);
}

TEST_CASE("a view of no plot is said") {
  const Folder folder;
  std::ofstream(folder / "a.attn")
      << R"({"attnscope":1,"lab":"masks","views":{"no\u001bplot":[0,1,0,1]}})";
  CHECK(said({"export", "masks", "-o", folder / "a.json", "--session", folder / "a.attn"})
            .find("a view of \"no\\x1bplot\", which is no plot") != std::string::npos);
}

TEST_CASE("an exported figure is a session: it opens with the values that made it") {
  const Folder folder;
  const std::string first = folder / "first.svg";
  REQUIRE(run({"export", "multi_head", "-o", first, "--set", "heads=5", "--pick", "weights:9,4"}) ==
          0);
  cli::Wanted opened;
  CHECK(cli::run({first}, {[&](const cli::Wanted& wanted) {
                             opened = wanted;
                             return 0;
                           },
                           [](const cli::Wanted&) {}}) == 0);
  REQUIRE(opened.session);
  const auto value = [&](const std::string& id) {
    for (const auto& [key, text] : opened.session->values) {
      if (key == id) return text;
    }
    return std::string("none");
  };
  CHECK(value("heads") == "5");
  CHECK(value("query") == "9");
  CHECK(value("key") == "4");
}

namespace {

struct Places {
  int row = 0, col = 0, head = 0, step = 0;
  double x = 0, y = 0;
};

figure::Plot plot_of(std::string id, std::string x_param, std::string y_param) {
  figure::Plot plot;
  plot.id = std::move(id);
  plot.x_param = std::move(x_param);
  plot.y_param = std::move(y_param);
  plot.x.lo = plot.y.lo = -2;
  plot.x.hi = plot.y.hi = 2;
  plot.marks = {figure::Line{{-2, 2}, {-2, 2}}};
  return plot;
}

// A page with a heatmap, a plane, and plots of which only x or y is picked.
lab::Page compute_places(const Places&, const lab::Context&) {
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(core::Matrix::Zero(3, 4));
  map.row_param = "row";
  map.col_param = "col";
  map.also = {{"head", "2"}};
  figure::Plot cells = plot_of("cells", "", "");
  cells.x = {.lo = 0, .hi = 4, .cells = true};
  cells.y = {.lo = 0, .hi = 3, .cells = true};
  cells.marks = {map};
  figure::Plot steps = plot_of("steps", "step", "");
  steps.x = {.lo = 0, .hi = 10, .cells = true};
  steps.click = {{"head", "1"}};
  figure::Figure f;
  f.id = "figure";
  f.plots = {cells, plot_of("plane", "x", "y"), steps, plot_of("level", "", "y")};
  lab::Page page;
  page.figures = {f};
  return page;
}

void describe_places(Places& p, param::List& list) {
  list.integer(p.row, "row", "Row", "", {.max = 2});
  list.integer(p.col, "col", "Column", "", {.max = 3});
  list.integer(p.head, "head", "Head", "", {.max = 2});
  list.integer(p.step, "step", "Step", "", {.max = 9, .step = 3});
  list.real(p.x, "x", "x", "", {.min = -1, .max = 1, .step = 0.25});
  list.real(p.y, "y", "y", "", {.min = -2, .max = 2});
}

// The values after a pick, in the order of description.
std::string picked(const std::string& words) {
  static const lab::Lab lab{.id = "places",
                            .title = "Places",
                            .question = "Where?",
                            .chapter = lab::Chapter::attention,
                            .about = "",
                            .sources = {},
                            .presets = {},
                            .make = lab::live(describe_places, compute_places)};
  cli::View view;
  view.lab = &lab;
  view.state = lab.make();
  cli::apply_pick(view, words);
  std::string text;
  for (const auto& [id, value] : param::values(view.state->describe())) text += value + " ";
  return text;
}

}  // namespace

TEST_CASE("a pick sets what a click would: cells with what they set besides, and places") {
  CHECK(picked("cells:2,1") == "2 1 2 0 0 0 ");
  CHECK(picked("figure:2,1") == "2 1 2 0 0 0 ");
  CHECK(picked("plane:1.5,-0.4") == "0 0 0 0 -0.5 1.5 ");
  CHECK(picked("plane:-2,2") == "0 0 0 0 1 -2 ");
  CHECK(picked("steps:7") == "0 0 1 6 0 0 ");
  CHECK(picked("level:1e-1") == "0 0 0 0 0 0.1 ");
  for (const char* wrong : {"cells:3,0",
                            "cells:0,4",
                            "cells:-1,0",
                            "cells:0.5,0",
                            "cells:1",
                            "plane:1",
                            "plane:0,2.5",
                            "plane:nan,0",
                            "plane:inf,0",
                            "plane:1,",
                            "plane:,1",
                            "plane:1,1,1",
                            "plane:",
                            "steps:10",
                            "steps:1,1",
                            "level:3",
                            "nothing:1",
                            "figure",
                            "",
                            "plane:0x1,0"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(picked(wrong), core::InputError);
  }
  try {
    picked("plane:0,2.5");
  } catch (const core::InputError& e) {
    CHECK(std::string(e.what()) ==
          "--pick: expected y from -2 to 2, x from -2 to 2 in plane, got 0,2.5");
  }
}

TEST_CASE("sizes are read whole") {
  CHECK(cli::parse_size("1600x1000").width == 1600);
  CHECK(cli::parse_size("96x16384").height == 16384);
  for (const char* bad : {"", "x", "1600", "1600x", "1600x1000x", "95x96", "96x16385", "-1x96",
                          "320x0", "0x320", "320x0x0"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(cli::parse_size(bad), core::InputError);
  }
  CHECK(cli::parse_size("320x0", cli::SizeOf::figures).width == 320);
  CHECK_THROWS_AS(cli::parse_size("320x-0", cli::SizeOf::figures), core::InputError);
  CHECK_THROWS_AS(cli::parse_size("320x95", cli::SizeOf::figures), core::InputError);
}
