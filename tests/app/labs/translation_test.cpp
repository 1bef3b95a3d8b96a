// Translation by a small Transformer: what ships is right, what is trained here learns, and every
// claim of the presets.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "app/labs/translation/page.h"
#include "assets/assets.h"
#include "core/random.h"
#include "folder.h"
#include "trying.h"
#include "written_lengths.h"

namespace translation_test {

using namespace lab::translation;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("translation", id); }

// A task small enough to be learned in a moment.
param::Values quick(param::Values more = {}) {
  param::Values values{{"task", "reversal"}, {"letters", "4"}, {"longest", "4"},
                       {"weights", "here"},  {"steps", "150"}, {"step", "150"},
                       {"rate", "0.01"},     {"warmup", "20"}};
  for (auto& one : more) values.push_back(one);
  return values;
}

}  // namespace

TEST_CASE("every model that ships is right on held-out texts, and is the file that was tested") {
  const struct {
    param::Values task;
    std::uint64_t hash;
  } shipped[] = {
      {{{"task", "dates"}}, 10746698448513904265u},
      {{{"task", "dates"}, {"language", "chinese"}}, 13813510992508628282u},
      {{{"task", "numbers"}}, 1117705700280439947u},
      {{{"task", "numbers"}, {"language", "chinese"}}, 4693225026930700623u},
      {{{"task", "reversal"}}, 1572551550068981320u},
  };
  for (const auto& one : shipped) {
    Made m = made(one.task);
    CAPTURE(one.task[0].second);
    const Model model = m.model();
    REQUIRE(model.learned.weights == lab::Weights::shipped);
    // It is the model that the defaults describe, for the task that the knobs say.
    CHECK(model.learned.form == m.p.form());
    CHECK(model.learned.task() == *lab::pair_task(m.p.task, m.context()));
    CHECK(model.learned.model->vocabulary.symbols() == core::task::symbols(model.learned.task()));
    const core::task::Score score = lab::held_out_score(model.learned, 1000, m.context());
    CHECK(score.pairs == 1000);
    CHECK(score.accuracy() >= 0.99);
    CHECK(core::hash64(assets::find(lab::asset_name(kModel, m.p.task))) == one.hash);
  }
}

TEST_CASE("rows of every map sum to one, and the decoder sees nothing ahead") {
  Made m;
  const Model model = m.model();
  CHECK(model.reading->right());
  for (const Part part : {Part::encoder, Part::decoder, Part::cross}) {
    for (Index head = 0; head < model.heads(); ++head) {
      const core::Matrix weights = model.weights_of({part, 0, head});
      for (Index i = 0; i < weights.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < weights.cols(); ++j) {
          const bool ahead = part == Part::decoder && j > i;
          CHECK(core::is_masked(weights(i, j)) == ahead);
          if (!ahead) sum += static_cast<double>(weights(i, j));
        }
        CHECK(sum == doctest::Approx(1).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("a date begins with the year, wherever it stands in the text") {
  Made m = made({{"source", "april 20, 1963"}});
  const Model model = m.model();
  CHECK(model.reading->written == "1963-04-20");
  // The likeliest places of the four digits of the year, over the heads together, are at the end.
  for (Index step = 0; step < 4; ++step) {
    Index best = 0;
    (model.weights_of({Part::cross, 0, 0}).row(step) +
     model.weights_of({Part::cross, 0, 1}).row(step))
        .maxCoeff(&best);
    CHECK(best >= 6);
  }
}

TEST_CASE("letters backwards: a falling line, and nothing beyond what was trained") {
  Made m = preset("backwards");
  const Model model = m.model();
  CHECK(model.reading->written == "noitnetta");
  REQUIRE(model.lengths);
  CHECK(share_at(*model.lengths, 10) > 0.9);
  CHECK(share_at(*model.lengths, 20) < 0.1);
}

TEST_CASE("beside a recurrent network: it learns in fewer steps, neither goes far beyond") {
  Made m = preset("beside");
  const Model model = m.model();
  REQUIRE(model.beside);
  // The first look at which nine tenths are right.
  const auto learned_at = [](const lab::Learned& learned) {
    for (const auto& milestone : learned.history) {
      if (milestone.held_accuracy >= 0.9) return milestone.step;
    }
    return Index{1'000'000};
  };
  CHECK(learned_at(model.beside->learned) < learned_at(model.learned));
  for (const auto* scores : {&*model.lengths, &*model.beside->lengths}) {
    CHECK(share_at(*scores, 10) > 0.9);
    CHECK(share_at(*scores, 15) < 0.1);
  }
}

TEST_CASE("beside a recurrent network: what is not alike is said, and trained here rates are") {
  Made m = preset("beside");
  const auto caption = [&m] {
    for (const auto& figure : m.page().figures) {
      if (figure.id == "training") return figure.caption;
    }
    return std::string();
  };
  CHECK(caption().ends_with(
      "The Transformer has 23,261 parameters and a learning rate of 0.005, the recurrent network "
      "31,661 and 0.01; each step uses the same number of pairs."));
  m.set({{"weights", "here"}, {"rate", "0.004"}, {"steps", "1"}, {"step", "1"}});
  CHECK(m.model().beside->rate == 0.004);
  CHECK(caption().find("learning rate of 0.004, the") != std::string::npos);
  CHECK(caption().find("and 0.004;") != std::string::npos);
}

TEST_CASE("against time: nothing is timed until it is asked for, then seconds a step times steps") {
  Made m = preset("beside");
  CHECK(!has_figure(m.page(), "time"));
  CHECK(!m.model().time);
  m.set({{"measurement", "1"}});
  const Model model = m.model();
  REQUIRE(model.time);
  REQUIRE(model.beside->time);
  CHECK(model.time->steps >= 3);
  CHECK(model.time->seconds > 0);
  const lab::Page page = m.page();
  for (const char* id : {"loss_time", "accuracy_time"}) {
    const figure::Plot& plot = plot_of(page, id);
    const auto curves = marks_of<figure::Line>(plot);
    REQUIRE(curves.size() == 2);
    double longest = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      const lab::Learned& learned = k == 0 ? model.learned : model.beside->learned;
      const lab::StepTime& time = k == 0 ? *model.time : *model.beside->time;
      const double last = static_cast<double>(learned.steps) * time.seconds;
      CHECK(curves[k].x.front() == 0);
      CHECK(curves[k].x.back() == doctest::Approx(last));
      const core::task::Milestone& end = learned.history.back();
      CHECK(curves[k].y.back() == (id[0] == 'l' ? end.held_loss : end.held_accuracy));
      longest = std::max(longest, last);
    }
    CHECK(plot.x.hi == longest);
  }
  CHECK(readout(page, "step_time") == model.time->seconds);
  CHECK(readout(page, "step_time_beside") == model.beside->time->seconds);
  // Nine tenths: the milestone before it had fewer right.
  const double after = readout(page, "learned_after") / model.time->seconds;
  for (const auto& milestone : model.learned.history) {
    const bool before = static_cast<double>(milestone.step) < after - 0.5;
    if (before) CHECK(milestone.held_accuracy < 0.9);
  }
  // Kept while other knobs turn, and made anew when it is asked for again.
  m.set({{"row", "3"}});
  CHECK(m.model().time->seconds == model.time->seconds);
  CHECK(m.memo.runs("translation step time") == 1);
  m.set({{"measurement", "2"}});
  m.model();
  CHECK(m.memo.runs("translation step time") == 2);
  // A model that ships was trained in its own batches, whatever the hidden knob says.
  m.set({{"batch", "1"}});
  m.model();
  CHECK(m.memo.runs("translation step time") == 2);
}

TEST_CASE("number words: a zero has no word") {
  CHECK(preset("numbers").model().reading->written == "4005");
  CHECK(preset("numbers_chinese").model().reading->written == "4005");
  CHECK(preset("chinese").model().reading->right());
}

TEST_CASE("trained here from nothing: it learns, and step 0 knows nothing") {
  Made m = preset("watch");
  CHECK(m.model().score.accuracy() > 0.95);
  m.set({{"step", "0"}});
  const Model before = m.model();
  CHECK(before.learned.step == 0);
  CHECK(before.score.accuracy() < 0.1);
  CHECK(before.learned.history.size() == 301);
}

TEST_CASE("without positions it cannot know the order") {
  const double with = preset("watch").model().score.accuracy();
  const double without = preset("no_positions").model().score.accuracy();
  CHECK(without < with - 0.4);
}

TEST_CASE("own pairs are learned by heart, and errors name the pair") {
  Made m = preset("own");
  CHECK(m.model().score.accuracy() == 1);
  m.set({{"source", "un grand chien"}});
  CHECK(m.model().reading->encoded.source.size() == 4);
  m.set({{"source", "un loup"}});
  CHECK(m.model().reading->unknown == std::vector<std::string>{"loup"});
  m.set({{"pairs", "a = b; = c"}});
  CHECK_THROWS_WITH(m.model(), "pair 2: expected a text on both sides, got an empty one");
}

TEST_CASE("a text too long for the model is refused in one sentence") {
  Made m = made({{"task", "reversal"}, {"source", std::string(90, 'a')}});
  CHECK_THROWS_WITH(m.model(), "your text: expected at most 63 tokens, got 90");
}

TEST_CASE("a model that is saved is opened again, the same to the last bit") {
  Made m = made(quick());
  const lab::Page page = m.page();
  REQUIRE(page.model);
  const test::Folder folder;
  const std::string path = folder.write("model.safetensors", page.model());
  Made opened = made({{"transformer_file", path}});
  const Model model = opened.model();
  CHECK(*model.learned.values == *m.model().learned.values);
  CHECK(model.learned.weights == lab::Weights::file);
  CHECK(model.learned.steps == 150);
  CHECK(opened.page().model() == page.model());
  folder.write("model.safetensors", "not a model");
  CHECK_THROWS_AS(made({{"transformer_file", path}}).model(), core::InputError);
}

TEST_CASE("told the right token, a wrong step is still seen") {
  Made m = made(quick({{"step", "0"}, {"next_token", "right"}}));
  const Model model = m.model();
  CHECK(model.reading->written == model.reading->pair.target);
  m.set({{"next_token", "greedy"}});
  CHECK(m.model().reading->written != model.reading->pair.target);
}

TEST_CASE("every scheme of positions trains") {
  for (const char* scheme :
       {"none", "learned", "sinusoidal", "rotary", "alibi", "t5", "relative"}) {
    CAPTURE(scheme);
    Made m = made(quick({{"positions", scheme}, {"steps", "20"}, {"step", "20"}}));
    const Model model = m.model();
    CHECK(model.learned.history.back().loss < model.learned.history.front().loss);
    for (const char* explained : {"weight", "number", "token"}) {
      m.set({{"explain", explained}, {"token", "1"}, {"row", "1"}, {"part", "encoder"}});
      CHECK(!m.page().explanation.lines.empty());
    }
  }
}

TEST_CASE("each small map is that of its head, and a click on it makes it the large one") {
  Made m = made({{"encoder_layers", "2"},
                 {"decoder_layers", "2"},
                 {"heads", "2"},
                 {"weights", "here"},
                 {"task", "reversal"},
                 {"letters", "4"},
                 {"longest", "4"},
                 {"steps", "1"},
                 {"step", "1"}});
  const lab::Page page = m.page();
  const auto figure = std::find_if(page.figures.begin(), page.figures.end(),
                                   [](const auto& one) { return one.id == "maps"; });
  REQUIRE(figure != page.figures.end());
  CHECK(figure->plots.size() == 12);
  std::vector<std::string> places;
  for (const figure::Plot& plot : figure->plots) {
    m.set({plot.click.begin(), plot.click.end()});
    const Model model = m.model();
    places.push_back(model.place.prefix() + std::to_string(model.place.head));
    const auto& small = mark_of<figure::Heatmap>(plot);
    const lab::Page now = m.page();
    const auto& large = mark_of<figure::Heatmap>(plot_of(now, "map"));
    for (Index i = 0; i < model.weights.rows(); ++i) {
      for (Index j = 0; j < model.weights.cols(); ++j) {
        const bool hidden = core::is_masked(model.weights(i, j));
        CHECK(core::is_masked(small.source->value(i, j)) == hidden);
        if (!hidden) CHECK(small.source->value(i, j) == large.source->value(i, j));
      }
    }
    CHECK(plot_of(now, plot.id).selected);
    const auto& all = std::find_if(now.figures.begin(), now.figures.end(), [](const auto& one) {
                        return one.id == "maps";
                      })->plots;
    CHECK(std::count_if(all.begin(), all.end(), [](const auto& one) { return one.selected; }) == 1);
  }
  std::sort(places.begin(), places.end());
  CHECK(std::unique(places.begin(), places.end()) == places.end());
}

TEST_CASE("a click in the large map picks row and token, and the text shows that row") {
  for (const char* part : {"cross", "encoder"}) {
    Made m = made({{"source", "april 20, 1963"}, {"part", part}, {"head", "2"}});
    const auto map = mark_of<figure::Heatmap>(plot_of(m.page(), "map"));
    m.set({{map.row_param, "3"}, {map.col_param, "5"}});
    const Model model = m.model();
    CHECK(model.row == 3);
    REQUIRE(model.key);
    CHECK(*model.key == 5);
    const std::vector<float> looked = looked_at({m.p, model, m.words});
    REQUIRE(static_cast<Index>(looked.size()) == model.weights.cols());
    for (Index j = 0; j < model.weights.cols(); ++j) {
      CHECK(looked[static_cast<std::size_t>(j)] == model.weights(3, j));
    }
    const auto all = lines(m.page());
    CHECK(std::atof(all[0].c_str() + all[0].rfind(' ')) ==
          doctest::Approx(double(model.weights(3, 5))).epsilon(0.01));
  }
}

TEST_CASE("a number of a query is the picked one of all heads side by side") {
  for (const char* part : {"cross", "encoder", "decoder"}) {
    for (const Index column : {Index{4}, Index{20}}) {
      Made m = made(
          {{"explain", "number"}, {"part", part}, {"row", "2"}, {"dim", std::to_string(column)}});
      const Model model = m.model();
      const core::Matrix queries = lab::row_matrix(model.traced(model.place, "queries"));
      const auto all = lines(m.page());
      const std::string name = "q[2," + std::to_string(column) + "]";
      const auto at = std::find_if(all.begin(), all.end(), [&](const std::string& line) {
        return line.rfind(name + "≈", 0) == 0;
      });
      REQUIRE(at != all.end());
      const std::string& result = *(at + 1);
      CHECK(std::atof(result.c_str() + result.rfind(' ')) ==
            doctest::Approx(double(queries(2, column))).epsilon(1e-3).scale(1));
    }
  }
}

}  // namespace translation_test
