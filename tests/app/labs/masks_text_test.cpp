// What the page of masks says: why a pair is kept, its path, presets and cards.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "masks_rig.h"

namespace masks_text_test {

using namespace masks_rig;  // NOLINT: the box under test

TEST_CASE("Why a pair is kept: each item's inequality, their composition, the weight to its sum") {
  Made made;
  const param::Values base{{"stack", "local window=3; or atrous step=4; minus painted"},
                           {"painted", "20:16"},
                           {"query", "20"}};
  const auto at = [&](const char* key) {
    param::Values values = base;
    values.emplace_back("key", key);
    return made.page(with(values));
  };
  const lab::Page far = at("12");
  CHECK(far.explanation.title == "Why query 20 sees key 12");
  CHECK(says(far, "no: |20 - 12| = 8 > 3"));
  CHECK(says(far, "yes: |20 - 12| = 8 = 2 · 4"));
  CHECK(says(far, "no: not painted"));
  CHECK(says(far, "= a or b minus c"));
  CHECK(says(far, "= no or yes minus no"));
  CHECK(says(far, "kept= yes"));
  const lab::Page hole = at("16");
  CHECK(hole.explanation.title == "Why query 20 does not see key 16");
  CHECK(says(hole, "yes: painted"));
  CHECK(says(hole, "kept= no"));
  CHECK(says(hole, "w[20,16]= 0"));
  CHECK(says(hole, "first reaches query 20 after layer 2"));
  const lab::Page nothing = at("13");
  CHECK(says(nothing, "no: |20 - 13| = 7 = 1 · 4 + 3"));

  // Each printed exponential belongs to the printed sum, each printed product to its factors.
  const auto number = [](const std::string& text) {
    return std::stod(text.substr(text.find_first_of("0123456789.-")));
  };
  // Half a unit of the last digit that is printed.
  const auto half_unit = [](const std::string& text) {
    const auto dot = text.find('.');
    const auto digits = dot == std::string::npos ? 0 : text.find_last_of("0123456789") - dot;
    return 0.5 * std::pow(10, -static_cast<double>(digits));
  };
  double total = 0, terms = 0, room = 0, products = 0, product_sum = 0;
  int exponentials = 0, factors = 0;
  for (const auto& line : far.explanation.lines) {
    if (line.left == "Σ exp") {
      total = number(line.right.front().text);
      room += half_unit(line.right.front().text);
    }
    const bool term =
        line.right.size() == 3 && (line.right[0].text == "  " || line.right[0].text == "+ ");
    if (total > 0 && line.left.empty() && term) {
      terms += number(line.right[1].text);
      room += half_unit(line.right[1].text);
      ++exponentials;
    }
    // A path of three tokens has five pieces too.
    if (line.right.size() == 5 && line.right[1].text.find("←") == std::string::npos) {
      const double q = number(line.right[1].text), k = number(line.right[2].text);
      CHECK(std::abs(q * k - number(line.right[4].text)) <= 2e-4);
      products += number(line.right[4].text);
      ++factors;
    } else if (factors > 0 && product_sum == 0) {
      product_sum = number(line.right.front().text);
    }
  }
  CHECK(exponentials > 5);
  CHECK(std::abs(terms - total) <= room * (1 + 1e-9));
  CHECK(factors == 32);
  CHECK(std::abs(products - product_sum) <= 0.5e-4 * (factors + 1));
}

TEST_CASE("The path that is told goes from pair to kept pair") {
  Made made;
  Parameters p = preset("local_then_atrous");
  const Model m = made.model(p);
  for (Index j = 0; j < m.n(); ++j) {
    p.key = static_cast<int>(j);
    const lab::Page page = made.page(p);
    if (j == m.query) continue;
    std::vector<Index> path;
    for (const auto& line : page.explanation.lines) {
      if (line.right.size() < 2 || line.right[1].text != " ← ") continue;
      for (const auto& span : line.right) {
        if (span.text != " ← ") path.push_back(std::stol(span.text));
      }
    }
    REQUIRE(path.size() == static_cast<std::size_t>(m.reached->first(m.query, j)) + 1);
    CHECK(path.front() == m.query);
    CHECK(path.back() == j);
    const auto masks = layer_masks(p, *m.composition);
    for (std::size_t k = 1; k < path.size(); ++k) {
      const std::size_t layer = path.size() - k;  // from the last one back
      const bool stays = path[k - 1] == path[k];
      CHECK((stays || masks[(layer - 1) % masks.size()]->allowed(path[k - 1], path[k])));
    }
  }
}

TEST_CASE("An empty row is shown, said, and exactly zero") {
  Made made;
  const Parameters p = preset("empty_rows");
  const lab::Page page = made.page(p);
  CHECK(readout(page, "empty_rows") == 6);
  REQUIRE(page.notes.size() == 1);
  CHECK(page.notes[0].starts_with("Queries that see no key: 6 (the first is 0)."));
  CHECK(page.explanation.title == "Query 3 sees nothing");
  const Model m = made.model(p);
  CHECK(m.attended->attention->output.row(3).isZero(0));
  CHECK(m.attended->attention->output.allFinite());
  CHECK_FALSE(m.key.has_value());
  for (const auto& r : page.readouts) CHECK(std::isfinite(double{r.value}));
  // Every row empty.
  const lab::Page none = made.page(with({{"stack", "painted"}}));
  CHECK(readout(none, "empty_rows") == 42);
  CHECK(readout(none, "kept") == 0);
  CHECK(readout(none, "error") == 1);
}

TEST_CASE("bigbird: every row gains two drawn keys, whatever the seed, except the global one") {
  Made made;
  Parameters drawn = preset("bigbird"), regular = drawn;
  regular.stack = param::read_stack("bigbird window=1 global=1 random=0", *catalogue(), kMostItems);
  const Model without = made.model(regular);
  for (const int seed : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 99, 9999}) {
    drawn.seed = seed;
    const Model m = made.model(drawn);
    for (Index i = 0; i < m.n(); ++i) {
      CHECK(m.mask->kept(i) == without.mask->kept(i) + (i == 0 ? 0 : 2));
    }
    CHECK(m.mask->same_pairs(*made.model(preset("bigbird")).mask) == (seed == 1));
  }
}

TEST_CASE("What presets and cards say of layers holds at any length") {
  Made made;
  const auto connected = [&](const std::string& stack, int n, bool turns) {
    return readout(made.page(with({{"input", "random"},
                                   {"length", std::to_string(n)},
                                   {"stack", stack},
                                   {"alternate", turns ? "true" : "false"}})),
                   "layers_to_connect");
  };
  for (const int n : {13, 30, 42, 100}) {
    CAPTURE(n);
    // "at most two layers away", "at most two layers apart"
    for (const char* stack : {"strided l=6", "longformer window=3 dilation=1 global=2"}) {
      const double layers = connected(stack, n, false);
      CHECK(layers >= 1);
      CHECK(layers <= 2);
    }
    // One local layer with window k, then an atrous one with step k; k - 1 suffices, half of k does
    // not from 3 on.
    for (const int k : {1, 2, 3, 4, 5, 6}) {
      CAPTURE(k);
      const auto layers = [&](int window) {
        return connected(
            "local window=" + std::to_string(window) + "; or atrous step=" + std::to_string(k), n,
            true);
      };
      CHECK(layers(k) <= 2);
      CHECK(layers(k) >= 1);
      CHECK(layers(k - 1) <= 2);
      CHECK(layers(k - 1) >= 1);
      const double half = layers(k / 2);
      CHECK((half < 0 || half > 2) == (k >= 3));
    }
    // Distances that are no multiple of 4 never meet.
    CHECK(connected("atrous step=4", n, false) == -1);
    // "never more than twelve, however long the text"
    CHECK(readout(made.page(with({{"input", "random"},
                                  {"length", std::to_string(n)},
                                  {"stack", "streaming sinks=4 window=8"}})),
                  "largest_row") == 12);
  }
}

TEST_CASE(
    "A printed formula of an item's pairs gives their number with the letters as they stand") {
  const auto made_of = [](const char* text) {
    return param::read_stack(text, *catalogue(), kMostItems).front();
  };
  struct Formula {
    const char* item;                             // its first argument is the letter's
    std::function<double(double, double)> pairs;  // of n and the letter
  };
  const Formula formulas[] = {
      {"key_padding valid=", [](double n, double v) { return n * v; }},
      {"query_padding valid=", [](double n, double v) { return n * v; }},
      {"local window=", [](double n, double k) { return n * (2 * k + 1) - k * (k + 1); }},
      {"strided_a1 l=", [](double n, double l) { return n * (l + 1) - l * (l + 1) / 2; }},
      {"prefix_lm prefix=", [](double n, double p) { return (n * (n + 1) + p * (p - 1)) / 2; }},
      {"top_k k=", [](double n, double k) { return n * k; }}};
  for (const Formula& one : formulas) {
    for (const int n : {1, 2, 17, 42}) {
      for (const int letter : {1, 2, 16, 17, 18, 41, 42, 43, 60, 1000}) {
        CAPTURE(one.item);
        CAPTURE(n);
        CAPTURE(letter);
        const auto form = closed_form(made_of((one.item + std::to_string(letter)).c_str()), n);
        const bool says_n = form->formula.ends_with(" = n");
        CHECK(says_n == (letter > n));
        CHECK(one.pairs(n, says_n ? n : letter) == static_cast<double>(form->pairs));
      }
    }
  }
  for (const int width : {1, 12, 41, 42, 43, 60, 1000}) {
    CAPTURE(width);
    const int n = 42, counted = std::min(width, n);
    const auto form =
        closed_form(made_of(("grid width=" + std::to_string(width) + " up=1 side=1").c_str()), n);
    if (n % counted != 0) continue;
    CHECK(form->formula.ends_with(",  width = n") == (width > n));
    const auto near = [](int size) { return 3 * size - 2; };
    CHECK(near(counted) * near(n / counted) == static_cast<double>(form->pairs));
  }
  // The summary columns alone leave l - c rows without a key.
  for (const int l : {1, 4, 8, 20}) {
    for (const int c : {1, 2, 8}) {
      const auto item =
          made_of(("fixed_a2 l=" + std::to_string(l) + " c=" + std::to_string(c)).c_str());
      const SparseMask mask = pattern_mask(item, {.n = 42});
      Index empty = 0;
      while (mask.kept(empty) == 0) ++empty;
      CHECK(empty == std::max(0, l - c));
    }
  }
  const auto longformer = closed_form(made_of("longformer window=3 dilation=1 global=60"), 42);
  CHECK(longformer->formula.ends_with(",  g = n"));
}

TEST_CASE("The word that stands most often keeps its own kind, whatever the seed") {
  Made made;
  Parameters p = preset("top_k");
  for (const int seed : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9999}) {
    CAPTURE(seed);
    p.seed = seed;
    const auto words = *made.model(p).content->labels;
    CHECK(std::count(words.begin(), words.end(), "the") == 9);
    for (std::size_t query = 0; query < words.size(); ++query) {
      if (words[query] != "the") continue;
      p.query = static_cast<int>(query);
      const Model m = made.model(p);
      CHECK(m.row->keys.size() == 4);
      for (const std::int32_t key : m.row->keys) {
        CHECK(words.at(static_cast<std::size_t>(key)) == "the");
      }
    }
    CHECK(readout(made.page(p), "kept_weight") > 0.5);
  }
}

}  // namespace masks_text_test
