// Key, future and query mask, one after the other, on the same scores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

Plot step_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
               const core::Mask& mask, const figure::ColorScale& scale) {
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = cell_axis(scene.w("key j"), scene.p.tokens, "token"),
            .y = cell_axis(scene.w("query i"), scene.p.tokens, "row"),
            .square = true};
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  plot.marks.emplace_back(masked_cells(scene, cells, mask, scale));
  return plot;
}

Figure steps_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  const bool before = p.multiplies_scores();
  Figure figure =
      new_figure("steps", w("Three masks, one after the other"), {.height = 560, .columns = 3});
  figure.note = w.format("{} of {} tokens are real", p.valid, p.tokens);
  figure.caption = w.format(
      "Scores of {} tokens, {} of them real; row: query, column: key. Key and future mask "
      "overwrite scores by {} (hatched); the query mask multiplies {}. Last: everything masked "
      "left out.",
      p.tokens, p.valid, scene.fill_name(), before ? w("scores") : w("weights"));
  const auto scale = signed_scale(static_cast<float>(s.scores.cwiseAbs().maxCoeff()));
  // Cells that the fill overwrote are hatched.
  const auto add_scores = [&](const char* id, std::string title, const MatrixD& cells, bool on) {
    const auto kept = core::Mask::dense((cells.array() != fill_value(scene.p.fill)).matrix());
    figure.plots.push_back(step_plot(scene, id, std::move(title), cells, kept, scale));
    if (!on) figure.plots.back().note = scene.w("off");
  };
  const auto add_weights = [&](const char* id, std::string title, const MatrixD& cells, bool on) {
    const auto all = core::Mask::none(scene.p.tokens, scene.p.tokens);
    figure.plots.push_back(step_plot(scene, id, std::move(title), cells, all, {}));
    if (!on) figure.plots.back().note = scene.w("off");
  };
  figure.plots = {step_plot(scene, "scores", w("scores"), s.scores,
                            core::Mask::none(p.tokens, p.tokens), scale)};
  add_scores("after_keys", w("1 key mask"), s.after_keys, p.key_mask);
  add_scores("after_future", w("2 future mask"), s.after_future, p.future_mask);
  if (before) {
    add_scores("query_mask", w("3 query mask: × 0"), s.before_softmax, p.query_mask);
    add_weights("weights", w("4 softmax"), s.weights, true);
  } else {
    add_weights("softmax", w("3 softmax"), s.softmax, true);
    add_weights("weights", w("4 query mask: × 0"), s.weights, p.query_mask);
  }
  return with(std::move(figure),
              step_plot(scene, "right", w("all masked left out"), s.right, s.mask, {}));
}

Figure steps_row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("steps_row", w.format("What query {} looks at", p.query),
                             {.height = 220, .columns = 2});
  figure.note = p.query < p.valid ? w("a real token") : w("padding");
  figure.caption = w.format(
      "The weights of query {}: after the masks one after the other, and with everything masked "
      "left out.",
      p.query);
  add_key_bars(scene, "row_steps", w("one after the other"), m.steps->weights.row(p.query), false,
               figure);
  add_key_bars(scene, "row_right", w("left out"), m.steps->right.row(p.query), true, figure);
  return figure;
}

std::vector<Readout> step_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  Index wrong = 0;
  for (Index i = 0; i < p.tokens; ++i) {
    // NaN is no agreement.
    wrong += !((s.weights.row(i) - s.right.row(i)).cwiseAbs().maxCoeff() < 1e-9) ||
             s.weights.row(i).array().isNaN().any();
  }
  const double hidden = leaked(s.weights, s.mask), weight = s.weights(p.query, p.key);
  return finite(
      {{"wrong_rows", w("Rows that are wrong"), to_double(wrong),
        w.format("{} of {}", wrong, p.tokens),
        w("Queries whose weights differ from those with everything masked left out")},
       {"kept", w("Pairs kept"), to_double(s.mask.kept()),
        w.format("{} of {}", s.mask.kept(), p.tokens * p.tokens), w("Pairs that no mask hides")},
       {"leaked", w("Weight on hidden pairs"), hidden, weight_text(hidden),
        w("After all steps; 0 would be right")},
       {"weight", w("Picked weight"), weight, weight_text(weight), w("After all steps")}});
}

Explanation explain_steps(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  const Index i = p.query, j = p.key;
  const bool padding = p.query >= p.valid;
  Derivation d(w);
  d.is(w("score"), "≈ " + fixed(s.scores(i, j), 5));
  if (p.key_mask) {
    d.is(w("key mask"),
         "→ " + score_text(s.after_keys(i, j)) + (p.key < p.valid ? "" : "  " + w("padding")));
  }
  if (p.future_mask) {
    d.is(w("future mask"),
         "→ " + score_text(s.after_future(i, j)) + (j > i ? "  " + w("after the query") : ""));
  }
  if (padding && p.multiplies_scores()) {
    d.is(w("query mask"), "× 0 → " + score_text(s.before_softmax(i, j)));
    d.say(s.before_softmax.row(i).array().isNaN().any()
              ? w("0 times -∞ is NaN: the row is not one of zeros.")
              : w("Every score of the row is 0 now, fills included: softmax makes it uniform, and "
                  "hidden "
                  "keys come back."));
  }
  d.heading(w("Softmax of the row")).softmax("p", written_row(s.before_softmax.row(i), j, 0));
  if (padding && p.multiplies_weights()) {
    d.is(w("query mask"), "× 0 → " + weight_text(s.weights(i, j)));
    if (std::isnan(s.weights(i, j))) d.say(w("0 times NaN is NaN: a product hides nothing."));
  }
  write_right(scene, s.scores.row(i), s.mask, d);
  return {w.format("Query {}, key {}, step by step", p.query, p.key), d.take()};
}

}  // namespace

Page masks_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.figures = {steps_figure(scene), steps_row_figure(scene)};
  page.readouts = step_readouts(scene);
  page.formula = "\\softmax\\left(\\text{fill}(\\Q{Q}\\K{K}^{⊤})\\right)";
  page.explanation = explain_steps(scene);
  const bool none = m.steps->before_softmax.array().isNaN().any();
  if (p.multiplies_scores() && p.valid < p.tokens && !none) {
    page.notes.push_back(
        w.format("The query mask multiplies the scores: the rows of {} padding queries become 0 "
                 "everywhere, and softmax makes them 1/{}.",
                 p.tokens - p.valid, p.tokens));
  }
  if (m.steps->weights.array().isNaN().any()) {
    page.notes.push_back(w("Some weights are NaN: a row of nothing but -∞, or 0 times -∞."));
  }
  page.status = w.format("{} tokens, {} real · seed {}", p.tokens, p.valid, p.seed);
  return page;
}

}  // namespace lab::softmax
