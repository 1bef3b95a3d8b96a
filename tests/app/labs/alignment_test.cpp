// Alignment in a recurrent encoder-decoder: what ships is right, attention is held against a fixed
// context, and every claim of the presets.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "app/labs/alignment/page.h"
#include "assets/assets.h"
#include "core/random.h"
#include "trying.h"
#include "written_lengths.h"

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
      {{{"task", "dates"}}, 3415036929823887933u},
      {{{"task", "dates"}, {"language", "chinese"}}, 12980819730505102848u},
      {{{"task", "numbers"}}, 9902075652346768908u},
      {{{"task", "numbers"}, {"language", "chinese"}}, 15381214009842290649u},
      {{{"task", "reversal"}}, 15224741180675409028u},
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
  // What attention is held against does not get there; it is the file that was tested all the same.
  for (const auto& [task, hash] :
       {std::pair<param::Values, std::uint64_t>{{{"task", "dates"}}, 95786391296195795u},
        {{{"task", "reversal"}}, 13077917425396221270u}}) {
    Made m = made(task);
    CHECK(core::hash64(assets::find(lab::asset_name(kFixed, m.p.task))) == hash);
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

TEST_CASE("a Transformer's file is refused in one sentence") {
  const std::string path = "/tmp/attnscope_alignment_test.safetensors";
  std::ofstream(path, std::ios::binary) << assets::find("models/transformer-reversal.safetensors");
  Made m = made({{"recurrent_file", path}});
  CHECK_THROWS_WITH(
      m.model(), "expected a recurrent model, got a Transformer: the lab of translation opens it");
  std::ofstream(path, std::ios::binary) << assets::find("models/recurrent-reversal.safetensors");
  m.set({{"source", "abc"}});
  CHECK(m.model().reading().written == "cba");
  std::remove(path.c_str());
}
