// What labs show of models that have read: over held-out texts, over their training, rounded.
#include <doctest/doctest.h>

#include <cmath>

#include "app/labs/checkpoint/page.h"
#include "app/labs/gpt_inside/page.h"
#include "trying.h"

namespace over_texts_lab_test {

using namespace lab;          // NOLINT: the box under test
using namespace lab::trying;  // NOLINT
namespace published = core::checkpoint;

namespace {

auto inside(const param::Values& more) {
  auto trial = made<gpt_inside::Parameters>({{"from", "published"}});
  trial.set(more);
  return trial;
}

std::string caption_of(const Page& page, std::string_view id) {
  for (const auto& figure : page.figures) {
    if (figure.id == id) return figure.caption;
  }
  FAIL("no figure " << id);
  return {};
}

}  // namespace

TEST_CASE("the first token gets most of the weight somewhere, and a window hardly needs it") {
  auto trial = inside({{"view", "texts"}});
  const auto model = trial.model();
  const Page page = trial.page();
  const auto& losses = model.over->windows;
  REQUIRE(losses.windows.size() == 6);
  const auto& alone = mark_of<Line>(plot_of(page, "windows"), 0);
  const auto& with_first = mark_of<Line>(plot_of(page, "windows"), 1);
  for (std::size_t k = 0; k < losses.windows.size(); ++k) {
    CHECK(alone.y[k] == losses.windows[k].alone);
    CHECK(with_first.y[k] == losses.windows[k].with_first);
    // The whole is better than any window, and the first token helps a little, but in the smallest.
    CHECK(losses.windows[k].alone > losses.whole - 0.01);
    const double helps = losses.windows[k].alone - losses.windows[k].with_first;
    CHECK(helps < 0.03);
    if (k == 0) {
      CHECK(helps < 0);
    } else {
      CHECK(helps > 0);
    }
  }
  CHECK(losses.windows.front().alone > losses.whole + 0.2);
  const auto& scores = *model.before.scores;
  const auto& bars = mark_of<Bars>(plot_of(page, "sink_layers"));
  REQUIRE(bars.values.size() == scores.size());
  for (std::size_t l = 0; l < scores.size(); ++l) {
    double mean = 0;
    for (const auto& head : scores[l]) {
      mean += head.first_token.mean / static_cast<double>(scores[l].size());
    }
    CHECK(bars.values[l] == doctest::Approx(mean));
  }
}

TEST_CASE("each head is knocked out over the texts, and the one that counts most is named") {
  auto trial = inside({{"view", "texts"}, {"measured", "knocked"}, {"layer", "2"}, {"head", "3"}});
  const auto model = trial.model();
  const Page page = trial.page();
  const auto texts = published::token_texts(*model.opened->tokenizer, model.opened->held_out, 32);
  published::ForwardOptions<float> options;
  options.ablated = [](const published::HeadIndex& at) { return at.layer == 1 && at.head == 2; };
  const double rise = published::text_loss(*model.opened->model, texts, options, 2).mean() -
                      published::text_loss(*model.opened->model, texts, {}, 2).mean();
  CHECK(model.over->cells(1, 2) == doctest::Approx(rise).epsilon(1e-6));
  Index layer = 0, head = 0;
  const double most = model.over->cells.maxCoeff(&layer, &head);
  CHECK(most > 0.02);
  CHECK(caption_of(page, "knocked_losses")
            .find(fmt::format("Head {}.{} counts most", layer + 1, head + 1)) != std::string::npos);
  CHECK(plot_of(page, "knocked_losses").x_param == "head");
}

TEST_CASE("what is attended to and what counts go together in part") {
  auto trial = inside({{"view", "texts"}, {"measured", "explained"}});
  const auto model = trial.model();
  const auto& explained = model.over->explained;
  CHECK(explained.texts == Index(model.opened->held_out.size()));
  CHECK(explained.rho.maxCoeff() <= 1);
  CHECK(explained.rho.maxCoeff() > 0.2);
  CHECK(explained.rho.minCoeff() < 0.2);
  CHECK(has_figure(trial.page(), "explained"));
}

TEST_CASE("a training that was kept: names by step, from the file") {
  auto trial = inside({{"view", "history"}});
  const auto model = trial.model();
  const auto& history = *model.opened->history;
  const Page page = trial.page();
  const auto& boxes = mark_of<figure::Boxes>(plot_of(page, "became")).boxes;
  CHECK(boxes.size() == 32 * history.steps.size());
  const auto places = model.places();
  for (std::size_t h = 0; h < places.size(); ++h) {
    const auto& last = boxes[(h + 1) * history.steps.size() - 1];
    const auto& told = history.steps.back().heads[static_cast<std::size_t>(places[h].layer)]
                                                 [static_cast<std::size_t>(places[h].head)];
    const auto which = core::task::called(told);
    CHECK(last.text == (which ? core::task::named_scores()[*which].name : ""));
  }
  const std::string caption = caption_of(page, "became");
  // All begin with equal weights; brackets come first, copying last.
  for (const char* name : {"uniform since step 0", "open bracket since step 100",
                           "previous token since step 200", "induction since step 3,200"}) {
    CHECK_MESSAGE(caption.find(name) != std::string::npos, caption);
  }
  // Each plot has a line of each head, one of them the picked one's.
  for (const auto& figure : page.figures) {
    for (const auto& plot : figure.plots) {
      if (!plot.id.starts_with("history_")) continue;
      const auto lines = marks_of<Line>(plot);
      CHECK(lines.size() == 32);
      CHECK(lines.back().color.role == Role::accent);
      CHECK(lines.back().label == gpt_inside::head_name(model.place));
      CHECK(lines.back().y.size() == history.steps.size());
    }
  }
}

TEST_CASE("without texts and a training the heads are those of the text, and a note says so") {
  auto trial = made<gpt_inside::Parameters>({{"from", "published"}, {"published", "gpt2"}});
  trial.set({{"view", "texts"}});
  CHECK(notes(trial.page(), "No held-out texts came with this model"));
  CHECK(has_figure(trial.page(), "scores"));
  trial.set({{"view", "history"}});
  CHECK(notes(trial.page(), "no step was kept"));
  CHECK(has_figure(trial.page(), "heads"));
  trial = made<gpt_inside::Parameters>({{"view", "history"}});
  CHECK(notes(trial.page(), "no step was kept"));
  auto other = made<checkpoint::Parameters>({{"model", "gpt2"}, {"view", "precision"}});
  CHECK(notes(other.page(), "nothing is rounded"));
}

TEST_CASE("where precision breaks: the wider the format, the later") {
  auto trial = made<checkpoint::Parameters>({{"view", "precision"}, {"offset", "10000"}});
  const auto model = trial.model();
  const Page page = trial.page();
  REQUIRE(model.precision);
  const auto& losses = model.precision->losses;
  const auto& cases = published::rounded_cases();
  const auto& table = mark_of<figure::Table>(plot_of(page, "precision"));
  REQUIRE(table.rows.size() == cases.size());
  for (std::size_t c = 0; c < cases.size(); ++c) {
    CAPTURE(c);
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(table.rows[c][k + 1][0].text == fmt::format("{:+.3f}", losses[c][k].rise));
    }
    if (c == 0) continue;
    // Ten bits of mantissa are enough for everything but ids; one is not for what stands in a row.
    CHECK(std::abs(losses[c][0].rise) < 0.01);
    CHECK(losses[c][5].rise > losses[c][2].rise);
  }
  // Ids of five digits: float16 has steps of 8 there, bfloat16 of 64.
  CHECK(losses[0][0].rise > 0.01);
  CHECK(losses[0][1].rise > losses[0][0].rise);
  // A scale for each 32 numbers loses less than one for a tensor.
  CHECK(losses[4][5].rise < losses[2][5].rise);
  CHECK(losses[7][5].rise < losses[5][5].rise);
  CHECK(has_figure(page, "next_words"));
}

}  // namespace over_texts_lab_test
