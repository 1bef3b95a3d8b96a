// --compare: what a page is compared with, and what is refused.
#include "app/cli/shared/compare_words.h"

#include "app/paper/file/session_carrier.h"
#include "cli_rig.h"

namespace compare_test {

using cli_rig::Folder, cli_rig::run, cli_rig::said;
namespace fs = std::filesystem;

namespace {

cli::View pooling() {
  cli::ViewWords words;
  words.lab = "pooling";
  return cli::make_view(words, words::Language::en);
}

session::Holds holds_of(const std::vector<std::string>& with, const std::string& as = "") {
  const cli::View view = pooling();
  cli::CompareWords words;
  words.with = with;
  words.as = as;
  return words.holds(view);
}

std::string value(const session::Hold& hold, const std::string& id) {
  for (const auto& [name, text] : hold.values) {
    if (name == id) return text;
  }
  return "";
}

}  // namespace

TEST_CASE("a page is compared with itself at other values, or with a session and others") {
  const session::Holds some = holds_of({"bandwidth=0.4", "n=20"});
  REQUIRE(some.now());
  CHECK(value(*some.now(), "bandwidth") == "0.4");
  CHECK(value(*some.now(), "n") == "20");
  CHECK(value(*some.now(), "noise") == "0.5");
  CHECK_FALSE(holds_of({}).now());
  const Folder folder;
  const std::string file = folder / "held.attn";
  REQUIRE(run({"export", "pooling", "-o", folder / "held.png", "--set", "bandwidth=0.3"}) == 0);
  paper::save_session(paper::open_session(folder / "held.png"), file);
  CHECK(value(*holds_of({file}).now(), "bandwidth") == "0.3");
  CHECK(value(*holds_of({folder / "held.png", "n=20"}).now(), "n") == "20");
  CHECK(holds_of({"n=20"}, "difference").cells == figure::CellsShown::difference);
}

TEST_CASE("what cannot be compared is refused in one sentence, and nothing is written") {
  const Folder folder;
  const auto refused = [&](std::vector<std::string> words, const std::string& why,
                           const char* out = "x.png", int status = 2) {
    words.insert(words.begin(), {"export", "softmax", "-o", folder / out});
    CHECK(said(words).find(why) != std::string::npos);
    CHECK(run(words) == status);
    CHECK_FALSE(fs::exists(folder / out));
  };
  REQUIRE(run({"export", "pooling", "-o", folder / "other.png"}) == 0);
  refused({"--compare", "unknown=1"}, "expected a parameter (one of view");
  refused({"--compare", "temperature=-1"}, "temperature");
  refused({"--compare", "word"}, "--compare: expected id=value or a session, got \"word\"");
  refused({"--compare", folder / "none.attn"}, "cannot read", "x.png", 1);
  refused({"--compare", folder / "other.png"},
          "--compare: expected a session of the lab softmax, got one of pooling");
  refused({"--compare", "temperature=1"}, "expected values that differ from the page's own");
  refused({"--compare", "view=jacobian", "--figure", "melting"},
          "--compare: the page to compare with has no figure \"melting\"");
  refused({"--compare", "view=jacobian", "--figure", "nothing"},
          "there is no figure \"nothing\" on this page");
  refused({"--compare", "temperature=2"}, "--compare: expected a picture", "x.json");
  refused({"--compare-as", "held"}, "--compare-as: expected --compare");
  refused({"--compare", "temperature=2", "--compare-as", "half"},
          "--compare-as: expected split, live, held or difference, got \"half\"");
}

TEST_CASE("an exported comparison is written on the figure, and opens as it was") {
  const Folder folder;
  const std::string out = folder / "x.svg";
  REQUIRE(run({"export", "pooling", "-o", out, "--compare", "bandwidth=0.4", "--compare",
               "n=40"}) == 0);
  const std::string svg = cli_rig::read(out);
  CHECK(svg.find("now: n = 50, bandwidth = 1") != std::string::npos);
  CHECK(svg.find("held: n = 40, bandwidth = 0.4") != std::string::npos);
  const session::Session session = paper::open_session(out);
  REQUIRE(session.holds.now());
  CHECK(value(*session.holds.now(), "bandwidth") == "0.4");
  // And once more from that file, with no words: the same picture.
  REQUIRE(run({"export", "pooling", "-o", folder / "y.svg", "--session", out}) == 0);
  CHECK(cli_rig::read(folder / "y.svg").find("held: n = 40, bandwidth = 0.4") != std::string::npos);
  REQUIRE(run({"export", "pooling", "-o", folder / "plain.svg"}) == 0);
  CHECK(cli_rig::read(folder / "plain.svg").find("held") == std::string::npos);
}

}  // namespace compare_test
