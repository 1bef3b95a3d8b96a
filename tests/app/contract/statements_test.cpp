// What is commonly said: each card is settled where it says, and each of the 72 statements of the
// reference has its place.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "app/labs/shared/text/places.h"
#include "reference_check/statements.h"
#include "settings.h"

namespace statements_test {

using namespace contract;
using core_check::CaseName, core_check::Statement;
using Verdict = lab::Card::Verdict;

const std::filesystem::path kTests = std::filesystem::path(ATTNSCOPE_SOURCE_DIR) / "tests";

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  REQUIRE(in.good());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::vector<Statement>& statements() {
  static const auto all =
      core_check::parse_statements(read(kTests / "reference_check/statements.csv"));
  return all;
}

// The page with a preset of that lab; each is computed once.
const Page& page_with(const Lab& lab, std::string_view preset) {
  static std::map<std::pair<std::string, std::string>, Page> known;
  const std::pair key{named(lab), std::string(preset)};
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const auto state = lab.make();
  for (const lab::Preset& one : lab.presets) {
    if (one.id == preset) param::assign(state->describe(), one.values);
  }
  return known.emplace(key, compute(*state)).first->second;
}

bool has_preset(const Lab& lab, const std::string& preset) {
  return std::any_of(lab.presets.begin(), lab.presets.end(),
                     [&](const lab::Preset& one) { return one.id == preset; });
}

template <class T>
const T* find(const std::vector<T>& all, const std::string& id) {
  for (const T& one : all) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

// The names of a file's cases, with the kind that the statements' own file gives.
std::map<std::string, std::string> cases_of(const std::string& topic) {
  const auto json = nlohmann::json::parse(read(kTests / "reference" / (topic + ".json")));
  std::map<std::string, std::string> all;
  for (const auto& one : json["cases"]) all[one["name"]] = one["params"].value("kind", "");
  return all;
}

// A paper or a standard by its year; or what the lab itself shows, by the name that it has there.
bool names_its_source(const Lab& lab, const Page& page, const std::string& source) {
  const auto begins = [](std::string_view title, std::string_view name) {
    return title.substr(1).starts_with(name.substr(1)) &&
           std::tolower(title[0]) == std::tolower(name[0]);
  };
  if (source.starts_with("Preset: ")) {
    return std::any_of(lab.presets.begin(), lab.presets.end(), [&](const lab::Preset& one) {
      return begins(one.title, std::string_view(source).substr(8));
    });
  }
  if (source.starts_with("Figure: ")) {
    return std::any_of(page.figures.begin(), page.figures.end(), [&](const figure::Figure& one) {
      return begins(one.title, std::string_view(source).substr(8));
    });
  }
  for (const char* kind : {"Presets: ", "Part: ", "Lab: ", "Knob: ", "Tab: ", "Table: "}) {
    if (source.starts_with(kind)) return true;
  }
  static const std::regex year("(^|[^0-9])(19|20)[0-9]{2}($|[^0-9])");
  return std::regex_search(source, year);
}

TEST_CASE(
    "What is commonly said has an id of its own, a truth, a source, and a place that has it") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    std::map<std::string, std::string> said;  // by id: in every setting the same statement
    std::vector<const Page*> pages{&page_with(lab, "")};
    for (std::size_t k = 0; k < pages.size(); ++k) {
      std::set<std::string> ids;
      for (const lab::Card& card : pages[k]->cards) {
        CAPTURE(card.id);
        CHECK_FALSE(card.id.empty());
        CHECK(ids.insert(card.id).second);
        CHECK(said.emplace(card.id, card.said).first->second == card.said);
        CHECK_FALSE(card.said.empty());
        CHECK_FALSE(card.truth.empty());
        CHECK(card.truth.find('{') == std::string::npos);  // else no page fills it in
        CHECK_MESSAGE(names_its_source(lab, page_with(lab, card.settled.preset), card.source),
                      lab::text::file_of(lab.id)
                          << ": card " << card.id
                          << ": source: expected \"Preset: TITLE\" or \"Figure: TITLE\" of the "
                             "lab, or a paper with its year, got \""
                          << card.source << "\"");
        const std::string &preset = card.settled.preset, &figure = card.settled.figure;
        if (preset.empty()) {
          CHECK(figure.empty());
          continue;
        }
        const std::string where = lab::text::file_of(lab.id) + ": card " + card.id + ": settled: ";
        REQUIRE_MESSAGE(has_preset(lab, preset),
                        where << "expected a preset of the lab, got \"" << preset << "\"");
        const Page& page = page_with(lab, preset);
        CHECK(find(page.cards, card.id));
        CHECK_MESSAGE(find(page.figures, figure), where
                                                      << "expected a figure of the preset's page, "
                                                         "got \""
                                                      << figure << "\"");
        const bool seen = std::find(pages.begin(), pages.end(), &page) != pages.end();
        if (!seen) pages.push_back(&page);
      }
    }
    CHECK_MESSAGE(!said.empty(), lab::text::file_of(lab.id)
                                     << ": expected at least one card, \"## card:ID\", shown by "
                                        "page.cards = cards(\""
                                     << lab.id << "\", context.words), got none");
  }
}

TEST_CASE("A card says the same in every setting, in Chinese as in English") {
  const words::Words chinese(words::Language::zh_CN);
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    lab::Memo memo;
    const Page there = lab.make()->compute({{}, chinese, memo, {}, 0});
    const Page& here = page_with(lab, "");
    REQUIRE(there.cards.size() == here.cards.size());
    for (std::size_t k = 0; k < here.cards.size(); ++k) {
      CAPTURE(here.cards[k].id);
      CHECK(there.cards[k].id == here.cards[k].id);
      CHECK(there.cards[k].verdict == here.cards[k].verdict);
      CHECK(there.cards[k].settled.preset == here.cards[k].settled.preset);
      for (const char* english : {" et al.", "section", " and Lewis"}) {
        CHECK(there.cards[k].source.find(english) == std::string::npos);
      }
    }
  }
}

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  return text;
}

// What a source quotes behind one of these words; empty where it quotes none.
std::string quoted(const std::string& source, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (source.rfind(word, 0) == 0) return lower(source.substr(word.size()));
  }
  return {};
}

// What is left of a list of names without the names, the longest first, and what stands between.
std::string without(std::string list, std::vector<std::string> names) {
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  names.insert(names.end(), {" and ", "和", "“", "”", "、", "，", "；", ",", ";", " "});
  for (const std::string& name : names) {
    for (auto at = list.find(name); at != list.npos; at = list.find(name))
      list.erase(at, name.size());
  }
  return list;
}

// A title may go on with what changes: "Score over position, distance 19".
bool begins(const std::string& title, const std::string& name) {
  const std::string rest = title.rfind(name, 0) == 0 ? title.substr(name.size()) : "no";
  return rest.empty() || rest.rfind(",", 0) == 0 || rest.rfind("，", 0) == 0;
}

}  // namespace

TEST_CASE("A preset or a figure that a card quotes has that very title, in both languages") {
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    const words::Words w(language);
    for (const Lab& lab : tried_labs()) {
      CAPTURE(named(lab));
      std::vector<std::string> presets;
      for (const lab::Preset& one : lab.presets) presets.push_back(lower(w(one.title)));
      lab::Memo memo;
      for (const lab::Card& card : lab.make()->compute({{}, w, memo, {}, 0}).cards) {
        CAPTURE(card.source);
        const std::string names = quoted(card.source, {"Preset: ", "Presets: ", "预设："});
        CHECK(without(names, presets) == "");
        const std::string figure = quoted(card.source, {"Figure: ", "图："});
        if (figure.empty()) continue;
        const auto state = lab.make();
        for (const lab::Preset& one : lab.presets) {
          if (one.id == card.settled.preset) param::assign(state->describe(), one.values);
        }
        const Page page = state->compute({{}, w, memo, {}, 0});
        CHECK(std::any_of(page.figures.begin(), page.figures.end(),
                          [&](const auto& one) { return begins(lower(one.title), figure); }));
      }
    }
  }
}

TEST_CASE("Each statement of the reference has a place, and each place is there") {
  const auto kinds = cases_of("12_seed_errata");
  std::set<std::string> ids;
  std::map<std::string, std::map<std::string, std::string>> cases;
  for (const Statement& one : statements()) {
    CAPTURE(one.id);
    CHECK(ids.insert("erratum_" + one.id).second);
    REQUIRE(kinds.contains("erratum_" + one.id));
    const Lab& lab = lab::find(one.lab);
    REQUIRE(has_preset(lab, one.preset));
    const Page& page = page_with(lab, one.preset);
    const lab::Card* card = find(page.cards, one.card);
    REQUIRE(card);
    const std::string& kind = kinds.at("erratum_" + one.id);
    CHECK((card->verdict == Verdict::holds) == (kind == "verified"));
    if (!one.readout.empty()) CHECK(find(page.readouts, one.readout));
    if (!one.figure.empty()) CHECK(find(page.figures, one.figure));
    // What a case settles can be seen, and the card leads to it.
    if (!one.cases.empty()) {
      CHECK((!one.readout.empty() || !one.figure.empty()));
      CHECK(card->settled.preset == one.preset);
    }
    for (const CaseName& wanted : one.cases) {
      CAPTURE(wanted.topic);
      CAPTURE(wanted.name);
      if (!cases.contains(wanted.topic)) cases[wanted.topic] = cases_of(wanted.topic);
      const auto& there = cases[wanted.topic];
      CHECK(std::any_of(there.begin(), there.end(),
                        [&](const auto& item) { return wanted.is(item.first); }));
    }
  }
  CHECK(ids.size() == kinds.size());
}

TEST_CASE("A line of the table that is not one is refused with what was expected") {
  const auto refusal = [](const std::string& line) {
    try {
      core_check::parse_statement(line);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("1,lab,preset,readout:x,04a:one 04b:two_*,card") == "");
  CHECK(refusal("1,lab,preset,,,card") == "");
  CHECK(refusal("1,lab,preset,,card").find("6 fields") != std::string::npos);
  CHECK(refusal("1,lab,,,,card").find("a preset") != std::string::npos);
  CHECK(refusal("1,lab,preset,number:x,,card").find("readout:ID") != std::string::npos);
  CHECK(refusal("1,lab,preset,,one,card").find("TOPIC:NAME") != std::string::npos);
  const auto all = core_check::parse_statements("# said\nid,lab\n1,lab,preset,,,card\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].card == "card");
  CHECK(CaseName{"t", "a_*"}.is("a_b"));
  CHECK_FALSE(CaseName{"t", "a_*"}.is("ab"));
  CHECK_FALSE(CaseName{"t", "a"}.is("a_b"));
}

}  // namespace statements_test
