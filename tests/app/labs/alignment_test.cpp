// Alignment in a recurrent encoder-decoder: what ships is right, attention is held against a fixed
// context, and every claim of the presets.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "app/labs/alignment/page.h"
#include "assets/assets.h"
#include "core/random.h"
#include "core/task/pair/spelling.h"
#include "folder.h"
#include "trying.h"
#include "written_lengths.h"

namespace alignment_test {

using namespace lab::alignment;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;
Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("alignment", id); }

// Where row `i` of the alignment looks most.
Index looks_at(const Model& model, Index i) {
  Index best = 0;
  model.weights.row(i).maxCoeff(&best);
  return best;
}

}  // namespace

TEST_CASE("every model that ships is right on held-out texts, and is the file that was tested") {
  const struct {
    param::Values task;
    std::uint64_t hash;
  } shipped[] = {
      {{{"task", "dates"}}, 5019583708081638433u},
      {{{"task", "dates"}, {"language", "chinese"}}, 7914560825957561465u},
      {{{"task", "numbers"}}, 6753761352540696155u},
      {{{"task", "numbers"}, {"language", "chinese"}}, 6387308664413209961u},
      {{{"task", "reversal"}}, 6461727624796276823u},
  };
  for (const auto& one : shipped) {
    Made m = made(one.task);
    CAPTURE(one.task[0].second);
    const Model model = m.model();
    const lab::Learned& learned = model.shown.learned;
    REQUIRE(learned.weights == lab::Weights::shipped);
    CHECK(learned.form == [&] {
      core::task::TranslatorForm form = m.p.form(true);
      return form;
    }());
    CHECK(learned.task() == *lab::pair_task(m.p.task, m.context()));
    const core::task::Score score = lab::held_out_score(learned, 1000, m.context());
    CHECK(score.accuracy() >= 0.99);
    CHECK(core::hash64(assets::find(lab::asset_name(kModel, m.p.task))) == one.hash);
  }
}

TEST_CASE("attention is held against one fixed context in every task, by length") {
  const struct {
    param::Values task;
    std::uint64_t hash;  // 0: nothing ships, it is trained here
    double least, most;  // accuracy of the fixed context
  } all[] = {
      {{{"task", "dates"}}, 17115160068994443190u, 0.55, 0.78},
      {{{"task", "dates"}, {"language", "chinese"}}, 4701495777549628618u, 0, 0.2},
      {{{"task", "numbers"}}, 11475354350951808441u, 0.7, 0.95},
      {{{"task", "numbers"}, {"language", "chinese"}}, 4476958630461527394u, 0.97, 1},
      {{{"task", "reversal"}}, 3185052520276493855u, 0.3, 0.6},
      {{{"task", "copy"}, {"letters", "4"}, {"longest", "3"}, {"steps", "20"}, {"step", "20"}},
       0,
       0,
       1},
      {{{"task", "own"}, {"steps", "5"}, {"step", "5"}, {"batch", "8"}}, 0, 0, 1},
  };
  for (const auto& one : all) {
    Made m = made(one.task);
    CAPTURE(one.task[0].second);
    CAPTURE(one.hash);
    const Model model = m.model();
    REQUIRE(model.fixed);
    CHECK(!model.fixed->learned.form.recurrent.decoder.attends);
    CHECK(model.fixed->score.accuracy() >= one.least);
    CHECK(model.fixed->score.accuracy() <= one.most);
    const bool ships = model.fixed->learned.weights == lab::Weights::shipped;
    CHECK(ships == (one.hash != 0));
    if (ships) {
      CHECK(core::hash64(assets::find(lab::asset_name(kFixed, m.p.task))) == one.hash);
      CHECK(model.fixed->learned.task() == *lab::pair_task(m.p.task, m.context()));
    }
    // Two curves over the same lengths, the share right of the texts of each.
    const auto curves = marks_of<figure::Line>(plot_of(m.page(), "lengths"));
    REQUIRE(curves.size() == 2);
    CHECK(curves[0].x == curves[1].x);
    for (std::size_t k = 0; k < curves[1].x.size(); ++k) {
      const auto length = static_cast<Index>(curves[1].x[k]);
      CHECK(curves[0].y[k] == share_at(*model.shown.lengths, length));
      CHECK(curves[1].y[k] == share_at(*model.fixed->lengths, length));
    }
  }
}

TEST_CASE("rows of the alignment sum to one, and digits look at their own") {
  Made m = made({{"source", "april 20, 1963"}});
  const Model model = m.model();
  CHECK(model.reading().written == "1963-04-20");
  for (Index i = 0; i < model.weights.rows(); ++i) {
    CHECK(model.weights.row(i).sum() == doctest::Approx(1).epsilon(1e-5));
  }
  // "1963" stands from place 10 on, "20" from place 6 on.
  for (Index i = 0; i < 4; ++i) CHECK(looks_at(model, i) == 10 + i);
  CHECK(looks_at(model, 8) == 6);
  CHECK(looks_at(model, 9) == 7);
}

TEST_CASE("spellings: most English ones end with the year, of six Chinese ones one has numerals") {
  using core::task::Language;
  const auto english = core::task::spellings({1987, 3, 5}, Language::english);
  const auto ends = std::count_if(english.begin(), english.end(),
                                  [](const std::string& one) { return one.ends_with("1987"); });
  CHECK(2 * ends > static_cast<std::ptrdiff_t>(english.size()));
  const auto chinese = core::task::spellings({1987, 3, 5}, Language::chinese);
  CHECK(chinese.size() == 6);
  CHECK(std::count_if(chinese.begin(), chinese.end(), [](const std::string& one) {
          return one.find("八七") != std::string::npos;
        }) == 1);
}

TEST_CASE("without attention a third of English dates and nearly all Chinese ones go wrong") {
  Made m = preset("fixed");
  CHECK(readout(m.page(), "accuracy") == doctest::Approx(0.65).epsilon(0.01));
  m.set({{"language", "chinese"}});
  CHECK(readout(m.page(), "accuracy") == doctest::Approx(0.06).epsilon(0.05));
  for (const char* language : {"english", "chinese"}) {
    CHECK(readout(made({{"language", language}}).page(), "accuracy") == 1);
  }
}

TEST_CASE("letters backwards: by their number, with attention and without") {
  const Model model = preset("lengths").model();
  REQUIRE(model.fixed);
  for (int n = 1; n <= 10; ++n) CHECK(share_at(*model.shown.lengths, n) == 1);
  for (int n = 1; n <= 3; ++n) CHECK(share_at(*model.fixed->lengths, n) == 1);
  CHECK(share_at(*model.fixed->lengths, 8) < 0.05);
  CHECK(share_at(*model.fixed->lengths, 10) == 0);
}

TEST_CASE("with a fixed context long texts are lost, with attention not before training ends") {
  Made m = preset("lengths");
  const Model model = m.model();
  REQUIRE(model.fixed);
  CHECK(share_at(*model.fixed->lengths, 2) > 0.9);
  CHECK(share_at(*model.fixed->lengths, 9) < 0.2);
  CHECK(share_at(*model.shown.lengths, 9) > 0.9);
  const Made fixed = preset("fixed");
  CHECK(!fixed.p.attends);
  Made same = preset("fixed");
  // About a third of the dates come out wrong.
  CHECK(same.model().shown.score.accuracy() > 0.55);
  CHECK(same.model().shown.score.accuracy() < 0.78);
  CHECK(same.model().weights.size() == 0);
  CHECK(!has_figure(same.page(), "alignment"));
}

TEST_CASE("trained here: from noise to a falling line") {
  Made m = preset("watch");
  m.set({{"source", "abcde"}});
  const Model model = m.model();
  CHECK(model.shown.score.accuracy() > 0.9);
  CHECK(model.reading().written == "edcba");
  for (Index i = 0; i < 5; ++i) CHECK(looks_at(model, i) == 4 - i);
  m.set({{"step", "0"}});
  const Model before = m.model();
  CHECK(before.shown.score.accuracy() < 0.1);
  // Grey: no weight is far from the mean of its row.
  CHECK(before.weights.maxCoeff() < 0.35);
}

TEST_CASE("other looks and cells learn as well") {
  for (const char* id : {"after", "lstm"}) {
    CAPTURE(id);
    CHECK(preset(id).model().shown.score.accuracy() > 0.9);
  }
}

TEST_CASE("the stages of a step: forward, the loss, backward over the same parts") {
  Made m = preset("slow");
  const Model model = m.model();
  REQUIRE(model.slow);
  // Four letters and the end are five tokens; three parts of the encoder, two between.
  CHECK(model.slow->stages.size() == 2 * 10 + 4);
  CHECK(model.slow->gradient_norm == doctest::Approx([&] {
                                       core::task::PairFit::State next = *model.shown.learned.state;
                                       model.shown.learned.fit->step(next, 1);
                                       return next.gradient_norm;
                                     }())
                                         .epsilon(1e-4));
  for (std::size_t stage = 0; stage < model.slow->stages.size(); ++stage) {
    m.set({{"stage", std::to_string(stage)}});
    CHECK(has_figure(m.page(), "slow"));
  }
}

TEST_CASE("every score and every look is explained down to its inputs") {
  for (const char* score : {"additive", "dot", "scaled_dot", "bilinear"}) {
    for (const char* looks : {"before", "after"}) {
      Made m = preset("slow");
      m.set({{"score", score}, {"looks", looks}, {"token", "1"}, {"steps", "5"}, {"step", "5"}});
      for (const char* row : {"0", "1"}) {
        m.set({{"row", row}});
        const Model model = m.model();
        // The score that is worked out is the one that the network had.
        const auto& scores = model.reading().traced("decoder.attention.scores");
        const double e = static_cast<double>(
            scores.values[static_cast<std::size_t>(model.row * scores.shape[2] + 1)]);
        CAPTURE(score);
        CAPTURE(looks);
        const lab::Page page = m.page();
        const auto all = lines(page);
        const bool found = std::any_of(all.begin(), all.end(), [&](const std::string& line) {
          // "= 0.12345" or "≈ 0.1235": the sum of the products.
          const std::size_t at = line.find_last_of(' ');
          const double value = at == line.npos ? 1e9 : std::atof(line.c_str() + at + 1);
          return std::abs(value - e) < 2e-3;
        });
        CHECK(found);
      }
    }
  }
}

TEST_CASE("one matrix on state and source joined is the same additive score") {
  Made m = made({{"source", "april 20, 1963"}, {"row", "3"}, {"token", "13"}});
  const Model model = m.model();
  const lab::Learned& learned = model.shown.learned;
  const auto parameter = [&](const char* name) {
    const auto& slot = learned.model->translator.layout().find(name)->slot;
    return core::Matrix(
        Eigen::Map<const core::Matrix>(learned.numbers() + slot.offset, slot.rows, slot.cols));
  };
  const core::Matrix up = parameter("decoder.attention.query.weight"),
                     low = parameter("decoder.attention.key.weight");
  core::Matrix one(up.rows() + low.rows(), up.cols());
  one << up, low;
  const core::Matrix states = lab::row_matrix(model.reading().traced("decoder.0.states")),
                     read = lab::row_matrix(model.reading().traced("encoder.states"));
  core::Matrix joined(1, one.rows());
  joined << states.row(2), read.row(13);
  const core::Matrix inside = (joined * one).array().tanh();
  const float e = (inside * parameter("decoder.attention.score.weight"))(0, 0);
  CHECK(lab::row_matrix(model.reading().traced("decoder.attention.scores"))(3, 13) ==
        doctest::Approx(e).epsilon(1e-4));
  // The explanation works one number of the tanh out: the product's largest term is of that one.
  const auto all = lines(m.page());
  const auto at = std::find_if(all.begin(), all.end(), [](const std::string& line) {
    return line.rfind("t[", 0) == 0 && line.find("≈ tanh(") != std::string::npos;
  });
  REQUIRE(at != all.end());
  const int k = std::atoi(at->c_str() + 2);
  const double t = std::atof((at + 1)->c_str() + (at + 1)->rfind(' '));
  CHECK(t == doctest::Approx(double(inside(0, k))).epsilon(1e-3));
}

TEST_CASE("a Transformer's file is refused in one sentence") {
  const test::Folder folder;
  const auto written = [&](const char* asset) {
    return folder.write("model.safetensors", std::string(assets::find(asset)));
  };
  const std::string path = written("models/transformer-reversal.safetensors");
  Made m = made({{"recurrent_file", path}});
  CHECK_THROWS_WITH(m.model(),
                    "expected a recurrent model, got a Transformer: the translation lab opens it");
  written("models/recurrent-reversal.safetensors");
  m.set({{"source", "abc"}});
  CHECK(m.model().reading().written == "cba");
  // Nothing was trained with it, and the page says so.
  const lab::Page page = m.page();
  CHECK_FALSE(m.model().fixed);
  CHECK(page.notes.back().find("A model from a file is shown alone") == 0);
}

TEST_CASE("a click in the map sets the step and the token that it lies on") {
  Made m = made({{"source", "april 20, 1963"}});
  const auto map = mark_of<figure::Heatmap>(plot_of(m.page(), "alignment"));
  m.set({{map.row_param, "2"}, {map.col_param, "11"}});
  const Model model = m.model();
  CHECK(model.row == 2);
  REQUIRE(model.key);
  CHECK(*model.key == 11);
  const auto after = mark_of<figure::Heatmap>(plot_of(m.page(), "alignment"));
  CHECK(after.pinned == std::pair<Index, Index>{2, 11});
  CHECK(after.source->value(2, 11) == model.weights(2, 11));
  // The weight that is taken apart is that one.
  const auto all = lines(m.page());
  CHECK(std::atof(all[0].c_str() + all[0].rfind(' ')) ==
        doctest::Approx(double(model.weights(2, 11))).epsilon(0.01));
}

TEST_CASE("accuracy is that on pairs never trained on") {
  Made m = made({{"attention", "false"}});
  const Model model = m.model();
  const lab::Learned& learned = model.shown.learned;
  const auto of = [&](bool held) {
    std::vector<core::task::Encoded> pairs;
    for (const auto& pair : core::task::draw_pairs(learned.task(), 77, 256, held)) {
      pairs.push_back(learned.model->encoded(pair));
    }
    return core::task::score(*learned.model, learned.numbers(), pairs, 1);
  };
  CHECK(model.shown.score.pairs == 256);
  CHECK(model.shown.score.loss == of(true).loss);
  CHECK(model.shown.score.loss != of(false).loss);
  CHECK(readout(m.page(), "accuracy") == of(true).accuracy());
}

TEST_CASE("the bars of a stage are what the gradient has come to there") {
  Made m = preset("slow");
  const auto slow = m.model().slow;
  for (std::size_t stage = 0; stage < slow->stages.size(); ++stage) {
    m.set({{"stage", std::to_string(stage)}});
    const figure::Bars bars = mark_of<figure::Bars>(plot_of(m.page(), "norms"));
    if (slow->stages[stage].kind == core::task::SlowStage::Kind::update) continue;
    double squares = 0;
    for (const double one : bars.values) squares += one * one;
    // Every parameter is in one of the groups.
    CHECK(std::sqrt(squares) == doctest::Approx(slow->norms.row(Index(stage)).norm()));
  }
}

TEST_CASE("curves of training are marked at the step that is shown") {
  Made m = preset("slow");
  m.set({{"step", "17"}});
  for (const char* id : {"loss", "accuracy", "norm"}) {
    const auto rules = marks_of<figure::Rule>(plot_of(m.page(), id));
    REQUIRE(rules.size() == 1);
    CHECK(rules[0].at == 17);
  }
}

}  // namespace alignment_test
