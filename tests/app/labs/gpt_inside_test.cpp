// Inside a decoder: what is shown adds up, changes do what they say, and every claim of the
// presets.
#include <doctest/doctest.h>

#include <cmath>

#include "app/labs/shared/model/traced.h"
#include "gpt_inside_rig.h"

namespace gpt_inside_test {

using namespace gpt_inside_rig;

namespace {

MatrixD cells_in(Made& m) {
  const Model model = m.model();
  return circuit_map({m.p, model, m.words})->cells;
}

// Of the symbols of the vocabulary: the share of rows that are largest at their own column.
double own_largest(const MatrixD& cells) {
  const MatrixD symbols = cells.bottomRightCorner(cells.rows() - 3, cells.cols() - 3);
  Index hits = 0;
  for (Index row = 0; row < symbols.rows(); ++row) {
    Index at = 0;
    symbols.row(row).maxCoeff(&at);
    hits += at == row;
  }
  return static_cast<double>(hits) / static_cast<double>(symbols.rows());
}

const TrainedInside& trained(const Side& side) {
  return dynamic_cast<const TrainedInside&>(*side.reading);
}

std::string likeliest(const Model& model, const Side& side) {
  Index at = 0;
  side.said->maxCoeff(&at);
  return lab::story_token(*model.story.model, static_cast<std::int32_t>(at));
}

constexpr StreamPart kSecondHead{StreamPart::Kind::head, 1, 0};

}  // namespace

TEST_CASE("two heads are called by what they do, with the numbers that say so") {
  Made m = preset("induction");
  const Model model = m.model();
  const auto& scores = model.before.changed->heads;
  CHECK(called_name(scores[0][0], m.words) == "previous token");
  CHECK(called_name(scores[1][0], m.words) == "induction");
  CHECK(scores[1][0].induction.mean > 0.9);
  // The head one back gives the token that is copied next to no weight.
  CHECK(scores[0][0].right_position.mean < 0.05);
  CHECK(model.before.changed->score.accuracy() > 0.99);
  CHECK(!model.changes);
  const lab::Page page = m.page();
  const auto& table = mark_of<figure::Table>(plot_of(page, "scores"));
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1][4][0].text == lab::fixed(scores[1][0].induction.mean, 3));
  // Equal weights are called uniform; half of a score is not.
  core::task::HeadScores none;
  CHECK(!called(none));
  none.uniform = {0.95, 1, 10};
  CHECK(called_name(none, m.words) == "uniform");
  none.first_token = {0.5, 0.1, 10};
  CHECK(called_name(none, m.words) == "first token");
}

TEST_CASE("without the induction head, or the one back, the repeats are lost") {
  for (const char* id : {"without_induction", "mean"}) {
    Made m = preset(id);
    const Model model = m.model();
    CHECK(model.before.changed->score.accuracy() > 0.99);
    CHECK(model.after.changed->score.accuracy() < 0.2);
    CHECK(readout(m.page(), "accuracy") == model.after.changed->score.accuracy());
    CHECK(model.after.reading->mean_loss > model.before.reading->mean_loss + 1);
  }
  Made m = preset("without_previous");
  const Model model = m.model();
  CHECK(model.before.changed->heads[1][0].induction.mean > 0.9);
  CHECK(model.after.changed->heads[1][0].induction.mean < 0.3);
  // Without 1.1 as without 2.1 the task is lost.
  CHECK(model.after.changed->score.accuracy() < 0.2);
}

TEST_CASE("a click knocks a head out, another gives it back") {
  Made m;
  const auto ablated = [&](std::size_t box) {
    const lab::Page page = m.page();
    m.set(boxes_of(page, "knock").boxes[box].pick);
  };
  ablated(1);
  CHECK(m.p.ablated == "2.1");
  CHECK(m.model().after.changed->score.accuracy() < 0.2);
  ablated(0);
  CHECK(m.p.ablated == "1.1 2.1");
  ablated(1);
  CHECK(m.p.ablated == "1.1");
  ablated(0);
  CHECK(m.p.ablated.empty());
  CHECK(!m.model().changes);
  m.set({{"knocked", "2.1 3.1 otter"}});
  CHECK(m.model().ablated.size() == 1);
}

TEST_CASE("the bars of the stream add up to the logit, and head 2.1 is the longest") {
  Made m = preset("stream");
  const Model model = m.model();
  const auto shares = shares_in(m);
  REQUIRE(shares);
  CHECK(shares->sum() == doctest::Approx(model.logit(model.before)).epsilon(1e-5));
  CHECK(shares->of_parts.cwiseAbs().maxCoeff() == share_of(*shares, kSecondHead));
  const lab::Page page = m.page();
  const auto& bars = mark_of<figure::Bars>(plot_of(page, "shares"));
  double sum = 0;
  for (const double bar : bars.values) sum += bar;
  CHECK(sum == doctest::Approx(model.logit(model.before)).epsilon(1e-5));
  CHECK(bars.marked == 3);
  CHECK(says(page, "adds≈ " + lab::fixed(share_of(*shares, kSecondHead), 5)));
  // Knocked out it adds nothing.
  m.set({{"knocked", "2.1"}});
  CHECK(share_of(*shares_in(m), kSecondHead) == 0);
  m.set({{"shown", "before"}});
  CHECK(share_of(*shares_in(m), kSecondHead) == share_of(*shares, kSecondHead));
}

TEST_CASE("every shipped model's shares add up at some token, also of differences") {
  for (const auto& option : lab::recipe_options(false)) {
    CAPTURE(std::string(option.id));
    Made m = made({{"model", std::string(option.id)}, {"view", "stream"}, {"token", "3"}});
    const Model model = m.model();
    const auto shares = shares_in(m);
    REQUIRE(shares);
    CHECK(shares->sum() == doctest::Approx(model.logit(model.before)).epsilon(1e-4));
  }
}

TEST_CASE("the lens: its last row is the model, and each row follows the stream") {
  Made m = preset("lens");
  const Model model = m.model();
  const auto& lens = trained(model.before).lens;
  REQUIRE(lens.points.size() == 5);
  const auto& traced = trained(model.before).looked.trace.at("decoder.logits");
  const auto& last = lens.logits.back();
  CHECK(std::equal(traced.values.begin(), traced.values.end(), last.data()));
  // The embedding alone: the same guess behind the same letter, and worse than the model.
  const auto& ids = model.before.reading->ids;
  const auto& next = model.text->sequence.next;
  std::size_t first_right = 0, last_right = 0;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    Index a = 0, b = 0;
    lens.logits.front().row(static_cast<Index>(t)).maxCoeff(&a);
    last.row(static_cast<Index>(t)).maxCoeff(&b);
    first_right += a == next[t];
    last_right += b == next[t];
    const auto same = std::find(ids.begin(), ids.end(), ids[t]) - ids.begin();
    CHECK(lens.logits.front().row(same) == lens.logits.front().row(static_cast<Index>(t)));
  }
  CHECK(last_right > 2 * first_right);
  const lab::Page page = m.page();
  const auto& boxes = boxes_of(page, "lens_4").boxes;
  CHECK(boxes.size() == 5 * 24);
  CHECK(boxes.back().text == likeliest(model, model.before));
}

TEST_CASE("circuits: a diagonal through head 1.1, none without, and one that copies") {
  Made through = preset("key_composition"), without = preset("without_composition"),
       copying = preset("copying");
  CHECK(own_largest(cells_in(through)) > 0.9);
  CHECK(own_largest(cells_in(without)) < 0.3);
  const MatrixD copied = cells_in(copying);
  CHECK(own_largest(copied) > 0.9);
  CHECK(copied.diagonal().tail(copied.rows() - 3).minCoeff() > 0);
  const lab::Page page = through.page();
  CHECK(has_figure(page, "composition"));
  CHECK(!has_figure(page, "text"));
  // The cell that is taken apart is that of the map.
  const MatrixD cells = cells_in(through);
  CHECK(says(page, "≈ " + lab::fixed(cells(3, 3), 5)));
}

namespace {

// Of all pairs of symbols: how many score highest in head 1.1 when the query stands one behind the
// key, of the distances that a sequence has.
double highest_with_biases(const Model& model) {
  const auto& story = model.story;
  const auto first = core::task::first_used(story.task());
  const auto symbols = static_cast<Index>(story.model->tokens.size()) - first;
  const Index n = story.task().length;
  std::vector<core::Matrix> queries, keys;  // of a symbol at each place
  for (Index a = 0; a < symbols; ++a) {
    const std::vector<std::int32_t> ids(to_size(n), static_cast<std::int32_t>(first + a));
    const auto looked = core::task::look(*story.model, story.numbers(), ids);
    queries.push_back(lab::row_matrix(looked.trace.at("decoder.0.self.queries")));
    keys.push_back(lab::row_matrix(looked.trace.at("decoder.0.self.keys")));
  }
  Index hits = 0;
  for (const core::Matrix& query : queries) {
    for (const core::Matrix& key : keys) {
      const VectorD scores = (key * query.row(n - 1).transpose()).cast<double>();
      Index at = 0;
      scores.maxCoeff(&at);
      hits += at == n - 2;
    }
  }
  return static_cast<double>(hits) / static_cast<double>(symbols * symbols);
}

}  // namespace

TEST_CASE("one back: with biases the scores of head 1.1 are highest at a distance of 1") {
  Made m = preset("one_back");
  // Pair by pair in the map, and in the scores themselves, with norms and biases: those of layer 1
  // depend on the two tokens and their distance alone.
  const double one = readout(m.page(), "highest_here");
  CHECK(one > 0.2);
  CHECK(one < 0.25);
  CHECK(highest_with_biases(m.model()) > 0.95);
  // No pair is highest at two distances.
  double sum = 0;
  for (int distance = 0; distance < 48; ++distance) {
    m.set({{"distance", std::to_string(distance)}});
    sum += readout(m.page(), "highest_here");
  }
  CHECK(sum == doctest::Approx(1));
  m.set({{"circuit", "ov"}});
  CHECK(m.page().readouts.empty());
}

TEST_CASE("hidden and swapped tokens: the head copies what it finds") {
  Made hidden = preset("hidden");
  const Model m = hidden.model();
  CHECK(m.probability(m.before) > 0.9);
  CHECK(m.probability(m.after) < 0.1);
  // It looked there most.
  Index at = 0;
  hidden.model().before.reading->weights(1, 0).row(20).head(21).maxCoeff(&at);
  CHECK(at == 5);

  Made swapped = preset("swapped");
  const Model s = swapped.model();
  CHECK(likeliest(s, s.before) == lab::story_token(*s.story.model, s.before.reading->ids[5]));
  CHECK(likeliest(s, s.after) == lab::story_token(*s.story.model, s.before.reading->ids[6]));
  CHECK(s.after.reading->ids[5] == s.before.reading->ids[6]);
}

TEST_CASE("positions and precision: what is left of the repeats") {
  const auto left = [](const char* id) {
    return preset(id).model().after.changed->score.accuracy();
  };
  CHECK(left("no_positions") < 1.0 / 3);
  CHECK(left("bytes") > 0.95);
  CHECK(left("four_bits") < 0.5);
  Made m = made({{"positions", "rotary"}});
  const Model same = m.model();  // what it was trained with
  CHECK(trained(same.after).logits() == trained(same.before).logits());
  CHECK(core::count_between(lab::format_of(preset("four_bits").p.format), -100, 100) == 15);
  CHECK(core::min_positive(lab::format_of(preset("four_bits").p.format)) == 0.5);
}

TEST_CASE("a head that agrees, and what needs no look back") {
  Made pronoun = preset("pronoun");
  const auto by_head = *shares_in(pronoun);
  const double head = share_of(by_head, kSecondHead);
  CHECK(by_head.sum() > 3);
  CHECK(head > by_head.sum() - head);
  CHECK(by_head.part(6) == kSecondHead);
  const Model model = pronoun.model();
  CHECK(likeliest(model, model.before) == "她");
  Index at = 0;
  model.before.reading->weights(1, 0).row(model.token).head(model.token + 1).maxCoeff(&at);
  CHECK(at <= 1);  // 小兰

  Made measure = preset("measure_word");
  const auto by_layer = *shares_in(measure);
  CHECK(by_layer.sum() > 3);
  CHECK(sum_of(by_layer, StreamPart::Kind::feed_forward) >
        std::abs(sum_of(by_layer, StreamPart::Kind::head)));
  CHECK(by_layer.part(9).kind == StreamPart::Kind::feed_forward);
}

TEST_CASE("sorting: the head looks at the letter that comes next") {
  Made m = preset("sorting");
  const Model model = m.model();
  Index found = 0, evaluated = 0;
  const core::Matrix weights = model.before.reading->weights(0, 0);
  const auto& sequence = model.text->sequence;
  for (Index t = 0; t < model.text->tokens(); ++t) {
    const std::int32_t source = sequence.source[static_cast<std::size_t>(t)];
    if (source < 0) continue;
    Index at = 0;
    weights.row(t).head(t + 1).maxCoeff(&at);
    found += at == source;
    ++evaluated;
  }
  REQUIRE(evaluated > 0);
  CHECK(found * 10 >= evaluated * 9);
}

TEST_CASE("a text that is typed: what the model does not know is said, and nothing is lost") {
  Made m = made({{"text", "abcXabc!ab"}});
  const Model model = m.model();
  CHECK(model.text->tokens() == 8);
  CHECK(model.text->unknown == std::vector<std::string>{"X", "!"});
  CHECK(likeliest(model, model.before) == "c");
  m.set({{"text", "?!"}});
  CHECK(!m.model().text->typed);
  CHECK(m.model().text->tokens() == 48);
  m.set({{"text", std::string(300, 'a')}});
  CHECK(m.model().text->cut);
  CHECK(m.model().text->tokens() <= kMostTokens);
  m.set({{"text", "a"}});
  CHECK(m.model().text->tokens() == 1);
  CHECK(m.page().figures.size() > 3);
  m.set({{"text", "abcab"}, {"wanted", "X"}});
  CHECK(m.model().wanted_unknown);
}

TEST_CASE("the picked weight is worked out to the one that is shown") {
  Made m = made({{"token", "20"}, {"key", "5"}});
  const core::Matrix weights = m.model().before.reading->weights(1, 0);
  CHECK(says(m.page(), lab::weight_text(static_cast<double>(weights(20, 5)))));
}

TEST_CASE("of many parts those that add most are drawn, the picked one, and the rest as one") {
  Shares shares;
  shares.of_parts = VectorD::LinSpaced(200, 0, 1.99);
  const auto listed = shares.listed(3);
  CHECK(listed.size() == 64);
  CHECK(listed.front() == 3);
  CHECK(listed[1] == 137);
  CHECK(std::is_sorted(listed.begin(), listed.end()));
  double sum = shares.rest(listed);
  for (const Index k : listed) sum += shares.of_parts(k);
  CHECK(sum == doctest::Approx(shares.of_parts.sum()));
  shares.of_parts = VectorD::Ones(20);
  CHECK(shares.listed(3).size() == 20);
  CHECK(shares.rest(shares.listed(3)) == 0);
}

}  // namespace gpt_inside_test
