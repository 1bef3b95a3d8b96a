// Every sentence of a lab that claims something is held true: by what its page computes, by a test
// case, or by saying why there is nothing to compute.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/text/text.h"
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

using Faults = std::vector<std::string>;

std::string where(const lab::Lab& lab, int line) {
  return lab::text::file_of(lab.id) + ", line " + std::to_string(line) + ": ";
}

// Sentences that claim something and that nothing holds.
Faults unheld(const lab::Lab& lab, const std::vector<Place>& claimed, Trial& trial) {
  std::map<std::string, std::string> missing;  // once for all numbers that it is said with
  for (const Setting& setting : moved_settings(lab)) {
    const lab::Page& page = trial.page(setting);
    for (const Place& place : places_of(lab, page)) {
      for (const std::string& sentence : trial.said(place, page)) {
        if (claims_something(sentence) && !quoted(claimed, place, sentence))
          missing.emplace(to_text(place) + without_digits(sentence),
                          lab::text::file_of(lab.id) +
                              ": nothing below this sentence holds it (check:, held by: or is:, "
                              "app/labs/README.md, section 7)\n## " +
                              to_text(place) + "\n> " + sentence);
      }
    }
  }
  Faults faults;
  for (const auto& [key, one] : missing) faults.push_back(one);
  return faults;
}

// Tests that are named and are not there, and quotes that are said no more.
Faults unsaid(const lab::Lab& lab, const std::vector<Place>& claimed, Trial& trial) {
  Faults faults;
  for (const Place& place : claimed) {
    const bool page_tells = place.kind == Kind::caption || place.kind == Kind::made_up;
    for (const Claim& claim : place.claims) {
      if (!claim.held_by.empty() &&
          all_tests().find("TEST_CASE(\"" + claim.held_by + "\")") == std::string::npos)
        faults.push_back(where(lab, claim.line) +
                         "held by: expected the title of a test case, got \"" + claim.held_by +
                         "\"");
      if (page_tells) continue;
      const auto there =
          trial.said(place, place.kind == Kind::card ? trial.page_of_card(place.id)
                                                     : trial.page({"as it is at first", {}}));
      for (const std::string& quote : claim.quotes) {
        if (std::none_of(there.begin(), there.end(), [&](const std::string& sentence) {
              return matched(quote, sentence).has_value();
            }))
          faults.push_back(where(lab, claim.line) + "expected a sentence that is said in " +
                           to_text(place) + ", got \"" + quote + "\"");
      }
    }
  }
  return faults;
}

// What does not hold as it stands, over seeds, or with knobs elsewhere.
Faults untrue(const lab::Lab& lab, const std::vector<Place>& claimed, Trial& trial) {
  Faults faults;
  for (const auto& [line, outcome] : trial.all(claimed)) {
    for (const std::string& fault : outcome.faults)
      faults.push_back(lab::text::file_of(lab.id) + ", " + fault);
    if (outcome.faults.empty() && outcome.tried == 0)
      faults.push_back(where(lab, line) +
                       "never tried: in no setting that was tried is the sentence said with what "
                       "its when: asks for");
  }
  return faults;
}

Faults faults_of(const lab::Lab& lab, const std::vector<Place>& claimed) {
  Trial trial(lab);
  Faults all;
  for (const auto& faults : {unheld, unsaid, untrue}) {
    for (std::string& fault : faults(lab, claimed, trial)) all.push_back(std::move(fault));
  }
  return all;
}

// In one case, since all three look at the same pages.
TEST_CASE("Every sentence that claims something is quoted, and what is quoted is said and holds") {
  for (const lab::Lab& lab : contract::tried_labs()) {
    for (const std::string& fault : faults_of(lab, claims_of(lab))) FAIL_CHECK(fault);
  }
}

struct Knobs {
  int n = 3;
};
void describe(Knobs& p, param::List& list) {
  list.integer(p.n, "n", "n", "How many there are", {.min = 1, .max = 9});
}
lab::Page page_of(const Knobs& p, const lab::Context&) {
  lab::Page page;
  page.made_up = "There are " + std::to_string(p.n) + ".";
  page.readouts.push_back(
      {.id = "n", .label = "n", .value = p.n, .text = std::to_string(p.n), .help = ""});
  const figure::Numbers values{1.0, 2.0};
  page.figures.push_back(
      lab::with(lab::new_figure("n", "n", {}), lab::bar_plot({.id = "n", .values = values})));
  return page;
}

TEST_CASE("What is wrong with a claim is said with its file, its line and its reason") {
  const auto faults = [](std::string_view text) {
    const auto places = lab::text::read(text, "app/labs/a/a.md");
    const lab::Lab lab = lab::from_places(places, "app/labs/a/a.md", lab::live(describe, page_of));
    return faults_of(lab, read(places, "app/labs/a/a.md"));
  };
  const std::string head = "# a\ntitle: A\nquestion: Why?\nchapter: gpt\n## made_up\n";
  const std::string held = "> There are {}.\nis: advice\n";
  CHECK(faults(head + held) == Faults{});
  CHECK(faults(head) ==
        Faults{"app/labs/a/a.md: nothing below this sentence holds it (check:, held by: or is:, "
               "app/labs/README.md, section 7)\n## made_up\n> There are 3."});
  CHECK(faults(head + held + "## about\n> It is 3.\nheld by: no such test\n") ==
        Faults{"app/labs/a/a.md, line 9: held by: expected the title of a test case, got \"no such "
               "test\""});
  CHECK(faults(head + "> There are {}.\n> There are many.\ncheck: said1 = 3\n").size() >= 1);
  const Faults wrong = faults(head + "> There are {}.\ncheck: readout:n = 4\n");
  REQUIRE_FALSE(wrong.empty());
  CHECK(wrong[0] == "app/labs/a/a.md, line 7, as it is at first: check: readout:n = 4: 3 and 4");
  CHECK(faults(head + held + "> There are none.\ncheck: readout:n = 0\n") ==
        Faults{"app/labs/a/a.md, line 8: never tried: in no setting that was tried is the sentence "
               "said with what its when: asks for"});
}

TEST_CASE("A check that cannot be read is reported once, and says what is wanted of a list") {
  const std::string text =
      "# a\ntitle: A\nquestion: Why?\nchapter: gpt\n## made_up\n> There are {}.\nis: advice\n"
      "## about\n> It is 3.\n";
  const auto told = [&](const std::string& check) {
    const std::string whole = text + "check: " + check + "\n";
    const auto places = lab::text::read(whole, "a.md");
    const lab::Lab lab = lab::from_places(places, "a.md", lab::live(describe, page_of));
    Trial trial(lab);
    std::string all;
    for (const std::string& fault : untrue(lab, read(places, "a.md"), trial)) all += fault + "\n";
    return all;
  };
  const std::string at = "app/labs/a/a.md, line 10, as it is at first: check: ";
  CHECK(told("readout:m = 3") ==
        at + "readout:m = 3: expected a number of the page (such as n), got readout:m\n");
  CHECK(told("bar:n:* = 3") == at + "bar:n:* = 3: expected one value, got the 2 of bar:n:*: "
                                    "largest(), sum() and others reduce them to one\n");
  CHECK(told("box:n:* = 3") == at +
                                   "box:n:* = 3: expected one value, got box:n:*: sum(), largest() "
                                   "and others make one of boxes and lines\n");
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
