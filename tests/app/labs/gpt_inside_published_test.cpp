// Inside published decoders: their parts add up, and changes do what they say.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "gpt_inside_rig.h"

namespace gpt_inside_published_test {

using namespace gpt_inside_rig;

namespace {

const PublishedInside& published(const Side& side) {
  return dynamic_cast<const PublishedInside&>(*side.reading);
}

std::string shipped(const std::string& name) {
  return std::string(ATTNSCOPE_SOURCE_DIR) + "/assets/checkpoints/" + name;
}

// The decoders that travel with the program, and those of the reference.
std::vector<std::string> folders() {
  std::vector<std::string> all = {shipped("gpt2"), shipped("llama"), shipped("bloom")};
  for (const char* name : {"gpt2", "pythia", "neox-sequential", "llama-gqa-sharded", "mistral",
                           "qwen2-window", "qwen3", "bloom", "bloom-post"}) {
    all.push_back(std::string(ATTNSCOPE_SOURCE_DIR) + "/tests/reference/checkpoints/" + name);
  }
  return all;
}

VectorD residual_of(const Model& model) {
  return model.parts->vectors.colwise().sum().transpose() - model.parts->residual;
}

}  // namespace

TEST_CASE(
    "a published model leads to what it writes, and where that was measured to how good it is") {
  Made m = made({{"from", "published"},
                 {"published", "english"},
                 {"text", "the cat"},
                 {"layer", "2"},
                 {"head", "7"}});
  const auto jumps = m.page().jumps;
  REQUIRE(jumps.size() == 2);
  CHECK(jumps[0].figure == "continuation");
  CHECK(jumps[0].sets == param::Values{{"view", "next"},
                                       {"layer", "2"},
                                       {"head", "7"},
                                       {"model", "english"},
                                       {"text", "the cat"}});
  CHECK(jumps[1].lab == "checkpoint");
  CHECK(jumps[1].sets.front() == std::pair<std::string, std::string>("view", "comparison"));
  CHECK(made({{"from", "published"}, {"published", "gpt2"}}).page().jumps.size() == 1);
}

TEST_CASE("every published decoder fills every page; parts add up, and the last row is the model") {
  for (const std::string& folder : folders()) {
    CAPTURE(folder);
    Made m = made({{"from", "published"}, {"folder", folder}, {"key", "2"}});
    for (const char* view : {"heads", "circuits", "stream"}) {
      m.set({{"view", view}});
      const lab::Page page = m.page();
      CHECK(has_figure(page, "text"));
      CHECK(has_figure(page, "knock"));
      CHECK(has_figure(page, "lens") == (m.p.view == View::stream));
      CHECK_FALSE(page.model);
    }
    const Model model = m.model();
    const Index last = model.token;
    const auto& reading = published(model.before);
    CHECK(last == Index(reading.ids.size()) - 1);
    // As the model says it when it is asked for its last logits alone.
    const auto& of = *model.opened->model;
    const auto trace =
        of.forward<float>({.tokens = reading.ids}, {.logits = core::checkpoint::Logits::last});
    CHECK(*model.before.said == trace.logits.row(0).transpose());
    LensView end;
    end.add({}, trace.logits, {model.wanted});
    const auto &cell = model.lens->cells.back().back(), &wanted = end.cells.front().front();
    CHECK(cell.best == wanted.best);
    CHECK(cell.chance == wanted.chance);
    CHECK(cell.of_wanted == wanted.of_wanted);
    CHECK(model.lens->points.size() == to_size(model.subject.layers) + 1);
    const auto shares = shares_in(m);
    if (folder.ends_with("bloom-post")) {
      CHECK(!shares);
      continue;
    }
    REQUIRE(shares);
    CHECK(residual_of(model).cwiseAbs().maxCoeff() <
          1e-4 * (1 + model.parts->residual.cwiseAbs().maxCoeff()));
    CHECK(std::abs(shares->sum() - model.logit(model.before)) <
          1e-4 * (1 + std::abs(model.logit(model.before))));
  }
}

TEST_CASE("a published model's heads are scored on the text, as the weights that are drawn") {
  Made m = preset("folder");
  const Model model = m.model();
  CHECK(model.places().size() == 12);
  const auto& scores = *model.before.scores;
  const core::Matrix weights = model.before.reading->weights(0, 0);
  double before = 0;
  for (Index t = 1; t < weights.rows(); ++t) {
    before += static_cast<double>(weights(t, t - 1)) / static_cast<double>(weights.rows() - 1);
  }
  CHECK(scores[0][0].previous_token.mean == doctest::Approx(before));
  CHECK(core::is_masked(weights(0, 1)));
  const lab::Page page = m.page();
  CHECK(mark_of<figure::Table>(plot_of(page, "scores")).rows.size() == 12);
  CHECK(boxes_of(page, "knock").boxes.size() == 12);
  CHECK_FALSE(page.made_up.empty());
}

TEST_CASE("what a folder lacks, or has and is not read, is said on this page, too") {
  Made m =
      made({{"from", "published"},
            {"folder", std::string(ATTNSCOPE_SOURCE_DIR) + "/tests/reference/checkpoints/qwen3"}});
  CHECK(notes(m.page(), "The folder has no tokenizer"));
  CHECK(m.page().status.find("not read") == std::string::npos);
}

TEST_CASE("knocking out nothing changes no bit of a published model, one head what it says") {
  Made m = made({{"from", "published"}, {"published", "gpt2"}});
  const Model plain = m.model();
  CHECK(!plain.changes);
  m.set({{"knocked", "1.1"}});
  const Model less = m.model();
  CHECK(less.changes);
  CHECK(*less.before.said == *plain.before.said);
  CHECK((*less.after.said - *plain.before.said).cwiseAbs().maxCoeff() > 1e-3F);
  // The same heads twice and one that is none: as one knocked out.
  m.set({{"knocked", "1.1 1.1 9.9"}});
  const Model again = m.model();
  CHECK(*again.after.said == *less.after.said);
  CHECK(again.ablated.size() == 1);
  m.set({{"knocked", ""}, {"hidden", "3"}});
  const Model hidden = m.model();
  const core::Matrix weights = hidden.after.reading->weights(1, 2);
  CHECK(weights.col(3).tail(weights.rows() - 3).cwiseAbs().maxCoeff() == 0);
  CHECK((*hidden.after.said - *plain.before.said).cwiseAbs().maxCoeff() > 1e-3F);
  m.set({{"hidden", "-1"}, {"swap_first", "1"}, {"swap_second", "2"}});
  const Model swapped = m.model();
  CHECK(swapped.after.reading->ids[1] == swapped.before.reading->ids[2]);
  CHECK(*swapped.before.said == *plain.before.said);
}

TEST_CASE("presets of published models: no bias, and what a missing head changes") {
  Made stream = preset("folder_stream");
  const auto shares = shares_in(stream);
  REQUIRE(shares);
  CHECK(shares->parts->parts.size() == 16);
  CHECK(shares->to.constant == 0);
  CHECK(sum_of(*shares, StreamPart::Kind::attention_bias) == 0);
  CHECK(sum_of(*shares, StreamPart::Kind::feed_forward_bias) == 0);
  const Index heads =
      std::count_if(shares->parts->parts.begin(), shares->parts->parts.end(),
                    [](const StreamPart& part) { return part.kind == StreamPart::Kind::head; });
  CHECK(heads == 12);

  Made less = preset("folder_knocked");
  const Model model = less.model();
  const auto without = shares_in(less);
  less.set({{"shown", "before"}});
  const auto with_it = shares_in(less);
  REQUIRE(without);
  REQUIRE(with_it);
  CHECK(share_of(*without, {StreamPart::Kind::head, 0, 0}) == 0);
  CHECK(share_of(*with_it, {StreamPart::Kind::head, 0, 0}) != 0);
  for (Index k = 0; k < without->of_parts.size(); ++k) {
    const StreamPart& part = without->part(k);
    if (part.kind != StreamPart::Kind::head || (part.layer == 0 && part.head == 0)) continue;
    const bool same = without->parts->vectors.row(k) == with_it->parts->vectors.row(k);
    CHECK(same == (part.layer == 0));
  }
}

TEST_CASE("what is no decoder is refused by its name; a long text is cut, and it is said") {
  Made m = made({{"from", "published"}, {"folder", shipped("t5")}});
  CHECK_THROWS_WITH(m.page(), "expected a decoder that reads one text, got T5");
  m.set({{"folder", shipped("llama")}});
  std::string text;
  for (int k = 0; k < 400; ++k) text += "cat ";
  m.set({{"text", text}});
  CHECK(m.model().text->tokens() == 256);
  const lab::Page page = m.page();
  CHECK(std::any_of(page.notes.begin(), page.notes.end(), [](const std::string& note) {
    return note.find("it is cut after 256 tokens") != std::string::npos;
  }));
}

namespace {

// What bars of next tokens say that a click leaves out: as many tokens, these.
void check_losses(const lab::Page& page, const lab::PublishedModel& opened,
                  const std::vector<std::int32_t>& after) {
  const auto& bars = mark_of<figure::Bars>(plot_of(page, "next"));
  const auto& names = *plot_of(page, "next").x.labels;
  REQUIRE(bars.losses.size() == bars.values.size());
  for (std::size_t k = 0; k < bars.losses.size(); ++k) {
    CAPTURE(names[k]);
    auto left = after;
    if (!left.empty() && names[k] == opened.shown(left.front())) left.erase(left.begin());
    const figure::Loss& loss = bars.losses[k];
    if (left.empty() || bars.picks[k].empty()) {
      CHECK((loss.tip + loss.said).empty());
      continue;
    }
    CHECK(loss.said.find(fmt::format("(tokens: {})", left.size())) != loss.said.npos);
    CHECK(loss.tip.find(fmt::format("({})", left.size())) != loss.tip.npos);
    const std::string begin = opened.text_of(left).substr(0, 20);
    CHECK(loss.said.find(begin) != loss.said.npos);
    CHECK(loss.tip.find(begin) != loss.tip.npos);
  }
}

}  // namespace

TEST_CASE("a token chosen in the middle of a text says what it leaves out, before and after") {
  Made m = made({{"from", "published"},
                 {"published", "english"},
                 {"text", "The cat sat on the mat."},
                 {"token", "2"}});
  const Model model = m.model();
  const auto whole = model.text->whole;
  REQUIRE(whole == model.text->sequence.ids);
  REQUIRE(whole.size() > 6);
  const lab::Page page = m.page();
  check_losses(page, *model.opened, {whole.begin() + 3, whole.end()});
  // The text is then as long as the marked token and one more.
  m.set(mark_of<figure::Bars>(plot_of(page, "next")).picks[0]);
  CHECK(m.model().text->whole.size() == 4);
  // Behind the last token nothing is left out.
  check_losses(m.page(), *model.opened, {});
}

TEST_CASE("a token chosen after a text that was cut leaves out what was cut, and says so") {
  std::string text;
  for (int k = 0; k < 400; ++k) text += "cat ";
  Made m = made({{"from", "published"}, {"published", "english"}, {"text", text}});
  const Model model = m.model();
  const auto& whole = model.text->whole;
  REQUIRE(whole.size() > 256);
  check_losses(m.page(), *model.opened, {whole.begin() + 256, whole.end()});
}

TEST_CASE("a token is chosen for the text as it was typed, whatever is swapped in it") {
  Made m = made({{"from", "published"},
                 {"published", "english"},
                 {"text", "The cat sat on the mat."},
                 {"swap_first", "1"},
                 {"swap_second", "2"}});
  const auto before = m.model().text->whole;
  m.set(mark_of<figure::Bars>(plot_of(m.page(), "next")).picks[0]);
  const auto after = m.model().text->whole;
  REQUIRE(after.size() == before.size() + 1);
  CHECK(std::equal(before.begin(), before.end(), after.begin()));
}

}  // namespace gpt_inside_published_test
