#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <set>
#include <string>

#include "app/labs/masks/page.h"
#include "trying.h"

using namespace lab::masks;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

// As the trial calls it.
namespace lab::masks {
static Model make_model(const Parameters& p, const Context& context) {
  return make_model(p, make_content(p, context), context);
}
}  // namespace lab::masks

namespace {

using Made = Trial<Parameters>;
Parameters with(const param::Values& values) { return lab::trying::made<Parameters>(values).p; }
Parameters preset(std::string_view id) { return lab::trying::preset<Parameters>("masks", id).p; }

using Allows = std::function<bool(Index, Index)>;

Index count(Index n, const Allows& rule) {
  Index kept = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) kept += rule(i, j);
  }
  return kept;
}

// Pairs kept by a stack over 42 words, as the readout counts them.
double kept(Made& made, const std::string& stack, const param::Values& more = {}) {
  param::Values values{{"stack", stack}};
  values.insert(values.end(), more.begin(), more.end());
  return readout(made.page(with(values)), "kept");
}

// Every item of the catalogue, with several arguments each.
std::vector<param::StackItem> many_items() {
  std::vector<param::StackItem> items;
  const auto& entries = catalogue()->entries;
  for (int entry = 0; entry < static_cast<int>(entries.size()); ++entry) {
    const auto& arguments = entries[static_cast<std::size_t>(entry)].arguments;
    for (const int shift : {0, 1, 5, 40}) {
      param::StackItem item = param::initial_item(*catalogue(), entry);
      for (std::size_t a = 0; a < arguments.size(); ++a) {
        const int wanted = shift == 40 && a > 0 ? arguments[a].min : item.arguments[a] + shift;
        item.arguments[a] = std::min(wanted, arguments[a].max);
      }
      items.push_back(item);
      if (arguments.empty()) break;
    }
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      param::StackItem item = param::initial_item(*catalogue(), entry);
      item.arguments[a] = arguments[a].min;
      items.push_back(item);
    }
  }
  return items;
}

}  // namespace

TEST_CASE("What an item says of a pair is what its mask has, for every pattern and pair") {
  const words::Words english;
  const param::CellSet painted = param::read_cells("0:3-7;4-9:0-2,11", kLongest, kLongest);
  for (const int n : {1, 7, 30}) {
    Made made;
    const Parameters p = with({{"input", "random"}, {"length", std::to_string(n)}});
    const auto content = make_content(p, made.context());
    PatternInputs inputs = pattern_inputs(p, *content);
    inputs.painted = &painted;
    for (const param::StackItem& item : many_items()) {
      CAPTURE(param::print_item(item, *catalogue()));
      CAPTURE(n);
      const SparseMask mask = pattern_mask(item, inputs);
      REQUIRE(mask.is_sound());
      REQUIRE(mask.rows() == n);
      REQUIRE(mask.cols() == n);
      Index wrong = 0;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          const Reason why = reason(item, i, j, inputs, mask, english);
          wrong += why.kept != mask.allowed(i, j) || why.because.empty();
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("Where a formula counts an item's pairs, the mask has as many") {
  Made made;
  for (const int n : {1, 2, 12, 30, 37, 144}) {
    const Parameters p = with({{"input", "random"}, {"length", std::to_string(n)}});
    const auto content = make_content(p, made.context());
    const PatternInputs inputs = pattern_inputs(p, *content);
    for (const param::StackItem& item : many_items()) {
      const auto form = closed_form(item, n);
      if (!form) continue;
      CAPTURE(param::print_item(item, *catalogue()));
      CAPTURE(n);
      CHECK(pattern_mask(item, inputs).kept() == form->pairs);
    }
  }
}

TEST_CASE("A stack joins its items from the top") {
  Made made;
  const auto near = [](Index i, Index j) { return std::abs(i - j) <= 2; };
  const auto comb = [](Index i, Index j) { return std::abs(i - j) % 5 == 0; };
  const auto patch = [](Index i, Index j) { return i >= 8 && i <= 20 && j >= 4 && j <= 10; };
  const Index n = 42;
  CHECK(kept(made, "local window=2; or atrous step=5") ==
        static_cast<double>(count(n, [&](Index i, Index j) { return near(i, j) || comb(i, j); })));
  CHECK(kept(made, "local window=2; or atrous step=5; minus painted; and causal",
             {{"painted", "8-20:4-10"}}) == static_cast<double>(count(n, [&](Index i, Index j) {
          return (near(i, j) || comb(i, j)) && !patch(i, j) && j <= i;
        })));
  // The order matters: what is taken away first can come back.
  CHECK(kept(made, "full; minus painted; or causal", {{"painted", "8-20:4-10"}}) ==
        static_cast<double>(count(n, [&](Index i, Index j) { return !patch(i, j) || j <= i; })));
  CHECK(kept(made, "full; or causal; minus painted", {{"painted", "8-20:4-10"}}) ==
        static_cast<double>(count(n, [&](Index i, Index j) { return !patch(i, j); })));
  CHECK(kept(made, "painted", {{"painted", "100-200:0-9;3:4"}}) == 1);  // the rest lies outside
}

TEST_CASE("Weights are softmax over the kept keys, the error is against dense attention") {
  Made made;
  const Parameters p =
      with({{"stack", "local window=3; and causal"}, {"temperature", "0.7"}, {"query", "20"}});
  const Model m = made.model(p);
  const core::MatrixD Q = m.content->Q.cast<double>(), K = m.content->K.cast<double>(),
                      V = m.content->V.cast<double>();
  const double scale = 1 / (std::sqrt(32.0) * 0.7);
  const auto attend = [&](const Allows& rule) {
    core::MatrixD weights = core::MatrixD::Zero(42, 42);
    for (Index i = 0; i < 42; ++i) {
      double sum = 0;
      for (Index j = 0; j < 42; ++j) {
        if (rule(i, j)) sum += weights(i, j) = std::exp(scale * Q.row(i).dot(K.row(j)));
      }
      weights.row(i) /= sum;
    }
    return weights;
  };
  const auto causal = [](Index i, Index j) { return j <= i; };
  const core::MatrixD sparse = attend([&](Index i, Index j) { return j <= i && i - j <= 3; });
  const core::MatrixD dense = attend(causal);
  for (Index i = 0; i < 42; ++i) {
    for (Index j = 0; j < 42; ++j) {
      const float cell = m.weight_cells->value(i, j);
      if (j > i || i - j > 3) {
        CHECK(core::is_masked(cell));
      } else {
        CHECK(static_cast<double>(cell) == doctest::Approx(sparse(i, j)).epsilon(1e-5));
      }
    }
  }
  const lab::Page page = made.page(p);
  const double error = (sparse * V - dense * V).norm() / (dense * V).norm();
  CHECK(readout(page, "error") == doctest::Approx(error).epsilon(1e-4));
  double share = 0;
  for (Index i = 0; i < 42; ++i) {
    for (Index j = 0; j < 42; ++j) share += sparse(i, j) > 0 ? dense(i, j) / 42 : 0;
  }
  CHECK(readout(page, "kept_weight") == doctest::Approx(share).epsilon(1e-4));
  CHECK(readout(page, "macs") == readout(page, "kept") * 64);
  CHECK(readout(page, "weight_bytes") == readout(page, "kept") * 4);
  // A mask that keeps everything changes nothing.
  CHECK(readout(made.page(with({{"stack", "full"}})), "error") < 1e-6);
  CHECK(readout(made.page(with({{"stack", "full"}})), "kept_weight") == doctest::Approx(1));
}

TEST_CASE("Zoomed out, cells pool the kept pairs below them") {
  Made made;
  for (const char* stack : {"sparse k=5", "fixed l=8 c=2", "bigbird window=1 global=1 random=2"}) {
    CAPTURE(stack);
    const Parameters p = with({{"input", "random"}, {"length", "150"}, {"stack", stack}});
    const Model m = made.model(p);
    for (const auto& source : {m.mask_cells, m.weight_cells}) {
      const bool is_mask = source == m.mask_cells;
      for (const figure::Pool pool : {figure::Pool::max, figure::Pool::mean}) {
        const figure::Region region{1, 2, 9, 8};  // 16 x 16 cells each; cut at the end
        std::vector<float> out(72);
        source->pooled(4, region, pool, out.data(), {});
        for (Index r = 0; r < region.rows; ++r) {
          for (Index c = 0; c < region.cols; ++c) {
            double sum = 0, largest = 0, there = 0, all = 0;
            for (Index i = 16 * (1 + r); i < std::min<Index>(150, 16 * (2 + r)); ++i) {
              for (Index j = 16 * (2 + c); j < std::min<Index>(150, 16 * (3 + c)); ++j) {
                ++all;
                const float v = source->value(i, j);
                if (core::is_masked(v)) continue;
                ++there;
                sum += static_cast<double>(v);
                largest = std::max(largest, static_cast<double>(v));
              }
            }
            const float cell = out[static_cast<std::size_t>(r * region.cols + c)];
            if (there == 0) {
              CHECK(core::is_masked(cell));
            } else {
              const double mean = sum / (is_mask ? all : there);
              CHECK(static_cast<double>(cell) ==
                    doctest::Approx(pool == figure::Pool::max ? largest : mean).epsilon(1e-5));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("Who sees how many is what the mask's rows and columns hold") {
  Made made;
  const Model m =
      made.model(with({{"stack", "fixed l=8 c=2; minus painted"}, {"painted", "12-14:0-40"}}));
  Index empty = 0, unseen = 0;
  for (Index a = 0; a < 42; ++a) {
    Index row = 0, column = 0;
    for (Index b = 0; b < 42; ++b) row += m.mask->allowed(a, b), column += m.mask->allowed(b, a);
    CHECK(m.seen->keys_of[static_cast<std::size_t>(a)] == row);
    CHECK(m.seen->queries_of[static_cast<std::size_t>(a)] == column);
    empty += row == 0;
    unseen += column == 0;
  }
  CHECK(m.seen->empty_rows == empty);
  CHECK(m.seen->unseen_keys == unseen);
  CHECK(empty == 3);
}

TEST_CASE("Reach is what boolean products of the layers' masks say, and paths walk along pairs") {
  for (const bool turns : {false, true}) {
    for (const bool residual : {false, true}) {
      Made made;
      const Parameters p = with({{"stack", "streaming sinks=1 window=3; or atrous step=7"},
                                 {"alternate", turns ? "true" : "false"},
                                 {"residual", residual ? "true" : "false"},
                                 {"layers", "5"}});
      const Model m = made.model(p);
      const auto masks = layer_masks(p, *m.composition);
      CHECK(masks.size() == (turns ? 2u : 1u));
      Eigen::MatrixXi now = Eigen::MatrixXi::Identity(42, 42);
      Eigen::MatrixXi first = Eigen::MatrixXi::Constant(42, 42, -1);
      if (residual) first.diagonal().setZero();
      for (int layer = 1; layer <= kMostLayers; ++layer) {
        const SparseMask& mask = *masks[static_cast<std::size_t>(layer - 1) % masks.size()];
        Eigen::MatrixXi step = mask.dense().cast<int>();
        if (residual) step += Eigen::MatrixXi::Identity(42, 42);
        now = (step * now).cwiseMin(1);
        for (Index k = 0; k < first.size(); ++k) {
          if (first.data()[k] < 0 && now.data()[k] > 0) first.data()[k] = layer;
        }
        CHECK(m.reached->reach.pairs[static_cast<std::size_t>(layer - 1)] == now.sum());
      }
      for (Index i = 0; i < 42; ++i) {
        for (Index j = 0; j < 42; ++j) {
          const float layer = m.reached->first(i, j);
          CHECK((core::is_masked(layer) ? -1 : static_cast<int>(layer)) == first(i, j));
          const bool shown = first(i, j) >= 0 && first(i, j) <= 5;
          CHECK(core::is_masked(m.reach_cells->value(i, j)) == !shown);
        }
      }
    }
  }
}

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
  CHECK(page.notes[0].starts_with("6 queries see no key (the first is 0)"));
  CHECK(page.explanation.title == "Query 3 sees nothing");
  const Model m = made.model(p);
  CHECK(m.attended->attention->output.row(3).isZero(0));
  CHECK(m.attended->attention->output.allFinite());
  CHECK_FALSE(m.key.has_value());
  for (const auto& r : page.readouts) CHECK(std::isfinite(r.value));
  // Every row empty.
  const lab::Page none = made.page(with({{"stack", "painted"}}));
  CHECK(readout(none, "empty_rows") == 42);
  CHECK(readout(none, "kept") == 0);
  CHECK(readout(none, "error") == 1);
}

TEST_CASE("Presets show what they say") {
  Made made;
  const auto value = [&](std::string_view id, std::string_view what) {
    return readout(made.page(preset(id)), what);
  };
  CHECK(value("first_look", "kept") == 282);
  CHECK(value("first_look", "density") == doctest::Approx(0.16).epsilon(0.01));
  CHECK(made.model(preset("first_look")).n() == 42);

  CHECK(value("atrous", "layers_to_connect") == -1);
  CHECK(value("atrous", "connected") == doctest::Approx(0.25).epsilon(0.01));
  CHECK(value("document", "layers_to_connect") == 2);
  CHECK(value("local_then_atrous", "layers_to_connect") == 2);
  CHECK(value("half_window", "connected") < 1);
  Parameters wider = preset("half_window");
  wider.stack = param::read_stack("local window=3; or atrous step=4", *catalogue(), kMostItems);
  CHECK(readout(made.page(wider), "layers_to_connect") == 2);
  // In the middle half the window does: all keys reach query 20 after two layers.
  Parameters middle = preset("half_window");
  middle.query = 20;
  CHECK(readout(made.page(middle), "field") == 42);
  CHECK(value("half_window", "field") < 42);
  CHECK(core::is_masked(made.model(preset("half_window")).reach_cells->value(3, 0)));
  const Model turns = made.model(preset("local_then_atrous"));
  for (const std::size_t k : {0u, 1u}) {
    Index largest = 0;
    const SparseMask& mask = *turns.composition->parts[k].alone;
    for (Index i = 0; i < 42; ++i) largest = std::max(largest, mask.kept(i));
    CHECK(largest == (k == 0 ? 9 : 11));
  }

  for (const char* two : {"strided", "longformer"}) CHECK(value(two, "layers_to_connect") == 2);
  CHECK(value("streaming", "largest_row") == 12);
  CHECK(value("bigbird", "largest_row") == 42);
  CHECK(value("padding", "empty_rows") == 12);
  CHECK(value("padding", "unseen_keys") == 12);
  CHECK(value("padding", "kept") == 900);
  CHECK(value("image", "largest_row") == 9);
  CHECK(value("top_k", "kept") == 4 * 42);
  CHECK(value("top_k", "kept_weight") > 0.5);
  const Model best = made.model(preset("top_k"));
  CHECK(best.row->keys.size() == 4);
  for (const std::int32_t key : best.row->keys) {
    CHECK(best.content->labels->at(static_cast<std::size_t>(key)) == "the");
  }
  const auto& words = *best.content->labels;
  CHECK(std::count(words.begin(), words.end(), "the") == 9);

  // No word of one sentence sees another.
  const Model documents = made.model(preset("documents"));
  CHECK(documents.mask->kept() == (15 * 16 + 16 * 17 + 11 * 12) / 2);
  CHECK(documents.content->labels->at(14) == ".");
  CHECK(documents.content->labels->at(30) == ".");
  // Every row gains two drawn keys, whatever the seed, except the global one.
  Parameters drawn = preset("bigbird"), regular = drawn;
  regular.stack = param::read_stack("bigbird window=1 global=1 random=0", *catalogue(), kMostItems);
  const Model without = made.model(regular);
  for (const int seed : {0, 1, 7, 8, 99, 9999}) {
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
  for (const int seed : {0, 1, 2, 3, 10, 77, 500, 9999}) {
    CAPTURE(seed);
    p.seed = seed;
    const Model m = made.model(p);
    for (const std::int32_t key : m.row->keys) {
      CHECK(m.content->labels->at(static_cast<std::size_t>(key)) == "the");
    }
    CHECK(readout(made.page(p), "kept_weight") > 0.5);
  }
}

TEST_CASE("131,072 tokens: what is kept is computed, and no more") {
  Made made;
  const Parameters p = preset("long");
  const lab::Page page = made.page(p);
  CHECK(readout(page, "kept") == 131072.0 * 257 - 257 * 256 / 2.0);
  CHECK(readout(page, "largest_row") == 257);
  CHECK_FALSE(has_readout(page, "error"));
  CHECK_FALSE(has_readout(page, "connected"));
  CHECK(readout(page, "mask_bytes") < 4e6);
  const Model m = made.model(p);
  CHECK(core::is_masked(m.mask_cells->value(70000, 69000)));
  CHECK(m.mask_cells->value(70000, 69800) == 1);
  // Every query sees every key: too many to attend to, not too many to count.
  Parameters full = p;
  full.stack = param::read_stack("full", *catalogue(), kMostItems);
  const lab::Page all = made.page(full);
  CHECK(readout(all, "kept") == 131072.0 * 131072.0);
  CHECK(all.notes.front().find("weights and outputs are computed up to 134,217,728") !=
        std::string::npos);
  // The scores of all pairs would be 17 billion: top k is left out, which is said.
  Parameters best = p;
  best.stack = param::read_stack("local; and top_k", *catalogue(), kMostItems);
  const lab::Page left = made.page(best);
  CHECK(readout(left, "kept") == 131072.0 * 7 - 3 * 4);
  CHECK(left.notes.front().find("Top k looks at every score") == 0);
}

TEST_CASE("Painting is armed by its flag, and only where the mask has the painted pattern") {
  Made made;
  const auto heatmap = [](const lab::Page& page) {
    return std::get<figure::Heatmap>(page.figures.front().plots.front().marks.front());
  };
  Parameters p = preset("painted");
  CHECK(heatmap(made.page(p)).paint_param == "painted");
  CHECK(heatmap(made.page(p)).brush == 2);
  p.paint = false;
  CHECK(heatmap(made.page(p)).paint_param.empty());
  p.paint = true;
  p.stack = param::read_stack("causal", *catalogue(), kMostItems);
  CHECK(heatmap(made.page(p)).paint_param.empty());
}

TEST_CASE("Layers that take turns show the mask of the last of them, and the figures of reach") {
  Made made;
  Parameters p = preset("local_then_atrous");
  CHECK(has_figure(made.page(p), "field"));
  CHECK(made.model(p).mask->kept() == count(42, [](Index i, Index j) { return (i - j) % 4 == 0; }));
  p.layers = 3;
  CHECK(made.model(p).mask->kept() ==
        count(42, [](Index i, Index j) { return std::abs(i - j) <= 4; }));
  CHECK_FALSE(has_figure(made.page(preset("first_look")), "field"));
}

TEST_CASE("A row's points stand at the middle of their keys' cells, on as much axis as they need") {
  Made made;
  for (const std::string query : {"0", "20", "255"}) {
    for (const std::string stack : {"local window=3", "full"}) {
      CAPTURE(query);
      CAPTURE(stack);
      const lab::Page page =
          made.page(with({{"stack", stack}, {"input", "random"}, {"query", query}}));
      const figure::Plot& plot = plot_of(page, "row");
      const auto& points = mark_of<figure::Points>(plot);
      CHECK(plot.x.cells);
      for (std::size_t k = 0; k < points.x.size(); ++k) {
        CHECK(std::stod(points.picks[k].at(0).second) == points.x[k] - 0.5);
      }
      CHECK(plot.x.lo == std::floor(plot.x.lo));
      CHECK(plot.x.lo < points.x.front());
      CHECK(plot.x.hi > points.x.back());
      CHECK(plot.x.hi - plot.x.lo == (stack == "full" ? 256 : query == "20" ? 11 : 6));
    }
  }
}

TEST_CASE("A stage is not run again while what it depends on stays") {
  Made made;
  Parameters p = preset("document");
  made.page(p);
  p.query = 3;
  p.layers = 4;
  p.key = 9;
  made.page(p);
  for (const char* stage : {"item 0", "composition", "attention", "dense", "reach", "seen"}) {
    CAPTURE(stage);
    CHECK(made.memo.runs(stage) == 1);
  }
  CHECK(made.memo.runs("row") == 2);
  CHECK(made.memo.runs("reach cells") == 2);
}

TEST_CASE("No token, one token") {
  Made made;
  const lab::Page none = made.page(with({{"text", ""}}));
  CHECK(none.figures.empty());
  CHECK(none.notes.front() == "There is no token yet: type some text.");
  const lab::Page one = made.page(with({{"text", "word"}}));
  CHECK(readout(one, "kept") == 1);
  CHECK(readout(one, "error") == 0);
  CHECK(readout(one, "connected") == 1);
}

TEST_CASE("A stack or painted cells that are none are refused in a sentence") {
  const auto refused = [](const param::Values& values) -> std::string {
    try {
      with(values);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(
      refused({{"stack", "locale"}}).starts_with("stack: expected in item 1 one of full, causal"));
  CHECK(refused({{"stack", "local window=-1"}}) ==
        "stack: expected in item 1 for window an integer from 0 to 131072, got -1");
  CHECK(refused({{"painted", "0:131072"}}).starts_with("painted: expected cells such as"));
}
