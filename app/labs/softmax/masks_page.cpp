// Small batches whose keys are hidden: by valid lengths, or by three masks one after the other.
#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

// --- of both

// Cells by query and key; those that the mask hides are absent.
Heatmap masked_cells(const Scene& scene, const MatrixD& cells, const Mask& mask,
                     const ColorScale& scale, Assignments also = {}) {
  const PairMap map{.query = scene.p.query, .key = scene.p.key, .pinned = true};
  Heatmap heatmap = map.cells(
      std::make_shared<DenseSource>(cells.cast<float>(), std::make_shared<const Mask>(mask)), scale,
      std::move(also));
  heatmap.color_bar = false;
  return heatmap;
}

// The picked query's weights, once as the masks leave them and once with hidden keys left out.
void add_key_bars(const Scene& scene, std::string id, std::string title, const VectorD& row,
                  bool right, Figure& figure) {
  Plot plot = bar_plot({std::move(id), std::move(title), row,
                        right ? Color(Role::good) : Color::of_head(kWeightColor),
                        picks_of(0, row.size() - 1, "key"), scene.p.key, kWeightTop});
  plot.x = cell_axis(scene.w("key j"), row.size(),
                     {.link = scene.p.view == View::masks ? "token" : "", .color = Role::key});
  plot.note = scene.w.format("Σ p = {}", weight_text(row.sum()));
  figure.plots.push_back(std::move(plot));
}

// How much weight stands where the mask hides, over all rows.
double leaked(const MatrixD& weights, const Mask& mask) {
  double sum = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j)
      if (!mask.allowed(i, j)) sum += weights(i, j);
  }
  return sum;
}

// The row's weight with hidden keys left out.
void write_right(const Scene& scene, const VectorD& scores, const Mask& mask, Derivation& d) {
  SoftmaxRow row = written_row(scores, scene.p.key, 0);
  for (Index j = 0; j < mask.cols(); ++j) row.allowed.push_back(mask.allowed(scene.p.query, j));
  d.heading(scene.w("Left out"));
  if (std::find(row.allowed.begin(), row.allowed.end(), true) == row.allowed.end()) {
    d.say(scene.w("No key is left: there is no softmax, and the weights are 0 by definition."));
  }
  d.softmax("p", row);
}

// --- valid lengths, of sequences or of queries

const Sequence& picked_sequence(const Scene& scene) {
  return scene.model.batch[to_size(scene.p.sequence - 1)];
}

// A heatmap of one sequence. Its columns are counted by their edges: the tick 3 is where a length
// of 3 ends.
Plot sequence_plot(const Scene& scene, Index b, const char* id, std::string title,
                   const MatrixD& cells, const Mask& mask, const ColorScale& scale) {
  const auto& p = scene.p;
  Plot plot{.id = fmt::format("{}_{}", id, b + 1), .title = std::move(title)};
  plot.x = {.label = scene.w("number of keys"), .hi = to_double(p.keys), .color = Role::key};
  plot.y = cell_axis(scene.w("query i"), p.queries, {.color = Role::query});
  Heatmap map = masked_cells(scene, cells, mask, scale, sets("sequence", b + 1));
  if (b + 1 != p.sequence) map.pinned.reset();
  plot.add(std::move(map));
  return plot;
}

// Where the valid keys end, as a line that can be dragged: one for the sequence, or one a query.
void add_lengths(const Scene& scene, Index b, Plot& plot) {
  const auto& p = scene.p;
  const bool each = p.form == LengthForm::per_query;
  for (Index i = 0; i < (each ? p.queries : 1); ++i) {
    const std::size_t at = p.length_at(b, i);
    const double edge = std::min(p.lengths[at], p.keys);
    const double top = each ? to_double(i) : 0, bottom = each ? top + 1 : p.queries;
    plot.add(Line{{edge, edge}, {top, bottom}, Role::accent, 3});
    plot.add(Handle{.x = edge,
                    .y = (top + bottom) / 2,
                    .x_param = fmt::format("length_{}", at + 1),
                    .also = sets("sequence", b + 1),
                    .radius = 5});
  }
}

std::string lengths_text(const Parameters& p, Index b) {
  std::string text;
  for (Index i = 0; i < (p.form == LengthForm::per_sequence ? 1 : p.queries); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", p.lengths[p.length_at(b, i)]);
  }
  return text;
}

Figure batch_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("batch", w("Valid lengths on a batch of two sequences"),
                             {.height = 110 + 84 * to_float(p.queries), .columns = 3});
  figure.note = p.form == LengthForm::per_sequence ? w("1-D: one length per sequence")
                                                   : w("2-D: one length per query");
  figure.caption = w.format(
      "Two sequences, one per row: their scores with the edge of the valid part, the softmax with "
      "padding overwritten by {}, and the weights with padding left out.",
      scene.fill_name());
  double largest = 0;
  for (const Sequence& one : m.batch) largest = std::max(largest, one.scores.cwiseAbs().maxCoeff());
  const Mask all = Mask::none(p.queries, p.keys);
  for (Index b = 0; b < kSequences; ++b) {
    const Sequence& one = m.batch[to_size(b)];
    Plot scores = sequence_plot(scene, b, "scores", w.format("sequence {}: scores", b + 1),
                                one.scores, all, signed_scale(largest));
    scores.note = w.format("length {}", lengths_text(p, b));
    add_lengths(scene, b, scores);
    figure = with(
        std::move(figure), std::move(scores),
        sequence_plot(scene, b, "filled", w.format("padding overwritten by {}", scene.fill_name()),
                      one.of_fill, all, {}),
        sequence_plot(scene, b, "right", w("padding left out"), one.right, one.mask, {}));
  }
  return figure;
}

Figure batch_row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = picked_sequence(scene);
  Figure figure = new_figure("batch_row", w.format("Sequence {}, query {}", p.sequence, p.query),
                             {.height = 220, .columns = 2});
  figure.caption =
      w.format("The picked row: softmax with padding overwritten by {}, and with padding left out.",
               scene.fill_name());
  add_key_bars(scene, "row_filled", w.format("overwritten by {}", scene.fill_name()),
               one.of_fill.row(p.query), false, figure);
  add_key_bars(scene, "row_right", w("left out"), one.right.row(p.query), true, figure);
  return figure;
}

// Counts over all sequences.
struct Counts {
  Index kept = 0, empty = 0;
  double leaked = 0;
};
Counts counts(const Scene& scene) {
  Counts counts;
  for (const Sequence& one : scene.model.batch) {
    counts.kept += one.mask.kept();
    counts.leaked += leaked(one.of_fill, one.mask);
    for (Index i = 0; i < one.mask.rows(); ++i) counts.empty += one.mask.range(i).size() == 0;
  }
  return counts;
}

std::vector<Readout> length_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = picked_sequence(scene);
  const Counts c = counts(scene);
  const double score = one.scores(p.query, p.key), weight = one.right(p.query, p.key);
  return finite(
      {{"kept", w("Pairs kept"), c.kept,
        w.format("{} of {}", c.kept, kSequences * p.queries * p.keys),
        w("Pairs of query and key that are not padding")},
       {"empty_rows", w("Rows without a key"), c.empty, fmt::format("{}", c.empty),
        w("Queries that see no key at all")},
       {"leaked", w("Weight on padding"), c.leaked, weight_text(c.leaked),
        w("With the fill, over the whole batch; 0 would be right")},
       {"score", w("Picked score"), score, fixed(score), w("Before the mask")},
       {"weight", w("Picked weight"), weight, weight_text(weight), w("With padding left out")}});
}

Explanation explain_length(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = picked_sequence(scene);
  const int length = p.lengths[p.length_at(p.sequence - 1, p.query)];
  Derivation d(w);
  d.begin(w("length"), fmt::format("{}", length));
  if (length > p.keys) d.say(w("Longer than the row: all keys are real."));
  const bool real = p.key < length;
  d.is(w.format("key {}", p.key),
       w.format("{}: {}", fmt::format("{} {} {}", p.key, real ? "<" : "≥", length),
                real ? w("real") : w("padding")));
  d.about(w("score"), one.scores(p.query, p.key), 5);
  d.heading(w.format("Overwritten by {}", scene.fill_name()));
  d.softmax("p", written_row(one.filled.row(p.query), p.key, 0));
  write_right(scene, one.scores.row(p.query), one.mask, d);
  return {w.format("Sequence {}: query {}, key {}", p.sequence, p.query, p.key), d.take()};
}

// --- key, future and query mask on the same scores

Plot step_plot(const Scene& scene, std::string id, std::string title, const MatrixD& cells,
               const Mask& mask, const ColorScale& scale) {
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = cell_axis(scene.w("key j"), scene.p.tokens, "token"),
            .y = cell_axis(scene.w("query i"), scene.p.tokens, "row"),
            .square = true};
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  plot.add(masked_cells(scene, cells, mask, scale));
  return plot;
}

Figure steps_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  const bool before = p.multiplies_scores();
  Figure figure =
      new_figure("steps", w("Three masks, one after another"), {.height = 560, .columns = 3});
  figure.note = w.format("real tokens: {} of {}", p.valid, p.tokens);
  figure.caption = w.format(
      "Scores of {} tokens, {} of them real; row: query, column: key. Key and future mask "
      "overwrite scores by {} (hatched); the query mask multiplies {}. Last: all masked keys left "
      "out.",
      p.tokens, p.valid, scene.fill_name(), before ? w("scores") : w("weights"));
  const auto scale = signed_scale(s.scores);
  const auto add = [&](const char* id, std::string title, const MatrixD& cells, const Mask& mask,
                       const ColorScale& colors, bool on) {
    figure.plots.push_back(step_plot(scene, id, std::move(title), cells, mask, colors));
    if (!on) figure.plots.back().note = scene.w("off");
  };
  const Mask all = Mask::none(p.tokens, p.tokens);
  // Cells that the fill overwrote are hatched.
  const auto kept = [&scene](const MatrixD& cells) {
    return Mask::dense((cells.array() != fill_value(scene.p.fill)).matrix());
  };
  add("scores", w("scores"), s.scores, all, scale, true);
  add("after_keys", w("1 key mask"), s.after_keys, kept(s.after_keys), scale, p.key_mask);
  add("after_future", w("2 future mask"), s.after_future, kept(s.after_future), scale,
      p.future_mask);
  if (before) {
    add("query_mask", w("3 query mask: × 0"), s.before_softmax, kept(s.before_softmax), scale,
        p.query_mask);
    add("weights", w("4 softmax"), s.weights, all, {}, true);
  } else {
    add("softmax", w("3 softmax"), s.softmax, all, {}, true);
    add("weights", w("4 query mask: × 0"), s.weights, all, {}, p.query_mask);
  }
  add("right", w("all masked left out"), s.right, s.mask, {}, true);
  return figure;
}

Figure steps_row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("steps_row", w.format("What query {} attends to", p.query),
                             {.height = 220, .columns = 2});
  figure.note = p.query < p.valid ? w("a real token") : w("padding");
  figure.caption = w.format(
      "The weights of query {}: after the masks, one after another, and with all masked keys left "
      "out.",
      p.query);
  add_key_bars(scene, "row_steps", w("one after another"), m.steps->weights.row(p.query), false,
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
  const double row = leaked(s.weights, s.mask), weight = s.weights(p.query, p.key);
  return finite(
      {{"wrong_rows", w("Rows that are wrong"), wrong, w.format("{} of {}", wrong, p.tokens),
        w("Queries whose weights differ from those with all masked keys left out")},
       {"kept", w("Pairs kept"), s.mask.kept(),
        w.format("{} of {}", s.mask.kept(), p.tokens * p.tokens), w("Pairs that no mask hides")},
       {"leaked", w("Weight on hidden pairs"), row, weight_text(row),
        w("After all steps; 0 would be right")},
       {"weight", w("Picked weight"), weight, weight_text(weight), w("After all steps")}});
}

Explanation explain_steps(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Steps& s = *m.steps;
  const Index i = p.query, j = p.key;
  const bool padding = p.query >= p.valid;
  Derivation d(w);
  d.about(w("score"), s.scores(i, j), 5);
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
              ? w("0 times -∞ is NaN: the row is not zero.")
              : w("Every score of the row is now 0, including the fills: softmax makes it uniform, "
                  "and hidden keys come back."));
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

Page lengths_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.made_up = w("random scores: see what the masks do to them");
  page.figures = {batch_figure(scene), batch_row_figure(scene)};
  page.readouts = length_readouts(scene);
  page.formula =
      "\\accent{p_{ij}} = \\frac{\\exp(s_{ij})}{\\sum_{l < L_{i}} \\exp(s_{il})} \\quad j < L_{i}";
  page.explanation = explain_length(scene);
  if (const Index empty = counts(scene).empty; empty > 0) {
    page.note(p.fill == Fill::minus_infinity
                  ? w.format("Rows without a key: {}. With a fill of -∞ they are ∞ - ∞ = NaN; left "
                             "out they are 0.",
                             empty)
                  : w.format("Rows without a key: {}. With a finite fill they become uniform, 1/{} "
                             "for each padding key; left out they are 0.",
                             empty, p.keys));
  }
  page.status = w.format("sequences {} · queries {} · keys {} · seed {}", kSequences, p.queries,
                         p.keys, p.seed);
  return page;
}

Page masks_page(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Page page;
  page.made_up = w("random scores: see what the masks do to them");
  page.figures = {steps_figure(scene), steps_row_figure(scene)};
  page.readouts = step_readouts(scene);
  page.formula = "\\softmax\\left(\\text{fill}(\\Q{Q}\\K{K}^{⊤})\\right)";
  page.explanation = explain_steps(scene);
  const bool none = m.steps->before_softmax.array().isNaN().any();
  if (p.multiplies_scores() && p.valid < p.tokens && !none) {
    page.note(
        w.format("The query mask multiplies the scores: the rows of {} padding queries become 0 "
                 "everywhere, and softmax turns them into 1/{}.",
                 p.tokens - p.valid, p.tokens));
  }
  if (m.steps->weights.array().isNaN().any()) {
    page.note(w("Some weights are NaN: a row of only -∞, or 0 times -∞."));
  }
  page.status = w.format("tokens {}, real {} · seed {}", p.tokens, p.valid, p.seed);
  return page;
}

}  // namespace lab::softmax
