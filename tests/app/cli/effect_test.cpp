// Settings that would change nothing, and numbers beyond what a file holds, are refused.
#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "cli_rig.h"

namespace effect_test {

using namespace cli_rig;  // NOLINT: as words are given

namespace {

// 3 layers of 2 heads over 4 tokens, each weight a quarter.
std::string heads() {
  const std::string said = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, 4, 4), }\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(said.size());
  out += '\0';
  out += said;
  const float quarter = 0.25F;
  for (int k = 0; k < 3 * 2 * 4 * 4; ++k) out.append(reinterpret_cast<const char*>(&quarter), 4);
  return out;
}

struct Desk : Folder {
  std::string file = *this / "c.npy", out = *this / "o.json";
  Desk() { std::ofstream(file, std::ios::binary) << heads(); }
  // Status and what is said, without the program's name.
  std::string status(std::vector<std::string> words) const {
    words.insert(words.end(), {"-o", out});
    const int got = run(words);
    return std::to_string(got);
  }
  std::string why(std::vector<std::string> words) const {
    words.insert(words.end(), {"-o", out});
    std::string all = said(words);
    return all.substr(0, all.find('\n'));
  }
};

}  // namespace

TEST_CASE("a setting without an effect is refused with the one that would give it one") {
  const Desk desk;
  struct Refused {
    std::vector<std::string> words;
    std::string why;
  };
  const std::vector<Refused> all = {
      {{"export", "tensors", "--set", "share=0.5"},
       "share has no effect with view=model; set view=head to use it"},
      {{"export", "tensors", "--set", "hidden=a"},
       "hidden has no effect with view=model; set view=head to use it"},
      {{"export", "tensors", "--set", "combine=rollout"},
       "combine has no effect with view=model; set view=head to use it"},
      {{"export", "tensors", "--set", "other_file=" + desk.file},
       "other_file has no effect with view=model and combine=head; set view=head and "
       "combine=difference to use it"},
      {{"export", "tensors", "--set", "file=" + desk.file, "--set", "sample=induction"},
       "sample has no effect with file=" + desk.file + "; set file=\"\" to use it"},
      {{"export", "gpt_inside", "--set", "folder=/nowhere"},
       "folder has no effect with from=trained; set from=published to use it"},
      {{"export", "decoding", "--set", "folder=/nowhere"},
       "folder has no effect with from=rules; set from=published to use it"},
      {{"export", "alignment", "--set", "pairs_file=/nowhere"},
       "pairs_file has no effect with task=dates; set task=own to use it"},
      {{"export", "translation", "--set", "pairs_file=/nowhere"},
       "pairs_file has no effect with task=dates; set task=own to use it"},
      {{"export", "gpt_training", "--set", "corpus_file=/nowhere"},
       "corpus_file has no effect with task=induction; set task=own to use it"},
      {{"export", "pooling", "--set", "x_column=a"},
       "x_column has no effect with file=\"\"; set file=FILE to use it"},
      {{"export", "absolute", "--set", "scheme=grid", "--set", "length=50"},
       "length has no effect with scheme=grid; set scheme=sinusoidal or scheme=learned "
       "or scheme=floater or scheme=complex to use it"},
      // On a preset.
      {{"export", "tensors", "--preset", "statistics", "--set", "share=0.5"},
       "share has no effect with view=statistics; set view=head to use it"},
  };
  for (const Refused& one : all) {
    CAPTURE(one.words.back());
    CHECK(desk.status(one.words) == "2");
    CHECK(desk.why(one.words) == "attnscope: " + one.why);
  }
  CHECK(!fs::exists(desk.out));
  // And in what a picture is compared with.
  CHECK(said({"export", "tensors", "--preset", "head", "--compare", "residual=0.2", "-o",
              desk / "o.png"}) ==
        "attnscope: residual has no effect with combine=head; set combine=rollout to use it\n");
}

TEST_CASE("the size is that at scale 1: a picture of the window is as many times as large") {
  const Desk desk;
  std::optional<cli::Wanted> asked;
  const auto shot = [&](std::vector<std::string> words) {
    asked.reset();
    words.insert(words.end(), {"-o", desk / "s.png"});
    return cli::run(words, {[](const cli::Wanted&) { return 7; },
                            [&](const cli::Wanted& wanted) { asked = wanted; },
                            {},
                            [](const cli::Wanted&) {}});
  };
  REQUIRE(shot({"shot", "--size", "640x360", "--scale", "1.5"}) == 0);
  REQUIRE(asked);
  CHECK(asked->width == 960);
  CHECK(asked->height == 540);
  CHECK(asked->scale == 1.5F);
  REQUIRE(shot({"shot", "--scale", "2"}) == 0);
  CHECK(asked->width == 2 * cli::Wanted().width);
  CHECK(shot({"shot", "--size", "4000x4000", "--scale", "8"}) == 2);
}

TEST_CASE("every command that takes --set refuses it where it has no effect") {
  const Desk desk;
  const std::string share = "share=0.5", film = desk / "f.gif", shot = desk / "s.png";
  CHECK(run({"shot", "--lab", "tensors", "--set", share, "-o", shot}) == 2);
  CHECK(run({"lesson", "tensors", "--names", "--set", share}) == 2);
  CHECK(run({"sweep", "tensors", "--param", "layer=1:2", "--frames", "2", "--set", share, "-o",
             film}) == 2);
  // What brings values of its own takes none.
  CHECK(run({"sweep", "tensors", "--keys", "model,head", "--set", share, "-o", film}) == 2);
  CHECK(said({"sweep", "tensors", "--keys", "model,head", "--set", share, "-o", film}) ==
        "attnscope: expected --keys or --set, got both\n");
  CHECK(run({"shot", "--lesson", "rope", "--set", "d=4", "-o", shot}) == 2);
  CHECK(run({"shot", "--start", "--set", "d=4", "-o", shot}) == 2);
  CHECK(run({"shot", "--lab", "tensors", "--answered", "-o", shot}) == 2);
  CHECK(run({"lesson", "rope", "--set", "d=4", "-o", desk / "h.md"}) == 2);
  CHECK(!fs::exists(film));
  CHECK(!fs::exists(shot));
  CHECK(!fs::exists(desk / "h.md"));
}

TEST_CASE("options that do not go together are refused by name") {
  const Desk desk;
  struct Refused {
    std::vector<std::string> words;
    std::string why;
  };
  const std::vector<Refused> all = {
      {{"lesson", "rope", "--set", "d=4"}, "expected --set only with --names, got it without"},
      {{"lesson", "tensors", "--names"}, "expected --names or --out, got both"},
      {{"lesson", "tensors", "--names", "--check"}, "expected --names or --check, got both"},
      {{"lesson", "rope", "--check"}, "expected --check or --out, got both"},
      {{"lesson", "rope", "--lecture"}, "expected --out or --lecture, got both"},
      {{"shot", "--start", "--lesson", "rope"}, "expected --start or --lesson, got both"},
      {{"shot", "--start", "--lab", "masks"}, "expected --start or --lab, got both"},
      {{"shot", "--lab", "masks", "--lesson", "rope"}, "expected --lesson or --lab, got both"},
      {{"shot", "--stop", "2"}, "expected --stop only with --lesson, got it without"},
      {{"export", "masks", "--height", "5cm"},
       "expected --height only with --width, got it without"},
  };
  for (const Refused& one : all) {
    CAPTURE(one.why);
    std::vector<std::string> words = one.words;
    words.insert(words.end(), {"-o", desk / "o.png"});
    CHECK(run(words) == 2);
    CHECK(said(words) == "attnscope: " + one.why + "\n");
  }
  CHECK(!fs::exists(desk / "o.png"));
}

TEST_CASE("what has an effect somewhere on a sweep's way is taken") {
  const Desk desk;
  CHECK(run({"sweep", "tensors", "--param", "view=model:head", "--set", "share=0.5", "--grid",
             "1x2", "--figure", "map", "-o", desk.out}) == 0);
}

TEST_CASE("a number beyond what the file holds is refused by the file's name") {
  const Desk desk;
  const auto with = [&](const char* setting) {
    return std::vector<std::string>{"export", "tensors", "--set", "file=" + desk.file,
                                    "--set",  setting};
  };
  CHECK(desk.status(with("layer=4")) == "2");
  CHECK(desk.why(with("layer=4")) ==
        "attnscope: layer: expected an integer from 1 to 3 in c.npy, got 4");
  CHECK(desk.why(with("head=9")) ==
        "attnscope: head: expected an integer from 1 to 2 in c.npy, got 9");
  CHECK(desk.why(with("query=4")) ==
        "attnscope: query: expected an integer from 0 to 3 in c.npy, got 4");
  CHECK(!fs::exists(desk.out));
  // The default query is 20: nobody asked for it, and the session tells what is shown.
  CHECK(desk.status(with("layer=3")) == "0");
  CHECK(read(desk.out).find("\"query\":3") != std::string::npos);
  CHECK(desk.why(with("layer=3")).empty());
}

TEST_CASE("a length beyond the tokens of a text is refused") {
  const Desk desk;
  for (const std::string lab : {"multi_head", "position_compare", "relative", "masks"}) {
    CAPTURE(lab);
    const auto with = [&](const std::string& setting) {
      return std::vector<std::string>{"export", lab,     "--set", "text=one two three",
                                      "--set",  setting, "-o",    desk.out};
    };
    CHECK(said(with("length=300")) ==
          "attnscope: length: expected an integer from 1 to 3 in the text, got 300\n");
    CHECK(run(with("length=300")) == 2);
    CHECK(run(with("length=2")) == 0);
    CHECK(said({"export", lab, "--set", "text=one two three", "--set", "unit=characters", "--set",
                "length=14", "-o", desk.out}) ==
          "attnscope: length: expected an integer from 1 to 13 in the text, got 14\n");
    // Vectors that are made up have any length, and nobody asked for the default.
    CHECK(run({"export", lab, "--set", "input=random", "--set", "length=300", "-o", desk.out}) ==
          0);
    CHECK(run({"export", lab, "--set", "text=one two three", "-o", desk.out}) == 0);
  }
}

TEST_CASE("of a session whose file holds less now, the number is brought into range and told") {
  const Desk desk;
  std::ofstream(desk / "old.attn")
      << R"({"attnscope":1,"lab":"tensors","values":{"file":")" << desk.file << R"(","layer":11}})";
  CHECK(desk.status({"export", "tensors", "--session", desk / "old.attn"}) == "0");
  const std::string told =
      said({"export", "tensors", "--session", desk / "old.attn", "-o", desk.out});
  CHECK(told.ends_with(
      "attnscope: layer: expected an integer from 1 to 3 in c.npy, got 11; it is 3 now.\n"));
  CHECK(read(desk.out).find("\"layer\":3") != std::string::npos);
}

}  // namespace effect_test
