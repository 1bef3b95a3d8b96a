// The command line's words: exit status, and what is written where.
#include "app/cli/cli.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/paper/file/session_carrier.h"
#include "cli_rig.h"

namespace cli_test {

using namespace cli_rig;  // NOLINT: as words are given

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
      {"shot", "-o", out, "--start", "--lab", "masks"},
      {"shot", "-o", out, "--start", "--lesson", "rope"},
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
  CHECK(fs::is_empty(folder.path()));
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

TEST_CASE("without marks a picture is the same whatever is picked in it") {
  const Folder folder;
  const auto drawn = [&](const std::string& query, std::vector<std::string> more) {
    std::vector<std::string> words = {"export",         "multi_head",      "-o",
                                      folder / "a.svg", "--figure",        "weights",
                                      "--no-session",   "--no-parameters", "--no-caption",
                                      "--set",          "query=" + query};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(run(words) == 0);
    return read(folder / "a.svg");
  };
  CHECK(drawn("3", {}) != drawn("9", {}));
  CHECK(drawn("3", {"--no-marks"}) == drawn("9", {"--no-marks"}));
  const std::string ghost = "--compare=temperature=3";
  CHECK(drawn("3", {"--no-marks", ghost}) == drawn("9", {"--no-marks", ghost}));
  CHECK(said({"export", "multi_head", "-o", folder / "a.json", "--no-marks"}) ==
        "attnscope: --no-marks: expected a picture (.png, .svg, .pdf, .html or .tex), got \"" +
            folder / "a.json" + "\"\n");
}

TEST_CASE("a figure comes back from its file with its paper") {
  const Folder folder;
  const std::string first = folder / "a.pdf", again = folder / "b.pdf";
  REQUIRE(run({"export", "softmax", "--figure", "row", "--width", "85mm", "--height", "60mm",
               "--font", "7", "--no-caption", "--dashes", "-o", first}) == 0);
  REQUIRE(run({"export", "softmax", "--session", first, "-o", again}) == 0);
  CHECK(read(again) == read(first));
  REQUIRE(run({"export", "softmax", "--session", first, "--width", "60mm", "-o", again}) == 0);
  CHECK(read(again) != read(first));
  const std::string pixels = folder / "c.png";
  REQUIRE(run({"export", "softmax", "--session", first, "--size", "400x300", "-o", pixels}) == 0);
  CHECK(paper::open_session(pixels).paper ==
        param::Values{{"captions", "false"}, {"dashes", "true"}, {"font", "7"}});
}

TEST_CASE("figures and presets are panels of one sheet") {
  const Folder folder;
  const std::string out = folder / "a.svg";
  const auto with = [&](std::vector<std::string> more) {
    const std::vector<std::string> words = {"export", "multi_head", "-o", out};
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const auto count = [&](const std::string& part) {
    const std::string svg = read(out);
    int found = 0;
    for (std::size_t at = 0; (at = svg.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  REQUIRE(run(with(
              {"--figure", "scores", "--figure", "weights", "--layout", "2x1", "--letters"})) == 0);
  CHECK(count(">(a) Head 3, step by step<") == 1);
  CHECK(count(">(b) Head 3, step by step<") == 1);
  REQUIRE(run(with({"--preset", "first_look", "--preset", "hot", "--figure", "weights", "--layout",
                    "1x2", "--share-colors"})) == 0);
  CHECK(count("weights softmax") == 2);
  CHECK(count("; Temperature evens attention out: temperature = 20") >= 1);
  CHECK(said(with({"--layout", "2"})).find("--layout: expected ROWSxCOLUMNS") != std::string::npos);
  CHECK(said(with({"--layout", "1x2", "--compare", "temperature=2"})) ==
        "attnscope: expected --compare or --layout, got both\n");
}

TEST_CASE("what other files and links show stands beside, of whichever lab, as it looks there") {
  const Folder folder;
  const std::string dials = folder / "dials.svg", out = folder / "sheet.svg";
  REQUIRE(run({"export", "rotary", "--figure", "dials", "--set", "m=7", "--title", "Seven turns",
               "-o", dials}) == 0);
  const std::vector<std::string> masks = {"export", "masks", "--figure", "mask", "--beside", dials};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), masks.begin(), masks.end());
    return more;
  };
  REQUIRE(run(with({"--beside", "row=#softmax?temperature=3", "--layout", "1x3", "--letters", "-o",
                    out})) == 0);
  const std::string svg = read(out);
  for (const char* part : {">(a) ", ">(b) Seven turns<", ">(c) ", "m = 7", "emperature = 3"}) {
    CAPTURE(part);
    CHECK(svg.find(part) != std::string::npos);
  }
  // What is said of one figure is said of the first, and of no other.
  REQUIRE(run(with({"--title", "Near", "--layout", "1x2", "-o", out})) == 0);
  CHECK(read(out).find(">Near<") != std::string::npos);
  CHECK(read(out).find(">Seven turns<") != std::string::npos);
  // Formulas are set in each, and ticks stand where one has asked for them.
  const std::string score = folder / "score.svg";
  REQUIRE(run({"export", "rotary", "--figure", "score", "--x-ticks", "-37 21", "--x-label",
               "$m - n$", "-o", score}) == 0);
  REQUIRE(run({"export", "masks", "--figure", "mask", "--beside", score, "--title", "$q_i$",
               "--layout", "1x2", "-o", out}) == 0);
  const std::string formulas = read(out);
  CHECK(formulas.find(">$") == std::string::npos);
  CHECK(formulas.find(">21<") != std::string::npos);
  CHECK(formulas.find(">−37<") != std::string::npos);
  // The sheet opens as its first view.
  CHECK(paper::open_session(out).lab == "masks");
  // Twice the same has ids of its own.
  REQUIRE(run(with({"--beside", dials, "-o", folder / "twice.json"})) == 0);
  CHECK(read(folder / "twice.json").find("dials-3") != std::string::npos);
  // What a panel is made from is not written over, and what is none is refused.
  const std::string before = read(dials);
  CHECK(said(with({"-o", dials})).find("dials.svg") != std::string::npos);
  CHECK(read(dials) == before);
  CHECK(said(with({"--beside", folder / "none.svg", "-o", out})).find("none.svg") !=
        std::string::npos);
  CHECK(said(with({"--beside", "row=", "-o", out})) ==
        "attnscope: --beside: expected FILE or FIGURE=FILE, got \"row=\"\n");
  CHECK(said(with({"--compare", "kind=causal", "-o", out})) ==
        "attnscope: expected --compare or --beside, got both\n");
}

TEST_CASE("text for TeX lies beside its drawing, whichever of both is named") {
  const Folder folder;
  REQUIRE(run({"export", "softmax", "-o", folder / "a.pdf", "--figure", "row", "--tex"}) == 0);
  CHECK(fs::exists(folder / "a.tex"));
  CHECK(fs::exists(folder / "a.pdf"));
  REQUIRE(run({"export", "softmax", "-o", folder / "b.tex", "--figure", "row"}) == 0);
  CHECK(read(folder / "b.tex").find("{b.pdf}") != std::string::npos);
  CHECK(run({"export", "softmax", "-o", folder / "c.svg", "--tex"}) == 2);
  CHECK(run({"export", "softmax", "-o", "-", "--tex", "--format", "svg"}) == 2);
}

TEST_CASE("a page to be touched has a slider where a knob is swept, other files have none") {
  const Folder folder;
  const std::string page = folder / "a.html";
  const std::vector<std::string> words = {"export",   "softmax", "-o",     page,
                                          "--figure", "row",     "--lang", "zh_CN"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  REQUIRE(run(words) == 0);
  CHECK(read(page).find("id=\"sweep\"") == std::string::npos);
  REQUIRE(run(with({"--sweep", "temperature=0.5:2", "--frames", "7"})) == 0);
  CHECK(read(page).find("max=\"6\" step=\"1\" value=\"3\"") != std::string::npos);
  CHECK(read(page).find("温度") != std::string::npos);
  for (const auto& [more, part] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--frames", "7"}, "--frames"},
           {{"--sweep", "temperature=0.5:2", "--frames", "1"}, "2"},
           {{"--sweep", "temperature=0.5:2", "--frames", "201"}, "200"},
           {{"--sweep", "temperature=hot"}, "temperature"},
           {{"--sweep", "nothing=1:2"}, "nothing"},
           {{"--sweep", "temperature=0.5:2", "--compare", "count=3"}, "--compare"}}) {
    CHECK(said(with(more)).find(part) != std::string::npos);
    CHECK(run(with(more)) == 2);
  }
  CHECK(said({"export", "softmax", "-o", folder / "a.svg", "--sweep", "temperature=0.5:2"}) ==
        "attnscope: --sweep: expected a page to be touched (.html), got \"" + folder / "a.svg" +
            "\"; attnscope sweep writes films\n");
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
  fs::create_directory(folder.path() / "sub");
  std::ofstream(folder / "sub/data.csv") << "x,y\n0,1\n1,2\n2,5\n";
  const std::string made = folder / "sub/made.svg";
  REQUIRE(run({"export", "pooling", "-o", made, "--set",
               "file=" + fs::relative(folder / "sub/data.csv").string()}) == 0);
  fs::rename(folder / "sub", folder / "moved");
  const std::vector<std::string> again = {
      "export", "pooling", "-o", folder / "b.json", "--session", folder / "moved/made.svg"};
  CHECK(said(again) == "attnscope: this session reads the file " + folder / "moved/data.csv" +
                           ", which has not changed\n");
  CHECK(fs::exists(folder / "b.json"));
  std::ofstream(folder / "moved/data.csv") << "x,y\n0,1\n1,2\n2,6\n";
  CHECK(said(again).find("whose contents have changed since") != std::string::npos);
}

TEST_CASE("a session says which lab it is of; without one the lab is named") {
  const Folder folder;
  REQUIRE(run({"export", "pooling", "-o", folder / "a.svg", "--set", "bandwidth=0.7"}) == 0);
  REQUIRE(run({"export", "--session", folder / "a.svg", "-o", folder / "b.svg"}) == 0);
  CHECK(read(folder / "b.svg") == read(folder / "a.svg"));
  CHECK(run({"sweep", "--session", folder / "a.svg", "-o", folder / "c.gif", "--param",
             "bandwidth=0.5:1", "--frames", "2", "--figure", "data"}) == 0);
  CHECK(run({"export", "masks", "--session", folder / "a.svg", "-o", folder / "d.svg"}) == 2);
  CHECK(said({"export", "-o", folder / "e.svg"}) ==
        "attnscope: expected a lab or --session, got neither of them\n");
  CHECK_FALSE(fs::exists(folder / "e.svg"));
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
            .find("a view of \"no\\x1bplot\", which is not a plot") != std::string::npos);
}

TEST_CASE("figures of no page are said, each once") {
  const Folder folder;
  std::ofstream(folder / "a.attn")
      << R"({"attnscope":1,"lab":"masks","figure":"zz","figures":{"first":["a","a"],)"
      << R"("hidden":["b"]}})";
  const std::string told =
      said({"export", "masks", "-o", folder / "a.json", "--session", folder / "a.attn"});
  for (const char* id : {"a", "b", "zz"}) {
    const std::string sentence = std::string("a figure \"") + id + "\", which is not on this page";
    const std::size_t at = told.find(sentence);
    CHECK(at != std::string::npos);
    CHECK(told.find(sentence, at + 1) == std::string::npos);
  }
  std::ofstream(folder / "b.attn")
      << R"({"attnscope":1,"lab":"pooling","views":{"yy":[0,1,0,1]},"figures":{"hidden":["zz"]}})";
  const std::string swept =
      said({"sweep", "pooling", "-o", folder / "b.svg", "--session", folder / "b.attn", "--param",
            "bandwidth=0.5:1", "--grid", "1x2"});
  const std::size_t at = swept.find("a figure \"zz\"");
  CHECK(at != std::string::npos);
  CHECK(swept.find("a figure \"zz\"", at + 1) == std::string::npos);  // not with each page
  CHECK(swept.find("a view of \"yy\"") != std::string::npos);
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

TEST_CASE(
    "a file of tensors and the folder of a model open their labs, and are no session to save") {
  const Folder folder;
  const std::string numbers = folder / "a.npy";
  std::ofstream(numbers) << "whatever it holds is said in the window";
  const auto opened = [](const std::string& path) {
    cli::Wanted asked;
    CHECK(cli::run({path}, {[&](const cli::Wanted& wanted) {
                              asked = wanted;
                              return 0;
                            },
                            [](const cli::Wanted&) {}}) == 0);
    CHECK(asked.file.empty());
    REQUIRE(asked.session);
    return *asked.session;
  };
  const auto has = [](const session::Session& session, const char* id, const std::string& value) {
    return std::count(session.values.begin(), session.values.end(),
                      std::pair(std::string(id), value)) == 1;
  };
  const session::Session tensors = opened(numbers), checkpoint = opened(folder / "");
  CHECK(tensors.lab == "tensors");
  CHECK(has(tensors, "file", numbers));
  CHECK(checkpoint.lab == "checkpoint");
  CHECK(has(checkpoint, "folder", folder / ""));
}

TEST_CASE("a shot in Chinese begins with the Chinese example, a preset and an export as ever") {
  const Folder folder;
  const auto text_of_shot = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"shot", "-o", folder / "x.png", "--lab", "multi_head"});
    std::string text;
    CHECK(cli::run(words, {[](const cli::Wanted&) { return 0; },
                           [&](const cli::Wanted& wanted) {
                             for (const auto& [id, value] : wanted.session->values) {
                               if (id == "text") text = value;
                             }
                           }}) == 0);
    return text;
  };
  CHECK(text_of_shot({}).starts_with("the river bank"));
  CHECK(text_of_shot({"--lang", "zh_CN"}).starts_with("那河岸"));
  CHECK(text_of_shot({"--lang", "zh_CN", "--set", "text=a b"}) == "a b");
  CHECK(text_of_shot({"--lang", "zh_CN", "--preset", "hot"}).starts_with("the river bank"));
  const auto exported = [&](const std::string& language) {
    const std::string out = folder / (language + ".csv");
    CHECK(cli::run({"export", "multi_head", "--lang", language, "-o", out}, {}) == 0);
    std::ifstream in(out);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  CHECK(exported("zh_CN").find("river") != std::string::npos);
}

}  // namespace cli_test
