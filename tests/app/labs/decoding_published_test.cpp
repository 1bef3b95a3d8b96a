// Decoding of published models: what the tree says is what their pass over all of the text says.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/checkpoint/generation.h"
#include "decoding_rig.h"

namespace decoding_published_test {

using namespace decoding_rig;

TEST_CASE("of a published model each written token shows what every head attended to") {
  Made m = made({{"from", "published"},
                 {"published", "gpt2"},
                 {"prompt", "The dog sat on the"},
                 {"steps", "4"},
                 {"layer", "3"},
                 {"head", "2"}});
  const Model model = m.model();
  REQUIRE(model.heads);
  CHECK(model.heads->text.written == model.text_of(Way::greedy)->ids);
  lab::Page page = m.page();
  CHECK(page.figures.back().id == "written_map");
  CHECK(page.figures.back().title.find("3.2") != std::string::npos);
  CHECK(page.figures.back().note.starts_with("greedy"));
  const auto* weights = std::get_if<figure::Heatmap>(&page.figures.back().plots[0].marks[0]);
  REQUIRE(weights);
  // Rows add up to 1 over what was read.
  for (Index i = 0; i < weights->source->rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < weights->source->cols(); ++j) {
      const float weight = weights->source->value(i, j);
      if (!core::is_masked(weight)) sum += static_cast<double>(weight);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  }
  const Ids branch = model.text_of(Way::beam)->ids;
  m.set({{"taken", model.source->knob(branch)}});
  CHECK(m.model().heads->text.written == branch);
  CHECK(m.page().figures.back().note.starts_with("yours"));
  CHECK_FALSE(has_figure(made({}).page(), "written_map"));
}

TEST_CASE("a published model: its tokenizer, its pass and its end are those of the folder") {
  const std::string folder = std::string(ATTNSCOPE_SOURCE_DIR) + "/assets/checkpoints/gpt2";
  Made m = made({{"from", "published"},
                 {"published", "gpt2"},
                 {"prompt", "The dog sat on the"},
                 {"steps", "4"}});
  const Model model = m.model();
  const Source& source = *model.source;
  REQUIRE(source.published);
  CHECK(source.size() == 457);
  CHECK(source.end == 456);
  const auto read = source.published->tokenizer->encode("The dog sat on the").ids;
  CHECK(source.prompt == Ids(read.begin(), read.end()));
  CHECK(source.room == 128 - Index(source.prompt.size()) + 1);
  // Every sum of the tree is that of a pass over all of the text at once.
  for (const Text& text : model.texts) {
    double sum = 0;
    Ids before = source.prompt;
    for (const std::int32_t id : text.ids) {
      const auto trace = source.published->model->forward<double>({.tokens = before});
      const VectorD logits = trace.logits.row(trace.logits.rows() - 1);
      const double most = logits.maxCoeff();
      sum += logits(id) - most - std::log((logits.array() - most).exp().sum());
      before.push_back(id);
    }
    CHECK(text.sum == doctest::Approx(sum).epsilon(1e-5));
  }
  // The folder is the same model; a branch is taken by the numbers of its tokens.
  Made from = made({{"from", "published"},
                    {"folder", folder},
                    {"prompt", "The dog sat on the"},
                    {"steps", "4"}});
  const Model other = from.model();
  REQUIRE(other.texts.size() == model.texts.size());
  for (std::size_t k = 0; k < model.texts.size(); ++k) {
    CHECK(other.texts[k].ids == model.texts[k].ids);
    CHECK(other.texts[k].sum == model.texts[k].sum);
  }
  CHECK(from.page().made_up.empty());
  CHECK_FALSE(m.page().made_up.empty());
  m.set({{"taken", source.knob(model.text_of(Way::beam)->ids)}});
  CHECK(m.model().taken == model.text_of(Way::beam)->ids);
  m.set({{"taken", "457"}});
  CHECK(m.model().refused == "457");
  m.set({{"taken", ""}, {"end", "␣the"}});
  const auto end = m.model().source->end;
  REQUIRE(end >= 0);
  CHECK(source.token(end) == "␣the");
  m.set({{"prompt", ""}, {"end", ""}});
  CHECK(notes(m.page(), "No prompt was given: the text begins with “"));
}

TEST_CASE("what was asked before changes no bit of a published model's page") {
  Made cold = made({{"from", "published"}, {"published", "llama"}, {"steps", "5"}});
  Made warm = made({{"from", "published"}, {"published", "llama"}, {"width", "6"}});
  static_cast<void>(warm.model());
  warm.set({{"steps", "5"}, {"width", "2"}});
  const Model a = cold.model(), b = warm.model();
  REQUIRE(a.tree.nodes.size() == b.tree.nodes.size());
  for (std::size_t k = 0; k < a.tree.nodes.size(); ++k) {
    CHECK(a.tree.nodes[k].path == b.tree.nodes[k].path);
    CHECK(a.tree.nodes[k].sum == b.tree.nodes[k].sum);
  }
}

TEST_CASE("what a folder lacks is said on this page, too") {
  Made m =
      made({{"from", "published"},
            {"folder", std::string(ATTNSCOPE_SOURCE_DIR) + "/tests/reference/checkpoints/qwen3"},
            {"prompt", "3 4 5"},
            {"steps", "2"}});
  CHECK(notes(m.page(), "The folder has no tokenizer"));
}

TEST_CASE("an encoder writes nothing: it is refused by its name") {
  Made m = made({{"from", "published"},
                 {"folder", std::string(ATTNSCOPE_SOURCE_DIR) + "/assets/checkpoints/bert"}});
  CHECK_THROWS_WITH(m.page(), "generation: expected a decoder that reads one text, got BERT");
}

TEST_CASE("of a large vocabulary the likeliest are drawn, and what the others have is said") {
  Made m = preset("folder");
  const Model model = m.model();
  const lab::Page page = m.page();
  const auto& bars = mark_of<figure::Bars>(plot_of(page, "stage_0"));
  CHECK(bars.values.size() == 32);
  CHECK(std::is_sorted(bars.values.rbegin(), bars.values.rend()));
  const double drawn = std::accumulate(bars.values.begin(), bars.values.end(), 0.0);
  CHECK(plot_of(page, "stage_0").note ==
        fmt::format("457 of 457 tokens · others {}", lab::fixed(1 - drawn, 3)));
  // A token that is picked is drawn too, wherever it stands.
  Index rare = 0;
  model.distribution(0).probabilities.minCoeff(&rare);
  m.set({{"token", std::to_string(rare)}});
  const lab::Page picked = m.page();
  const auto& more = mark_of<figure::Bars>(plot_of(picked, "stage_0"));
  REQUIRE(more.values.size() == 33);
  CHECK(more.marked == 32);
  CHECK(more.values.back() == model.distribution(0).probabilities(rare));
  CHECK(mark_of<figure::Bars>(plot_of(picked, "samples")).values.size() == 33);
}

TEST_CASE("presets of published models: how sure they are, and what breaks a run") {
  Made sure = preset("folder_sure");
  const Model model = sure.model();
  CHECK(model.source->size() == 451);
  CHECK(model.distribution(0).probabilities.maxCoeff() < 0.03);
  CHECK(kept(model, 2) == 2);
  const auto two = core::decode::likeliest(model.distribution(1).probabilities, 2);
  CHECK(model.distribution(1).probabilities(two[0]) + model.distribution(1).probabilities(two[1]) >
        0.9);
  const auto same = [](const Ids& ids) {
    return std::all_of(ids.begin(), ids.end(), [&](auto id) { return id == ids.front(); });
  };
  Made run = preset("folder_repeats");
  const Ids ten = run.model().text_of(Way::greedy)->ids;
  CHECK(ten.size() == 10);
  CHECK(same(ten));
  const auto different = [&run] {
    const Ids ids = run.model().text_of(Way::greedy)->ids;
    return std::set<std::int32_t>(ids.begin(), ids.end()).size();
  };
  // One is written once, and then another again and again.
  run.set({{"filters", "repetition penalty=1.2"}});
  const Ids again = run.model().text_of(Way::greedy)->ids;
  CHECK(different() == 2);
  CHECK(std::count(again.begin(), again.end(), again.back()) == 9);
  run.set({{"filters", "repetition penalty=2"}});
  CHECK(different() == 10);
}

}  // namespace decoding_published_test
