// Every sentence of a lab that claims something is held true: by what its page computes, by a test
// case, or by saying why there is nothing to compute.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/lesson/text/fault.h"
#include "contract/settings.h"
#include "said.h"
#include "trial.h"

namespace claims_test {

using namespace claims;

const std::filesystem::path kSource = ATTNSCOPE_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  REQUIRE(in.good());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Place> claims_of(const lab::Lab& lab) {
  return read(lab::text::places_of(lab.id), lab::text::file_of(lab.id));
}

// All tests, with the literals that are broken into lines as one.
const std::string& all_tests() {
  static const std::string text = [] {
    std::string all, out;
    for (const auto& one : std::filesystem::recursive_directory_iterator(kSource / "tests")) {
      if (one.path().extension() == ".cpp") all += text_of(one.path());
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::size_t next = k + 1;
      if (all[k] == '"' && next < all.size() && all[next] == '\n') {
        while (next < all.size() && (all[next] == '\n' || all[next] == ' ')) ++next;
        if (next < all.size() && all[next] == '"') {
          k = next;
          continue;
        }
      }
      out += all[k];
    }
    return out;
  }();
  return text;
}

// Where the words of a lab stand.
std::vector<Place> places_of(const lab::Lab& lab, const lab::Page& page) {
  std::vector<Place> all{{.kind = Kind::about}, {.kind = Kind::made_up}};
  for (const lab::Preset& one : lab.presets)
    all.push_back({.kind = Kind::preset, .id = std::string(one.id)});
  for (const lab::Card& one : page.cards) all.push_back({.kind = Kind::card, .id = one.id});
  for (const figure::Figure& one : page.figures)
    all.push_back({.kind = Kind::caption, .id = one.id});
  return all;
}

bool quoted(const std::vector<Place>& claimed, const Place& place, const std::string& sentence) {
  for (const Place& one : claimed) {
    if (one.kind != place.kind || one.id != place.id) continue;
    for (const Claim& claim : one.claims) {
      if (!claim.is_held()) continue;
      for (const std::string& quote : claim.quotes) {
        if (matched(quote, sentence)) return true;
      }
    }
  }
  return false;
}

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; });
  return text;
}

// Every sentence that claims something is held.
void check_quoted(const lab::Lab& lab, const std::vector<Place>& claimed, Trial& trial) {
  std::map<std::string, std::string> missing;  // once for all numbers that it is said with
  for (const Setting& setting : moved_settings(lab)) {
    const lab::Page& page = trial.page(setting);
    for (const Place& place : places_of(lab, page)) {
      for (const std::string& sentence : trial.said(place, page)) {
        if (claims_something(sentence) && !quoted(claimed, place, sentence))
          missing.emplace(to_text(place) + without_digits(sentence),
                          "## " + to_text(place) + "\n> " + sentence);
      }
    }
  }
  for (const auto& [key, one] : missing) FAIL_CHECK(one);
}

// What is quoted is said there, and what is to hold it is there.
void check_said(const std::vector<Place>& claimed, Trial& trial) {
  for (const Place& place : claimed) {
    const bool page_tells = place.kind == Kind::caption || place.kind == Kind::made_up;
    for (const Claim& claim : place.claims) {
      CAPTURE(claim.line);
      if (!claim.held_by.empty()) {
        CAPTURE(claim.held_by);
        CHECK(all_tests().find("TEST_CASE(\"" + claim.held_by + "\")") != std::string::npos);
      }
      if (page_tells) continue;
      const auto there =
          trial.said(place, place.kind == Kind::card ? trial.page_of_card(place.id)
                                                     : trial.page({"as it is at first", {}}));
      for (const std::string& quote : claim.quotes) {
        CAPTURE(quote);
        CHECK(std::any_of(there.begin(), there.end(), [&](const std::string& sentence) {
          return matched(quote, sentence).has_value();
        }));
      }
    }
  }
}

// It holds as it stands, over seeds, and with knobs elsewhere.
void check_holds(const std::vector<Place>& claimed, Trial& trial) {
  for (const auto& [line, outcome] : trial.all(claimed)) {
    CAPTURE(line);
    for (const std::string& fault : outcome.faults) FAIL_CHECK(fault);
    if (outcome.faults.empty()) CHECK(outcome.tried > 0);  // else the sentence is said nowhere
  }
}

// In one case, since all three look at the same pages.
TEST_CASE("Every sentence that claims something is quoted, and what is quoted is said and holds") {
  for (const lab::Lab& lab : contract::tried_labs()) {
    CAPTURE(contract::named(lab));
    const std::vector<Place> claimed = claims_of(lab);
    Trial trial(lab);
    check_quoted(lab, claimed, trial);
    check_said(claimed, trial);
    check_holds(claimed, trial);
  }
}

TEST_CASE("A sentence that claims something is told from one that does not") {
  CHECK(claims_something("It is 0.5 here."));
  CHECK(claims_something("Softmax is always positive."));
  CHECK(claims_something("Most heads look back."));
  CHECK_FALSE(claims_something("Rounded to bfloat16, positions collide under T5 and GPT-2."));
  CHECK_FALSE(claims_something("Almost a remote wisdom."));
  CHECK(sentences("One, i.e. this. Two (e.g. 1.5). \"Three.\" Four") ==
        std::vector<std::string>{"One, i.e. this.", "Two (e.g. 1.5).", "\"Three.\"", "Four"});
  CHECK(sentences("Of 1, 2, ... n one. And so on ... Yes.") ==
        std::vector<std::string>{"Of 1, 2, ... n one.", "And so on ...", "Yes."});
}

TEST_CASE("A quote stands for the sentence that it is, with what the page fills in") {
  using Parts = std::vector<std::string>;
  CHECK(matched("The mean.", "The mean.") == Parts{});
  CHECK_FALSE(matched("The mean.", "The mean is 3."));
  CHECK(matched("The mean is {}.", "The mean is 3.5.") == Parts{"3.5"});
  CHECK(matched("It is {:.3g} there, {}.", "It is 2.5 there, 3.") == Parts{"2.5", "3"});
  CHECK(matched("{} of {} are seen.", "12 of 1,024 are seen.") == Parts{"12", "1,024"});
  CHECK_FALSE(matched("The mean is {}.", "The mean is ."));
  CHECK_FALSE(matched("{} of {} are", "12 of 14 are seen."));
  CHECK(shown_number("1,024 of 4,096") == 1024);
  CHECK(shown_number("about −12.5 %") == -12.5);
  CHECK(shown_number("1.5e-7 nats") == 1.5e-7);
  CHECK(shown_number("once in 4.71e+04.") == 4.71e4);
  CHECK_FALSE(shown_number("none"));
}

TEST_CASE("Claims that cannot be tried are refused with their line") {
  const auto read_claims = [](std::string_view text) {
    return read(lab::text::read(text, "lab.md"), "lab.md");
  };
  const auto refusal = [&](const std::string& text) {
    try {
      read_claims(text);
    } catch (const core::InputError& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  const std::string start = "# x\n\n## preset:a\n> It is 3.\n";
  CHECK(refusal(start + "over: seed=0..9\ncheck: knob:n = 3\n") == "");
  CHECK(refusal(start + "check: knob:n =\n").find("lab.md, line 5") != std::string::npos);
  CHECK(refusal(start + "is: so\n").find("lab.md, line 5: expected definition") !=
        std::string::npos);
  CHECK(refusal(start + "over: seed\nis: advice\n").find("seed=0..9") != std::string::npos);
  const auto read_ =
      read_claims("# x\n## about\n> A.\n> B.\nis: advice\n> C.\nover: k=1..3,7\ncheck: 1 = 1\n");
  REQUIRE(read_.size() == 2);
  REQUIRE(read_[1].claims.size() == 2);
  CHECK(read_[1].claims[0].quotes.size() == 2);
  CHECK(read_[1].claims[1].over[0].values == std::vector<std::string>{"1", "2", "3", "7"});
}

}  // namespace claims_test
