#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "app/labs/labs.h"
#include "app/labs/multi_head/model.h"
#include "app/labs/multi_head/page.h"
#include "core/attention/attention.h"
#include "trying.h"

namespace multi_head_test {

using namespace lab::multi_head;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;
using core::MatrixD;

namespace {

using Made = Trial<Parameters>;
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("multi_head", id); }

const figure::Heatmap& heatmap(const lab::Page& page, std::string_view id) {
  return std::get<figure::Heatmap>(plot_of(page, id).marks.at(0));
}

MatrixD slice(const core::Matrix& x, const Projected& p, Index head) {
  return x.middleCols(head * p.d_k, p.d_k).cast<double>();
}

// The plain attention of one head, in double, of the same queries, keys and values.
core::Attended<double> plain(const Model& model, Index head) {
  const Projected& p = *model.projected;
  core::AttentionOptionsD options;
  options.scale = static_cast<double>(model.heads->scale());
  options.mask = model.heads->mask();
  return core::attend<double>(slice(p.Q, p, head), slice(p.K, p, head), slice(p.V, p, head),
                              options);
}

}  // namespace

TEST_CASE("Scores, weights and outputs are those of the plain attention, in every setting") {
  for (const MaskKind mask : {MaskKind::full, MaskKind::causal, MaskKind::local,
                              MaskKind::key_padding, MaskKind::query_padding}) {
    for (const Position position : {Position::none, Position::sinusoidal, Position::rope}) {
      for (const Projection projection :
           {Projection::identity, Projection::tied, Projection::random}) {
        Made made;
        made.p.mask = mask;
        made.p.position = position;
        made.p.projection = projection;
        made.p.heads = 3;  // does not divide 64
        made.p.temperature = 0.7;
        const Model model = made.model();
        const lab::Page page = made.page();
        const auto expected = plain(model, 2);
        for (Index i = 0; i < model.n(); ++i) {
          for (Index j = 0; j < model.n(); ++j) {
            const double score = double(heatmap(page, "scores").source->value(i, j));
            // Twenty-one float products of size about 1 to 60.
            CHECK(score == doctest::Approx(expected.scores(i, j)).epsilon(1e-5).scale(10));
            const float weight = heatmap(page, "weights").source->value(i, j);
            const bool allowed = model.heads->mask().allowed(i, j);
            CHECK(core::is_masked(weight) == !allowed);
            CHECK(core::is_masked(heatmap(page, "scaled").source->value(i, j)) == !allowed);
            if (allowed) CHECK(std::abs(double(weight) - expected.weights(i, j)) < 1e-5);
          }
        }
        const auto own = model.heads->concat().middleCols(2 * model.d_k(), model.d_k());
        CHECK((own.cast<double>() - expected.output).cwiseAbs().maxCoeff() < 1e-4);
        for (Index j = 0; j < model.n(); ++j) {
          CHECK(std::abs(model.row.weights[std::size_t(j)] - expected.weights(model.query, j)) <
                1e-6);
        }
      }
    }
  }
}

TEST_CASE("Equal words have equal rows, and without position they share their weights") {
  Made made;
  made.p.position = Position::none;
  made.p.mask = MaskKind::full;
  const Model model = made.model();
  const figure::TileSource& weights = *model.sources->weights[0];
  for (Index j = 0; j < model.n(); ++j) CHECK(weights.value(2, j) == weights.value(12, j));  // bank
  CHECK(weights.value(5, 0) == weights.value(5, 6));                                         // the
}

TEST_CASE("Under RoPE equal tokens are told apart by distance alone") {
  Made made;
  made.p.input = lab::Input::repeated;
  made.p.period = 1;
  made.p.length = 40;
  made.p.mask = MaskKind::full;
  const figure::TileSource& scores = *made.model().head_sources->scores;
  for (Index d = 0; d < 20; ++d) {
    // Float rounding of the turned entries, of size about 1, over eight products.
    CHECK(std::abs(scores.value(0, d) - scores.value(20, 20 + d)) < 1e-4f);
  }
  CHECK(std::abs(scores.value(0, 0) - scores.value(0, 1)) > 0.1f);
}

TEST_CASE("What is streamed agrees with what is kept: cells, pooled cells, outputs") {
  Made made;
  made.p.input = lab::Input::smooth;
  made.p.length = 3000;  // 8 heads x 3000 x 3000 x 4 bytes is beyond kMostKeptBytes
  made.p.mask = MaskKind::causal;
  const Model model = made.model();
  REQUIRE(model.heads->streamed != nullptr);
  core::AttentionOptions options = model.heads->options;
  const core::Attention kept =
      core::attend_fast(model.projected->Q, model.projected->K, model.projected->V, options);
  const Index head = 4;
  const figure::DenseSource dense(core::Matrix(kept.weights[std::size_t(head)].matrix()),
                                  std::make_shared<core::Mask>(model.heads->mask()));
  const figure::TileSource& streamed = *model.sources->weights[std::size_t(head)];
  for (const auto& [i, j] :
       {std::pair<Index, Index>{0, 0}, {2999, 17}, {1500, 1500}, {1234, 999}}) {
    CHECK(streamed.value(i, j) == doctest::Approx(dense.value(i, j)).epsilon(1e-4));
  }
  CHECK(core::is_masked(streamed.value(3, 4)));
  for (const int level : {0, 2, 3, 6, 8, 12}) {  // below and above the overview's
    for (const core::Pool pool : {core::Pool::max, core::Pool::mean}) {
      const Index all = figure::pooled_size(3000, level);
      const figure::Region region{all / 3, all / 4, std::min<Index>(9, all - all / 3),
                                  std::min<Index>(11, all - all / 4)};
      core::Matrix got(region.rows, region.cols), want(region.rows, region.cols);
      streamed.pooled(level, region, pool, got.data(), {});
      dense.pooled(level, region, pool, want.data(), {});
      for (Index k = 0; k < got.size(); ++k) {
        const float a = got.data()[k], b = want.data()[k];
        CHECK(core::is_masked(a) == core::is_masked(b));
        // Means of up to 2^24 weights, summed in another order.
        if (!core::is_masked(b)) CHECK(a == doctest::Approx(b).epsilon(1e-4));
      }
    }
  }
  CHECK((model.heads->concat() - kept.output).cwiseAbs().maxCoeff() < 1e-4f);
  CHECK(mean_entropy(*model.heads, 0) == doctest::Approx(kept.entropy.row(0).mean()).epsilon(1e-4));
  CHECK(row_sum_error(model.heads, 2000, {}) < 1e-5);
}

TEST_CASE("The largest score is that of all pairs, whether keys are queries or not") {
  for (const Projection projection : {Projection::identity, Projection::tied, Projection::random}) {
    Made made;
    made.p.input = lab::Input::random;
    made.p.length = 2100;  // 2100 x 2100 is beyond kMostScoreCells
    made.p.heads = 2;
    made.p.projection = projection;
    const Model model = made.model();
    const double largest = plain(model, model.head).scores.cwiseAbs().maxCoeff();
    CHECK(model.projected->tied == (model.projected->Q == model.projected->K));
    CHECK(model.head_sources->largest_score == doctest::Approx(largest).epsilon(1e-4));
  }
}

TEST_CASE("Scores computed when looked at are those that would be kept, signs and all") {
  Made made;
  made.p.input = lab::Input::random;
  made.p.length = 2100;  // 2100 x 2100 is beyond kMostScoreCells
  made.p.heads = 2;
  const Model model = made.model();
  const auto expected = plain(model, model.head);
  const figure::DenseSource scores(core::Matrix(expected.scores.cast<float>()));
  const figure::DenseSource scaled(core::Matrix(expected.scaled.cast<float>()),
                                   std::make_shared<core::Mask>(model.heads->mask()));
  float extreme = expected.scores.cwiseAbs().maxCoeff() > 0
                      ? static_cast<float>(expected.scores.cwiseAbs().maxCoeff())
                      : 0;
  CHECK(model.head_sources->largest_score == doctest::Approx(extreme).epsilon(1e-4));
  for (const core::Pool pool : {core::Pool::max, core::Pool::mean}) {
    const figure::Region region{20, 3, 6, 30};
    core::Matrix got(6, 30), want(6, 30);
    model.head_sources->scores->pooled(5, region, pool, got.data(), {});
    scores.pooled(5, region, pool, want.data(), {});
    CHECK((got - want).cwiseAbs().maxCoeff() < 1e-3f);
    CHECK((pool == core::Pool::mean || want.minCoeff() < 0));  // a negative extreme keeps its sign
    model.head_sources->scaled->pooled(5, region, pool, got.data(), {});
    scaled.pooled(5, region, pool, want.data(), {});
    for (Index k = 0; k < got.size(); ++k) {
      const float a = got.data()[k], b = want.data()[k];
      CHECK(core::is_masked(a) == core::is_masked(b));
      if (!core::is_masked(b)) CHECK(std::abs(a - b) < 1e-3f);
    }
  }
}

TEST_CASE("No cell lies off its colour scale") {
  for (const char* id : {"first_look", "chinese", "saturated", "hot", "distance_only"}) {
    Made made = preset(id);
    const lab::Page page = made.page();
    for (const char* plot : {"scores", "scaled", "weights", "head_1"}) {
      const figure::Heatmap& map = heatmap(page, plot);
      for (Index i = 0; i < map.source->rows(); ++i) {
        for (Index j = 0; j < map.source->cols(); ++j) {
          const float cell = map.source->value(i, j);
          if (!core::is_masked(cell)) CHECK((cell >= map.scale.lo && cell <= map.scale.hi));
        }
      }
    }
  }
}

TEST_CASE("The variance of the scores is that of all pairs") {
  Made made;
  const Model model = made.model();
  const MatrixD scores = plain(model, 1).scores;
  const double mean = scores.mean();
  const double variance = (scores.array() - mean).square().mean();
  CHECK(head_numbers(model.heads, 1, {}).variance == doctest::Approx(variance).epsilon(1e-5));
}

TEST_CASE("Independent numbers have the variance that theory says, before and after scaling") {
  Made made;
  made.p.input = lab::Input::random;
  made.p.length = 1000;
  made.p.projection = Projection::random;
  made.p.position = Position::none;
  made.p.heads = 4;
  made.p.d_model = 256;
  const lab::Page page = made.page();
  // q and k are not quite independent: embeddings share the matrices. A tenth is ample.
  CHECK(readout(page, "score_variance") == doctest::Approx(64).epsilon(0.1));
  CHECK(readout(page, "scaled_variance") == doctest::Approx(1).epsilon(0.1));
  CHECK(readout(page, "d_k") == 64);
  CHECK(readout(page, "row_sum_error") < 1e-5);
}

TEST_CASE("Printed products and their sum are those of the printed numbers, and the real score") {
  for (const int d_model : {8, 64, 1024}) {
    Made made;
    made.p.d_model = d_model;
    made.p.heads = 4;
    const Model model = made.model();
    double sum = 0, printed = 0;
    int terms = 0;
    for (const std::string& line : lines(made.page())) {
      double q = 0, k = 0, product = 0;
      if (line.find("q·k= Σ") == 0) {
        sum = terms = 0;
      } else if (std::sscanf(line.c_str() + 2, "(%lf)(%lf) ≈ %lf", &q, &k, &product) == 3) {
        CHECK(std::abs(q * k - product) <= 1.001e-4);  // one unit of its last digit
        sum += product;
        ++terms;
      } else if (const auto more = line.find("more terms: "); more != line.npos) {
        sum += std::stod(line.substr(line.find("≈ ", more) + std::string("≈ ").size()));
        ++terms;
      } else if (terms > 0) {
        REQUIRE(line.find("≈ ") == 0);
        printed = std::stod(line.substr(std::string("≈ ").size()));
        break;
      }
    }
    REQUIRE(terms > 1);
    CHECK(std::abs(sum - printed) <= 0.5e-4 * (terms + 1) + 1e-9);
    CHECK(std::abs(printed - model.row.scores[std::size_t(model.key)]) <= 0.5e-4 + 1e-9);
  }
}

TEST_CASE("The explanation of the first look, in words") {
  Made made;
  const auto text = lines(made.page());
  const Model model = made.model();
  CHECK(text.at(0) == fmt::format("w[12,2]≈ {:.4f}", model.row.weights[2]));
  CHECK(text.at(text.size() - 2) ==
        "RoPE rotated q by position 12 and k by 2: the score depends on their distance, key minus "
        "query: "
        "-10");
}

TEST_CASE("A masked pair is explained, not computed") {
  Made made;
  made.p.query = 3;
  made.p.key = 10;
  lab::Page page = made.page();
  CHECK(lines(page) ==
        std::vector<std::string>{"w[3,10]= 0",
                                 "masked: key 10 comes after query 3; its weight is exactly 0"});
  made.p.mask = MaskKind::query_padding;
  made.p.valid = 0;
  page = made.page();
  CHECK(page.explanation.lines.at(1).right.at(0).text.find("query 3 is padding") !=
        std::string::npos);
  REQUIRE(page.notes.size() >= 1);
  CHECK(page.notes[0] ==
        "Queries that see no key at all: 14. Their weights and outputs are 0, which is not a "
        "softmax.");
  CHECK(readout(page, "largest_weight") == 0);
  CHECK(readout(page, "entropy_3") == 0);
}

TEST_CASE("Without text there is a page that says so; a cut text says so too") {
  Made made;
  made.p.text = "   ";
  lab::Page page = made.page();
  CHECK(page.figures.empty());
  CHECK(page.notes == std::vector<std::string>{"There is no token yet: type some text."});
  made.p.text = "one two three four";
  made.p.length = 3;
  page = made.page();
  CHECK(page.status.find("n = 3 ") == 0);
  CHECK(page.notes.at(0).find("its first 3 are used") != std::string::npos);
  made.p.length = 4;
  CHECK(made.page().notes.empty());
  made.p.text = "one";
  CHECK(made.page().status.find("n = 1 ") == 0);
}

TEST_CASE("Ranges of query and key follow the text as it is typed") {
  const auto state = lab::find("multi_head").make();
  const auto most = [&](std::string_view id) { return state->list().find(id)->info.max; };
  CHECK(most("query") == 13);
  param::assign(state->describe(), {{"text", "only three words"}});
  CHECK(most("key") == 2);
  CHECK(param::number(*state->list().find("query")) == 2);
  param::assign(state->describe(), {{"unit", "bytes"}});
  CHECK(most("query") == 15);
  param::assign(state->describe(), {{"input", "random"}, {"length", "100"}});
  CHECK(most("query") == 99);
  param::assign(state->describe(), {{"input", "text"}, {"text", ""}});
  CHECK(most("query") == 0);
}

TEST_CASE("A stage runs again only when something it depends on changed") {
  Made made;
  made.page();
  made.p.query = 7;
  made.p.key = 3;
  made.p.head = 5;
  made.page();
  CHECK(made.memo.runs("tokens") == 1);
  CHECK(made.memo.runs("projected") == 1);
  CHECK(made.memo.runs("heads") == 1);
  made.p.temperature = 2;
  made.page();
  CHECK(made.memo.runs("projected") == 1);
  CHECK(made.memo.runs("heads") == 2);
  made.p.base = 500;
  made.page();
  CHECK(made.memo.runs("tokens") == 1);
  CHECK(made.memo.runs("projected") == 2);
}

TEST_CASE("A page that is still shown keeps its numbers while the next one is computed") {
  Made made;
  const lab::Page first = made.page();
  const float before = heatmap(first, "weights").source->value(12, 2);
  for (int k = 0; k < 4; ++k) {
    made.p.temperature = 1.5 + k;
    made.page();
  }
  CHECK(heatmap(first, "weights").source->value(12, 2) == before);
}

TEST_CASE("Sixteen thousand tokens and eight heads open within two gigabytes") {
  Made made;
  made.p.input = lab::Input::smooth;
  made.p.length = kMostTokens;
  const lab::Page page = made.page();
  CHECK(page.status.find("n = 16384 ") == 0);
  CHECK(readout(page, "memory") < 2e8);
#ifndef __SANITIZE_ADDRESS__  // it keeps what is freed, and a shadow of all
  rusage usage{};
  REQUIRE(getrusage(RUSAGE_SELF, &usage) == 0);
  CHECK(usage.ru_maxrss < 2'000'000);  // kB, of this whole process so far
#endif
}

TEST_CASE("the sheet of all heads has rows of at most eight that are equally full") {
  for (const int heads : {1, 3, 8, 9, 10, 20, 32}) {
    CAPTURE(heads);
    Made made;
    made.p.heads = heads;
    const lab::Page page = made.page();
    const figure::Figure& sheet = page.figures.front();
    REQUIRE(sheet.id == "heads");
    CHECK(sheet.columns <= 8);
    const int rows = (heads + sheet.columns - 1) / sheet.columns;
    CHECK(rows == (heads + 7) / 8);
    CHECK(rows * sheet.columns - heads < rows);
  }
}

}  // namespace multi_head_test
