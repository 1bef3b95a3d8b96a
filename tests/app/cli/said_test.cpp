// What the command line says: printable, in the reader's language, whatever the streams are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli_rig.h"

namespace said_test {

using namespace cli_rig;  // NOLINT: as words are given

TEST_CASE("labs lists every lab, or the one that is named, as text and as JSON") {
  const Folder folder;
  const auto told = [&](const std::vector<std::string>& words) {
    {
      const Redirected file(STDOUT_FILENO, folder / "told");
      CHECK(run(words) == 0);
    }
    return read(folder / "told");
  };
  const std::string all = told({"labs"}), one = told({"labs", "softmax"});
  CHECK(one.starts_with("softmax: "));
  CHECK(all.find(one) != std::string::npos);
  CHECK(one.size() < all.size() / 5);
  const auto json = nlohmann::json::parse(told({"labs", "softmax", "--json"}));
  REQUIRE(json["labs"].size() == 1);
  CHECK(json["labs"][0]["id"] == "softmax");
  CHECK(json["labs"][0]["picture"]["figure"] == "melting");
  CHECK(run({"labs", "sofmax"}) == 2);
  CHECK(said({"labs", "sofmax"}).find("expected a lab (one of pooling, ") != std::string::npos);
  CHECK(run({"labs", ""}) == 2);
  CHECK(run({"labs", "softmax", "masks"}) == 2);
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
        "attnscope: expected one of labs, export, gallery, shot, sweep, lesson, link, serve, "
        "desktop-files or a "
        "file to open, got \"" +
            std::string(60, 'n') + "…\"\n");
  CHECK(has(said({std::string(300, 'n') + ".attn"}), ".attn: the name is too long"));
  const std::string scale = "--scale: expected a number from 0.25 to 8, got ";
  CHECK(has(said({"export", "multi_head", "-o", out, "--scale", "abc"}), scale + "\"abc\""));
  CHECK(has(said({"export", "multi_head", "-o", out, "--scale", "0"}), scale + "\"0\""));
  CHECK(has(said({"shot", "-o", out, "--scale", "0"}), scale + "\"0\""));
  CHECK(has(said({"--scale", "0"}), scale + "\"0\""));
  const std::string twice = "expected --preset once, got it twice";
  CHECK(has(said({"shot", "--lab", "cost", "-o", out, "--preset", "wide", "--preset", "wide"}),
            twice));
  CHECK(has(said({"export", "cost", "-o", out, "--preset", "wide", "--preset", "wide"}),
            "--preset: expected each preset once, got \"wide\" twice"));
  CHECK(has(said({"export", "cost", "-o", out, "--preset"}), "a value of --preset, got nothing"));
  CHECK(has(said({"shot", "-o", out, "--theme", ""}), "expected light or dark, got nothing"));
  CHECK(has(said({"--theme", ""}), "expected light or dark, got nothing"));
  CHECK(has(said({"shot", "-o", out, "--theme", "pink"}),
            "--theme: expected dark or light, got \"pink\""));
  CHECK(has(said({"gallery", ""}), "folder: expected a folder name, got nothing"));
  std::ofstream(folder / "broken.attn") << "{\"attnscope\":1,\n\"lab\":oops}";
  CHECK(has(said({folder / "broken.attn"}),
            "broken.attn: it is not valid JSON from line 2, column 7 on"));
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
  CHECK(said({"--lang", "zh_CN", "gallery", "x"}) ==
        "attnscope: --lang 应在 gallery 之后，却在其前\n");
  CHECK(said({"--lang", "zh_CN", "labs"}) == "attnscope: 应为 labs 的选项，却是 --lang\n");
  CHECK(said({"export", "multi_head", "-o", out, "--lang", "fr"}) ==
        "attnscope: --lang: expected en or zh_CN, got \"fr\"\n");
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
      "attnscope", "start",   "labs",       "export",      "gallery",  "shot",     "h",
      "help",      "version", "control",    "map",         "size",     "scale",    "theme",
      "lang",      "set",     "preset",     "session",     "pick",     "figure",   "o",
      "out",       "json",    "lab",        "file",        "folder",   "id",       "light",
      "dark",      "en",      "zh_CN",      "attn",        "png",      "svg",      "pdf",
      "csv",       "npy",     "npz",        "safetensors", "JSON",     "PNG",      "X",
      "Y",         "x",       "lesson",     "stop",        "answered", "html",     "md",
      "check",     "names",   "width",      "height",      "font",     "dpi",      "no",
      "title",     "caption", "parameters", "transparent", "crop",     "outlines", "comments",
      "bom",       "with",    "handout",    "mm",          "cm",       "in",       "pt",
      "px",        "UTF",     "Excel",      "sweep",       "gif",      "mp",       "webm",
      "grid",      "APNG",    "param",      "keys",        "stops",    "frames",   "duration",
      "fps",       "ease",    "loop",       "once",        "back",     "linear",   "from",
      "to",        "a",       "b",          "c",           "s",        "LESSON",   "ROWSxCOLUMNS",
      "value",     "compare", "as",         "split",       "live",     "held",     "difference",
      "lecture",   "F",       "diagnose",   "install",     "for",      "me",       "remove",
      "desktop",   "files",   "share",      "usr",         "local",    "program",  "link",
      "LINK",      "base",    "LAB",        "KNOB",        "VALUE",    "FIGURE",   "embed",
      "serve",     "stdio",   "format",     "marks",       "answers",  "collect",  "end",
      "none",      "place",   "tex",        "OUT",         "input",    "layout",   "letters",
      "colors",    "DejaVu",  "Serif",      "automatic",   "below",    "beside",   "cividis",
      "color",     "dashes",  "diverging",  "family",      "gray",     "label",    "legend",
      "limits",    "line",    "log",        "magma",       "markers",  "note",     "only",
      "panel",     "save",    "style",      "tick",        "ticks",    "viridis",  "vmax",
      "vmin",      "y"};
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"labs"},
                                             {"export"},
                                             {"gallery"},
                                             {"shot"},
                                             {"sweep"},
                                             {"lesson"},
                                             {"link"},
                                             {"serve"},
                                             {"desktop-files"}}) {
    const std::string english = help(words);
    CHECK(english.find("Usage: attnscope") != std::string::npos);
    std::vector<std::string> asked = words;
    if (!words.empty() && words[0] != "labs" && words[0] != "gallery" &&
        words[0] != "desktop-files" && words[0] != "serve") {
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
      const test::Variable of_environment(name, value);
      CHECK(help(words) == as);
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

}  // namespace said_test
