// Decoding of the models that are trained here: every claim of the presets, and their prompts.
#include <doctest/doctest.h>

#include "decoding_rig.h"

namespace decoding_trained_test {

using namespace decoding_rig;

TEST_CASE("a trained model: greedy misses the word that shares no first letter") {
  Made m = preset("english");
  const Model model = m.model();
  CHECK(text_of(model, Way::greedy) == "␣ b a l l ?");
  CHECK(p_of(model, Way::greedy) == doctest::Approx(0.173).epsilon(0.01));
  CHECK(text_of(model, Way::beam) == "␣ c u p ? ␣");
  CHECK(p_of(model, Way::beam) == doctest::Approx(0.202).epsilon(0.01));
  CHECK(model.source->tokens[std::size_t(model.token)] == "b");
  // Two words share it.
  m.set({{"taken", "␣ b a"}});
  const Model shared = m.model();
  CHECK(kept(shared, 2) == 2);
  CHECK(shared.distribution(2).probabilities.maxCoeff() < 0.7);
  // The bars go from the likeliest on.
  const auto bars = mark_of<figure::Bars>(plot_of(m.page(), "stage_0")).values;
  CHECK(bars.size() == model.source->tokens.size());
  CHECK(std::is_sorted(bars.rbegin(), bars.rend()));
  CHECK(handles_of(m.page(), "stage_0").empty());
}

TEST_CASE("a trained model that knows the answer writes it whichever way, but not when it is hot") {
  const Model sum = preset("sum").model();
  for (const Text& text : sum.texts) {
    if (text.way != Way::beam || text.number == 0) CHECK(sum.source->name(text.ids) == "9 3 9 0 .");
  }
  CHECK(p_of(sum, Way::greedy) > 0.99);
  const Model hot = preset("hot_sum").model();
  CHECK(text_of(hot, Way::greedy) == "9 3 9 0 .");
  CHECK(text_of(hot, Way::beam) == "9 3 9 0 .");
  const double nine = hot.distribution(1).probabilities.maxCoeff();
  CHECK(nine > 0.5);
  CHECK(nine < 0.6);

  const Model brackets = preset("brackets").model();
  CHECK(text_of(brackets, Way::beam) == "] ) ) .");
  std::size_t go_on = 0, drawn = 0;
  for (int seed = 0; seed < 10; ++seed) {
    Made m = preset("brackets");
    m.set({{"seed", std::to_string(seed)}});
    const Model model = m.model();
    CHECK(text_of(model, Way::beam) == "] ) ) .");
    std::size_t longer = 0;
    for (const Text& text : model.texts) {
      if (text.way != Way::sample) continue;
      ++drawn;
      longer += text.ids.size() > 4;
    }
    CHECK(longer >= 2);
    go_on += longer;
  }
  CHECK(2 * go_on > drawn);
  CHECK(text_of(preset("chinese").model(), Way::beam) == "刀 是 小 兰 的 ，");
}

TEST_CASE("prompts of a model: none, unknown characters, too long a one, little room") {
  Made m = made({{"from", "model"}, {"model", "addition"}});
  CHECK(m.model().source->example);
  CHECK(notes(m.page(), "No prompt was given"));
  m.set({{"prompt", "1é2+34="}});
  CHECK(m.model().source->unknown == std::vector<std::string>{"é"});
  CHECK(m.model().source->prompt.size() == 7);  // the start, and what is known
  // Thirteen positions were learned: 3 · 3 + 4.
  m.set({{"prompt", "123+456=57"}, {"steps", "6"}});
  const Model little = m.model();
  CHECK(little.source->room == 3);
  CHECK(little.steps == 3);
  CHECK(m.page().found.at("steps").range == param::Range{1, 3});
  m.set({{"prompt", "123+456=579123"}});
  CHECK_THROWS_WITH(m.page(), "prompt: expected at most 13 tokens, got 15");
  m.set({{"prompt", "123+456=5790"}});
  CHECK(m.model().steps == 1);
  m.set({{"taken", "."}});
  CHECK(m.page().figures.size() == 4);
  // Of a model without a limit of its own.
  m.set({{"model", "text_english"}, {"prompt", std::string(300, 'a')}, {"taken", ""}});
  CHECK_THROWS_WITH(m.page(), "prompt: expected at most 256 tokens, got 300");
}

}  // namespace decoding_trained_test
