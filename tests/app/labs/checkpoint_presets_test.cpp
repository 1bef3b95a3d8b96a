// Published models: every claim of the presets.
#include <doctest/doctest.h>

#include <cmath>

#include "checkpoint_rig.h"
#include "core/position/relative/alibi.h"

namespace checkpoint_presets_test {

using namespace checkpoint_rig;
namespace published = core::checkpoint;

namespace {

const Rounding::Change& change_of(const Model& model, Rounded what) {
  return model.rounding->changes[static_cast<std::size_t>(what)];
}

double weight_of(const Model& model, Index query, Index key) {
  return static_cast<double>(
      model.attending()->weights[static_cast<std::size_t>(model.place.head)](query, key));
}

std::vector<std::string> plots_of(const lab::Page& page, std::string_view id) {
  std::vector<std::string> plots;
  for (const auto& figure : page.figures) {
    if (figure.id != id) continue;
    for (const auto& plot : figure.plots) plots.push_back(plot.id);
  }
  return plots;
}

}  // namespace

TEST_CASE("presets: heads and weights") {
  Made heads = preset("heads");
  const lab::Page page = heads.page();
  CHECK(plots_of(page, "heads").size() == 12);
  CHECK(heads.model().facts().name == "GPT-2");

  Made weight = preset("weight");
  const Model model = weight.model();
  CHECK(model.facts().heads == 4);
  CHECK(model.facts().key_heads == 2);
  CHECK(says(weight.page(), "head 3 reads key head 2"));
  // softmax of q·k times the scale, by hand.
  const auto* looks = model.attending();
  const auto q = looks->queries.row(9).segment(2 * 16, 16).cast<double>();
  VectorD scores(10);
  for (Index j = 0; j < 10; ++j) {
    scores(j) = 0.25 * q.dot(looks->keys.row(j).segment(16, 16).cast<double>());
  }
  const VectorD e = (scores.array() - scores.maxCoeff()).exp();
  CHECK(weight_of(model, 9, 3) == doctest::Approx(e(3) / e.sum()).epsilon(1e-5));
}

TEST_CASE("preset: no token of a Chinese character can be read alone") {
  Made m = preset("half_character");
  const Model model = m.model();
  std::string all;
  for (const std::int32_t id : model.tokens->ids) {
    CHECK(model.opened->shown(id).find("\\x") != std::string::npos);
    CHECK(model.opened->tokenizer->bytes(id).size() <= 2);
    all += model.opened->tokenizer->bytes(id);
  }
  CHECK(all == m.p.text);
  for (const char* character : {"猫", "坐", "在", "垫", "子"}) {
    CAPTURE(character);
    m.set({{"text", character}});
    const std::size_t count = m.model().tokens->ids.size();
    CHECK((count == 2 || count == 3));
  }
  // Not so of every character: this one is a token.
  m.set({{"text", "看"}});
  CHECK(m.model().tokens->ids.size() == 1);
}

TEST_CASE("presets: the next token, chosen and drawn") {
  Made next = preset("next");
  const Model model = next.model();
  for (std::size_t t = 0; t < model.lens->cells.back().size(); ++t) {
    const auto& cell = model.lens->cells.back()[t];
    CHECK(cell.chance == cell.of_wanted);
  }
  Made sampled = preset("sampled");
  const auto written = sampled.model().continuation->tokens;
  Made again = preset("sampled");
  const auto once_more = again.model().continuation->tokens;
  REQUIRE(written.size() == once_more.size());
  for (std::size_t k = 0; k < written.size(); ++k) CHECK(written[k].id == once_more[k].id);
  // Without a cache: a whole pass for each token.
  const Model of = sampled.model();
  const auto plain = core::decode::write(
      [&](const std::vector<std::int32_t>& ids) -> VectorD {
        const auto logits = of.opened->model->forward<float>({.tokens = ids}).logits;
        return logits.bottomRows(1).row(0).cast<double>();
      },
      of.tokens->ids,
      {.filters = {{core::decode::Filter::Kind::temperature, 1.5}}, .seed = 7, .most = 24});
  REQUIRE(plain.tokens.size() == written.size());
  for (std::size_t k = 0; k < written.size(); ++k) CHECK(plain.tokens[k].id == written[k].id);
  sampled.set({{"seed", "8"}});
  CHECK(sampled.model().continuation->log_probability != of.continuation->log_probability);
}

TEST_CASE("T5 writes with its cache what it writes without, and says so") {
  Made m = made({{"model", "t5"}, {"view", "next"}, {"samples", "true"}, {"seed", "3"}});
  const Model of = m.model();
  const auto plain = core::decode::write(
      [&](const std::vector<std::int32_t>& ids) -> VectorD {
        core::checkpoint::Input input = of.tokens->input();
        input.decoder_tokens = ids;
        const auto logits = of.opened->model->forward<float>(input).logits;
        return logits.bottomRows(1).row(0).cast<double>();
      },
      of.tokens->decoder, {.seed = 3, .most = 24});
  const auto& written = of.continuation->tokens;
  REQUIRE(written.size() == plain.tokens.size());
  CHECK(written.size() > 3);
  for (std::size_t k = 0; k < written.size(); ++k) CHECK(written[k].id == plain.tokens[k].id);
  const lab::Page page = m.page();
  const auto figure = std::find_if(page.figures.begin(), page.figures.end(),
                                   [](const auto& one) { return one.id == "continuation"; });
  REQUIRE(figure != page.figures.end());
  CHECK(figure->note == "with a cache of keys and values; the encoder reads its text once");
}

TEST_CASE("presets: where the text stands, and what of it is rounded") {
  Made far = preset("ten_thousand");
  const Model model = far.model();
  const double ids = change_of(model, Rounded::ids).largest;
  const double tables = change_of(model, Rounded::tables).largest;
  CHECK(ids > 20 * tables);
  CHECK(tables > 0);
  const core::Rounder low(core::kBFloat16);
  CHECK(low(10048.0) == low(10049.0));
  CHECK(low(9984.0) != low(10048.0));
  CHECK(change_of(model, Rounded::everything).largest > 10 * tables);
  // The same text ever farther out.
  CHECK(model.rounding->by_ids.back() > 10 * model.rounding->by_tables.back());

  // The finished table with its factor is what is rounded.
  const auto& rotary = *model.positions().rotary;
  REQUIRE(rotary.multiplier > 1);
  published::Input input = model.tokens->input();
  published::ForwardOptions<float> options;
  options.first_position = 10000;
  const auto with = [&](bool rounds) {
    options.rotary_table = [rounds, &low](const VectorD& theta, const VectorD& places,
                                          double factor) {
      core::RotaryTableD table = core::rotary_angles(places, theta);
      for (auto* part : {&table.cos, &table.sin}) {
        *part = part->unaryExpr([&](double x) { return rounds ? low(factor * x) : factor * x; });
      }
      return table;
    };
    return model.opened->model->forward<float>(input, options).logits;
  };
  CHECK(tables == doctest::Approx((with(true) - with(false)).cast<double>().cwiseAbs().maxCoeff())
                      .epsilon(1e-3));

  Made near = preset("first_positions");
  CHECK(change_of(near.model(), Rounded::ids).largest == 0);
  CHECK(change_of(near.model(), Rounded::ids).tokens_changed == 0);
  CHECK(change_of(near.model(), Rounded::tables).largest > 0);

  Made infinite = preset("float16");
  CHECK_FALSE(change_of(infinite.model(), Rounded::ids).finite);
  CHECK(change_of(infinite.model(), Rounded::tables).finite);
  CHECK(change_of(infinite.model(), Rounded::tables).tokens_changed == 0);
}

TEST_CASE("preset: a format of one's own") {
  Made m = preset("own_format");
  CHECK(core::format_facts(lab::format_of(m.p.format)).max == 240);
  CHECK_FALSE(change_of(m.model(), Rounded::ids).finite);
  m.set({{"specials", "none"}});
  CHECK(core::format_facts(lab::format_of(m.p.format)).max == 480);
  CHECK(change_of(m.model(), Rounded::ids).finite);
}

TEST_CASE("exactly turned, the same text says the same at every place") {
  Made m = made({{"model", "llama"}, {"view", "next"}});
  const Model model = m.model();
  published::ForwardOptions<double> options;
  const auto here = model.opened->model->forward<double>(model.tokens->input(), options).logits;
  options.first_position = 10000;
  const auto there = model.opened->model->forward<double>(model.tokens->input(), options).logits;
  CHECK((here - there).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("preset: stretched fourfold") {
  Made m = preset("stretched");
  const published::Rotary& rotary = *m.model().positions().rotary;
  CHECK(rotary.factor == 4);
  published::Rotary plain = rotary;
  plain.scaling = published::RopeScaling::none;
  const VectorD ratio = plain.frequencies(100).array() / rotary.frequencies(100).array();
  CHECK(ratio.size() == 8);
  CHECK(ratio(0) == 1);
  CHECK(ratio(7) == doctest::Approx(4));
  CHECK(m.page().jumps.size() == 4);
}

TEST_CASE("presets: slopes and the penalty") {
  Made m = preset("alibi");
  const VectorD slopes = m.model().positions().slopes;
  REQUIRE(slopes.size() == 6);
  const VectorD eight = core::alibi_slopes(8);
  CHECK(slopes(4) == eight(0));
  CHECK(slopes(5) == eight(2));
  Made penalty = preset("penalty");
  CHECK(penalty.model().positions().slopes.maxCoeff() == slopes(4));
  CHECK(slopes(4) == 0.5);
  CHECK(says(penalty.page(), "0.5·(10 - 12)"));
  CHECK(says(penalty.page(), "-1.00000"));
}

TEST_CASE("presets: a hidden word, buckets, one text on another") {
  Made masked = preset("masked");
  const Model bert = masked.model();
  CHECK(bert.opened->shown(bert.query_ids()[4]) == "[MASK]");
  CHECK(bert.said->size() == bert.facts().vocabulary);
  CHECK(bert.reading->trace.pooled.size() == 32);
  CHECK(bert.sees(0, 5));
  CHECK(has_figure(masked.page(), "pooled"));

  Made buckets = preset("buckets");
  const Model t5 = buckets.model();
  REQUIRE(t5.positions().buckets.size() == 2);
  std::string scheme;
  const figure::Plot shown = plot_of(buckets.page(), "scheme");
  for (const auto& row : mark_of<figure::Table>(shown).rows) {
    scheme += row.back().front().text + "\n";
  }
  for (const auto& one : t5.positions().buckets) {
    const core::T5Buckets bucket(one.spec);
    const Index from = one.encoder ? 91 : 113;
    CHECK(bucket(-from) == bucket(-5000));
    CHECK(bucket(1 - from) != bucket(-from));
    CHECK(scheme.find(one.encoder ? "32, the last one from distance 91 on"
                                  : "32, the last one from distance 113 on") != scheme.npos);
  }

  Made cross = preset("cross");
  const Model model = cross.model();
  CHECK(model.place.cross);
  CHECK(model.attending()->scale == 1);
  CHECK(model.keys() == static_cast<Index>(model.tokens->ids.size()));
  CHECK(model.queries() == static_cast<Index>(model.tokens->decoder.size()));
  CHECK(says(cross.page(), "Positions do nothing here"));
  double sum = 0;
  for (Index j = 0; j < model.keys(); ++j) sum += weight_of(model, 2, j);
  CHECK(sum == doctest::Approx(1));
}

TEST_CASE("preset: what is in the file") {
  Made m = preset("file");
  const lab::Page page = m.page();
  const auto& table = mark_of<figure::Table>(plot_of(page, "facts"));
  std::string all;
  for (const auto& row : table.rows) {
    for (const auto& cell : row) all += cell.front().text + "\n";
  }
  CHECK(all.find("wte.weight, tied to the embedding") != std::string::npos);
  CHECK(all.find("float16 (tensors: ") != std::string::npos);
  CHECK(readout(page, "parameters") == static_cast<double>(m.model().facts().parameters));
  CHECK(m.model().opened->model->weights().bytes_kept() == 0);
}

TEST_CASE("a model that has read is held against others by what was measured when it was trained") {
  for (const char* language : {"english", "chinese"}) {
    CAPTURE(language);
    Made m = made({{"view", "comparison"}, {"model", language}});
    const auto& of = *m.model().opened->comparison;
    const lab::Page page = m.page();
    CHECK(mark_of<figure::Bars>(plot_of(page, "guessers")).values == of.all.bits);
    const auto& table = mark_of<figure::Table>(plot_of(page, "comparison"));
    REQUIRE(table.rows.size() == of.sources.size() + 1);
    for (std::size_t k = 0; k < of.sources.size(); ++k) {
      REQUIRE(table.rows[k].size() == of.guessers.size() + 2);
      CHECK(table.rows[k][0].front().text == of.sources[k].name().in_english());
      CHECK(std::stod(table.rows[k][2].front().text) ==
            doctest::Approx(of.sources[k].bits[0]).epsilon(1e-3));
    }
    CHECK(table.rows.back()[0].front().text == "all of them");
    REQUIRE(of.best_other() > 0);
    CHECK(readout(page, "bits") == of.all.bits[0]);
    CHECK(readout(page, "best_other") == of.all.bits[of.best_other()]);
  }
  // Of one that nobody measured it is said, and the page shows what there is.
  const lab::Page none = made({{"view", "comparison"}, {"model", "gpt2"}}).page();
  CHECK(notes(none, "No measurement came with this model."));
  CHECK(has_figure(none, "facts"));
}

}  // namespace checkpoint_presets_test
