// A decoder that is trained: what is shown is the model's, and every claim of the presets.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>

#include "gpt_training_rig.h"

namespace gpt_training_test {

using namespace gpt_training_rig;
using core::task::Milestone;

namespace {

double last_of(const lab::LearnedStory& story, core::task::LookedHeads which) {
  return story.milestone()->more.at(which);
}

// The first step at which heads reach `from`; none: -1.
Index rises(const lab::LearnedStory& story, core::task::LookedHeads which, double from) {
  for (const Milestone& m : story.history) {
    if (m.more.size() > which && m.more[which] >= from) return m.step;
  }
  return -1;
}

// The share of the answer's tokens that look most at the token that says what they are to be.
double looks_right(const Model& model) {
  const auto& sequence = model.probe->sequence;
  Index asked = 0, right = 0;
  const core::Matrix weights = model.weights_of(model.layer, model.head);
  for (Index t = 0; t < model.probe->tokens(); ++t) {
    const std::int32_t source = sequence.source[static_cast<std::size_t>(t)];
    if (source < 0) continue;
    Index at = 0;
    weights.row(t).maxCoeff(&at);
    ++asked;
    right += at == source;
  }
  REQUIRE(asked > 0);
  return static_cast<double>(right) / static_cast<double>(asked);
}

}  // namespace

TEST_CASE("trained before: one head looks back, the other behind the last time") {
  Tried m = preset("induction");
  const Model model = m.model();
  CHECK(model.learned.weights == lab::Weights::shipped);
  CHECK(model.score->accuracy() > 0.99);
  // "a head looks at the token before": most rows look there most.
  const core::Matrix first = model.weights_of(0, 0);
  Index back = 0;
  for (Index i = 1; i < first.rows(); ++i) {
    Index at = 0;
    first.row(i).head(i + 1).maxCoeff(&at);
    back += at == i - 1;
  }
  CHECK(back * 10 >= 8 * (first.rows() - 1));
  CHECK(last_of(model.learned, core::task::kInduction) > 0.9);
  const lab::Page page = m.page();
  CHECK(readout(page, "induction") == last_of(model.learned, core::task::kInduction));
  CHECK(readout(page, "accuracy") == model.score->accuracy());
  for (const char* id :
       {"sequence", "map", "next", "maps", "samples", "training", "heads", "places", "lengths"}) {
    CAPTURE(std::string(id));
    CHECK(has_figure(page, id));
  }
}

TEST_CASE("watched: both heads rise together, suddenly, and one layer never finds it") {
  Tried m = preset("watch");
  const Model model = m.model();
  CHECK(model.score->accuracy() > 0.99);
  const Index low = rises(model.learned, core::task::kInduction, 0.2);
  const Index high = rises(model.learned, core::task::kInduction, 0.8);
  REQUIRE(low > 0);
  REQUIRE(high > 0);
  // Long nothing, then within a few looks.
  CHECK(low >= 60);
  CHECK(high - low <= 40);
  const Index back = rises(model.learned, core::task::kPreviousToken, 0.4);
  CHECK(std::abs(back - high) <= 50);
  REQUIRE(model.one_layer);
  CHECK(model.one_layer->layers() == 1);
  CHECK(rises(*model.one_layer, core::task::kInduction, 0.5) == -1);
  // It learns nothing of the repeats.
  CHECK(model.one_layer->history.back().held_loss > model.learned.history.back().held_loss + 1);
  // Shown from the beginning on: no head does anything yet.
  m.set({{"step", "0"}});
  const Model start = m.model();
  CHECK(start.learned.step == 0);
  CHECK(last_of(start.learned, core::task::kInduction) < 0.2);
}

TEST_CASE("a third of the rate rises later and slower") {
  const Model slow = preset("slower").model(), fast = made({{"weights", "here"}}).model();
  const auto from = [](const Model& m, double level) {
    return rises(m.learned, core::task::kInduction, level);
  };
  REQUIRE(from(slow, 0.8) > 0);
  CHECK(from(slow, 0.8) > from(fast, 0.8) + 50);
  CHECK(from(slow, 0.8) - from(slow, 0.2) > from(fast, 0.8) - from(fast, 0.2));
}

TEST_CASE("learned positions with a network beside: over seeds 0 to 9, as the preset says") {
  // With which of them some head looks behind the last time. Thirty trainings take a minute: only
  // where ATTNSCOPE_LAB asks for it; else the preset's own seed, and one that is otherwise.
  using Seeds = std::set<int>;
  const Seeds all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  struct Setting {
    const char *knob, *value;
    Seeds with;
  };
  const std::array<Setting, 3> settings{{{"positions", "learned", {4}},
                                         {"positions", "rotary", all},
                                         {"d_ff", "0", {1, 2, 3, 4, 5}}}};
  const Seeds tried = std::getenv("ATTNSCOPE_LAB") ? all : Seeds{0, 4};
  for (const Setting& setting : settings) {
    for (const int seed : tried) {
      CAPTURE(setting.knob);
      CAPTURE(setting.value);
      CAPTURE(seed);
      Tried m = preset("no_induction");
      m.set({{setting.knob, setting.value}});
      m.set({{"seed", std::to_string(seed)}});
      const Model model = m.model();
      CHECK(model.learned.step == 2 * core::task::recipe(lab::Recipe::induction).steps);
      const double induction = last_of(model.learned, core::task::kInduction);
      CHECK((setting.with.contains(seed) ? induction > 0.6 : induction < 0.2));
      if (seed != 0 || std::string(setting.value) == "rotary") continue;
      // With the preset's seed: what is right without such a head.
      const bool alone = std::string(setting.knob) == "d_ff";
      CHECK((model.score->accuracy() > 0.5) == alone);
      if (!alone) CHECK(model.learned.parameters() > made({}).model().learned.parameters());
    }
  }
}

TEST_CASE("copying and reversing draw diagonals: each letter looks at its own") {
  for (const char* id : {"diagonal", "backwards"}) {
    Tried m = preset(id);
    const Model model = m.model();
    CHECK(model.score->accuracy() > 0.99);
    CHECK(looks_right(model) > 0.9);
    // The likeliest text is the answer.
    const auto& sequence = model.probe->sequence;
    std::string answer;
    for (std::size_t t = 0; t < sequence.ids.size(); ++t) {
      const bool ends = sequence.next[t] == 1;
      if (sequence.evaluated[t] && !ends)
        answer += lab::story_token(*model.learned.model, sequence.next[t]);
    }
    CHECK(text_of(model, model.samples->front()) == answer);
  }
}

TEST_CASE("sums, brackets and lines are learned as the presets say") {
  CHECK(preset("sums").model().score->accuracy() > 0.99);
  CHECK(preset("brackets").model().score->accuracy() > 0.99);
  for (const char* id : {"english", "chinese"}) {
    Tried m = preset(id);
    const Model model = m.model();
    // "almost always" in English; of Chinese nouns two share a measure word.
    CHECK(model.score->token_accuracy() > (std::string(id) == "english" ? 0.95 : 0.75));
    CHECK(model.lengths.empty());
    CHECK(!has_figure(m.page(), "lengths"));
    CHECK(model.samples->size() == 4);
  }
}

TEST_CASE("one head of keys for four of queries: induction all the same") {
  const Model model = preset("shared_keys").model();
  CHECK(model.form().layer.heads == 4);
  CHECK(model.form().layer.key_heads == 1);
  CHECK(model.score->accuracy() > 0.99);
  CHECK(last_of(model.learned, core::task::kInduction) > 0.3);
}

TEST_CASE("the highest digit first is learned, too, if not quite as well in as many steps") {
  const Model model = preset("highest_first").model();
  CHECK(!model.learned.task().lowest_first);
  CHECK(model.score->accuracy() > 0.9);
  CHECK(model.score->accuracy() < preset("sums").model().score->accuracy());
}

TEST_CASE("brackets in one layer: most are right, and fewer than in two") {
  Tried m = preset("one_layer_brackets");
  const double one = m.model().score->accuracy();
  m.set({{"layers", "2"}});
  const double two = m.model().score->accuracy();
  CHECK(one > 0.7);
  CHECK(one < two - 0.03);
}

TEST_CASE("to count letters that come again is not learned by one head without positions") {
  Tried m = preset("repeats");
  CHECK(m.model().score->accuracy() < 1.0 / 3);
  m.set({{"repeats", "false"}});
  CHECK(m.model().score->accuracy() > 0.88);
  m.set({{"repeats", "false"}, {"seed", "3"}});
  CHECK(m.model().score->accuracy() > 0.88);
  m.set({{"repeats", "false"}, {"seed", "2"}});
  CHECK(m.model().score->accuracy() < 0.1);
}

TEST_CASE("of the recommended models most have no feed-forward network") {
  Index without = 0;
  for (const lab::Recipe one : core::task::kRecipes) {
    without += core::task::recipe(one).form.layer.feed_forward.width == 0;
  }
  CHECK(2 * without > static_cast<Index>(std::size(core::task::kRecipes)));
}

TEST_CASE("a number of a query is its token's vector times a column of the matrix") {
  Tried m = preset("number");
  const Model model = m.model();
  const lab::Page page = m.page();
  CHECK(page.explanation.title == "A component of the query of \"4\"");
  CHECK(page.explanation.lines.size() > static_cast<std::size_t>(model.form().layer.d_model));
}

TEST_CASE("through a window nothing farther is seen, and induction is not learned") {
  Tried m = preset("window");
  const Model model = m.model();
  CHECK(last_of(model.learned, core::task::kInduction) == 0);
  CHECK(model.score->accuracy() < 0.4);
  const core::Matrix weights = model.weights_of(1, 0);
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) {
      CHECK(core::is_masked(weights(i, j)) == (j > i || i - j > 4));
    }
  }
  m.set({{"place", "20"}, {"token", "18"}});
  CHECK(m.page().explanation.lines.size() > 5);
  // Of periods of eight both layers together bring the token that stood there.
  m.set({{"shortest", "8"}, {"longest", "8"}});
  const Model even = m.model();
  CHECK(even.score->accuracy() > 0.99);
  CHECK(last_of(even.learned, core::task::kInduction) == 0);
}

TEST_CASE("rows of weights sum to one over what came before, and the next tokens to one") {
  for (const char* id : {"induction", "english", "sums"}) {
    Tried m = preset(id);
    const Model model = m.model();
    for (Index layer = 0; layer < model.learned.layers(); ++layer) {
      for (Index head = 0; head < model.heads(); ++head) {
        const core::Matrix weights = model.weights_of(layer, head);
        for (Index i = 0; i < weights.rows(); ++i) {
          CHECK(weights.row(i).head(i + 1).sum() == doctest::Approx(1).epsilon(1e-5));
          if (i + 1 < weights.cols()) CHECK(std::isnan(weights(i, i + 1)));
        }
      }
    }
    for (Index t = 0; t < model.probe->tokens(); ++t) {
      CHECK(model.probe->looked.probabilities.row(t).sum() == doctest::Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("the run is one: scrubbing trains nothing anew and shows the same bits") {
  Tried m = made({{"weights", "here"}, {"steps", "60"}, {"step", "60"}});
  const auto values = [&](const char* step) {
    m.set({{"step", step}});
    return *m.model().learned.values;
  };
  const std::vector<float> end = values("60"), middle = values("23");
  CHECK(end != middle);
  for (int k = 0; k < 3; ++k) {
    CHECK(values("60") == end);
    CHECK(values("23") == middle);
  }
}

TEST_CASE("the loss by place falls where the sequence has begun again") {
  const Model model = preset("induction").model();
  const core::task::PositionScore& places = *model.places;
  // Periods are 8 to 24 tokens long.
  CHECK(places.loss[0] > 2);
  CHECK(places.loss[40] < 0.2);
}

TEST_CASE("a text of one's own is read, and what the task has not is said") {
  Tried m = made({{"text", "abcabca"}});
  const Model model = m.model();
  CHECK(model.probe->tokens() == 7);
  CHECK(model.probe->typed);
  CHECK(model.probe->next(6) == -1);
  CHECK(lab::story_token(*model.learned.model, model.probe->likeliest(6)) == "b");
  m.set({{"text", "ab & a"}});
  CHECK(m.model().probe->tokens() == 3);
  CHECK(m.page().notes ==
        std::vector<std::string>{"The model has no token for \" \", \"&\": left out."});
  m.set({{"text", "&"}});
  CHECK(!m.model().probe->typed);
  CHECK(m.page().notes.size() == 2);
  m.set({{"text", std::string(300, 'a')}});
  CHECK(m.model().probe->cut);
  CHECK(m.model().probe->tokens() == 127);
}

TEST_CASE("every form trains: schemes, heads, norms, ties") {
  const param::Values forms[] = {{{"positions", "none"}},
                                 {{"positions", "learned"}},
                                 {{"positions", "sinusoidal"}},
                                 {{"positions", "alibi"}},
                                 {{"positions", "t5"}},
                                 {{"positions", "relative"}},
                                 {{"positions", "xpos"}},
                                 {{"positions", "deberta"}},
                                 {{"positions", "transformer_xl"}},
                                 {{"norm_first", "false"}},
                                 {{"tied", "true"}},
                                 {{"layers", "6"}},
                                 {{"heads", "8"}, {"d_head", "4"}},
                                 {{"heads", "4"}, {"key_heads", "half"}},
                                 {{"dropout", "0.1"}},
                                 {{"d_ff", "32"}}};
  for (const param::Values& form : forms) {
    CAPTURE(form.begin()->first);
    CAPTURE(form.begin()->second);
    param::Values values{{"weights", "here"}, {"made", "own"}, {"steps", "12"}, {"step", "12"}};
    values.insert(values.end(), form.begin(), form.end());
    Tried m = made(values);
    const Model model = m.model();
    CHECK(model.learned.history.size() == 13);
    CHECK(std::isfinite(model.learned.history.back().loss));
    for (const char* explained : {"weight", "number", "token"}) {
      m.set({{"explain", explained}, {"place", "9"}, {"token", "4"}});
      CHECK(m.page().explanation.lines.size() > 5);
    }
  }
}

TEST_CASE("each task by hand: the knobs that it has, and what is drawn follows them") {
  for (const char* task : {"copy", "sort", "addition", "brackets", "text_english"}) {
    Tried m = made(
        {{"task", task}, {"weights", "here"}, {"made", "own"}, {"steps", "12"}, {"step", "12"}});
    CHECK(m.model().learned.step == 12);
  }
  Tried m = made({{"task", "sort"},
                  {"weights", "here"},
                  {"made", "own"},
                  {"steps", "12"},
                  {"symbols", "9"},
                  {"shortest", "3"},
                  {"longest", "5"}});
  const Model model = m.model();
  CHECK(model.learned.task().symbols == 9);
  CHECK(model.learned.task().longest == 5);
  CHECK(model.probe->tokens() <= 12);
}

}  // namespace gpt_training_test
