// One's own tensors: what the page computes of them, and what it says of what is odd.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensors_rig.h"

namespace tensors_test {

using namespace tensors_rig;
using core::heads::HeadAt;

TEST_CASE("places beyond what a file holds are refused by its name, or brought to the last") {
  const Folder folder;
  const auto state = lab::find("tensors").make();
  param::assign(state->describe(), {{"file", folder.write("c.npy", npy("(2, 3, 4, 4)", counted()))},
                                    {"view", "head"},
                                    {"combine", "difference"},
                                    {"layer", "11"},
                                    {"head", "9"},
                                    {"batch", "5"},
                                    {"key", "7"},
                                    {"other_layer", "8"},
                                    {"other_head", "4"}});
  Made m;
  m.set(param::values(state->describe()));
  const lab::Page page = m.page();
  state->learn(page.found);
  const auto refused = [&](const char* id) {
    try {
      param::require_found(state->list(), {id});
    } catch (const param::Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  CHECK(refused("layer") == "layer: expected an integer from 1 to 2 in c.npy, got 11");
  CHECK(refused("head") == "head: expected an integer from 1 to 3 in c.npy, got 9");
  CHECK(refused("batch") == "batch: expected an integer from 1 to 1 in c.npy, got 5");
  CHECK(refused("query") == "query: expected an integer from 0 to 3 in c.npy, got 20");
  CHECK(refused("key") == "key: expected an integer from -1 to 3 in c.npy, got 7");
  CHECK(refused("other_layer") == "other_layer: expected an integer from 1 to 2 in c.npy, got 8");
  CHECK(refused("other_head") == "other_head: expected an integer from 1 to 3 in c.npy, got 4");
  CHECK(param::settle_found(state->describe()).size() == 7);
  Made settled;
  settled.set(param::values(state->describe()));
  CHECK(settled.p.layer == 2);
  CHECK(settled.p.query == 3);
  CHECK(settled.page().status == page.status);
}

TEST_CASE("NaN are counted in heads that are not picked, and in a map of several") {
  const Folder folder;
  std::vector<float> numbers(2 * 3 * 4 * 4, 0.25F);
  for (std::size_t k = 0; k < 4; ++k) {
    numbers[(0 * 3 + 1) * 16 + 2 * 4 + k] = std::numeric_limits<float>::quiet_NaN();  // head 1.2
  }
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(2, 3, 4, 4)", numbers))}});
  CHECK(notes(m.page(), "Rows of all heads with NaN or infinite numbers: 1 of 24 (4.2 %)."));
  for (const char* combine : {"mean", "largest", "rollout"}) {
    CAPTURE(combine);
    m.set({{"view", "head"}, {"combine", combine}});
    CHECK(notes(m.page(), "Rows of the map that is shown with NaN or infinite numbers: 1 of 4"));
  }
  m.set({{"combine", "difference"}, {"other_head", "2"}});
  CHECK(notes(m.page(), "Rows of the map that is shown with NaN or infinite numbers: 1 of 4"));
  m.set({{"combine", "head"}, {"head", "2"}, {"share", "0.5"}});
  CHECK(notes(m.page(), "Rows with NaN or infinite numbers: 1 of 4"));
}

TEST_CASE("knobs beyond what there is stay within it") {
  const Folder folder;
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(2, 3, 4, 4)", counted()))},
         {"layer", "400"},
         {"head", "400"},
         {"batch", "9"},
         {"query", "1000"},
         {"key", "1000"}});
  const Model model = m.model();
  CHECK(model.at == HeadAt{1, 0, 2});
  CHECK(model.query == 3);
  CHECK(model.key == 3);
}

TEST_CASE("rows that are no probabilities are counted and said") {
  const Folder folder;
  const float nan = std::nanf("");
  Made m;
  m.set({{"file", folder.write("a.npy", npy("(4, 2)", {0.5F, 0.5F, 0.5F, 0.25F, -1, 2, nan, 1}))}});
  const lab::Page page = m.page();
  CHECK(readout(page, "rows") == 4);
  CHECK(readout(page, "rows_not_one") == 1);
  CHECK(readout(page, "rows_negative") == 1);
  CHECK(readout(page, "rows_nan") == 1);
  CHECK(notes(
      page,
      "Rows that do not add up to 1: 1 of 4 (25.0 %); the farthest, row 1, adds up to 0.75."));
  CHECK(notes(page, "Queries: 4, keys: 2."));
}

TEST_CASE("tokens that are no text are hidden by a button, as long as there are some") {
  const Folder folder;
  Made m = made({{"file", folder.write("a.npy", npy("(4, 4)", std::vector<float>(16, 0.25f)))},
                 {"view", "head"},
                 {"tokens_file", folder.write("k.json", R"(["[CLS]", "<0x0A>", "cat", "</s>"])")}});
  const lab::Page page = m.page();
  REQUIRE(page.offer.sets.size() == 1);
  CHECK(page.offer.sets[0].second == "[CLS] </s>");
  m.set(page.offer.sets);
  CHECK(m.page().offer.sets.empty());
  const auto row = m.model().shown->rows->row(0);
  CHECK(row[2] == doctest::Approx(0.5));
  CHECK(row[1] == doctest::Approx(0.5));
}

TEST_CASE("the difference with itself is zero, also out of another file") {
  const Folder folder;
  Made m;
  const std::string file = folder.write("a.npy", npy("(2, 3, 4, 4)", counted()));
  m.set({{"file", file},
         {"view", "head"},
         {"combine", "difference"},
         {"layer", "2"},
         {"head", "3"},
         {"other_layer", "2"},
         {"other_head", "3"}});
  for (Index i = 0; i < 4; ++i) {
    for (const float cell : m.model().shown->rows->row(i)) CHECK(cell == 0);
  }
  auto other = counted();
  for (float& one : other) one += 1;
  m.set({{"other_file", folder.write("b.npy", npy("(2, 3, 4, 4)", other))}});
  for (const float cell : m.model().row) CHECK(cell == doctest::Approx(-1));
  m.set({{"other_file", folder.write("c.npy", npy("(2, 2)", {1, 0, 0, 1}))}});
  CHECK(fault(m) == "expected maps of one size, got 4 by 4 and 2 by 2");
}

TEST_CASE("names that no token has are said, in every view that looks for them") {
  for (const char* view : {"model", "head", "neuron", "statistics"}) {
    CAPTURE(view);
    Made m = made({{"view", view}, {"separators", "e otter . [SEP]"}});
    CHECK(notes(m.page(), "Separators that are no token here: \"otter\", \"[SEP]\"."));
    m.set({{"separators", "e ."}});
    CHECK_FALSE(notes(m.page(), "Separators that are no token"));
  }
  Made m = made({{"view", "head"}, {"hidden", "e otter"}});
  CHECK(notes(m.page(), "Hidden tokens that are none here: \"otter\"."));
  const Folder folder;
  m = made({{"view", "head"}, {"pair", "b_to_a"}, {"separators", "="}});
  m.set({{"file", folder.write("a.npy", npy("(2, 2)", {1, 0, 0.5F, 0.5F}))}});
  CHECK(notes(m.page(), "Tokens have no names here: sentences are not told apart."));
  CHECK_FALSE(notes(m.page(), "all of it is sentence A"));
}

TEST_CASE("all that is noted stands over the other figures, and nothing does where nothing is") {
  const Folder folder;
  Made m = made({{"file", folder.write("a.npy", npy("(2, 2)", {1, 0.5F, -1, 0.5F}))},
                 {"order", "xyz"},
                 {"separators", "otter"}});
  const lab::Page page = m.page();
  REQUIRE(page.figures.front().id == "found");
  const auto& table = mark_of<figure::Table>(plot_of(page, "found"));
  REQUIRE(table.rows.size() == page.notes.size());
  CHECK(page.notes.size() >= 4);
  for (std::size_t k = 0; k < page.notes.size(); ++k) {
    CHECK(table.rows[k].front().front().text == page.notes[k]);
  }
  CHECK(made({}).page().figures.front().id == "heads");
}

TEST_CASE("each metric sorts the heads, and a bar picks one") {
  for (const auto& metric : named_metrics()) {
    Made m =
        made({{"view", "statistics"}, {"metric", std::string(metric.id)}, {"separators", "e"}});
    const lab::Page page = m.page();
    const auto& bars = mark_of<figure::Bars>(plot_of(page, "sorted"));
    CHECK(std::is_sorted(bars.values.rbegin(), bars.values.rend()));
    REQUIRE(bars.picks.size() == 8);
    const Model model = m.model();
    const std::string layer = bars.picks[0][0].second, head = bars.picks[0][1].second;
    const auto index = static_cast<std::size_t>((std::stoi(layer) - 1) * 4 + std::stoi(head) - 1);
    CHECK(bars.values[0] == model.statistics->heads[index].*metric.value);
  }
}

TEST_CASE("subwords are joined into words: what was read, shown and worked out are words") {
  Made m = made({{"sample", "read"}, {"view", "head"}});
  const Model tokens = m.model();
  m.set({{"words", "true"}});
  const Model words = m.model();
  REQUIRE(words.given->words);
  CHECK(words.n() < tokens.n());
  CHECK(words.n() == static_cast<Index>(words.given->words->queries.size()));
  CHECK(words.tokens->queries.size() == static_cast<std::size_t>(words.n()));
  // The names are the tokens' own, put together.
  const auto joined = [](const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += name;
    std::erase_if(all, [](char c) { return static_cast<unsigned char>(c) >= 0x80 || c == ' '; });
    return all;
  };
  CHECK(joined(words.tokens->queries) == joined(tokens.tokens->queries));
  // Rows are still probabilities, and the explanation ends with the number of the map.
  CHECK(words.checked->faults.sound());
  lab::Page page = m.page();
  REQUIRE_FALSE(page.notes.empty());
  CHECK(page.notes.front().find("Words: ") != std::string::npos);
  // A neuron has a query of a token, and a word has none.
  m.set({{"view", "neuron"}});
  page = m.page();
  CHECK_FALSE(has_figure(page, "neuron"));
  // Letters are joined, too: spaces mark where words begin. Where nothing marks it, that is said.
  Made letters = made({{"sample", "english"}, {"words", "true"}});
  CHECK(letters.model().tokens->queries[1].size() > 1);
  Made sums = made({{"sample", "addition"}, {"words", "true"}});
  CHECK(sums.model().n() == made({{"sample", "addition"}}).model().n());
  page = sums.page();
  CHECK(std::any_of(page.notes.begin(), page.notes.end(), [](const std::string& note) {
    return note.find("nothing is joined") != std::string::npos;
  }));
}

}  // namespace tensors_test
